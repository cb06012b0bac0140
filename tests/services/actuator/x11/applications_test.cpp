#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "services/actuator/desktop/x11/applications/posix_applications.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

using Words = std::vector<std::string>;

TEST(Applications, ResolvesACommandToItsCanonicalProgram) {
  x11::PosixApplications applications(std::map<std::string, std::string>{});
  const auto plan = applications.resolve("sh -c 'two words'");
  ASSERT_OK(plan);
  EXPECT_EQ(plan->executable, std::filesystem::canonical("/bin/sh").string());
  EXPECT_EQ(plan->argv, (Words{"sh", "-c", "two words"}));
  EXPECT_EQ(applications.resolve("no-such-program-here").error().code, Code::kNotFound);
  EXPECT_EQ(applications.resolve("/etc/passwd").error().code, Code::kNotFound);
}

// So that the configuration launch_by = "run-dialog" is refused.
TEST(Applications, X11HasNoRunDialog) {
  x11::PosixApplications applications(std::map<std::string, std::string>{});
  EXPECT_EQ(applications.run_dialog({.executable = "/bin/sh", .argv = {"sh"}}).error().code, Code::kUnimplemented);
}

TEST(Applications, ResolvesTheNameOfADesktopEntryWithoutItsFieldCodes) {
  const std::filesystem::path home = std::filesystem::temp_directory_path() / ("entries-" + std::to_string(::getpid()));
  std::filesystem::create_directories(home / "applications");
  write_file(home / "applications" / "org.example.Editor.desktop",
             "[Desktop Entry]\nType=Application\nName=Example Editor\nExec=sh -c \"a b\" %U --x=%f 100%%\n"
             "[Desktop Action new]\nName=Other\nExec=false\n");
  ::setenv("XDG_DATA_HOME", home.c_str(), 1);
  x11::PosixApplications applications(std::map<std::string, std::string>{});
  for (const char* name : {"example editor", "org.example.editor"}) {
    const auto plan = applications.resolve(name);
    ASSERT_OK(plan);
    EXPECT_EQ(plan->argv, (Words{"sh", "-c", "a b", "--x=", "100%"}));
  }
  std::filesystem::remove_all(home);
}

TEST(Applications, StartsAProgramInItsOwnSessionWithItsEnvironment) {
  TestSession session(SessionBus::kWithout);
  x11::PosixApplications applications(std::map<std::string, std::string>{{"DA_TEST_VALUE", "42"}});
  const std::string out = session.file("out").string();
  const auto pid = applications.launch(
      {"/bin/sh", {"sh", "-c", "echo $DA_TEST_VALUE $$ > \"$0.part\"; mv \"$0.part\" \"$0\"; exec sleep 60", out}});
  ASSERT_OK(pid);
  EXPECT_TRUE(session.eventually([&] { return std::filesystem::exists(out); }));
  EXPECT_EQ(read_file(out), "42 " + std::to_string(*pid) + "\n");
  EXPECT_NE(::getsid(static_cast<pid_t>(*pid)), ::getsid(0));
}

TEST(Applications, ProgramThatCannotBeExecutedIsAnError) {
  for (const char* launcher : {"", DA_LAUNCHER}) {
    x11::PosixApplications applications({}, launcher);
    EXPECT_EQ(applications.launch({"/etc/passwd", {"passwd"}}).error().code, Code::kPermissionDenied) << launcher;
    EXPECT_EQ(applications.launch({"/no/such", {"such"}}).error().code, Code::kNotFound) << launcher;
    EXPECT_TRUE(applications.launched().empty());
  }
}

TEST(Applications, UnknownNameIsAnErrorWithSuggestions) {
  x11::PosixApplications applications(std::map<std::string, std::string>{});
  const auto unknown = applications.resolve("setsidd --fork");
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("(did you mean \"setsid\""), std::string::npos) << unknown.error().message;
}

class FollowedPrograms : public testing::Test {
 protected:
  void launch(const std::string& script) {
    const auto pid = applications_.launch({"/bin/sh", {"sh", "-c", script, session_.file("out").string()}});
    ASSERT_OK(pid);
    pid_ = *pid;
  }
  LaunchedProgram now() {
    const auto all = applications_.launched();
    return all.empty() ? LaunchedProgram() : all.back();
  }

  TestSession session_{SessionBus::kWithout};
  x11::PosixApplications applications_{{}, DA_LAUNCHER};
  std::uint32_t pid_ = 0;
};

// Bug: the reason of an application's end was not reported.
TEST_F(FollowedPrograms, EndIsReportedWithExitStatusAndLastLineOfOutput) {
  launch("echo first; echo 'no display' >&2; echo; exit 3");
  EXPECT_TRUE(session_.eventually([&] { return now().ended; }));
  EXPECT_EQ(now().pid, pid_);
  EXPECT_EQ(now().exit_status, 3);
  EXPECT_EQ(now().last_line, "no display");
  EXPECT_TRUE(session_.eventually([&] { return now().pids.empty(); }));
}

TEST_F(FollowedPrograms, SignalIsReportedAs128PlusItsNumber) {
  launch("printf 'half a line'; kill -SEGV $$");
  EXPECT_TRUE(session_.eventually([&] { return now().ended; }));
  EXPECT_EQ(now().exit_status, 128 + SIGSEGV);
  EXPECT_EQ(now().last_line, "half a line");
}

TEST_F(FollowedPrograms, DescendantsAreFollowedAfterTheProgramsEndAndInOtherSessions) {
  launch("setsid sh -c 'echo $$ > \"$0\"; exec sleep 60' \"$0\" & exit 0");
  ASSERT_TRUE(session_.eventually([&] { return now().ended && now().pids.size() == 1; }));
  const std::string child = std::to_string(now().pids.front());
  EXPECT_TRUE(session_.eventually([&] { return read_file(session_.file("out")) == child + "\n"; }));
  ASSERT_EQ(::kill(static_cast<pid_t>(now().pids.front()), SIGKILL), 0);
  EXPECT_TRUE(session_.eventually([&] { return now().pids.empty(); }));
}

TEST_F(FollowedPrograms, ProgramWithMuchOutputIsNotBlocked) {
  launch("i=0; while [ $i -lt 20000 ]; do echo line $i with some words in it; i=$((i+1)); done; exit 5");
  EXPECT_TRUE(session_.eventually([&] { return now().ended; }));
  EXPECT_EQ(now().last_line, "line 19999 with some words in it");
}

TEST_F(FollowedPrograms, LongLineIsCut) {
  launch("head -c 5000 /dev/zero | tr '\\0' x; exit 1");
  EXPECT_TRUE(session_.eventually([&] { return now().ended; }));
  EXPECT_EQ(now().last_line, std::string(300, 'x'));
}

TEST_F(FollowedPrograms, EachLaunchHasATokenInTheProgramsEnvironment) {
  launch("echo $DESKTOP_STARTUP_ID > \"$0.part\"; mv \"$0.part\" \"$0\"; exec sleep 60");
  EXPECT_TRUE(session_.eventually([&] { return std::filesystem::exists(session_.file("out")); }));
  EXPECT_FALSE(now().token.empty());
  EXPECT_EQ(read_file(session_.file("out")), now().token + "\n");
  ASSERT_EQ(::kill(static_cast<pid_t>(pid_), SIGKILL), 0);
}

}  // namespace
}  // namespace da::actuator
