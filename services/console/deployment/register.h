// What the authority of a deployment has issued, and to which machines: the truth from which every machine's peers.toml
// is made. One TOML file beside the authority's key. Not thread-safe.
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
  identity::Certificate certificate;  // What the PEM says.
  std::string certificate_pem;
  std::string curve_public;
  bool revoked = false;  // Or replaced.
};

struct Register {
  std::string ca_pem;
  std::vector<Machine> machines;
  std::vector<Issued> issued;  // In the order in which they were.

  static Result<Register> load(const std::filesystem::path& file);
  Result<void> save(const std::filesystem::path& file) const;

  Result<void> add(const identity::Identity& identity);
  // The one of that name that is not revoked; nullptr where there is none.
  Issued* find_live(std::string_view name);
  // kNotFound with the names that there are.
  Result<Machine> machine_for(std::string_view name) const;

  // Whom this machine has to do with, the revoked ones too as long as their certificates last.
  identity::Peers peers_of(const Machine& machine, WallTime now) const;
};

// Strict, as lib/identity is.
std::string to_toml(const Register& record);
Result<Register> parse_register(std::string_view toml);

}  // namespace da::console
