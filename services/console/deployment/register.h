// The certificates that a deployment's CA has issued, and its machines; the source of every machine's peers.toml. One
// TOML file beside the CA's key. Not thread-safe.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/identity/certificate.h"
#include "lib/identity/identity.h"
#include "services/console/deployment/layout.h"

namespace da::console {

struct Issued {
  identity::Certificate certificate;  // Parsed from the PEM.
  std::string certificate_pem;
  std::string curve_public;
  bool revoked = false;  // Also true after a replacement.
};

struct Register {
  std::string ca_pem;
  std::vector<Machine> machines;
  std::vector<Issued> issued;  // Oldest first.

  static Result<Register> load(const std::filesystem::path& file);
  Result<void> save(const std::filesystem::path& file) const;

  Result<void> add(const identity::Identity& identity);
  // The certificate of that name that is not revoked; nullptr if there is none.
  Issued* find_live(std::string_view name);
  // kNotFound; the error lists the known names.
  Result<Machine> machine_for(std::string_view name) const;

  // The peers of this machine's roles, including revoked ones until their certificates expire.
  identity::Peers peers_of(const Machine& machine, WallTime now) const;
};

// parse_register rejects unknown keys, as lib/identity does.
std::string to_toml(const Register& record);
Result<Register> parse_register(std::string_view toml);

}  // namespace da::console
