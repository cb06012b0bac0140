#include "services/console/session/embedded_config.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "lib/base/text.h"
#include "lib/os/files.h"
#include "services/console/session/signing_key.h"

namespace da::console {
namespace {

// Who may call whom: the arrows of the architecture. A service that is not listed stays unknown to the other.
const std::pair<const char*, std::set<std::string>> kReach[] = {
    {"actuator", {"actuator"}},
    {"observer", {"observer", "actuator"}},
    {"planner", {"planner", "observer", "policy"}},
    {"policy", {"policy", "actuator"}},
    {"console", {"actuator", "observer", "planner", "policy"}},
};

void write_reach(std::ostringstream& toml, const EmbeddedLayout& layout, const std::string& service) {
  const auto& reach =
      std::ranges::find(kReach, service, [](const auto& entry) { return std::string(entry.first); })->second;
  toml << "[endpoints]\n";
  for (const std::string& peer : reach) {
    toml << peer << " = " << quote_toml("unix:" + (layout.directory / (peer + ".sock")).string()) << "\n";
  }
  for (const std::string& peer : reach) {
    if (service != "console" && peer != service) continue;
    toml << "\n[bus." << peer << "]\nfacts = " << quote_toml("ipc://" + (layout.directory / (peer + ".ipc")).string())
         << "\n";
    if (peer == "observer") {
      toml << "images = " << quote_toml("ipc://" + (layout.directory / (peer + ".images.ipc")).string()) << "\n";
    }
  }
}

}  // namespace

Result<void> write_embedded_config(const EmbeddedLayout& layout) {
  const SigningKey key = make_signing_key();
  const auto key_file = layout.directory / "policy.key";
  RETURN_IF_ERROR(os::write_private_file(key_file, key.secret_hex));
  for (const auto& [service, reach] : kReach) {
    std::ostringstream toml;
    toml << "desktop = " << quote_toml(layout.desktop) << "\n\n[log]\nconsole = \"error\"\n";
    if (!layout.log_level.empty()) toml << "level = " << quote_toml(layout.log_level) << "\n";
    toml << "\n";
    write_reach(toml, layout, service);
    const std::string name = service;
    if (name == "actuator") {
      toml << "\n[actuator]\nbackend = " << quote_toml(layout.backend)
           << "\npolicy_key = " << quote_toml(key.public_hex) << "\n";
      if (!layout.secrets.empty()) toml << "secrets = " << quote_toml(layout.secrets.string()) << "\n";
      if (!layout.masks.empty()) toml << "masks = " << quote_toml(layout.masks.string()) << "\n";
    } else if (name == "policy") {
      toml << "\n[policy]\nrules = " << quote_toml(layout.rules.string())
           << "\nsigning_key = " << quote_toml(key_file.string()) << "\n";
      if (!layout.notify.empty()) toml << "notify = [" << quote_toml(layout.notify) << "]\n";
    }
    RETURN_IF_ERROR(os::write_private_file(layout.directory / (name + ".toml"), toml.str()));
  }
  return ok();
}

}  // namespace da::console
