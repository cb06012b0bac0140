#include "services/actuator/desktop/win32/win32_desktop.h"

#include <windows.h>
// windows.h must come first:
#include <timeapi.h>

#include <spdlog/spdlog.h>

#include "services/actuator/desktop/files/system_files.h"
#include "services/actuator/desktop/win32/applications/win32_applications.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/clipboard/win32_clipboard.h"
#include "services/actuator/desktop/win32/input/input_mark.h"
#include "services/actuator/desktop/win32/input/win32_input.h"
#include "services/actuator/desktop/win32/input/win32_person_watch.h"
#include "services/actuator/desktop/win32/overlay/win32_overlay.h"
#include "services/actuator/desktop/win32/screen/dpi_awareness.h"
#include "services/actuator/desktop/win32/screen/win32_screen.h"
#include "services/actuator/desktop/win32/session/guardian.h"
#include "services/actuator/desktop/win32/session/session_claim.h"
#include "services/actuator/desktop/win32/session/win32_session.h"
#include "services/actuator/desktop/win32/state/win32_desktop_state.h"
#include "services/actuator/desktop/win32/ui_tree/uia/uia_tree.h"
#include "services/actuator/desktop/win32/ui_tree/win32_tree.h"
#include "services/actuator/desktop/win32/windows/win32_windows.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kPredecessorEnds{2'000};

// Waits end within a millisecond of their time while this lives; otherwise Windows rounds them up to 16 ms.
class FineTimer {
 public:
  FineTimer() : set_(::timeBeginPeriod(kPeriodMs) == TIMERR_NOERROR) {}
  ~FineTimer() {
    if (set_) ::timeEndPeriod(kPeriodMs);
  }
  FineTimer(const FineTimer&) = delete;
  FineTimer& operator=(const FineTimer&) = delete;

 private:
  static constexpr UINT kPeriodMs = 1;
  bool set_;
};

struct Roles {
  win32::UniqueKernelHandle claim;  // First member: another actuator may start once all else has ended.
  FineTimer timer;
  std::unique_ptr<win32::Win32Screen> screen;
  std::unique_ptr<win32::Win32Overlay> overlay;
  win32::Win32DesktopState state;
  std::unique_ptr<win32::Win32Session> session;           // Input uses it.
  std::unique_ptr<win32::Win32PersonWatch> person_watch;  // Input uses it.
  std::unique_ptr<win32::Win32Input> input;
  std::unique_ptr<win32::Win32Windows> windows;  // The tree uses it.
  std::unique_ptr<UiTree> tree;
  std::unique_ptr<win32::Win32Applications> applications;
  std::unique_ptr<win32::Win32Clipboard> clipboard;
  std::unique_ptr<Files> files;
};

class Win32Desktop final : public Desktop {
 public:
  Win32Desktop(std::string id, std::unique_ptr<Roles> roles) : id_(std::move(id)), roles_(std::move(roles)) {}

  std::string_view id() const override { return id_; }
  Screen& screen() override { return *roles_->screen; }
  Input& input() override { return *roles_->input; }
  Windows& windows() override { return *roles_->windows; }
  Applications& applications() override { return *roles_->applications; }
  UiTree& ui_tree() override { return *roles_->tree; }
  Clipboard& clipboard() override { return *roles_->clipboard; }
  PersonWatch& person_watch() override { return *roles_->person_watch; }
  Session& session() override { return *roles_->session; }
  DesktopState& state() override { return roles_->state; }
  Files& files() override { return *roles_->files; }
  Overlay& overlay() override { return *roles_->overlay; }

 private:
  std::string id_;
  std::unique_ptr<Roles> roles_;
};

std::string guardian_beside_this_program() {
  std::wstring path(32'768, L'\0');
  path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return win32::to_utf8(path.substr(0, path.find_last_of(L'\\') + 1)) + "da-guardian.exe";
}

// Claims the session and starts the guardian before the first input.
Result<void> drive(const std::string& guardian, const win32::HeldPage& held, win32::KeptClipboard& clipboard,
                   const Clock& clock, Roles& roles) {
  ASSIGN_OR_RETURN(roles.claim, win32::claim_session(clock.now() + kPredecessorEnds, clock));
  auto started = win32::start_guardian(guardian.empty() ? guardian_beside_this_program() : guardian, held, clipboard);
  if (started) {
    clipboard.share_with(*std::move(started));
  } else {
    spdlog::warn("{}: if this process is killed, held keys stay pressed and pasted text stays on the clipboard",
                 started.error().message);
  }
  return ok();
}

// Wine has no UI Automation.
std::unique_ptr<UiTree> open_tree(Windows& windows, const Clock& clock) {
  auto tree = win32::UiaTree::open(windows, win32::UiaClient::create_automation, clock);
  if (tree) return *std::move(tree);
  spdlog::warn("{}: only classic controls and objects of MSAA are seen", tree.error().message);
  return std::make_unique<win32::Win32Tree>(windows, clock, win32::open_msaa(clock));
}

}  // namespace

Result<std::unique_ptr<Desktop>> open_win32_desktop(const Clock& clock, Win32Use use, const std::string& guardian) {
  ASSIGN_OR_RETURN(const std::uint32_t session_id, win32::interactive_session());
  RETURN_IF_ERROR(win32::become_dpi_aware());
  auto roles = std::make_unique<Roles>();
  roles->session = std::make_unique<win32::Win32Session>(session_id, clock);
  ASSIGN_OR_RETURN(const auto obstacle, roles->session->obstacle());
  if (obstacle) return Error{Code::kFailedPrecondition, "the desktop cannot be used now: " + obstacle->reason};
  const std::uintptr_t mark = win32::new_input_mark();
  ASSIGN_OR_RETURN(auto held, win32::HeldPage::create());
  held.set_mark(mark);
  ASSIGN_OR_RETURN(auto kept_clipboard, win32::KeptClipboard::create());
  if (use == Win32Use::kDrive) RETURN_IF_ERROR(drive(guardian, held, kept_clipboard, clock, *roles));
  roles->screen = std::make_unique<win32::Win32Screen>(clock);
  roles->overlay = win32::Win32Overlay::open(*roles->screen);
  ASSIGN_OR_RETURN(roles->person_watch, win32::Win32PersonWatch::open(mark, clock));
  roles->input =
      std::make_unique<win32::Win32Input>(mark, std::move(held), *roles->person_watch, *roles->session, clock);
  roles->windows = std::make_unique<win32::Win32Windows>(clock);
  roles->tree = open_tree(*roles->windows, clock);
  roles->applications = std::make_unique<win32::Win32Applications>(clock);
  ASSIGN_OR_RETURN(roles->clipboard, win32::Win32Clipboard::open(std::move(kept_clipboard), clock));
  roles->files = open_system_files({}, clock);
  const std::string id = "win32:" + std::to_string(session_id);
  return std::unique_ptr<Desktop>(std::make_unique<Win32Desktop>(id, std::move(roles)));
}

}  // namespace da::actuator
