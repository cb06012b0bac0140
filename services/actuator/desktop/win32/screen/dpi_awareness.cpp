#include "services/actuator/desktop/win32/screen/dpi_awareness.h"

#include <windows.h>

namespace da::actuator::win32 {

Result<void> become_dpi_aware() {
  if (::SetProcessDpiAwarenessContext(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2)) return ok();
  // Refused when the program's manifest or an earlier call has set it. Version 1 has the same coordinates.
  const DPI_AWARENESS awareness = ::GetAwarenessFromDpiAwarenessContext(::GetThreadDpiAwarenessContext());
  if (awareness == DPI_AWARENESS_PER_MONITOR_AWARE) return ok();
  return Error{Code::kFailedPrecondition,
               "this process is not aware of each monitor's DPI, so its coordinates would be wrong: Windows 10 version "
               "1703 or later is needed, and no other DPI setting in its manifest or compatibility settings"};
}

std::string dpi_awareness() {
  const DPI_AWARENESS_CONTEXT context = ::GetThreadDpiAwarenessContext();
  if (::AreDpiAwarenessContextsEqual(context, DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2)) {
    return "per monitor, version 2";
  }
  switch (::GetAwarenessFromDpiAwarenessContext(context)) {
    case DPI_AWARENESS_PER_MONITOR_AWARE: return "per monitor, version 1";
    case DPI_AWARENESS_SYSTEM_AWARE: return "system: the same DPI on all monitors";
    case DPI_AWARENESS_UNAWARE: return "none: 96 DPI on all monitors";
    default: return "unknown";
  }
}

}  // namespace da::actuator::win32
