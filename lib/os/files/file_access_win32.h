// Who may use a file, by its owner and its access list. Where POSIX looks at user id and mode, this accepts the user of
// this process, the system and the administrators, who can read any file anyway. Any thread.
#pragma once

#include <filesystem>
#include <memory>

#include "lib/base/result.h"
#include "lib/os/win32.h"

namespace da::os {

// The user of this process as text: "S-1-5-21-...".
Result<std::wstring> user_sid();

// Attributes for a new file or directory that only the user, the system and the administrators may use; nothing is
// inherited from the directory above it.
class PrivateAttributes {
 public:
  static Result<PrivateAttributes> make();
  SECURITY_ATTRIBUTES* get() { return &attributes_; }

 private:
  struct FreeDescriptor {
    void operator()(void* descriptor) const { ::LocalFree(descriptor); }
  };
  explicit PrivateAttributes(void* descriptor) : descriptor_(descriptor) {
    attributes_.nLength = sizeof attributes_;
    attributes_.lpSecurityDescriptor = descriptor;
  }
  std::unique_ptr<void, FreeDescriptor> descriptor_;
  SECURITY_ATTRIBUTES attributes_{};
};

enum class Others { kMayNotRead, kMayNotWrite };

// kPermissionDenied: another user owns the open file or directory, or may read (or write, or replace) it. Needs
// READ_CONTROL. An entry of an unknown kind counts as one that permits. `path` is for the error.
Result<void> check_access(HANDLE file, Others others, const std::filesystem::path& path);
// The same for a security descriptor with owner and list, where `user` is the user of this process. Pure.
Result<void> check_descriptor(PSECURITY_DESCRIPTOR descriptor, PSID user, Others others,
                              const std::filesystem::path& path);

// kPermissionDenied: somebody without the rights of an administrator may change or replace this file, by its own list
// or by that of a directory above it. Needs READ_CONTROL of all of them.
Result<void> check_only_administrators_change(const std::filesystem::path& file);

enum class PathPart { kFile, kItsDirectory, kAncestor };
// The same for the security descriptor of one part of the path. Pure.
Result<void> check_administrators_descriptor(PSECURITY_DESCRIPTOR descriptor, PathPart part,
                                             const std::filesystem::path& path);

}  // namespace da::os
