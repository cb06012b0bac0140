#include "services/console/terminal/stream/progress_view.h"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace da::console {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool ProgressView::can_draw() {
  const std::string_view terminal = variable("TERM");
  return ::isatty(STDOUT_FILENO) != 0 && !terminal.empty() && terminal != "dumb";
}

Colours ProgressView::wanted_colours() { return variable("NO_COLOR").empty() ? Colours::kAnsi : Colours::kNone; }

}  // namespace da::console
