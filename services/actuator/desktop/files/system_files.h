// The files of this machine: the role Files of every back end, the fake one too, whose programs write real files.
// Thread-safe.
//
// A removed file is moved, never unlinked. Linux: into a trash as the freedesktop.org Trash specification 1.0 defines
// it (freedesktop_trash.h). Windows: into the recycle bin of its volume (recycle_bin_win32.h).
#pragma once

#include <filesystem>
#include <memory>

#include "lib/base/clock.h"
#include "services/actuator/desktop/roles/files.h"

namespace da::actuator {

struct FilesOptions {
  // Linux: the trash for files of its own file system. Empty: $XDG_DATA_HOME/Trash, or else ~/.local/share/Trash.
  std::filesystem::path home_trash;
};

// The clock must outlive the files.
std::unique_ptr<Files> open_system_files(FilesOptions options, const Clock& clock);

}  // namespace da::actuator
