#include <gtest/gtest.h>
#include <unistd.h>

#include "services/actuator/desktop/x11/posix_applications.h"
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

TEST(Applications, StartsAProgramInASessionOfItsOwnWithItsEnvironment) {
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

TEST(Applications, AProgramThatCannotBeExecutedIsAnError) {
  x11::PosixApplications applications(std::map<std::string, std::string>{});
  EXPECT_EQ(applications.launch({"/etc/passwd", {"passwd"}}).error().code, Code::kPermissionDenied);
  EXPECT_EQ(applications.launch({"/no/such", {"such"}}).error().code, Code::kNotFound);
}

}  // namespace
}  // namespace da::actuator
