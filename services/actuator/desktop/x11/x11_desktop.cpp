#include "services/actuator/desktop/x11/x11_desktop.h"

#include <cstdlib>

#include "services/actuator/desktop/x11/atspi_tree.h"
#include "services/actuator/desktop/x11/damage_watch.h"
#include "services/actuator/desktop/x11/posix_applications.h"
#include "services/actuator/desktop/x11/x11_clipboard.h"
#include "services/actuator/desktop/x11/x11_input.h"
#include "services/actuator/desktop/x11/x11_screen.h"
#include "services/actuator/desktop/x11/x11_windows.h"

namespace da::actuator {
namespace {

struct Roles {
  std::unique_ptr<x11::DamageWatch> damage;  // Screen and Input use it: first to come, last to go.
  std::unique_ptr<x11::X11Screen> screen;
  std::unique_ptr<x11::X11Input> input;
  std::unique_ptr<x11::X11Windows> windows;  // The tree uses it.
  std::unique_ptr<x11::PosixApplications> applications;
  std::unique_ptr<x11::AtspiTree> tree;
  std::unique_ptr<x11::X11Clipboard> clipboard;
};

class X11Desktop final : public Desktop {
 public:
  X11Desktop(std::string id, Roles roles) : id_(std::move(id)), roles_(std::move(roles)) {}

  std::string_view id() const override { return id_; }
  Screen& screen() override { return *roles_.screen; }
  Input& input() override { return *roles_.input; }
  Windows& windows() override { return *roles_.windows; }
  Applications& applications() override { return *roles_.applications; }
  UiTree& ui_tree() override { return *roles_.tree; }
  Clipboard& clipboard() override { return *roles_.clipboard; }

 private:
  std::string id_;
  Roles roles_;
};

std::string display_name(const X11Options& options) {
  if (!options.display.empty()) return options.display;
  const char* variable = std::getenv("DISPLAY");
  return variable != nullptr ? variable : "";
}

}  // namespace

Result<std::unique_ptr<Desktop>> open_x11_desktop(const X11Options& options, const Clock& clock) {
  const std::string display = display_name(options);
  Roles roles;
  ASSIGN_OR_RETURN(roles.damage, x11::DamageWatch::open(display, clock));
  ASSIGN_OR_RETURN(roles.screen, x11::X11Screen::open(display, clock, *roles.damage));
  ASSIGN_OR_RETURN(roles.input, x11::X11Input::open(display, clock, *roles.damage));
  ASSIGN_OR_RETURN(roles.windows, x11::X11Windows::open(display, clock));
  ASSIGN_OR_RETURN(roles.clipboard, x11::X11Clipboard::open(display, clock));
  roles.tree = std::make_unique<x11::AtspiTree>(*roles.windows, clock);
  auto environment = options.environment;
  environment.try_emplace("DISPLAY", display);
  // Qt builds its tree only when it knows at its start that somebody reads it.
  environment.try_emplace("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1");
  roles.applications = std::make_unique<x11::PosixApplications>(std::move(environment));
  const std::string id = display.starts_with(':') ? "x11" + display : "x11:" + display;
  return std::unique_ptr<Desktop>(std::make_unique<X11Desktop>(id, std::move(roles)));
}

}  // namespace da::actuator
