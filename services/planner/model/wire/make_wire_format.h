// Chooses the wire format of a provider's API. Pure; any thread.
#pragma once

#include <memory>

#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

// A target without a base URL gets the provider's default.
std::unique_ptr<WireFormat> make_wire_format(Target target);

}  // namespace da::planner::model
