// Which role runs on which machine, and its endpoints. Pure; any thread.
//
// Without --host there is one machine, "host", with all roles on unix sockets. Otherwise each machine has an address,
// and each role has fixed ports:
//
//              calls   facts   images
//   observer   7441    7451    7461
//   planner    7442    7452
//   policy     7443    7453
//   actuator   7444    7454
//   recorder   7446
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "lib/identity/role.h"

namespace da::console {

struct Machine {
  std::string name;     // Its roles, such as "policy-observer"; also the name of its directory.
  std::string address;  // IPv4 address or DNS name; empty: this machine, with unix sockets.
  std::vector<identity::Role> roles;

  bool has(identity::Role role) const;
  // The name in the certificate: "policy@policy-observer".
  std::string process_name(identity::Role role) const { return std::string(to_string(role)) + "@" + name; }
};

struct Layout {
  std::string backend;            // The actuator's: "x11", "win32" or "fake".
  std::filesystem::path sockets;  // The directory of unix sockets; absolute.
  std::vector<Machine> machines;

  // The only machine with this service.
  const Machine& machine_of(identity::Role service) const;
  std::string desktop_id() const;
};

// `hosts`: values of --host, such as "policy,observer=10.0.0.3". Each service must be on exactly one machine, the
// console on at least one.
Result<Layout> parse_layout(const std::vector<std::string>& hosts, const std::string& backend,
                            const std::filesystem::path& sockets);

// kOwn: the endpoint to listen on. kOthers: the endpoint to connect to.
enum class Side { kOwn, kOthers };
std::string rpc_endpoint(const Layout& layout, identity::Role service, Side side);
std::string facts_endpoint(const Layout& layout, identity::Role service, Side side);
// Empty for services other than the observer.
std::string images_endpoint(const Layout& layout, identity::Role service, Side side);

}  // namespace da::console
