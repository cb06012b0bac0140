// A desktop for one test: Xvfb, openbox, a session bus, a temporary home directory, and the X11 back end. Its
// destructor ends all processes of the test: this process adopts those that its children leave behind.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lib/os/process/child_process.h"
#include "services/actuator/desktop/x11/x11_desktop.h"

namespace da::actuator {

constexpr Milliseconds kPatience{20'000};

enum class SessionBus { kWith, kWithout };

class TestSession {
 public:
  explicit TestSession(SessionBus bus = SessionBus::kWith, const char* size = "1280x800x24",
                       const std::vector<std::string>& server_options = {});
  ~TestSession();
  TestSession(const TestSession&) = delete;
  TestSession& operator=(const TestSession&) = delete;

  Desktop& desktop() { return *desktop_; }
  const std::string& display() const { return display_; }
  std::filesystem::path file(std::string_view name) const { return home_ / name; }
  void kill_server();

  MonoTime deadline() const { return system_clock().now() + kPatience; }
  // Checks `condition` until it is true, each time after the screen has come to rest; false at the deadline.
  bool eventually(const std::function<bool()>& condition);

  // Launches the command and returns its window once that is active.
  WindowInfo start(std::string_view command, std::string_view title_part);
  std::optional<WindowInfo> find_window(std::string_view title_part);
  // The output of a program such as xclip or xdotool, without the last newline.
  std::string output_of(const std::vector<std::string>& command);
  // Runs the command until it ends; its children may run on.
  void run(const std::vector<std::string>& command);

 private:
  void start_server(const char* size, const std::vector<std::string>& options);
  void start_bus();
  std::string start_and_read_line(os::Command command);

  std::filesystem::path home_;
  std::string display_;
  std::vector<os::ChildProcess> children_;
  std::unique_ptr<Desktop> desktop_;
};

inline Result<void> go_on() { return ok(); }

void write_file(const std::filesystem::path& path, std::string_view content);
std::string read_file(const std::filesystem::path& path);

#define ASSERT_OK(expression)                                    \
  do {                                                           \
    const auto& outcome = (expression);                          \
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message; \
  } while (false)

}  // namespace da::actuator
