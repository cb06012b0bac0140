// These tests start X servers with and without an authority file, and change their access lists with xhost.
#include "services/actuator/desktop/x11/session/display_access.h"

#include <cstdlib>

#include "tests/services/actuator/x11/test_session.h"
#include "tests/temp_dir.h"

namespace da::actuator::x11 {
namespace {

TEST(X11DisplayAccess, ServerWithoutAnAuthorityFileLetsEachLocalUserIn) {
  TestSession session(SessionBus::kWithout);
  const auto access = display_access(session.display());
  ASSERT_OK(access);
  EXPECT_EQ(*access, DisplayAccess::kAnyLocalUser);
  session.run({"xhost", "+"});
  EXPECT_EQ(*display_access(session.display()), DisplayAccess::kAnybody);
}

TEST(X11DisplayAccess, ServerWithAnAuthorityFileWantsItsKey) {
  const test::TempDir directory;
  const auto file = directory.path() / "authority";
  const std::string entry(
      "\xff\xff\0\0\0\0\0\x12MIT-MAGIC-COOKIE-1\0\x10"
      "0123456789abcdef",
      44);
  write_file(file, entry);
  const char* before = std::getenv("XAUTHORITY");
  const std::string kept = before == nullptr ? "" : before;
  ::setenv("XAUTHORITY", file.c_str(), 1);
  {
    TestSession session(SessionBus::kWithout, "1280x800x24", {"-auth", file.string()});
    const auto access = display_access(session.display());
    ASSERT_OK(access);
    EXPECT_EQ(*access, DisplayAccess::kWithKey);
    session.run({"xhost", "+si:localuser:root"});
    EXPECT_EQ(*display_access(session.display()), DisplayAccess::kWithKey);
  }
  before == nullptr ? ::unsetenv("XAUTHORITY") : ::setenv("XAUTHORITY", kept.c_str(), 1);
}

TEST(X11DisplayAccess, NoServerIsAnError) { EXPECT_FALSE(display_access(":3999")); }

}  // namespace
}  // namespace da::actuator::x11
