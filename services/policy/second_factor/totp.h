// Time-based one-time passwords (RFC 6238) of authenticator applications: HMAC-SHA-1, steps of 30 s, six digits.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

// 20 random bytes, as RFC 4226 recommends. The destructor wipes them.
class TotpSecret {
 public:
  static TotpSecret random();
  // Base32 in upper or lower case; ignores spaces and padding. kInvalidArgument.
  static Result<TotpSecret> from_base32(std::string_view text);
  TotpSecret(TotpSecret&& other) noexcept : bytes_(std::move(other.bytes_)) { other.wipe(); }
  TotpSecret& operator=(TotpSecret&&) = delete;
  ~TotpSecret() { wipe(); }

  std::string base32() const;
  // Returns the URI for an authenticator application, in the key URI format of Google Authenticator.
  std::string uri(const std::string& account) const;

  // The time step of this code: the current one or, because clocks differ, a neighbour. nullopt for a wrong code.
  // Blanks in a code do not count.
  std::optional<std::uint64_t> step_of(std::string_view code, WallTime now) const;

 private:
  explicit TotpSecret(std::string bytes) : bytes_(std::move(bytes)) {}
  void wipe();
  std::string bytes_;
};

}  // namespace da::policy
