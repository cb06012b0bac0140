// Identifies files and moves them to the trash. desktop.h tells about coordinates, threads and errors.
#pragma once

#include <cstdint>
#include <string>

#include "lib/base/result.h"

namespace da::actuator {

// Identifies a file and distinguishes it from one that has replaced it at its path.
struct FileIdentity {
  std::string canonical_path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;  // A new file may reuse it, so changed_ns is compared too.
  std::int64_t changed_ns = 0;
  std::uint64_t size = 0;  // Bytes.
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

class Files {
 public:
  virtual ~Files() = default;
  // The plain file at an absolute path. kInvalidArgument: the path is not absolute, or names a link, a directory or a
  // device.
  virtual Result<FileIdentity> identify(const std::string& path) = 0;
  // The file that a program is started from. Follows links; its path in the result is the given one.
  virtual Result<FileIdentity> identify_program(const std::string& executable) = 0;
  // Moves exactly this file to the user's trash or recycle bin, and returns the path that it has there. Never deletes a
  // file for good. kAborted: the path reaches another file by now, or goes through a link. kFailedPrecondition: there
  // is no trash for this file. After both errors every file is where it was, unless the message says otherwise.
  virtual Result<std::string> remove(const FileIdentity& file) = 0;
};

}  // namespace da::actuator
