// A trash directory of the freedesktop.org Trash specification 1.0: "files" has the removed files, and "info" a file
// NAME.trashinfo for each, with its path and the time of its removal. File managers show and restore them.
//
// Not used: a directory that another user owns or may change. One thread at a time; other processes may use the same
// directory meanwhile.
#pragma once

#include <filesystem>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::actuator {

class FreedesktopTrash {
 public:
  // The user's own trash; creates it.
  static Result<FreedesktopTrash> open_home(const std::filesystem::path& directory);
  // The trash of another file system, whose topmost directory is open: .Trash/UID if an administrator has made .Trash
  // (with the sticky bit), else .Trash-UID. Creates it.
  static Result<FreedesktopTrash> open_top(const os::UniqueFd& top, const std::filesystem::path& top_path);

  // Moves the entry `name` of a directory here; `entry` is the file, open, that it must be. `path` is where it can be
  // restored to. Returns its path in the trash. The trash has the new name on the disk before the file is moved.
  // kOutOfRange: the directory is on another file system. kAborted: the name has led to another file; that one was put
  // back, if the message does not say otherwise.
  Result<std::string> take(const os::UniqueFd& directory, const std::string& name, const os::UniqueFd& entry,
                           const std::filesystem::path& path, WallTime now);

 private:
  FreedesktopTrash(std::filesystem::path path, std::filesystem::path top)
      : path_(std::move(path)), top_(std::move(top)) {}

  static Result<FreedesktopTrash> open(const os::UniqueFd& directory, std::filesystem::path path,
                                       std::filesystem::path top);
  // Creates the .trashinfo file under a name that is free in both directories, and returns that name.
  Result<std::string> reserve(const std::string& name, const std::string& info);
  void release(const std::string& name);
  Result<std::string> put_back(const os::UniqueFd& directory, const std::string& name, const std::string& kept_as,
                               const std::filesystem::path& path);

  std::filesystem::path path_;
  std::filesystem::path top_;  // Paths in the .trashinfo files are relative to it; empty: they are absolute.
  os::UniqueFd files_;
  os::UniqueFd info_;
};

}  // namespace da::actuator
