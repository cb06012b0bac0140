// Compiled only with DA_FAULT_POINTS.
#include <cstdlib>

#include "lib/base/fault_point/fault_point.h"

namespace da {

void kill_this_process() { std::_Exit(9); }

}  // namespace da
