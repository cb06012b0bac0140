#include "lib/service/needs.h"

#include <string_view>

#include "lib/base/path_text.h"
#include "lib/identity/role.h"
#include "lib/service/logging/logging.h"

namespace da::service {
namespace {

// The directory of a unix socket; empty for other addresses.
std::filesystem::path socket_directory(std::string_view address) {
  for (const std::string_view scheme : {"unix:", "ipc://"}) {
    if (address.starts_with(scheme)) return path_of(address.substr(scheme.size())).parent_path();
  }
  return {};
}

}  // namespace

Result<Needs> common_needs(const Config& config, const std::string& service) {
  Needs needs;
  ASSIGN_OR_RETURN(const auto peers, config.path("peers.file"));
  needs.files.read.push_back(peers.parent_path());
  ASSIGN_OR_RETURN(const auto identity, config.find_secret_path("identity.file"));
  if (identity) needs.files.read.push_back(*identity);
  ASSIGN_OR_RETURN(const auto log, log_place(config));
  for (const auto& place : {log.directory, log.file}) {
    if (!place.empty()) needs.files.write.push_back(place);
  }
  for (const identity::Role role : identity::kRoles) {
    const std::string name(to_string(role));
    for (const std::string& key : {"endpoints." + name, "bus." + name + ".facts", "bus." + name + ".images"}) {
      ASSIGN_OR_RETURN(const auto address, config.find_string(key));
      if (!address) continue;
      const auto directory = socket_directory(*address);
      if (directory.empty()) needs.network = os::Network::kTcp;
      if (!directory.empty() && name == service) needs.files.sockets.push_back(directory);
    }
  }
  return needs;
}

}  // namespace da::service
