#include "lib/rpc/process.h"

#include <grpc/grpc.h>
#include <grpc/support/log.h>

#include <atomic>
#include <cstdlib>

namespace da::rpc {
namespace {

constexpr const char* kPolling = "GRPC_POLL_STRATEGY";
// gRPC 1.51 has no setting for the TLS version. This variable lists the cipher suites up to TLS 1.2. Its only entry
// needs a pre-shared key, which we never set, so only TLS 1.3 with its separate suites remains.
constexpr const char* kCipherSuites = "GRPC_SSL_CIPHER_SUITES";
constexpr const char* kNoneBelowTls13 = "PSK-AES128-GCM-SHA256";

std::atomic<void (*)(const char*)> log_line;

}  // namespace

void prepare_process(Use use, void (*log)(const char* line)) {
  log_line = log;
  gpr_set_log_function([](gpr_log_func_args* entry) { log_line.load()(entry->message); });
  // Must stay set: gRPC reads it at the first connection.
  setenv(kCipherSuites, kNoneBelowTls13, 1);
  const bool poll = use == Use::kServes && std::getenv(kPolling) == nullptr;
  if (poll) setenv(kPolling, "poll", 1);
  // Reads the variable. Never shut down gRPC, because the strategy would be forgotten with the last channel.
  grpc_init();
  // Child processes must not inherit the variable.
  if (poll) unsetenv(kPolling);
}

}  // namespace da::rpc
