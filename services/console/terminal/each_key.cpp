#include "services/console/terminal/each_key.h"

namespace da::console {

EachKey::EachKey(int terminal) : terminal_(terminal) {
  termios now{};
  if (::tcgetattr(terminal_, &now) != 0) return;
  before_ = now;
  now.c_lflag &= ~static_cast<tcflag_t>(ICANON);
  now.c_cc[VMIN] = 1;
  now.c_cc[VTIME] = 0;
  // Not TCSAFLUSH, which would wait where the terminal's output is stopped.
  ::tcsetattr(terminal_, TCSANOW, &now);
}

EachKey::~EachKey() {
  if (!before_) return;
  ::tcsetattr(terminal_, TCSANOW, &*before_);
  ::tcflush(terminal_, TCIFLUSH);
}

}  // namespace da::console
