#include "services/console/session/service_environment.h"

#include <algorithm>
#include <array>

#include "lib/os/process/child_process.h"

namespace da::console {
namespace {

// Only for the actuator.
constexpr std::array<std::string_view, 5> kDesktopVariables = {
    "DISPLAY=", "XAUTHORITY=", "DBUS_SESSION_BUS_ADDRESS=", "WAYLAND_DISPLAY=", "AT_SPI_BUS_ADDRESS="};
// Only for the actuator: its secrets file may refer to them.
constexpr std::string_view kSecretVariables = "DA_SECRET_";
// Only for the planner, and for programs that the actuator starts. A proxy's address may contain a password.
constexpr std::array<std::string_view, 2> kProxyVariables = {"_proxy", "_PROXY"};

std::string_view name_of(std::string_view variable) { return variable.substr(0, variable.find('=')); }

bool names_proxy(const std::string& variable) {
  const std::string_view name = name_of(variable);
  return std::ranges::any_of(kProxyVariables, [&](std::string_view end) { return name.ends_with(end); });
}

}  // namespace

std::vector<std::string> environment_of(std::string_view service, const EnvironmentChanges& changes) {
  auto variables = os::current_environment();
  const auto is_one_of = [](const auto& names) {
    return [&names](const std::string& variable) {
      return std::ranges::any_of(names, [&](std::string_view name) { return variable.starts_with(name); });
    };
  };
  const auto secret = [](const std::string& variable) { return variable.starts_with(kSecretVariables); };
  if (service != "actuator") {
    std::erase_if(variables, is_one_of(kDesktopVariables));
    std::erase_if(variables, secret);
  }
  const auto model_key = [](const std::string& variable) {
    return std::ranges::find(kModelKeys, name_of(variable)) != kModelKeys.end();
  };
  if (service != "planner") std::erase_if(variables, model_key);
  std::erase_if(variables,
                [&](const std::string& each) { return changes.removed.contains(std::string(name_of(each))); });
  if (service == "observer" || service == "policy" || service == "recorder") std::erase_if(variables, names_proxy);
  if (service == "planner") {
    for (const auto& [name, value] : changes.model_keys) variables.push_back(name + "=" + value);
  }
  return variables;
}

}  // namespace da::console
