// `edit [PROFILE]`: opens a profile in the person's editor, and checks it afterwards. Main thread.
#pragma once

#include <filesystem>

namespace da::console {

// The editor gets a copy beside the profile, so that the profile is never half written, and never broken unless the
// person wants it so. An empty path means a new profile in new_profile_directory(). kDone: saved, or nothing changed.
int edit_profile(const std::filesystem::path& profile);

// $XDG_CONFIG_HOME/desktopassist/profiles, or ~/.config/desktopassist/profiles.
std::filesystem::path new_profile_directory();

}  // namespace da::console
