// The user's recycle bin on one volume, VOLUME\$Recycle.Bin\SID, in the format of Windows 10: $R?????? is a removed
// file, and $I?????? with the same end has its size, the time of its removal and its path. Explorer shows and restores
// them.
//
// It is written here and not by the shell, because the shell takes a path, which may lead to another file by then; here
// the open file itself is moved. One thread at a time; other processes may use the same bin meanwhile.
#pragma once

#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "lib/os/win32.h"

namespace da::actuator {

class RecycleBin {
 public:
  // The bin for the file at this absolute path; creates it. kFailedPrecondition: its drive has none, because it is
  // removable or remote, or others may change the bin.
  static Result<RecycleBin> open(const std::wstring& path);

  // The same, of the volume whose root is `volume`, with a backslash at its end.
  static Result<RecycleBin> open_on(const std::wstring& volume, const std::wstring& path);

  // Moves the open file here. Needs DELETE access, and that others may not rename it. Returns its path in the bin.
  Result<std::wstring> take(HANDLE file, const std::wstring& path, std::uint64_t size, WallTime now);

 private:
  RecycleBin(std::wstring path, os::UniqueWinHandle all, os::UniqueWinHandle own)
      : path_(std::move(path)), all_(std::move(all)), own_(std::move(own)) {}

  std::wstring path_;
  // Open, so that nobody can exchange these directories.
  os::UniqueWinHandle all_;
  os::UniqueWinHandle own_;
};

}  // namespace da::actuator
