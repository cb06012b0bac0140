#include "services/console/replay/playback/replay_keys.h"

#include <unistd.h>

namespace da::console {

std::optional<ReplayKeys> ReplayKeys::open() {
  termios before{};
  if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO) || ::tcgetattr(STDIN_FILENO, &before) != 0) {
    return std::nullopt;
  }
  termios raw = before;
  raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  return ReplayKeys(before);
}

ReplayKeys::~ReplayKeys() {
  if (before_) ::tcsetattr(STDIN_FILENO, TCSANOW, &*before_);
}

int ReplayKeys::descriptor() const { return STDIN_FILENO; }

ReplayKeys::Key ReplayKeys::read() {
  char key = 0;
  if (::read(STDIN_FILENO, &key, 1) != 1) return Key::kQuit;  // The terminal is gone.
  switch (key) {
    case ' ': return Key::kPause;
    case 's': return Key::kStep;
    case '+': return Key::kFaster;
    case '-': return Key::kSlower;
    case 'n': return Key::kNext;
    case 'p': return Key::kPrevious;
    case 'q': return Key::kQuit;
    default: return Key::kNone;
  }
}

}  // namespace da::console
