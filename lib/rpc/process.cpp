#include "lib/rpc/process.h"

#include <grpc/grpc.h>
#include <grpc/support/log.h>

#include <atomic>
#include <cstdlib>

namespace da::rpc {
namespace {

constexpr const char* kPolling = "GRPC_POLL_STRATEGY";
// gRPC 1.51 has no setting for the version. These are the cipher suites up to TLS 1.2, and one that needs a pre-shared
// key, which nobody has, leaves none; those of TLS 1.3 are set apart.
constexpr const char* kCipherSuites = "GRPC_SSL_CIPHER_SUITES";
constexpr const char* kNoneBelowTls13 = "PSK-AES128-GCM-SHA256";

std::atomic<void (*)(const char*)> log_line;

}  // namespace

void prepare_process(Use use, void (*log)(const char* line)) {
  log_line = log;
  gpr_set_log_function([](gpr_log_func_args* entry) { log_line.load()(entry->message); });
  // Stays set: it is read with the first connection.
  setenv(kCipherSuites, kNoneBelowTls13, 1);
  const bool poll = use == Use::kServes && std::getenv(kPolling) == nullptr;
  if (poll) setenv(kPolling, "poll", 1);
  // Reads the variable. Never shut down: the choice would be forgotten with the last channel.
  grpc_init();
  // Programs that are started from here are none of its business.
  if (poll) unsetenv(kPolling);
}

}  // namespace da::rpc
