// Small files, private files and directories. Any thread. Where this speaks of modes and user ids, Windows compares
// owners and access lists: those of this user, the system and the administrators pass (file_access_win32.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lib/base/result.h"

namespace da::os {

// Whether the path exists; a link counts, even a dangling one. An error means unknown, not absent.
Result<bool> exists(const std::filesystem::path& path);

Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes = 16u << 20);

// Atomic: writes a file beside it, syncs, renames. Mode 0600.
Result<void> write_private_file(const std::filesystem::path& path, std::string_view content);

// Makes creations and renames in the directory durable.
Result<void> sync_directory(const std::filesystem::path& path);

// Variable with the directory of the credentials that systemd gives this service (LoadCredential=).
inline constexpr const char* kCredentialsDirectory = "CREDENTIALS_DIRECTORY";

// Reads a secret. kPermissionDenied if another user owns it, or others may read or write it. A systemd credential may
// belong to root: systemd lets only the service read it. A link at the path's end is followed (kFollow) or refused.
enum class Links { kFollow, kRefuse };
Result<std::string> read_private_file(const std::filesystem::path& path, Links links = Links::kFollow,
                                      std::size_t max_bytes = 16u << 20);

// Reads a trusted file. kPermissionDenied if anyone but this user and root may write it, or at a link.
Result<std::string> read_trusted_file(const std::filesystem::path& path, std::size_t max_bytes);

// Who may use a file besides this user; root and the administrators are not counted. On Windows another owner than this
// user, the system and the administrators.
struct FileRights {
  bool is_own = false;
  bool others_may_read = true;
  bool others_may_write = true;
};
struct FileWithRights {
  std::string content;
  FileRights rights;  // Of the file that was read, not of what the path names by now.
};
// The caller judges the rights. kPermissionDenied at a link; kInvalidArgument: not a file.
Result<FileWithRights> read_file_with_rights(const std::filesystem::path& path, std::size_t max_bytes);

// Reads a file that a document of someone else names, relative to the document's folder. Otherwise the document could
// name a private file of this user. Errors: kNotFound; kInvalidArgument, if it is not a file or its name leads out of
// the folder; kPermissionDenied, if there is a link on the way, or, except on Windows, the folder has another owner.
Result<std::string> read_file_below(const std::filesystem::path& folder, const std::filesystem::path& name,
                                    std::size_t max_bytes);

// Creates it and missing parents with mode 0700. kPermissionDenied: another user's, or others may enter.
Result<void> make_private_directory(const std::filesystem::path& path);

// Directory of data that outlives a run: $STATE_DIRECTORY (systemd), else below $XDG_STATE_HOME or ~/.local/state. On
// Windows: %LOCALAPPDATA%\DesktopAssist.
std::filesystem::path state_directory();
// Directory of what a person sets: $XDG_CONFIG_HOME/desktopassist, or ~/.config/desktopassist; empty without a home. On
// Windows: %APPDATA%\DesktopAssist.
std::filesystem::path config_directory();
// Data of one run (sockets, keys): $XDG_RUNTIME_DIR/desktopassist; without that variable, runtime_directory_in("/tmp",
// "~/.local/state/desktopassist/run"). On Windows below state_directory().
std::filesystem::path runtime_directory();
// `shared`/desktopassist-UID. If another user has taken that name, or `own` exists because of that: `own`. An empty
// `own` is never used. Linux only.
std::filesystem::path runtime_directory_in(const std::filesystem::path& shared, const std::filesystem::path& own);

}  // namespace da::os
