#include "services/actuator/desktop/x11/input/x11_person_watch.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/socket.h>

#include <filesystem>
#include <set>

#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

std::set<int> open_files() {
  std::set<int> files;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    files.insert(std::stoi(each.path().filename()));
  }
  // Without the listing's own, whose number the next open file gets.
  std::erase_if(files, [](int file) { return ::fcntl(file, F_GETFD) < 0; });
  return files;
}

TEST(X11PersonWatch, WatchWithoutItsConnectionIsBlind) {
  TestSession session(SessionBus::kWithout);
  const auto before = open_files();
  const auto watch = x11::X11PersonWatch::open(session.display(), system_clock());
  ASSERT_OK(watch);
  EXPECT_EQ((*watch)->blindness(), std::nullopt);
  // Close this connection alone, as a server may do. The watch's other new files are no sockets.
  for (const int file : open_files()) {
    if (!before.contains(file)) ::shutdown(file, SHUT_RDWR);
  }
  EXPECT_TRUE(session.eventually([&] { return (*watch)->blindness().has_value(); }));
  EXPECT_THAT((*watch)->blindness(), testing::Optional(testing::HasSubstr("is lost")));
  EXPECT_EQ(session.desktop().person_watch().blindness(), std::nullopt) << "its own connection lives";
}

}  // namespace
}  // namespace da::actuator
