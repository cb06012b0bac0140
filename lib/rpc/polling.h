// How gRPC waits for its sockets, chosen once for the process.
//
// gRPC's default is one epoll set for all sockets. In a process that serves and calls, such as da-policy, the answer to
// a call then wakes an idle thread of the server first, which hands it on to the thread that waits for it; and every
// message that was sent wakes a thread because the socket is writable again. With "poll", the thread that waits for an
// answer reads it itself: a step through the policy takes a sixth less. Its price grows with the number of sockets, and
// a service has about ten.
#pragma once

namespace da::rpc {

// Once, before the first Channel or Server, and before threads that read the environment. A GRPC_POLL_STRATEGY of the
// environment wins. Where it is not called, gRPC's default holds.
void choose_polling();

}  // namespace da::rpc
