// What a person is told while the list of approvals cannot be read. It is tried again and again: each error is told
// once, and so is its end. A connection that comes back within moments is not worth a word. Owner's thread.
#pragma once

#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/error.h"

namespace da::console {

class ListTrouble {
 public:
  // How long a connection may be gone before it is told.
  static constexpr Milliseconds kConnectionGone{2000};

  explicit ListTrouble(const Clock& clock) : clock_(clock) {}

  // A line without its end; empty where there is nothing new to tell.
  std::string failed(const Error& error);
  std::string worked();

 private:
  const Clock& clock_;
  std::optional<MonoTime> since_;
  std::optional<Code> told_;
};

}  // namespace da::console
