#include "services/policy/second_factor/second_factor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <liboath/oath.h>
#include <sys/resource.h>

#include <fstream>
#include <optional>

#include "tests/temp_dir.h"

namespace da::policy {
namespace {

using testing::HasSubstr;

constexpr char kSecret[] = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
constexpr std::string_view kBytes = "12345678901234567890";

struct SecondFactorTest : testing::Test {
  test::TempDir dir;
  ManualClock clock;
  SecondFactor factor{dir.path() / "factors", clock};

  void enroll(const std::string& person) {
    ASSERT_TRUE(factor.enroll(person, *TotpSecret::from_base32(kSecret), false));
  }
  // What an authenticator shows, by the library's own generator of whole codes.
  std::string code(int steps_from_now = 0) const {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(clock.wall_now().time_since_epoch()).count();
    char text[7];
    EXPECT_EQ(oath_totp_generate(kBytes.data(), kBytes.size(), seconds + 30 * steps_from_now, 30, 0, 6, text), OATH_OK);
    return text;
  }
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

// Where every descriptor was in use, nobody counted as enrolled, and critical steps were asked about without a code.
TEST_F(SecondFactorTest, WhetherAnybodyIsEnrolledIsAnErrorWhereItCannotBeRead) {
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

TEST_F(SecondFactorTest, ACodeWorksOnceAndNoEarlierOneAfterIt) {
  enroll("ada");
  EXPECT_EQ(refusal("ada", ""), Code::kInvalidArgument);
  EXPECT_TRUE(factor.check("ada", code()));
  EXPECT_EQ(refusal("ada", code()), Code::kPermissionDenied);
  EXPECT_EQ(refusal("ada", code(-1)), Code::kPermissionDenied);
  EXPECT_TRUE(factor.check("ada", code(1)));
  SecondFactor restarted(dir.path() / "factors", clock);
  const auto again = restarted.check("ada", code(1));
  ASSERT_FALSE(again) << "a restart forgets no code";
  EXPECT_THAT(again.error().message, HasSubstr("used already"));
}

TEST_F(SecondFactorTest, FiveWrongCodesStopThePersonsCodesAndTheNextFiveForLonger) {
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

// Four codes of bob were guessed, ada's right code forgot them, and so on without an end.
TEST_F(SecondFactorTest, ARightCodeOfAnotherPersonForgetsNoWrongOne) {
  enroll("ada");
  enroll("bob");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(refusal("bob", wrong()), Code::kPermissionDenied);
  EXPECT_TRUE(factor.check("ada", code()));
  SecondFactor restarted(dir.path() / "factors", clock);
  EXPECT_THAT(restarted.check("bob", wrong()).error().message, HasSubstr("no code of bob is taken for 1 min"));
  EXPECT_EQ(refusal("bob", code()), Code::kResourceExhausted);
}

// Whoever guessed at bob's codes kept ada from approving anything.
TEST_F(SecondFactorTest, WrongCodesOfOnePersonStopNobodyElse) {
  enroll("ada");
  enroll("bob");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(refusal("bob", wrong()), Code::kPermissionDenied);
  EXPECT_TRUE(factor.check("ada", code()));
}

TEST_F(SecondFactorTest, ANewSecretForgetsNoWrongCode) {
  enroll("ada");
  for (int i = 0; i < 5; ++i) EXPECT_EQ(refusal("ada", wrong()), Code::kPermissionDenied);
  ASSERT_TRUE(factor.enroll("ada", *TotpSecret::from_base32(kSecret), true));
  EXPECT_EQ(refusal("ada", code()), Code::kResourceExhausted);
}

TEST_F(SecondFactorTest, AStateThatCannotBeReadOrWrittenTakesNoCode) {
  enroll("ada");
  std::ofstream(dir.path() / "factors" / "state") << "{";
  std::filesystem::permissions(dir.path() / "factors" / "state", std::filesystem::perms::owner_read);
  EXPECT_FALSE(factor.check("ada", code()));
  std::filesystem::remove(dir.path() / "factors" / "state");
  std::filesystem::create_directory(dir.path() / "factors" / "state");
  EXPECT_FALSE(factor.check("ada", code()));
}

TEST_F(SecondFactorTest, ASecretThatOthersCanReadIsNoSecret) {
  enroll("ada");
  const auto file = dir.path() / "factors" / "ada.totp";
  EXPECT_EQ(std::filesystem::status(file).permissions(), static_cast<std::filesystem::perms>(0600));
  std::filesystem::permissions(file, static_cast<std::filesystem::perms>(0644));
  EXPECT_FALSE(factor.check("ada", code()));
}

TEST_F(SecondFactorTest, NamesStayInTheDirectory) {
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
