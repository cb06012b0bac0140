// On which desktop an embedded run acts, so that a command means the run of the display that it was typed on. Any
// thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace da::console {

// The console's configuration in a run's directory.
inline constexpr const char* kConsoleConfig = "console.toml";

// "x11:0" for the display of this process; elsewhere the backend with the number of this process.
std::string own_desktop(const std::string& backend);

// The desktop that the run's configuration names; empty if it cannot be read.
std::string desktop_of_run(const std::filesystem::path& run);

// "x11:0" and "x11:0.0" are the same display.
bool is_same_desktop(const std::string& desktop, const std::string& other);

// Whether the run acts on another X11 display than that of this process. A process without a display has no other.
bool is_on_other_display(const std::filesystem::path& run);

// Moves the runs of this process's display to the front, and those of other displays to the end.
void sort_own_display_first(std::vector<std::filesystem::path>& runs);

}  // namespace da::console
