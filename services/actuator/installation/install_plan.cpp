#include "services/actuator/installation/install_plan.h"

#include <charconv>
#include <optional>

#include "lib/base/text.h"

namespace da::actuator {
namespace {

struct Place {
  std::string address;
  std::uint16_t port = 0;
};

// "ipv4:10.0.0.4:7444", "ipv6:[::1]:7444", "tcp://10.0.0.4:7454". nullopt: not an IP address with a port.
std::optional<Place> parse_place(std::string_view text) {
  for (const std::string_view scheme : {"ipv4:", "ipv6:", "tcp://"}) {
    if (text.starts_with(scheme)) {
      text.remove_prefix(scheme.size());
      break;
    }
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  Place place;
  const std::string_view port = text.substr(colon + 1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), place.port);
  if (error != std::errc() || end != port.data() + port.size() || place.port == 0) return std::nullopt;
  text = text.substr(0, colon);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  if (text.empty() || text.find_first_not_of("0123456789abcdefABCDEF.:") != std::string_view::npos) return std::nullopt;
  place.address = text;
  return place;
}

std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char each : text) {
    switch (each) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      default: escaped += each;
    }
  }
  return escaped;
}

constexpr char kRuleName[] = "name=DesktopAssist actuator";

SystemCommand delete_rule() { return {{"netsh.exe", "advfirewall", "firewall", "delete", "rule", kRuleName}, true}; }

}  // namespace

Result<Listening> listening_of(const service::Config& config) {
  Listening listening;
  for (const char* key : {"endpoints.actuator", "bus.actuator.facts", "bus.actuator.images"}) {
    ASSIGN_OR_RETURN(const auto value, config.find_string(key));
    if (!value) continue;
    const auto place = parse_place(*value);
    if (!place) {
      return Error{Code::kInvalidArgument, std::string(key) + ": " + quote_foreign(*value) +
                                               " is not an IP address with a port, which the firewall rule needs"};
    }
    if (place->address == "0.0.0.0" || place->address == "::") {
      return Error{Code::kInvalidArgument, std::string(key) +
                                               " listens at all addresses of this machine; name one, as "
                                               "da-console init --host actuator=ADDRESS does"};
    }
    if (!listening.address.empty() && listening.address != place->address) {
      return Error{Code::kInvalidArgument, std::string(key) + " has another address than endpoints.actuator"};
    }
    listening.address = place->address;
    listening.ports.push_back(place->port);
  }
  if (listening.ports.empty()) {
    return Error{Code::kInvalidArgument, "the configuration has neither endpoints.actuator nor bus.actuator.facts"};
  }
  return listening;
}

std::string task_xml(const InstallPlan& plan) {
  const std::string user = xml_text(plan.user);
  return R"(<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>Lets DesktopAssist use the desktop of this user. A step needs a grant of the policy.</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger><Enabled>true</Enabled><UserId>)" +
         user + R"(</UserId></LogonTrigger>
  </Triggers>
  <Principals>
    <Principal id="User"><UserId>)" +
         user + R"(</UserId><LogonType>InteractiveToken</LogonType><RunLevel>)" +
         (plan.rights == Rights::kHighest ? "HighestAvailable" : "LeastPrivilege") + R"(</RunLevel></Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Enabled>true</Enabled>
  </Settings>
  <Actions Context="User">
    <Exec><Command>)" +
         xml_text(plan.executable) + "</Command><Arguments>--config \"" + xml_text(plan.config_file) +
         R"("</Arguments></Exec>
  </Actions>
</Task>
)";
}

std::vector<SystemCommand> install_commands(const InstallPlan& plan, const std::string& task_file) {
  std::string ports;
  for (const std::uint16_t port : plan.listening.ports) ports += (ports.empty() ? "" : ",") + std::to_string(port);
  std::vector<SystemCommand> commands{{{"schtasks.exe", "/Create", "/TN", kInstallationName, "/XML", task_file, "/F"}},
                                      delete_rule()};  // An earlier installation's rules have the same name.
  // UDP: halts (lib/halt).
  for (const char* protocol : {"protocol=TCP", "protocol=UDP"}) {
    commands.push_back(
        {{"netsh.exe", "advfirewall", "firewall", "add", "rule", kRuleName, "dir=in", "action=allow", protocol,
          "localip=" + plan.listening.address, "localport=" + ports, "program=" + plan.executable}});
  }
  return commands;
}

std::vector<SystemCommand> uninstall_commands() {
  return {{{"schtasks.exe", "/End", "/TN", kInstallationName}, true},
          {{"schtasks.exe", "/Delete", "/TN", kInstallationName, "/F"}},
          delete_rule()};
}

}  // namespace da::actuator
