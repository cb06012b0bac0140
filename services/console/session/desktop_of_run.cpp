#include "services/console/session/desktop_of_run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "lib/service/config.h"

namespace da::console {
namespace {

constexpr std::string_view kX11 = "x11";

// Removes the screen's number: "x11:0.0" becomes "x11:0".
std::string_view without_screen(std::string_view desktop) {
  const auto colon = desktop.rfind(':');
  if (colon == std::string_view::npos) return desktop;
  return desktop.substr(0, desktop.find('.', colon));
}

bool is_x11(std::string_view desktop) { return desktop.starts_with(kX11); }

bool has_display() {
  const char* display = std::getenv("DISPLAY");
  return display != nullptr && *display != '\0';
}

int rank_of(const std::filesystem::path& run) {
  if (is_on_other_display(run)) return 2;
  return is_same_desktop(desktop_of_run(run), own_desktop(std::string(kX11))) ? 0 : 1;
}

}  // namespace

std::string own_desktop(const std::string& backend) {
  const char* display = std::getenv("DISPLAY");
  return backend == kX11 && display != nullptr ? backend + display : backend + ":" + std::to_string(::getpid());
}

std::string desktop_of_run(const std::filesystem::path& run) {
  const auto config = service::Config::load(run / kConsoleConfig);
  if (!config) return {};
  const auto desktop = config->find_string("desktop");
  return desktop ? desktop->value_or("") : "";
}

bool is_same_desktop(const std::string& desktop, const std::string& other) {
  return without_screen(desktop) == without_screen(other);
}

bool is_on_other_display(const std::filesystem::path& run) {
  const std::string desktop = desktop_of_run(run);
  return has_display() && is_x11(desktop) && !is_same_desktop(desktop, own_desktop(std::string(kX11)));
}

void sort_own_display_first(std::vector<std::filesystem::path>& runs) { std::ranges::stable_sort(runs, {}, rank_of); }

}  // namespace da::console
