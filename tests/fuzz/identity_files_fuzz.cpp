// An identity, a list of peers or a deployment's register must be refused with an error that has no keys, or be the
// same after writing and reading it again.
#include <cstdint>
#include <string_view>

#include "lib/identity/certificate.h"
#include "lib/identity/identity.h"
#include "services/console/deployment/register.h"
#include "tests/fuzz/require.h"

namespace {

using da::fuzz::require;
using namespace da::identity;

constexpr std::size_t kLongestError = 2'000;

void check(const da::Error& error) {
  require(!error.message.empty() && error.message.size() < kLongestError, "a refusal is short, and says something");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto identity = parse_identity(text)) {
    require(parse_identity(to_toml(*identity)).has_value(), "an identity comes back");
    require(check_name(identity->role, identity->name).has_value(), "an identity has a name of its role");
  } else {
    check(identity.error());
  }
  if (const auto peers = parse_peers(text)) {
    require(parse_peers(to_toml(*peers)).has_value(), "peers come back");
    for (const Peer& peer : peers->list) {
      const bool found = peers->by_fingerprint(peer.fingerprint) != nullptr;
      require(found != peer.revoked, "a revoked peer is not found");
    }
  } else {
    check(peers.error());
  }
  if (const auto record = da::console::parse_register(text)) {
    require(da::console::parse_register(to_toml(*record)).has_value(), "a register comes back");
    for (const auto& machine : record->machines) static_cast<void>(record->peers_of(machine, da::WallTime()));
  } else {
    check(record.error());
  }
  if (!fingerprint(text)) static_cast<void>(read_certificate(text));
  return 0;
}
