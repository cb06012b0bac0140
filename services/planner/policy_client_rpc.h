// The policy over gRPC. Any thread.
#pragma once

#include <memory>

#include "lib/rpc/channel.h"
#include "services/planner/roles.h"

namespace da::planner {

std::unique_ptr<Policy> connect_policy(rpc::Channel channel);

}  // namespace da::planner
