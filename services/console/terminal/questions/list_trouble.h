// Messages for a person while the list of approvals cannot be read. The caller retries; each error is reported once,
// and so is the recovery. Short losses of the connection are not reported. Owner's thread.
#pragma once

#include <optional>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/error.h"

namespace da::console {

class ListTrouble {
 public:
  // A connection that is lost for a shorter time is not reported.
  static constexpr Milliseconds kConnectionGone{2000};

  explicit ListTrouble(const Clock& clock) : clock_(clock) {}

  // Return a line without line break; empty if there is nothing new.
  std::string failed(const Error& error);
  std::string worked();

 private:
  const Clock& clock_;
  std::optional<MonoTime> since_;
  std::optional<Code> told_;
};

}  // namespace da::console
