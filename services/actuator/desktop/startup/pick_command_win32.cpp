#include "services/actuator/desktop/startup/pick_command.h"

namespace da::actuator {

// da-console, which starts it, does not run on Windows.
std::optional<int> run_pick_command(int, char**) { return std::nullopt; }

}  // namespace da::actuator
