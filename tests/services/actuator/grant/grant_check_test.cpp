#include "services/actuator/grant/grant_check.h"

#include <gtest/gtest.h>

#include "tests/services/actuator/test_policy.h"

namespace da::actuator {
namespace {

TEST(GrantCheck, AKeyMustBe64HexadecimalDigits) {
  EXPECT_FALSE(GrantCheck::create(""));
  EXPECT_FALSE(GrantCheck::create(std::string(63, 'a')));
  EXPECT_FALSE(GrantCheck::create(std::string(64, 'g')));
  EXPECT_FALSE(GrantCheck::create(std::string(66, 'a')));
  EXPECT_TRUE(GrantCheck::create(std::string(64, 'a')));
}

TEST(GrantCheck, ClaimsWithoutAnIdAreRefusedEvenWhenSigned) {
  const TestPolicy policy;
  const auto check = GrantCheck::create(policy.public_key_hex());
  EXPECT_FALSE(check->verify(policy.sign(v1::GrantClaims())));
}

TEST(GrantCheck, ClaimsWithUnknownFieldsAreRefusedEvenWhenSigned) {
  const TestPolicy policy;
  const auto check = GrantCheck::create(policy.public_key_hex());
  v1::GrantClaims claims = policy.claims(v1::Evidence());
  EXPECT_TRUE(check->verify(policy.sign(claims)));
  claims.GetReflection()->MutableUnknownFields(&claims)->AddVarint(1000, 1);
  EXPECT_FALSE(check->verify(policy.sign(claims)));
}

TEST(GrantCheck, NoGrantIsValidLongerThanAMinuteWhateverItClaims) {
  v1::GrantClaims claims;
  claims.set_valid_ms(10'000'000);
  ManualClock clock;
  const Challenge challenge{.issued = clock.now()};
  EXPECT_TRUE(GrantCheck::check(claims, challenge, "", clock.now()));
  clock.advance(Milliseconds(60'001));
  EXPECT_FALSE(GrantCheck::check(claims, challenge, "", clock.now()));
}

}  // namespace
}  // namespace da::actuator
