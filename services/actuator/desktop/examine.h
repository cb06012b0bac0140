// The desktop checks of `da-console doctor`: asks the back end's roles what they can do. Changes nothing.
#pragma once

#include <vector>

#include "lib/service/doctor.h"

namespace da::actuator {

std::vector<service::Check> examine_desktop();

}  // namespace da::actuator
