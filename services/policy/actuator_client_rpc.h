// The actuator over gRPC. Any thread.
#pragma once

#include <memory>

#include "lib/rpc/channel.h"
#include "services/policy/actuator.h"

namespace da::policy {

// Heartbeats have a connection of their own: one that is sent before the actuator serves must not make the first step
// fail, which would not wait until that connection is tried again.
std::unique_ptr<Actuator> connect_actuator(const rpc::Channel& channel, const rpc::Channel& heartbeats);

}  // namespace da::policy
