// Time-based one-time passwords, RFC 6238: HMAC-SHA-1, steps of 30 s, six digits; what authenticator applications show.
// Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::policy {

// 20 random bytes, as RFC 4226 recommends. Wiped at the end.
class TotpSecret {
 public:
  static TotpSecret random();
  // Base32, upper or lower case, spaces and padding ignored. kInvalidArgument.
  static Result<TotpSecret> from_base32(std::string_view text);
  TotpSecret(TotpSecret&& other) noexcept : bytes_(std::move(other.bytes_)) { other.wipe(); }
  TotpSecret& operator=(TotpSecret&&) = delete;
  ~TotpSecret() { wipe(); }

  std::string base32() const;
  // For an authenticator application, as the key URI format of Google Authenticator has it.
  std::string uri(const std::string& account) const;

  // The step whose code this is: the one of now, the one before or the one after, for clocks that differ. nullopt:
  // none.
  std::optional<std::uint64_t> step_of(std::string_view code, WallTime now) const;

 private:
  explicit TotpSecret(std::string bytes) : bytes_(std::move(bytes)) {}
  void wipe();
  std::string bytes_;
};

}  // namespace da::policy
