#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <stdexcept>

#include <gmock/gmock.h>

#include "lib/os/process/pipe.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

using testing::HasSubstr;
using testing::Not;

// The long run sets DA_TRIES to more.
int tries() {
  const char* given = std::getenv("DA_TRIES");
  return given != nullptr ? std::atoi(given) : 8;
}

class Guardian : public ::testing::Test {
 protected:
  // The pressed keys and buttons of the XTEST devices.
  std::string held() {
    return session_.output_of({"xinput", "query-state", "Virtual core XTEST keyboard"}) +
           session_.output_of({"xinput", "query-state", "Virtual core XTEST pointer"});
  }
  bool caps_lock() { return session_.output_of({"xset", "q"}).find("Caps Lock:   on") != std::string::npos; }

  struct Victim {
    os::ChildProcess process;
    pid_t guardian;
  };
  Victim start_victim() {
    auto pipe = *os::make_pipe();
    auto process = *os::ChildProcess::start({.program = DA_HELD_VICTIM,
                                             .arguments = {session_.display(), DA_GUARDIAN},
                                             .environment = os::current_environment(),
                                             .output = pipe.writer.get()});
    pipe.writer.reset();
    char said[64] = {};
    pollfd waiting{pipe.reader.get(), POLLIN, 0};
    ::poll(&waiting, 1, static_cast<int>(kPatience.count()));
    const auto length = ::read(pipe.reader.get(), said, sizeof(said) - 1);
    const std::string_view line(said, length > 0 ? static_cast<std::size_t>(length) : 0);
    pid_t guardian = 0;
    if (line.starts_with("holds ")) std::from_chars(line.data() + 6, line.data() + line.size(), guardian);
    if (guardian <= 1) throw std::runtime_error("the victim did not start: " + std::string(line));
    return {std::move(process), guardian};
  }
  // This process adopts the victim's children, so the guardian stays a zombie and its pid is not reused.
  bool ended(pid_t guardian) {
    return read_file("/proc/" + std::to_string(guardian) + "/stat").find(") Z ") != std::string::npos ||
           ::kill(guardian, 0) != 0;
  }

  TestSession session_{SessionBus::kWithout};
};

TEST_F(Guardian, ReleasesHeldInputOfADeadActuatorAndRestoresTheKeyboard) {
  session_.run({"xdotool", "key", "Caps_Lock"});
  ASSERT_TRUE(caps_lock());
  const std::string map = session_.output_of({"xmodmap", "-pke"});
  for (int tried = 0; tried < tries(); ++tried) {
    Victim victim = start_victim();
    ASSERT_THAT(held(), HasSubstr("=down"));
    ASSERT_NE(session_.output_of({"xmodmap", "-pke"}), map);
    ASSERT_FALSE(caps_lock());
    victim.process.send_signal(SIGKILL);
    ASSERT_TRUE(victim.process.wait(session_.deadline()));
    ASSERT_TRUE(session_.eventually([&] { return ended(victim.guardian); }));
    ASSERT_THAT(held(), Not(HasSubstr("=down")));
    ASSERT_EQ(session_.output_of({"xmodmap", "-pke"}), map);
    ASSERT_TRUE(caps_lock());
  }
}

TEST_F(Guardian, SurvivesASignalToTheActuatorsProcessGroup) {
  Victim victim = start_victim();
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) ::kill(-victim.guardian, number);
  EXPECT_THAT(held(), HasSubstr("=down"));
  victim.process.send_signal(SIGKILL);
  ASSERT_TRUE(session_.eventually([&] { return ended(victim.guardian); }));
  EXPECT_THAT(held(), Not(HasSubstr("=down")));
}

TEST_F(Guardian, EndsWithItsDisplay) {
  const Victim victim = start_victim();
  session_.kill_server();
  const MonoTime deadline = session_.deadline();
  while (!ended(victim.guardian) && system_clock().now() < deadline) ::poll(nullptr, 0, 10);
  EXPECT_TRUE(ended(victim.guardian));
}

}  // namespace
}  // namespace da::actuator
