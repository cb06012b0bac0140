// The observer over gRPC. Any thread.
#pragma once

#include <memory>

#include "lib/rpc/channel.h"
#include "services/planner/roles.h"

namespace da::planner {

std::unique_ptr<Observer> connect_observer(rpc::Channel channel);

}  // namespace da::planner
