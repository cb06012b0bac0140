// A deployment on disk. A person makes it on a trusted machine and copies each machine's directory from there:
//
//   DIR/ca/            the CA's key, and the list of issued certificates; never copied
//   DIR/<machine>/     for each of its roles a configuration and an identity; peers.toml; for the policy its rules and
//                      the key that signs grants
//
// Files have mode 0600, directories 0700. Each file is written atomically. Not thread-safe.
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

// Files to copy to a machine after a change.
struct Delivery {
  Machine machine;
  std::vector<std::filesystem::path> files;
};

class Deployment {
 public:
  // Makes CA, identities, peers and configurations. kAlreadyExists, without any change, if one of the directories
  // exists and `existing` is kKeep.
  static Result<Deployment> create(const std::filesystem::path& directory, const Layout& layout,
                                   const std::filesystem::path& rules, Existing existing, WallTime now);
  static Result<Deployment> open(const std::filesystem::path& directory);

  const Register& record() const { return register_; }

  // Makes a new certificate and CURVE key, and revokes the old ones.
  Result<std::vector<Delivery>> rotate(std::string_view name, WallTime now);
  // kFailedPrecondition if already revoked.
  Result<std::vector<Delivery>> revoke(std::string_view name, WallTime now);

 private:
  Deployment(std::filesystem::path directory, Register record)
      : directory_(std::move(directory)), register_(std::move(record)) {}
  // Writes the peers.toml of each machine whose peers have changed.
  Result<std::vector<Delivery>> write_peers(WallTime now) const;

  std::filesystem::path directory_;
  Register register_;
};

}  // namespace da::console
