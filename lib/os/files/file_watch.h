// Reports writes, replacements and removals of a file. Watches its directory, because editors rename files into place.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "lib/base/result.h"

namespace da::os {

class FileWatch {
 public:
  // The reader's result: it has read the file, or wants to retry soon.
  enum class Read { kDone, kAgain };
  using Changed = std::function<Read()>;

  // Runs `changed`, as the file may have changed before, and then returns. After that, runs it on its own thread: after
  // each change, and every 50 ms if kAgain. The destructor waits for a running `changed`.
  static Result<std::unique_ptr<FileWatch>> open(const std::filesystem::path& file, Changed changed);
  virtual ~FileWatch() = default;

 protected:
  FileWatch() = default;
};

}  // namespace da::os
