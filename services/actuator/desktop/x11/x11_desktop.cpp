#include "services/actuator/desktop/x11/x11_desktop.h"

#include <cstdlib>
#include <optional>

#include "services/actuator/desktop/x11/applications/posix_applications.h"
#include "services/actuator/desktop/x11/atspi/atspi_tree.h"
#include "services/actuator/desktop/x11/clipboard/x11_clipboard.h"
#include "services/actuator/desktop/x11/input/x11_input.h"
#include "services/actuator/desktop/x11/input/x11_person_watch.h"
#include "services/actuator/desktop/x11/overlay/x11_overlay.h"
#include "services/actuator/desktop/x11/screen/damage_watch.h"
#include "services/actuator/desktop/x11/screen/x11_screen.h"
#include "services/actuator/desktop/x11/session/display_claim.h"
#include "services/actuator/desktop/x11/session/guardian.h"
#include "services/actuator/desktop/x11/session/x11_session.h"
#include "services/actuator/desktop/x11/state/x11_desktop_state.h"
#include "services/actuator/desktop/x11/windows/x11_windows.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kPredecessorEnds{2'000};
constexpr Milliseconds kGuardianStarts{10'000};

struct Roles {
  std::optional<os::ChildProcess> guardian;  // First member: ends after all that it would have to clean up.
  std::unique_ptr<x11::X11Overlay> overlay;  // Screen, the damage watch and the tree use it.
  std::unique_ptr<x11::DamageWatch> damage;  // Screen and Input use it.
  std::unique_ptr<x11::X11Screen> screen;
  std::unique_ptr<x11::X11PersonWatch> person_watch;  // Input uses it.
  std::unique_ptr<x11::AtspiKeyRelay> key_relay;      // Input uses it.
  std::unique_ptr<x11::X11Windows> windows;           // The tree and the state use it.
  std::unique_ptr<x11::X11DesktopState> state;
  std::unique_ptr<x11::AtspiTree> tree;
  std::unique_ptr<x11::X11Input> input;
  std::unique_ptr<x11::PosixApplications> applications;
  std::unique_ptr<x11::X11Clipboard> clipboard;
  std::unique_ptr<x11::X11Session> session;
  std::unique_ptr<Files> files;
};

class X11Desktop final : public Desktop {
 public:
  X11Desktop(std::string id, Roles roles) : id_(std::move(id)), roles_(std::move(roles)) {}
  // The guardian restores the clipboard's previous content also after a normal end.
  ~X11Desktop() override {
    if (roles_.guardian && roles_.clipboard->keeps_content()) roles_.guardian->leave_running();
  }
  X11Desktop(const X11Desktop&) = delete;
  X11Desktop& operator=(const X11Desktop&) = delete;

  std::string_view id() const override { return id_; }
  Screen& screen() override { return *roles_.screen; }
  Input& input() override { return *roles_.input; }
  Windows& windows() override { return *roles_.windows; }
  Applications& applications() override { return *roles_.applications; }
  UiTree& ui_tree() override { return *roles_.tree; }
  Clipboard& clipboard() override { return *roles_.clipboard; }
  PersonWatch& person_watch() override { return *roles_.person_watch; }
  Session& session() override { return *roles_.session; }
  DesktopState& state() override { return *roles_.state; }
  Files& files() override { return *roles_.files; }
  Overlay& overlay() override { return *roles_.overlay; }

 private:
  std::string id_;
  Roles roles_;
};

std::string display_name(const X11Options& options) {
  if (!options.display.empty()) return options.display;
  const char* variable = std::getenv("DISPLAY");
  return variable != nullptr ? variable : "";
}

// Claims the display before it reads the keyboard map, and starts the guardian before the first input.
Result<void> open_input(const X11Options& options, const std::string& display, const x11::KeptClipboard& clipboard,
                        const Clock& clock, Roles& roles) {
  ASSIGN_OR_RETURN(auto connection, x11::Connection::open(display, clock));
  ASSIGN_OR_RETURN(auto held, x11::HeldInput::create());
  if (options.use == X11Use::kDrive) {
    RETURN_IF_ERROR(x11::claim_display(*connection, clock.now() + kPredecessorEnds));
    if (!options.guardian.empty()) {
      ASSIGN_OR_RETURN(auto guardian,
                       x11::start_guardian(options.guardian, display, held, clipboard, clock.now() + kGuardianStarts));
      roles.guardian.emplace(std::move(guardian));
    }
  }
  ASSIGN_OR_RETURN(roles.person_watch, x11::X11PersonWatch::open(display, clock));
  roles.key_relay = std::make_unique<x11::AtspiKeyRelay>(clock);
  ASSIGN_OR_RETURN(roles.input, x11::X11Input::open(std::move(connection), *roles.damage, *roles.person_watch,
                                                    *roles.key_relay, std::move(held)));
  return ok();
}

}  // namespace

Result<std::unique_ptr<Desktop>> open_x11_desktop(const X11Options& options, const Clock& clock) {
  const std::string display = display_name(options);
  Roles roles;
  ASSIGN_OR_RETURN(std::shared_ptr<x11::Connection> pixels, x11::Connection::open(display, clock));
  ASSIGN_OR_RETURN(roles.overlay, x11::X11Overlay::open(pixels));
  ASSIGN_OR_RETURN(roles.damage, x11::DamageWatch::open(display, clock, *roles.overlay));
  ASSIGN_OR_RETURN(auto drawn, x11::Connection::open(display, clock));
  ASSIGN_OR_RETURN(roles.screen,
                   x11::X11Screen::open(std::move(pixels), std::move(drawn), *roles.damage, *roles.overlay));
  ASSIGN_OR_RETURN(auto kept_clipboard, x11::KeptClipboard::create());
  ASSIGN_OR_RETURN(roles.windows, x11::X11Windows::open(display, clock));
  ASSIGN_OR_RETURN(roles.state, x11::X11DesktopState::open(display, *roles.windows, clock));
  ASSIGN_OR_RETURN(auto changes, x11::ScreenChanges::open(display, clock, *roles.overlay));
  roles.tree = std::make_unique<x11::AtspiTree>(*roles.windows, std::move(changes), clock);
  RETURN_IF_ERROR(open_input(options, display, kept_clipboard, clock, roles));
  ASSIGN_OR_RETURN(roles.clipboard, x11::X11Clipboard::open(display, std::move(kept_clipboard), clock));
  ASSIGN_OR_RETURN(roles.session, x11::X11Session::open(display, clock));
  roles.files = open_system_files(options.files, clock);
  auto environment = options.environment;
  environment.try_emplace("DISPLAY", display);
  // Qt builds its accessibility tree only when this is set at its start.
  environment.try_emplace("QT_LINUX_ACCESSIBILITY_ALWAYS_ON", "1");
  roles.applications = std::make_unique<x11::PosixApplications>(std::move(environment), options.launcher, clock);
  const std::string id = display.starts_with(':') ? "x11" + display : "x11:" + display;
  return std::unique_ptr<Desktop>(std::make_unique<X11Desktop>(id, std::move(roles)));
}

}  // namespace da::actuator
