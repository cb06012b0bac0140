// While it lives, the terminal hands over each key as it is typed, not line by line, so that somebody who is about to
// type a line is noticed. Ctrl+C and the like keep their meaning. What is not read when it ends is dropped. Owner's
// thread.
#pragma once

#include <termios.h>

#include <optional>

namespace da::console {

class EachKey {
 public:
  // Of a terminal that must outlive it.
  explicit EachKey(int terminal);
  EachKey(const EachKey&) = delete;
  EachKey& operator=(const EachKey&) = delete;
  ~EachKey();

 private:
  const int terminal_;
  std::optional<termios> before_;  // Where it could be changed.
};

}  // namespace da::console
