#include "services/console/terminal/questions/foreign_lines.h"

#include <sys/ioctl.h>

#include <algorithm>
#include <limits>

#include "lib/base/text.h"

namespace da::console {
namespace {

// Narrower terminals are treated as this wide, because the mark takes several columns.
constexpr std::size_t kFewestColumns = 20;

}  // namespace

std::string marked_lines(std::string_view line, std::size_t columns) {
  const auto scalars = decode_utf8(line);
  if (!scalars) return std::string(line);
  const std::size_t width = std::max(columns, kFewestColumns);
  std::string broken;
  std::size_t column = 0;
  for (const char32_t c : *scalars) {
    const std::size_t takes = c < 0x80 ? 1 : 2;
    if (column + takes > width) {
      broken += "\n" + std::string(kForeignMark);
      column = kForeignMark.size();
    }
    append_utf8(broken, c);
    column += takes;
  }
  return broken;
}

std::size_t columns_of(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0) return std::numeric_limits<std::size_t>::max();
  return size.ws_col > 0 ? size.ws_col : kUsualColumns;
}

}  // namespace da::console
