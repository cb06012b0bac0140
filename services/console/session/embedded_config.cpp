#include "services/console/session/embedded_config.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

#include "lib/base/id.h"
#include "lib/os/files.h"

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

std::string quote(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

struct SigningKey {
  std::string secret_hex;
  std::string public_hex;
};

SigningKey make_signing_key() {
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> public_key{};
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret_key{};
  crypto_sign_keypair(public_key.data(), secret_key.data());
  const auto hex = [](const auto& bytes) {
    return to_hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  };
  SigningKey key{hex(secret_key), hex(public_key)};
  sodium_memzero(secret_key.data(), secret_key.size());
  return key;
}

void write_reach(std::ostringstream& toml, const EmbeddedLayout& layout, const std::string& service) {
  const auto& reach =
      std::ranges::find(kReach, service, [](const auto& entry) { return std::string(entry.first); })->second;
  toml << "[endpoints]\n";
  for (const std::string& peer : reach) {
    toml << peer << " = " << quote("unix:" + (layout.directory / (peer + ".sock")).string()) << "\n";
  }
  for (const std::string& peer : reach) {
    if (service != "console" && peer != service) continue;
    toml << "\n[bus." << peer << "]\nfacts = " << quote("ipc://" + (layout.directory / (peer + ".ipc")).string())
         << "\n";
    if (peer == "observer") {
      toml << "images = " << quote("ipc://" + (layout.directory / (peer + ".images.ipc")).string()) << "\n";
    }
  }
}

}  // namespace

Result<void> write_embedded_config(const EmbeddedLayout& layout) {
  if (sodium_init() < 0) return Error{Code::kInternal, "start libsodium: no source of random bytes"};
  const SigningKey key = make_signing_key();
  const auto key_file = layout.directory / "policy.key";
  RETURN_IF_ERROR(os::write_private_file(key_file, key.secret_hex));
  for (const auto& [service, reach] : kReach) {
    std::ostringstream toml;
    toml << "desktop = " << quote(layout.desktop) << "\n\n[log]\nconsole = \"error\"\n";
    if (!layout.log_level.empty()) toml << "level = " << quote(layout.log_level) << "\n";
    toml << "\n";
    write_reach(toml, layout, service);
    const std::string name = service;
    if (name == "actuator") {
      toml << "\n[actuator]\nbackend = " << quote(layout.backend) << "\npolicy_key = " << quote(key.public_hex) << "\n";
      if (!layout.secrets.empty()) toml << "secrets = " << quote(layout.secrets.string()) << "\n";
      if (!layout.masks.empty()) toml << "masks = " << quote(layout.masks.string()) << "\n";
      if (!layout.journal.empty()) toml << "journal = " << quote(layout.journal) << "\n";
    } else if (name == "policy") {
      toml << "\n[policy]\nrules = " << quote(layout.rules.string()) << "\nsigning_key = " << quote(key_file.string())
           << "\n";
      if (!layout.notify.empty()) toml << "notify = [" << quote(layout.notify) << "]\n";
    }
    RETURN_IF_ERROR(os::write_private_file(layout.directory / (name + ".toml"), toml.str()));
  }
  return ok();
}

}  // namespace da::console
