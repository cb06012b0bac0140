#include "services/console/stdio/line_reader.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace da::console {

bool LineReader::fill() {
  std::array<char, 65536> buffer;
  ssize_t got = -1;
  do {
    got = ::read(descriptor_, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got < 0 && errno == EAGAIN) return true;
  if (got <= 0) {
    if (!open_.text.empty() || open_.too_long) end_line();
    return false;
  }
  append(buffer.data(), static_cast<std::size_t>(got));
  return true;
}

void LineReader::append(const char* data, std::size_t size) {
  while (size > 0) {
    const auto* const end = static_cast<const char*>(std::memchr(data, '\n', size));
    const std::size_t part = end == nullptr ? size : static_cast<std::size_t>(end - data);
    if (open_.too_long || open_.text.size() + part > most_bytes_) {
      open_ = {{}, true};
    } else {
      open_.text.append(data, part);
    }
    if (end == nullptr) return;
    end_line();
    data += part + 1;
    size -= part + 1;
  }
}

void LineReader::end_line() { lines_.push_back(std::exchange(open_, {})); }

std::optional<LineReader::Line> LineReader::take() {
  if (lines_.empty()) return std::nullopt;
  Line line = std::move(lines_.front());
  lines_.pop_front();
  return line;
}

}  // namespace da::console
