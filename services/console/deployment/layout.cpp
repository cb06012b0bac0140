#include "services/console/deployment/layout.h"

#include <arpa/inet.h>

#include <algorithm>

#include "lib/base/text.h"

namespace da::console {
namespace {

using identity::kRoles;
using identity::Role;

constexpr int kRpcPorts = 7441;
constexpr int kFactsPorts = 7451;
constexpr int kImagesPorts = 7461;
constexpr std::size_t kLongestAddress = 253;
constexpr const char* kSingleMachine = "host";

bool is_ipv4(const std::string& address) {
  in_addr parsed{};
  return ::inet_pton(AF_INET, address.c_str(), &parsed) == 1;
}

Result<void> check_address(const std::string& address) {
  if (is_ipv4(address) && address != "0.0.0.0") return ok();
  const auto in_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
  };
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  if (!address.empty() && address.size() <= kLongestAddress && std::ranges::all_of(address, in_name) &&
      std::ranges::any_of(address, letter) && address.front() != '-' && address.front() != '.') {
    return ok();
  }
  return Error{Code::kInvalidArgument, "address \"" + escape_foreign(address, 80) +
                                           "\": use an IPv4 address, such as 10.0.0.3, or a DNS name, without a port"};
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = text.find(at, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

Result<Machine> parse_host(const std::string& host) {
  const std::size_t equals = host.find('=');
  if (equals == std::string::npos) {
    return Error{Code::kInvalidArgument, "--host " + escape_foreign(host, 80) +
                                             ": use ROLE[,ROLE...]=ADDRESS, such as policy,observer=10.0.0.3"};
  }
  Machine machine;
  machine.address = host.substr(equals + 1);
  RETURN_IF_ERROR(check_address(machine.address));
  for (const std::string& word : split(host.substr(0, equals), ',')) {
    ASSIGN_OR_RETURN(const Role role, identity::parse_role(word));
    machine.roles.push_back(role);
    machine.name += (machine.name.empty() ? "" : "-") + word;
  }
  return machine;
}

// Makes names unique: "console", "console-2". Only machines with just a console can have the same roles.
void make_names_unique(std::vector<Machine>& machines) {
  for (auto machine = machines.begin(); machine != machines.end(); ++machine) {
    const auto same = std::count_if(machines.begin(), machine,
                                    [&](const Machine& earlier) { return earlier.roles == machine->roles; });
    if (same > 0) machine->name += "-" + std::to_string(same + 1);
  }
}

// Without a host of its own the recorder runs beside the policy, where it holds its lease.
void place_recorder(std::vector<Machine>& machines) {
  if (std::ranges::any_of(machines, [](const Machine& machine) { return machine.has(Role::kRecorder); })) return;
  const auto policy = std::ranges::find_if(machines, [](const Machine& one) { return one.has(Role::kPolicy); });
  if (policy != machines.end()) policy->roles.push_back(Role::kRecorder);
}

Result<void> check_complete(const std::vector<Machine>& machines) {
  for (const Role role : kRoles) {
    std::ptrdiff_t places = 0;
    for (const Machine& machine : machines) places += std::ranges::count(machine.roles, role);
    if (places == 0) {
      return Error{Code::kInvalidArgument, "no --host names the " + std::string(to_string(role))};
    }
    if (places > 1 && role != Role::kConsole) {
      return Error{Code::kInvalidArgument, "the " + std::string(to_string(role)) +
                                               " is given twice: only the console may run on several machines"};
    }
  }
  for (const Machine& machine : machines) {
    if (std::ranges::count(machine.roles, Role::kConsole) > 1) {
      return Error{Code::kInvalidArgument, "--host names the console twice for " + machine.address};
    }
    const auto alike = [&](const Machine& other) { return other.address == machine.address; };
    if (std::ranges::count_if(machines, alike) > 1) {
      return Error{Code::kInvalidArgument, "address " + machine.address +
                                               " is given twice: name all of its roles in one --host, such as " +
                                               "policy,observer=" + machine.address};
    }
  }
  return ok();
}

// The port of a role is `first` plus the role's number.
std::string port(int first, Role service) { return std::to_string(first + static_cast<int>(service)); }

std::string tcp(const Machine& machine, int ports, Role service, Side side) {
  // ZeroMQ cannot bind to a DNS name.
  const bool any = side == Side::kOwn && !is_ipv4(machine.address);
  return "tcp://" + (any ? std::string("0.0.0.0") : machine.address) + ":" + port(ports, service);
}

std::string bus_endpoint(const Layout& layout, Role service, Side side, int ports, const std::string& socket) {
  const Machine& machine = layout.machine_of(service);
  if (!machine.address.empty()) return tcp(machine, ports, service, side);
  return "ipc://" + (layout.sockets / std::string(to_string(service)) / socket).string();
}

}  // namespace

bool Machine::has(Role role) const { return std::ranges::find(roles, role) != roles.end(); }

const Machine& Layout::machine_of(Role service) const {
  return *std::ranges::find_if(machines, [&](const Machine& machine) { return machine.has(service); });
}

std::string Layout::desktop_id() const { return backend + ":" + machine_of(Role::kActuator).name; }

Result<Layout> parse_layout(const std::vector<std::string>& hosts, const std::string& backend,
                            const std::filesystem::path& sockets) {
  Layout layout{backend, sockets, {}};
  const Error not_alone{Code::kInvalidArgument,
                        "--desktop win32: of our programs only the actuator runs on Windows; give it a machine of its "
                        "own, --host actuator=ADDRESS, and the others another"};
  if (hosts.empty() && backend == "win32") return not_alone;
  if (hosts.empty()) {
    layout.machines.push_back({kSingleMachine, "", {kRoles.begin(), kRoles.end()}});
    return layout;
  }
  for (const std::string& host : hosts) {
    ASSIGN_OR_RETURN(Machine machine, parse_host(host));
    layout.machines.push_back(std::move(machine));
  }
  place_recorder(layout.machines);
  RETURN_IF_ERROR(check_complete(layout.machines));
  if (backend == "win32" && layout.machine_of(Role::kActuator).roles.size() > 1) return not_alone;
  make_names_unique(layout.machines);
  return layout;
}

std::string rpc_endpoint(const Layout& layout, Role service, Side side) {
  const Machine& machine = layout.machine_of(service);
  const std::string name(to_string(service));
  if (machine.address.empty()) return "unix:" + (layout.sockets / name / "calls.sock").string();
  if (is_ipv4(machine.address)) return "ipv4:" + machine.address + ":" + port(kRpcPorts, service);
  if (side == Side::kOwn) return "ipv4:0.0.0.0:" + port(kRpcPorts, service);
  return "dns:///" + machine.address + ":" + port(kRpcPorts, service);
}

std::string facts_endpoint(const Layout& layout, Role service, Side side) {
  return bus_endpoint(layout, service, side, kFactsPorts, "facts.ipc");
}

std::string images_endpoint(const Layout& layout, Role service, Side side) {
  if (service != Role::kObserver) return "";
  return bus_endpoint(layout, service, side, kImagesPorts, "images.ipc");
}

}  // namespace da::console
