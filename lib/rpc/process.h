// gRPC's settings for the whole process.
#pragma once

namespace da::rpc {

// Call before the first Channel or Server, and before threads that read the environment.
//
// - Forbids TLS versions below 1.3.
// - Sends gRPC's log lines (failed handshakes, above all) to `log` instead of stderr. `log` may run on any thread.
void prepare_process(void (*log)(const char* line));

}  // namespace da::rpc
