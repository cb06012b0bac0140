// Notices a person's input. desktop.h tells about coordinates, threads and errors.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace da::actuator {

// A person's input. All input that this process did not send counts as a person's.
enum class PersonInput {
  kKillSwitch,  // Ctrl+Shift+Esc was pressed.
  kKeyboard,    // Any other key was pressed.
  kMouse,       // A button, the wheel, a move, or a touch of the screen.
};

// Distinguishes a person's input from our own, by its device or by a value that we attach to each of our inputs.
class PersonWatch {
 public:
  using Notice = std::function<void(PersonInput)>;

  virtual ~PersonWatch() = default;
  // Calls `notice` for each input from now on, from the watch's own thread or from look(). `notice` must return soon
  // and must not call watch() or look(). An empty notice ends the watch. Returns once no call is under way. Any thread
  // but the watch's own.
  virtual void watch(Notice notice) = 0;
  // Reports the input that has arrived by now, on the caller's thread. Code that sends input calls it between chunks,
  // because a busy machine may schedule the watch's thread late. Any thread.
  virtual void look() = 0;
  // Why a person's input, the kill switch included, may go unseen now; nullopt: all of it is seen. The actuator must
  // not act meanwhile. Cheap: it is called between chunks of input. Any thread.
  virtual std::optional<std::string> blindness() = 0;
};

}  // namespace da::actuator
