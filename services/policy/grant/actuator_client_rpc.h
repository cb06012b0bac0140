// The actuator over gRPC. Any thread.
#pragma once

#include <memory>

#include "lib/rpc/channel.h"
#include "services/policy/grant/actuator.h"

namespace da::policy {

// Heartbeats have a connection of their own: if a heartbeat is sent before the actuator serves, its connection is in
// backoff, and a first step on that connection would fail at once.
std::unique_ptr<Actuator> connect_actuator(const rpc::Channel& channel, const rpc::Channel& heartbeats);

}  // namespace da::policy
