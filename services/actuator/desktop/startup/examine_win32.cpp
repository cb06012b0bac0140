#include <algorithm>
#include <cmath>
#include <iterator>

#include "services/actuator/desktop/startup/examine.h"
#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/input/input_mark.h"
#include "services/actuator/desktop/win32/input/win32_person_watch.h"
#include "services/actuator/desktop/win32/screen/dpi_awareness.h"
#include "services/actuator/desktop/win32/screen/win32_screen.h"
#include "services/actuator/desktop/win32/session/win32_session.h"
#include "services/actuator/desktop/win32/ui_tree/uia/uia_tree.h"
#include "services/actuator/desktop/win32/windows/win32_windows.h"

namespace da::actuator {
namespace {

using service::Check;

constexpr char kSessionAdvice[] = "start da-actuator by a task at logon";
constexpr char kMonitorsAdvice[] = "connect a monitor, or a remote session";
constexpr char kInputAdvice[] = "unlock the session, answer the prompt, or connect to the session";

Check check_session() {
  const auto session = win32::interactive_session();
  if (!session) return {"session", false, session.error().message, kSessionAdvice};
  return {"session", true, "session " + std::to_string(*session), ""};
}

Check check_input() {
  const auto session = win32::interactive_session();
  if (!session) return {"input", false, session.error().message, kSessionAdvice};
  const auto obstacle = win32::Win32Session(*session, system_clock()).obstacle();
  if (!obstacle) return {"input", false, obstacle.error().message, kInputAdvice};
  if (*obstacle) return {"input", false, (*obstacle)->reason, kInputAdvice};
  return {"input", true, "not locked: the session's own desktop has the input", ""};
}

Check check_integrity() {
  const win32::Integrity ours = win32::own_integrity();
  if (!ours.level) {
    return {"integrity level", false, "Windows does not tell it (error " + std::to_string(ours.read_error) + ")",
            "input is refused, because every program may have a higher level: see what restricts the actuator's user"};
  }
  return {"integrity level", true,
          win32::level_in_words(*ours.level) +
              (win32::is_elevated() ? ": windows of administrators can be used, too"
                                    : ": input to windows of programs that run as administrator is refused"),
          ""};
}

Check check_ui_automation() {
  win32::Win32Windows windows(system_clock());
  const auto tree = win32::UiaTree::open(windows, win32::UiaClient::create_automation, system_clock());
  if (tree) return {"UI Automation", true, "it answers", ""};
  return {"UI Automation", false, tree.error().message,
          "Windows 10 or later is needed; without UI Automation only classic controls and MSAA objects are seen"};
}

// "1280x800 at 0,0 with 96 DPI (100 %)"
std::string in_words(const MonitorInfo& monitor) {
  constexpr double kDotsPerInchAtScale1 = 96.0;
  const auto rounded = [](double number) { return std::to_string(std::lround(number)); };
  const Rect& bounds = monitor.bounds;
  return std::to_string(bounds.width) + "x" + std::to_string(bounds.height) + " at " + std::to_string(bounds.x) + "," +
         std::to_string(bounds.y) + " with " + rounded(monitor.scale * kDotsPerInchAtScale1) + " DPI (" +
         rounded(monitor.scale * 100) + " %)";
}

Check check_dpi() {
  const auto aware = win32::become_dpi_aware();
  const std::string awareness = win32::dpi_awareness();
  if (!aware) return {"DPI", false, awareness, aware.error().message};
  const auto layout = win32::Win32Screen(system_clock()).layout();
  if (!layout) return {"DPI", false, layout.error().message, kMonitorsAdvice};
  std::string found = awareness;
  for (const MonitorInfo& monitor : layout->monitors) found += "; " + in_words(monitor);
  return {"DPI", true, found, ""};
}

// The hooks and the hot key are those of the actuator itself, and go away again.
std::vector<Check> check_person_watch() {
  const auto watch = win32::Win32PersonWatch::open(win32::new_input_mark(), system_clock());
  if (!watch) {
    return {
        {"hooks", false, watch.error().message,
         "the actuator does not start, because it could not tell when a person uses the desktop: see which security "
         "software forbids low-level hooks"}};
  }
  return {{"hooks", true, "low-level hooks for the keyboard and the mouse can be installed", ""},
          {"hot key", true,
           (*watch)->has_hot_key()
               ? "Ctrl+Shift+Esc can be registered"
               : "Ctrl+Shift+Esc is taken, for example by a running actuator: only the hooks detect it, which see "
                 "nothing while a window of a higher integrity level is active",
           ""}};
}

}  // namespace

NativeExam native_exam() {
  // DPI first: Windows refuses to change the awareness once something of the process has asked for it.
  std::vector<Check> more = {check_dpi(), check_session(), check_input(), check_integrity(), check_ui_automation()};
  std::ranges::move(check_person_watch(), std::back_inserter(more));
  return {.desktop_advice = "start da-actuator in the session of the user whose desktop it drives",
          .monitors_advice = kMonitorsAdvice,
          .capture_advice = "unlock the session, and connect to it",
          .windows_advice = "start da-actuator in the session of the user whose desktop it drives",
          .tree_name = "elements",
          .tree_advice = "targets are found by reading the screen alone",
          .more = std::move(more)};
}

}  // namespace da::actuator
