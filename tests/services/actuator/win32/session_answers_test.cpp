// Answers as Windows' documentation gives them, because Wine has neither a terminal service nor a secure desktop.
#include "services/actuator/desktop/win32/session/session_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <windows.h>
// Must be included after windows.h:
#include <wtsapi32.h>

#include <cstring>

namespace da::actuator::win32 {
namespace {

using ::testing::HasSubstr;
using Kind = SessionObstacle::Kind;
using Bytes = std::vector<std::byte>;

std::string name_of(const std::optional<SessionObstacle>& obstacle) {
  if (!obstacle) return "none";
  switch (obstacle->kind) {
    case Kind::kLocked: return "locked";
    case Kind::kSecureDesktop: return "secure desktop";
    case Kind::kDisconnected: return "disconnected";
  }
  return "?";
}

Bytes bytes_of(std::int32_t number) {
  Bytes bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

// A WTSINFOEXW of 232 bytes: its level, then at 8 the session, its state, its flags, names and times.
Bytes details(std::int32_t flags, std::int32_t level = 1) {
  Bytes bytes(232, std::byte{0xAA});
  const auto put = [&bytes](std::size_t at, std::int32_t number) { std::memcpy(&bytes[at], &number, sizeof number); };
  put(0, level);
  put(8, 2);
  put(12, WTSActive);
  put(16, flags);
  return bytes;
}

constexpr std::int32_t kLockFlag = 0;  // WTS_SESSIONSTATE_LOCK
constexpr std::int32_t kUnlockFlag = 1;
constexpr std::int32_t kUnknownFlag = -1;

std::string connection(std::optional<Bytes> state, std::optional<Bytes> session_details) {
  return name_of(connection_obstacle({std::move(state), std::move(session_details)}));
}

TEST(SessionAnswers, AnActiveUnlockedSessionHasNoObstacle) {
  EXPECT_EQ(connection(bytes_of(WTSActive), details(kUnlockFlag)), "none");
}

TEST(SessionAnswers, ALockedSessionIsLocked) {
  EXPECT_EQ(connection(bytes_of(WTSActive), details(kLockFlag)), "locked");
  EXPECT_EQ(connection(std::nullopt, details(kLockFlag)), "locked") << "one answer is enough";
}

// The pause shows the reason after "the session is locked"; a refused input and doctor show it alone.
TEST(SessionAnswers, TheReasonOfALockNamesIt) {
  EXPECT_EQ(connection_obstacle({std::nullopt, details(kLockFlag)})->reason, "Windows reports a lock");
  EXPECT_EQ(connection_obstacle({std::nullopt, details(7)})->reason,
            "Windows reports an unknown state of its lock, number 7");
}

TEST(SessionAnswers, AClosedRemoteConnectionIsDisconnectedEvenIfTheSessionIsLocked) {
  EXPECT_EQ(connection(bytes_of(WTSDisconnected), details(kLockFlag)), "disconnected");
  EXPECT_EQ(connection(bytes_of(WTSDisconnected), std::nullopt), "disconnected");
}

TEST(SessionAnswers, OnlyStatesWithAClientTakeInput) {
  for (const auto state : {WTSActive, WTSConnected, WTSShadow}) {
    EXPECT_EQ(connection(bytes_of(state), details(kUnlockFlag)), "none") << state;
  }
  for (const int state : {int{WTSConnectQuery}, int{WTSDisconnected}, int{WTSIdle}, int{WTSListen}, int{WTSReset},
                          int{WTSDown}, int{WTSInit}, 10, -1, 1 << 30}) {
    EXPECT_EQ(connection(bytes_of(state), details(kUnlockFlag)), "disconnected") << state;
  }
}

TEST(SessionAnswers, AnUnknownLockFlagCountsAsLocked) {
  for (const int flags : {2, 3, 0x100, -2})
    EXPECT_EQ(connection(bytes_of(WTSActive), details(flags)), "locked") << flags;
}

// The input desktop is asked next.
TEST(SessionAnswers, AnAnswerThatTellsNothingIsNoObstacle) {
  EXPECT_EQ(connection(std::nullopt, std::nullopt), "none");
  EXPECT_EQ(connection(bytes_of(WTSActive), details(kUnknownFlag)), "none");
  EXPECT_EQ(connection(bytes_of(WTSActive), details(kLockFlag, 2)), "none") << "another structure";
}

TEST(SessionAnswers, ATruncatedAnswerIsNotReadBeyondItsEnd) {
  const Bytes state = bytes_of(WTSDisconnected);
  for (std::size_t size = 0; size < state.size(); ++size) {
    EXPECT_EQ(connection(Bytes(state.begin(), state.begin() + size), std::nullopt), "none") << size;
  }
  const Bytes locked = details(kLockFlag);
  for (std::size_t size = 0; size < 20; ++size) {
    EXPECT_EQ(connection(std::nullopt, Bytes(locked.begin(), locked.begin() + size)), "none") << size;
  }
}

std::string input_desktop(const InputDesktopAnswer& answer) { return name_of(input_desktop_obstacle(answer)); }

TEST(SessionAnswers, InputOfTheSessionsOwnDesktopHasNoObstacle) {
  EXPECT_EQ(input_desktop({.name = L"Default"}), "none");
}

TEST(SessionAnswers, ADesktopThatMayNotBeOpenedIsTheSecureOne) {
  // Access denied: as a UAC prompt, Ctrl+Alt+Del and a lock answer. The others: whatever the reason.
  for (const DWORD error : {ERROR_ACCESS_DENIED, ERROR_INVALID_FUNCTION, ERROR_NOT_ENOUGH_MEMORY}) {
    EXPECT_EQ(input_desktop({.error = static_cast<std::uint32_t>(error)}), "secure desktop") << error;
  }
  EXPECT_THAT(input_desktop_obstacle({.error = ERROR_ACCESS_DENIED})->reason, HasSubstr("error 5"));
}

TEST(SessionAnswers, ADesktopOfAnotherNameHasTheInput) {
  EXPECT_EQ(input_desktop({.name = L"Winlogon"}), "secure desktop");
  EXPECT_EQ(input_desktop({.name = L"Screen-saver"}), "locked");
  EXPECT_EQ(input_desktop({.name = L"Disconnect"}), "disconnected");
  EXPECT_EQ(input_desktop({.name = L"default"}), "secure desktop");
  EXPECT_EQ(input_desktop({.name = L"Default "}), "secure desktop");
  EXPECT_EQ(input_desktop({.name = L""}), "secure desktop") << "a name that may not be read";
}

TEST(SessionAnswers, TheNameOfADesktopIsQuotedAsForeignText) {
  EXPECT_THAT(input_desktop_obstacle({.name = L"a\x1b[31m"})->reason, Not(HasSubstr("\x1b")));
}

std::string session(std::optional<std::uint32_t> number, std::optional<std::uint32_t> station_flags) {
  const auto found = interactive_session({number, station_flags});
  return found ? std::to_string(*found) : found.error().message;
}

TEST(SessionAnswers, AUsersSessionIsInteractive) {
  EXPECT_EQ(session(1, WSF_VISIBLE), "1");
  EXPECT_EQ(session(7, WSF_VISIBLE | 0x100), "7");
}

TEST(SessionAnswers, SessionZeroIsRefusedEvenIfItsStationIsVisible) {
  EXPECT_THAT(session(0, WSF_VISIBLE), HasSubstr("session 0"));
  EXPECT_THAT(session(0, 0), HasSubstr("session 0"));
}

TEST(SessionAnswers, AnInvisibleOrUnknownStationIsRefused) {
  EXPECT_THAT(session(1, 0), HasSubstr("not interactive"));
  EXPECT_THAT(session(1, std::nullopt), HasSubstr("not interactive"));
  EXPECT_THAT(session(std::nullopt, WSF_VISIBLE), HasSubstr("does not tell the session"));
}

}  // namespace
}  // namespace da::actuator::win32
