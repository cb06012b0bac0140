#include "services/console/terminal/stream/status_line.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <iostream>

namespace da::console {

std::size_t StatusLine::columns() {
  constexpr std::size_t kUsual = 79;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2) return kUsual;
  return size.ws_col - 1U;  // A full line would wrap, and could not be erased.
}

void StatusLine::draw(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (held_ || text == drawn_) return;
  erase();
  std::cout << text << std::flush;
  drawn_ = text;
}

void StatusLine::print(const std::string& line) {
  const std::lock_guard lock(mutex_);
  erase();
  std::cout << line << std::endl;
}

void StatusLine::hold() {
  const std::lock_guard lock(mutex_);
  if (held_) return;
  erase();
  std::cout << std::flush;
  held_ = true;
}

void StatusLine::release() {
  const std::lock_guard lock(mutex_);
  held_ = false;
}

void StatusLine::erase() {
  if (!drawn_.empty()) std::cout << "\r\x1b[K";
  drawn_.clear();
}

}  // namespace da::console
