// A Windows desktop for one test, real or of Wine, with programs to drive. Its destructor ends the programs that it has
// started.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "services/actuator/desktop/win32/win32_desktop.h"

namespace da::actuator {

constexpr Milliseconds kPatience{40'000};

class Stage {
 public:
  Stage();
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  Desktop& desktop() { return *desktop_; }
  MonoTime deadline() const { return system_clock().now() + kPatience; }
  std::filesystem::path file(std::string_view name) const { return directory_ / std::string(name); }

  // Checks `condition` every few milliseconds until it is true; false at the deadline.
  bool eventually(const std::function<bool()>& condition) const;

  // Launches the command and returns its window once that is in front.
  WindowInfo start(const std::string& command, std::string_view title_part);
  // target_main.cpp in this mode.
  WindowInfo start_target(std::string_view mode);
  // The same in the mode "hang", once its window does not answer any more.
  WindowInfo start_hung_target();
  std::string target_command(std::string_view mode) const;
  std::optional<WindowInfo> find_window(std::string_view title_part, std::uint32_t pid = 0);
  // Returns the window as it is now; nullopt when it is not listed any more.
  std::optional<WindowInfo> window_now(const std::string& id);

  // Gives up the session, which another process may then drive. Programs run on.
  void let_another_drive();
  // Starts a program of the tests, without a window, and returns its pid.
  std::uint32_t start_beside(std::string_view program, const std::vector<std::string>& words);
  std::string guardian() const;

  // The events that the target has received and that start with one of the letters.
  std::vector<std::string> events(std::string_view letters) const;
  void forget_events();

 private:
  void end_programs();

  std::filesystem::path directory_;
  std::unique_ptr<Desktop> desktop_;
  std::vector<std::uint32_t> left_running_;
};

// Whether an X server stands in for the keyboard and the mouse of a person, which xdotool then moves.
bool has_xdotool();
// Runs xdotool with these words, as a person at the desktop.
void xdotool(const std::string& words);

inline Result<void> go_on() { return ok(); }
std::string read_file(const std::filesystem::path& path);

#define ASSERT_OK(expression)                                    \
  do {                                                           \
    const auto& outcome = (expression);                          \
    ASSERT_TRUE(outcome.has_value()) << outcome.error().message; \
  } while (false)

}  // namespace da::actuator
