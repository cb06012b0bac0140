// The keys with which a person steers a playback, read from the terminal at once instead of by lines. The destructor
// restores the terminal. Main thread.
#pragma once

#include <termios.h>

#include <optional>

namespace da::console {

class ReplayKeys {
 public:
  enum class Key { kNone, kPause, kStep, kFaster, kSlower, kNext, kPrevious, kQuit };
  static constexpr const char* kHelp =
      "space: pause or go on, s: one step, + and -: speed, n and p: next and previous step, q: end";

  // nullopt if stdin or stdout is no terminal.
  static std::optional<ReplayKeys> open();
  ReplayKeys(ReplayKeys&& other) noexcept : before_(other.before_) { other.before_.reset(); }
  ReplayKeys& operator=(ReplayKeys&&) = delete;
  ~ReplayKeys();

  int descriptor() const;
  Key read();

 private:
  explicit ReplayKeys(const termios& before) : before_(before) {}
  std::optional<termios> before_;
};

}  // namespace da::console
