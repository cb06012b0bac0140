#include "services/policy/second_factor/totp.h"

#include <gtest/gtest.h>

#include "tests/services/policy/totp_codes.h"

namespace da::policy {
namespace {

WallTime at(std::int64_t seconds) { return WallTime(std::chrono::seconds(seconds)); }

TEST(Totp, MatchesTheVectorsOfRfc6238) {
  const auto secret = *TotpSecret::from_base32(test::kTotpSecret);
  // The last six of the eight digits that the appendix lists for SHA-1.
  EXPECT_EQ(secret.step_of("287082", at(59)), 1u);
  EXPECT_EQ(secret.step_of("081804", at(1111111109)), 0x23523ECu);
  EXPECT_EQ(secret.step_of("050471", at(1111111111)), 0x23523EDu);
  EXPECT_EQ(secret.step_of("005924", at(1234567890)), 0x273EF07u);
  EXPECT_EQ(secret.step_of("279037", at(2000000000)), 0x3F940AAu);
}

TEST(Totp, ClocksMayDifferByOneStepAndNotByTwo) {
  const auto secret = *TotpSecret::from_base32(test::kTotpSecret);
  EXPECT_EQ(secret.step_of("081804", at(1111111109 + 30)), 0x23523ECu);
  EXPECT_EQ(secret.step_of("081804", at(1111111109 - 30)), 0x23523ECu);
  EXPECT_FALSE(secret.step_of("081804", at(1111111109 + 60)));
  EXPECT_FALSE(secret.step_of("081804", at(1111111109 - 60)));
}

TEST(Totp, TakesNothingButSixDigits) {
  const auto secret = *TotpSecret::from_base32(test::kTotpSecret);
  for (const char* code : {"", "81804", "0818040", "08180a", "+81804", " 81804", "٠٨١٨٠٤"}) {
    EXPECT_FALSE(secret.step_of(code, at(1111111109))) << code;
  }
}

TEST(Totp, TakesACodeInTwoGroups) {
  const auto secret = *TotpSecret::from_base32(test::kTotpSecret);
  for (const char* code : {"081 804", " 08 18 04 ", "081\t804"})
    EXPECT_TRUE(secret.step_of(code, at(1111111109))) << code;
}

TEST(Totp, SecretsAreRandomAndReadBack) {
  const auto secret = TotpSecret::random();
  EXPECT_EQ(secret.base32().size(), 32u);
  EXPECT_NE(secret.base32(), TotpSecret::random().base32());
  EXPECT_EQ(TotpSecret::from_base32(secret.base32())->base32(), secret.base32());
  EXPECT_EQ(TotpSecret::from_base32("gezd gnbv gy3t qojq gezd gnbv gy3t qojq")->base32(), test::kTotpSecret);
  for (const char* text : {"", "!!!!", "GEZDGNBV", "0189"}) EXPECT_FALSE(TotpSecret::from_base32(text)) << text;
}

TEST(Totp, UriNamesAccountAndParameters) {
  const auto secret = *TotpSecret::from_base32(test::kTotpSecret);
  EXPECT_EQ(secret.uri("ada@console"),
            "otpauth://totp/DesktopAssist:ada%40console?secret=" + std::string(test::kTotpSecret) +
                "&issuer=DesktopAssist&algorithm=SHA1&digits=6&period=30");
  EXPECT_NE(secret.uri("a b&c").find("DesktopAssist:a%20b%26c?"), std::string::npos);
}

}  // namespace
}  // namespace da::policy
