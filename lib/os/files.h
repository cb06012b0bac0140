// Small files, private files and directories. Any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::os {

// Whether there is something at this path; a link counts, wherever it leads. An error where that could not be found out,
// which is not the same as nothing.
Result<bool> exists(const std::filesystem::path& path);

Result<std::string> read_file(const std::filesystem::path& path, std::size_t max_bytes = 16u << 20);

// Whole or not at all: written beside, synced, renamed. Mode 0600.
Result<void> write_private_file(const std::filesystem::path& path, std::string_view content);

// Created as 0600 where it is not there; kPermissionDenied where it is not this user's own, or anyone else may read or
// write it. Not through a link.
Result<UniqueFd> open_private_to_append(const std::filesystem::path& path);
// All of it; the path is for the error alone.
Result<void> write_all(int fd, std::string_view content, const std::filesystem::path& path);

// Makes durable which files the directory holds: after one was created or renamed in it.
Result<void> sync_directory(const std::filesystem::path& path);

// The variable that names the directory of credentials that systemd has handed this service (LoadCredential=).
inline constexpr const char* kCredentialsDirectory = "CREDENTIALS_DIRECTORY";

// Reads a secret; kPermissionDenied where it is not this user's own, or anyone else may read or write it. A credential
// may be root's: systemd lets the service alone read it. A link at the path's end is followed (kFollow) or refused
// (kRefuse).
enum class Links { kFollow, kRefuse };
Result<std::string> read_private_file(const std::filesystem::path& path, Links links = Links::kFollow,
                                      std::size_t max_bytes = 16u << 20);

// Reads what is no secret but is believed; kPermissionDenied where anyone but this user and root may write it, and at
// a link.
Result<std::string> read_trusted_file(const std::filesystem::path& path, std::size_t max_bytes);

// Creates it (and its parents) as 0700; kPermissionDenied where it belongs to someone else or others may enter.
Result<void> make_private_directory(const std::filesystem::path& path);

// $STATE_DIRECTORY (a service of systemd's with one of its own), $XDG_STATE_HOME/desktopassist or
// ~/.local/state/desktopassist: what outlives a run (ledger, halt latch, logs).
std::filesystem::path state_directory();
// $XDG_RUNTIME_DIR/desktopassist or /tmp/desktopassist-UID: what lives as long as a run (sockets, keys).
std::filesystem::path runtime_directory();

}  // namespace da::os
