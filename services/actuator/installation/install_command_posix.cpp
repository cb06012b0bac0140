#include "services/actuator/installation/install_command.h"

namespace da::actuator {

std::string install_help() { return ""; }
std::optional<int> run_install_command(int, char**) { return std::nullopt; }

}  // namespace da::actuator
