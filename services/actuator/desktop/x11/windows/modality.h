// Finds which modal dialog blocks each window, from what the programs tell the window manager (EWMH). Pure; any thread.
//
// A modal dialog blocks its owner and the owners of that (WM_TRANSIENT_FOR). It also blocks the windows with the same
// owner that were mapped before it, as toolkits give the input to the newest dialog. Without an owner, or in a toolkit
// that does not look at owners, it blocks all windows of its process that were mapped before it. Only dialogs of the
// same process count: any program can name any window as its owner.
#pragma once

#include <map>
#include <span>

#include "services/actuator/desktop/x11/windows/window_properties.h"

namespace da::actuator::x11 {

// The dialog for each blocked window; of several, the newest. `mapped`: the windows in the order in which they were
// mapped, oldest first (_NET_CLIENT_LIST).
std::map<xcb_window_t, xcb_window_t> blocked_windows(std::span<const DescribedWindow> windows,
                                                     std::span<const xcb_window_t> mapped);

}  // namespace da::actuator::x11
