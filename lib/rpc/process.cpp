#include "lib/rpc/process.h"

#include <grpc/support/log.h>

#include <atomic>

#include "lib/os/process/environment.h"

namespace da::rpc {
namespace {

// gRPC 1.51 has no setting for the TLS version. This variable lists the cipher suites up to TLS 1.2. Its only entry
// needs a pre-shared key, which we never set, so only TLS 1.3 with its separate suites remains.
constexpr const char* kCipherSuites = "GRPC_SSL_CIPHER_SUITES";
constexpr const char* kNoneBelowTls13 = "PSK-AES128-GCM-SHA256";

std::atomic<void (*)(const char*)> log_line;

}  // namespace

void prepare_process(void (*log)(const char* line)) {
  log_line = log;
  gpr_set_log_function([](gpr_log_func_args* entry) { log_line.load()(entry->message); });
  // Must stay set: gRPC reads it at the first connection.
  os::set_environment_variable(kCipherSuites, kNoneBelowTls13);
}

}  // namespace da::rpc
