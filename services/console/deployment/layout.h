// Which role runs on which machine, and where it is reached. Pure; any thread.
//
// Without any --host there is one machine, "host", with all roles on unix sockets. Else each machine has an address,
// and each role two or three ports of its own, the same everywhere:
//
//              calls   facts   images
//   observer   7441    7451    7461
//   planner    7442    7452
//   policy     7443    7453
//   actuator   7444    7454
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lib/base/result.h"
#include "lib/identity/role.h"

namespace da::console {

struct Machine {
  std::string name;     // "policy-observer": its roles; a directory of that name holds its files.
  std::string address;  // IPv4 address or DNS name; empty: only this machine, by unix sockets.
  std::vector<identity::Role> roles;

  bool has(identity::Role role) const;
};

struct Layout {
  std::string backend;            // The actuator's: "x11" or "fake".
  std::filesystem::path sockets;  // The directory of unix sockets; absolute.
  std::vector<Machine> machines;

  // The one that runs this service; there is one.
  const Machine& machine_of(identity::Role service) const;
  std::string desktop_id() const;
};

// `hosts` as --host gives them: "policy,observer=10.0.0.3". Every service runs on exactly one machine, a console on at
// least one; the error says what is missing, given twice or no address.
Result<Layout> parse_layout(const std::vector<std::string>& hosts, const std::string& backend,
                            const std::filesystem::path& sockets);

// Where a service listens, and where others find it.
enum class Side { kOwn, kOthers };
std::string rpc_endpoint(const Layout& layout, identity::Role service, Side side);
std::string facts_endpoint(const Layout& layout, identity::Role service, Side side);
// Empty for a service without images.
std::string images_endpoint(const Layout& layout, identity::Role service, Side side);

}  // namespace da::console
