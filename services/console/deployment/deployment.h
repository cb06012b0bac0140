// A deployment on disk, made on a machine that people trust, from which each machine's directory is copied:
//
//   DIR/ca/            the authority's key, and what it has issued; stays here
//   DIR/<machine>/     for each of its roles a configuration and an identity; peers.toml; for the policy its rules and
//                      the key that signs grants
//
// Everything is of mode 0600 in directories of mode 0700. Each file is written whole or not at all. Not thread-safe.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/console/deployment/register.h"

namespace da::console {

inline constexpr std::chrono::hours kAuthorityLasts{24 * 365 * 10};
inline constexpr std::chrono::hours kIdentityLasts{24 * 365};

enum class Existing { kKeep, kOverwrite };

// What has to be brought to a machine after a change.
struct Delivery {
  Machine machine;
  std::vector<std::filesystem::path> files;
};

class Deployment {
 public:
  // Makes authority, identities, peers and configurations. kAlreadyExists, and nothing is touched, where one of the
  // directories is there already and is to be kept.
  static Result<Deployment> create(const std::filesystem::path& directory, const Layout& layout,
                                   const std::filesystem::path& rules, Existing existing, WallTime now);
  static Result<Deployment> open(const std::filesystem::path& directory);

  const Register& record() const { return register_; }

  // A new certificate and a new CURVE key in place of the old ones, which are revoked where they are not already.
  Result<std::vector<Delivery>> rotate(std::string_view name, WallTime now);
  // kFailedPrecondition where it is revoked already.
  Result<std::vector<Delivery>> revoke(std::string_view name, WallTime now);

 private:
  Deployment(std::filesystem::path directory, Register record)
      : directory_(std::move(directory)), register_(std::move(record)) {}
  // Writes the peers.toml of every machine whose peers differ from what is there.
  Result<std::vector<Delivery>> write_peers(WallTime now) const;

  std::filesystem::path directory_;
  Register register_;
};

}  // namespace da::console
