// What gRPC is told once for the process.
#pragma once

namespace da::rpc {

enum class Use {
  kServes,  // And calls.
  kCalls,
};

// Before the first Channel or Server, and before threads that read the environment.
//
// - Nothing below TLS 1.3 is spoken.
// - What gRPC has to say goes to `log` (any thread) instead of stderr: handshakes that failed, above all.
// - In a process that serves, each thread polls its own sockets. gRPC's default is one epoll set for all of them: the
//   answer to a call then wakes an idle thread of the server first, which hands it on to the thread that waits for it,
//   and every message that was sent wakes a thread because the socket is writable again. Polling's price grows with the
//   number of sockets, and a service has about ten. A GRPC_POLL_STRATEGY of the environment wins.
void prepare_process(Use use, void (*log)(const char* line));

}  // namespace da::rpc
