// gRPC's settings for the whole process.
#pragma once

namespace da::rpc {

enum class Use {
  kServes,  // Also calls.
  kCalls,
};

// Call before the first Channel or Server, and before threads that read the environment.
//
// - Forbids TLS versions below 1.3.
// - Sends gRPC's log lines (failed handshakes, above all) to `log` instead of stderr. `log` may run on any thread.
// - In a process that serves, each thread polls its own sockets. With gRPC's default, one epoll set for all, a reply
//   first wakes an idle server thread, which passes it to the waiting thread, and every sent message wakes a thread
//   because the socket is writable again. Polling costs more with more sockets; a service has about ten.
//   GRPC_POLL_STRATEGY in the environment overrides this.
void prepare_process(Use use, void (*log)(const char* line));

}  // namespace da::rpc
