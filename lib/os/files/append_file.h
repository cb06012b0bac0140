// A file that is only appended to, by one process or several. One thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "lib/base/result.h"

namespace da::os {

class AppendFile {
 public:
  // Creates it if missing, readable by this user only.
  static Result<std::unique_ptr<AppendFile>> open(const std::filesystem::path& path);
  // The same for a file that this user alone may use. kPermissionDenied: another user's, open to others, or a link.
  static Result<std::unique_ptr<AppendFile>> open_private(const std::filesystem::path& path);
  virtual ~AppendFile() = default;

  // One write, so that the bytes of several processes do not mix. They are with the operating system when it returns,
  // and so survive the end of this process. An error may leave a part in the file.
  virtual Result<void> append(std::string_view bytes) = 0;
};

}  // namespace da::os
