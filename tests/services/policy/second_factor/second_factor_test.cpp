#include "services/policy/second_factor/second_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>
#include <optional>

#include "tests/services/policy/totp_codes.h"
#include "tests/temp_dir.h"

namespace da::policy {
namespace {

using testing::HasSubstr;

struct SecondFactorTest : testing::Test {
  da::test::TempDir dir;
  ManualClock clock;
  SecondFactor factor{dir.path() / "factors", clock};

  void enroll(const std::string& person) {
    ASSERT_TRUE(factor.enroll(person, *TotpSecret::from_base32(test::kTotpSecret), false));
  }
  std::string code(int steps_from_now = 0) const { return test::totp_code(clock.wall_now(), steps_from_now); }
  std::string wrong() const { return code() == "000000" ? "000001" : "000000"; }
  std::optional<Code> refusal(const std::string& person, const std::string& typed) {
    const auto checked = factor.check(person, typed);
    return checked ? std::nullopt : std::optional(checked.error().code);
  }
};

TEST_F(SecondFactorTest, NobodyIsEnrolledAtFirst) {
  EXPECT_FALSE(*factor.enrolled());
  EXPECT_EQ(refusal("ada", code()), Code::kFailedPrecondition);
  enroll("ada");
  EXPECT_TRUE(*factor.enrolled());
  EXPECT_EQ(refusal("bob", code()), Code::kFailedPrecondition);
}

// While no file descriptor was free, nobody counted as enrolled, and critical steps needed no code.
TEST_F(SecondFactorTest, EnrollmentThatCannotBeReadIsAnError) {
  enroll("ada");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto enrolled = factor.enrolled();
  const auto taken = refusal("ada", code());
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_FALSE(enrolled.has_value());
  EXPECT_NE(taken, std::nullopt);
  EXPECT_EQ(refusal("ada", code()), std::nullopt) << "the code was not used up";
}

TEST_F(SecondFactorTest, CodeWorksOnceAndEarlierCodesFailAfterIt) {
  enroll("ada");
  EXPECT_EQ(refusal("ada", ""), Code::kInvalidArgument);
  EXPECT_TRUE(factor.check("ada", code()));
  EXPECT_EQ(refusal("ada", code()), Code::kPermissionDenied);
  EXPECT_EQ(refusal("ada", code(-1)), Code::kPermissionDenied);
  EXPECT_TRUE(factor.check("ada", code(1)));
  SecondFactor restarted(dir.path() / "factors", clock);
  const auto again = restarted.check("ada", code(1));
  ASSERT_FALSE(again) << "a restart forgets no code";
  EXPECT_THAT(again.error().message, HasSubstr("already used"));
}

TEST_F(SecondFactorTest, FiveWrongCodesBlockThePersonAndTheNextFiveForLonger) {
  enroll("ada");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(refusal("ada", wrong()), Code::kPermissionDenied);
  EXPECT_EQ(refusal("ada", code()), Code::kResourceExhausted);
  SecondFactor restarted(dir.path() / "factors", clock);
  EXPECT_EQ(restarted.check("ada", code()).error().code, Code::kResourceExhausted) << "a restart does not help";
  clock.advance(std::chrono::seconds(60));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(refusal("ada", wrong()), Code::kPermissionDenied);
  clock.advance(std::chrono::seconds(60));
  EXPECT_EQ(refusal("ada", code()), Code::kResourceExhausted) << "two minutes now";
  clock.advance(std::chrono::seconds(60));
  EXPECT_TRUE(factor.check("ada", code()));
  for (int i = 0; i < 4; ++i) EXPECT_EQ(refusal("ada", wrong()), Code::kPermissionDenied);
  EXPECT_TRUE(factor.check("ada", code(1))) << "a right one begins anew";
}

// An attacker guessed four codes of bob, gave a correct code of ada that reset the count, and guessed again without
// end.
TEST_F(SecondFactorTest, CorrectCodeOfAnotherPersonResetsNothing) {
  enroll("ada");
  enroll("bob");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(refusal("bob", wrong()), Code::kPermissionDenied);
  EXPECT_TRUE(factor.check("ada", code()));
  SecondFactor restarted(dir.path() / "factors", clock);
  EXPECT_THAT(restarted.check("bob", wrong()).error().message, HasSubstr("no code of bob is accepted for 1 min"));
  EXPECT_EQ(refusal("bob", code()), Code::kResourceExhausted);
}

// Guesses of bob's codes blocked ada's approvals.
TEST_F(SecondFactorTest, WrongCodesBlockNobodyElse) {
  enroll("ada");
  enroll("bob");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(refusal("bob", wrong()), Code::kPermissionDenied);
  EXPECT_TRUE(factor.check("ada", code()));
}

TEST_F(SecondFactorTest, NewSecretDoesNotResetWrongCodes) {
  enroll("ada");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(refusal("ada", wrong()), Code::kPermissionDenied);
  ASSERT_TRUE(factor.enroll("ada", *TotpSecret::from_base32(test::kTotpSecret), true));
  EXPECT_EQ(refusal("ada", code()), Code::kResourceExhausted);
}

TEST_F(SecondFactorTest, UnusableStateFileAcceptsNoCode) {
  enroll("ada");
  std::ofstream(dir.path() / "factors" / "state") << "{";
  std::filesystem::permissions(dir.path() / "factors" / "state", std::filesystem::perms::owner_read);
  EXPECT_FALSE(factor.check("ada", code()));
  std::filesystem::remove(dir.path() / "factors" / "state");
  std::filesystem::create_directory(dir.path() / "factors" / "state");
  EXPECT_FALSE(factor.check("ada", code()));
}

TEST_F(SecondFactorTest, SecretReadableByOthersIsRefused) {
  enroll("ada");
  const auto file = dir.path() / "factors" / "ada.totp";
  EXPECT_EQ(std::filesystem::status(file).permissions(), static_cast<std::filesystem::perms>(0600));
  std::filesystem::permissions(file, static_cast<std::filesystem::perms>(0644));
  EXPECT_FALSE(factor.check("ada", code()));
}

TEST_F(SecondFactorTest, NamesCannotLeaveTheDirectory) {
  for (const char* name : {"", "..", "../x", "a/b", ".hidden", "a\nb"}) {
    EXPECT_EQ(factor.enroll(name, TotpSecret::random(), false).error().code, Code::kInvalidArgument) << name;
    EXPECT_EQ(refusal(name, code()), Code::kInvalidArgument) << name;
  }
  enroll("ada@console");
  EXPECT_EQ(factor.enroll("ada@console", TotpSecret::random(), false).error().code, Code::kAlreadyExists);
  EXPECT_TRUE(factor.enroll("ada@console", TotpSecret::random(), true));
}

}  // namespace
}  // namespace da::policy
