// Answers as Windows gives them, because all programs under Wine have one integrity level.
#include "services/actuator/desktop/win32/applications/integrity.h"

#include <gtest/gtest.h>
#include <windows.h>

#include <initializer_list>

#include "services/actuator/desktop/win32/applications/win32_process.h"

namespace da::actuator::win32 {
namespace {

constexpr Integrity kLow{.level = 0x1000};
constexpr Integrity kMedium{.level = 0x2000};
constexpr Integrity kWithUiAccess{.level = 0x2010};  // The on-screen keyboard, for example.
constexpr Integrity kHigh{.level = 0x3000};
constexpr Integrity kSystem{.level = 0x4000};

TEST(IntegrityReach, EqualAndLowerLevelsAreReached) {
  EXPECT_EQ(reach_between(kMedium, kMedium), Reach::kReached);
  EXPECT_EQ(reach_between(kMedium, kLow), Reach::kReached);
  EXPECT_EQ(reach_between(kMedium, {.level = 0}), Reach::kReached);
  EXPECT_EQ(reach_between(kHigh, kHigh), Reach::kReached);
  EXPECT_EQ(reach_between(kHigh, kMedium), Reach::kReached);
}

TEST(IntegrityReach, HigherLevelsAreNot) {
  EXPECT_EQ(reach_between(kLow, kMedium), Reach::kHigherIntegrity);
  EXPECT_EQ(reach_between(kMedium, kWithUiAccess), Reach::kHigherIntegrity);
  EXPECT_EQ(reach_between(kMedium, kHigh), Reach::kHigherIntegrity);
  EXPECT_EQ(reach_between(kHigh, kSystem), Reach::kHigherIntegrity);
  EXPECT_EQ(reach_between(kSystem, {.level = 0xFFFFFFFF}), Reach::kHigherIntegrity);
}

TEST(IntegrityReach, ARefusedAnswerCountsAsHigher) {
  EXPECT_EQ(reach_between(kMedium, {.open_error = ERROR_ACCESS_DENIED}), Reach::kHigherIntegrity);
  EXPECT_EQ(reach_between(kMedium, {.read_error = ERROR_ACCESS_DENIED}), Reach::kHigherIntegrity)
      << "so Windows answers for the token of a program that runs as administrator";
  EXPECT_EQ(reach_between(kHigh, {.open_error = ERROR_ACCESS_DENIED}), Reach::kHigherIntegrity);
}

TEST(IntegrityReach, EveryAnswerWithoutALevelCountsAsHigher) {
  for (const DWORD error :
       {ERROR_INVALID_PARAMETER, ERROR_INVALID_HANDLE, ERROR_NOT_ENOUGH_MEMORY, ERROR_INVALID_SID}) {
    EXPECT_EQ(reach_between(kMedium, {.read_error = static_cast<std::uint32_t>(error)}), Reach::kHigherIntegrity)
        << error;
  }
  EXPECT_EQ(reach_between(kMedium, {.open_error = ERROR_NOT_ENOUGH_MEMORY}), Reach::kHigherIntegrity);
  EXPECT_EQ(reach_between(kMedium, {}), Reach::kHigherIntegrity);
}

TEST(IntegrityReach, WithoutAnOwnLevelNothingIsReached) {
  const Integrity unknown{.read_error = ERROR_ACCESS_DENIED};
  EXPECT_EQ(reach_between(unknown, kLow), Reach::kHigherIntegrity);
  EXPECT_EQ(reach_between(unknown, unknown), Reach::kHigherIntegrity);
}

TEST(IntegrityReach, AProcessThatIsGoneHidesNothing) {
  EXPECT_EQ(reach_between(kMedium, {.open_error = ERROR_INVALID_PARAMETER}), Reach::kReached);
}

// A SID in the form in which Windows keeps it.
struct Sid {
  Sid(std::uint8_t authority, std::initializer_list<DWORD> numbers) {
    SID_IDENTIFIER_AUTHORITY whose{};
    whose.Value[5] = authority;
    ::InitializeSid(bytes, &whose, static_cast<BYTE>(numbers.size()));
    DWORD index = 0;
    for (const DWORD number : numbers) *::GetSidSubAuthority(bytes, index++) = number;
  }
  alignas(SID) std::uint8_t bytes[SECURITY_MAX_SID_SIZE] = {};
};

TEST(IntegrityLevel, IsTheNumberOfAMandatoryLabel) {
  EXPECT_EQ(level_in(Sid(16, {0x2000}).bytes), 0x2000u);
  EXPECT_EQ(level_in(Sid(16, {0}).bytes), 0u);
}

TEST(IntegrityLevel, NoOtherSidHasOne) {
  EXPECT_EQ(level_in(nullptr), std::nullopt);
  EXPECT_EQ(level_in(Sid(16, {}).bytes), std::nullopt);
  EXPECT_EQ(level_in(Sid(16, {0x2000, 0}).bytes), std::nullopt);
  EXPECT_EQ(level_in(Sid(5, {0x20}).bytes), std::nullopt) << "that of a user";
  Sid damaged(16, {0x2000});
  damaged.bytes[0] = 9;  // Its revision.
  EXPECT_EQ(level_in(damaged.bytes), std::nullopt);
}

TEST(IntegrityLevel, IsToldByTheNextLowerName) {
  EXPECT_EQ(level_in_words(0), "untrusted (0x0)");
  EXPECT_EQ(level_in_words(0x1000), "low (0x1000)");
  EXPECT_EQ(level_in_words(0x2010), "medium (0x2010)");
  EXPECT_EQ(level_in_words(0x3000), "high (0x3000)");
  EXPECT_EQ(level_in_words(0x4000), "system (0x4000)");
}

TEST(IntegrityLevel, LevelOfThisProcessIsKnown) {
  EXPECT_NE(own_integrity().level, std::nullopt);
  EXPECT_EQ(reach_of(::GetCurrentProcessId()), Reach::kReached);
}

}  // namespace
}  // namespace da::actuator::win32
