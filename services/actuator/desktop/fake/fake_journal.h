// Records what a fake desktop received, one line per effect. Each line reaches the kernel before the effect shows, so
// the file is complete even after a crash. People read what a goal would have done; tests check what it did.
//
//   launch notes /tmp/x · focus Untitled - Notes · type a · tap enter · chord ctrl+s · click 10,20 · save /tmp/x
//
// Control characters are escaped. One thread at a time.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "lib/base/result.h"
#include "lib/os/files/append_file.h"

namespace da::actuator::fake {

class FakeJournal {
 public:
  // Appends to an existing file.
  static Result<FakeJournal> open(const std::filesystem::path& file);
  // Aborts the process when the line cannot be written: later effects would go unrecorded.
  void record(std::string_view effect);

 private:
  explicit FakeJournal(std::unique_ptr<os::AppendFile> file) : file_(std::move(file)) {}
  std::unique_ptr<os::AppendFile> file_;
};

}  // namespace da::actuator::fake
