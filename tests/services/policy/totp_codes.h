// A secret and its codes, as an authenticator application shows them.
#pragma once

#include <gtest/gtest.h>
#include <liboath/oath.h>

#include <string>
#include <string_view>

#include "lib/base/clock.h"

namespace da::policy::test {

// The secret of the test vectors in RFC 6238, appendix B.
inline constexpr std::string_view kTotpSecretBytes = "12345678901234567890";
inline constexpr char kTotpSecret[] = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";  // The same in Base32.

inline std::string totp_code(WallTime now, int steps_from_now = 0) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
  char text[7];
  EXPECT_EQ(oath_totp_generate(kTotpSecretBytes.data(), kTotpSecretBytes.size(), seconds + 30 * steps_from_now, 30, 0,
                               6, text),
            OATH_OK);
  return text;
}

}  // namespace da::policy::test
