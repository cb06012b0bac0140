// What a fake desktop received, one line for each effect, in a file that outlives the process however it ends: each
// line is handed to the kernel before the effect shows. Shows people what a goal would have done, and tests what it
// did.
//
//   launch notes /tmp/x · focus Untitled - Notes · type a · tap enter · chord ctrl+s · click 10,20 · save /tmp/x
//
// Control characters are escaped. One thread at a time.
#pragma once

#include <filesystem>
#include <string_view>

#include "lib/base/result.h"
#include "lib/os/unique_fd.h"

namespace da::actuator::fake {

class FakeJournal {
 public:
  // Appends to a file that exists.
  static Result<FakeJournal> open(const std::filesystem::path& file);
  // A line that cannot be written ends the process: what follows would not be told.
  void record(std::string_view effect);

 private:
  explicit FakeJournal(os::UniqueFd fd) : fd_(std::move(fd)) {}
  os::UniqueFd fd_;
};

}  // namespace da::actuator::fake
