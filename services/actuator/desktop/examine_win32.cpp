#include "services/actuator/desktop/examine.h"
#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/session/win32_session.h"
#include "services/actuator/desktop/win32/ui_tree/uia/uia_tree.h"
#include "services/actuator/desktop/win32/windows/win32_windows.h"

namespace da::actuator {
namespace {

using service::Check;

constexpr char kSessionAdvice[] = "start da-actuator by a task at logon";
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
  return {"input", true, "the session's own desktop has the input", ""};
}

Check check_integrity() {
  const bool elevated = win32::is_elevated();
  return {"integrity level", true,
          elevated ? "high: windows of administrators can be used, too"
                   : "not high: input to windows of programs that run as administrator is refused",
          ""};
}

Check check_ui_automation() {
  win32::Win32Windows windows(system_clock());
  const auto tree = win32::UiaTree::open(windows, win32::UiaClient::create_automation, system_clock());
  if (tree) return {"UI Automation", true, "it answers", ""};
  return {"UI Automation", false, tree.error().message,
          "Windows 10 or later is needed; without UI Automation only classic controls are seen"};
}

}  // namespace

NativeExam native_exam() {
  return {.desktop_advice = "start da-actuator in the session of the user whose desktop it drives",
          .monitors_advice = "connect a monitor, or a remote session",
          .capture_advice = "unlock the session, and connect to it",
          .windows_advice = "start da-actuator in the session of the user whose desktop it drives",
          .tree_name = "elements",
          .tree_advice = "targets are found by reading the screen alone",
          .more = {check_session(), check_input(), check_integrity(), check_ui_automation()}};
}

}  // namespace da::actuator
