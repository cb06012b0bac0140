// What Windows tells about one window, without asking its application: a hung one must not delay us. Any thread.
#pragma once

#include <windows.h>

#include <optional>
#include <string>
#include <vector>

#include "services/actuator/desktop/roles/windows.h"

namespace da::actuator::win32 {

// "0x1a2b3c"
std::string id_of_window(HWND window);
// nullopt when `id` has another form. The window may be gone.
std::optional<HWND> window_of_id(const std::string& id);

// The title or text that Windows keeps for a window, at most kMaxNameCharacters characters.
std::string kept_text_of(HWND window);
std::wstring class_of(HWND window);
// The process whose thread created the window.
std::uint32_t pid_of(HWND window);
// The process that a person would name. The frame of a store app belongs to ApplicationFrameHost; its content does not.
std::uint32_t owner_of(HWND window);

// Whether the desktop shows it: visible, and not cloaked by the window manager, as windows of another virtual desktop
// and suspended store apps are.
bool is_shown(HWND window);

// Whether it is a window that a person would name: shown, with a title or a place in the taskbar, and no tool window or
// part of the shell.
bool is_application_window(HWND window);

// All top-level windows, front to back.
std::vector<HWND> front_to_back();

// The window that a person would name for a top-level window: the owner of a menu, a tooltip or an open list, which are
// top-level windows too; otherwise the window itself.
HWND named_window(HWND top_level);

// The menus, tooltips and open lists of a window that show now.
std::vector<HWND> popups_of(HWND window);

// The visible frame, without the invisible borders that Windows 10 adds for resizing. Of a minimized window: where it
// would be restored.
Rect bounds_of(HWND window);

WindowInfo describe_window(HWND window, HWND foreground);

}  // namespace da::actuator::win32
