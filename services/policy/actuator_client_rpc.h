// The actuator over gRPC. Any thread.
#pragma once

#include <memory>

#include "lib/rpc/channel.h"
#include "services/policy/actuator.h"

namespace da::policy {

std::unique_ptr<Actuator> connect_actuator(rpc::Channel channel);

}  // namespace da::policy
