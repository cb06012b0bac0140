// The second factor of approvals: a one-time code of the person who approves (totp.h).
//
// A directory of mode 0700 holds one secret for each person, NAME.totp of mode 0600, which `enroll` writes, and
// `state`: for each person the newest code that was used, so that each works once, and how many were wrong. Five wrong
// codes of one person in a row, whatever they were given for, stop that person's codes for a minute, the next five for
// two, and so on up to an hour; only a right one of the same person begins anew. The state survives restarts; where it
// cannot be written no code is taken. Any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"
#include "services/policy/second_factor/totp.h"

namespace da::policy {

class SecondFactor {
 public:
  // The directory need not exist: then nobody is enrolled.
  SecondFactor(std::filesystem::path directory, const Clock& clock) : directory_(std::move(directory)), clock_(clock) {}

  // Whether anybody is. An error where that cannot be read: then a step that would need a code is not allowed.
  Result<bool> enrolled() const;

  // Uses up one code of this person. kFailedPrecondition (this person has no secret), kInvalidArgument (no code was
  // given), kPermissionDenied (it is wrong or was used), kResourceExhausted (no code is taken for some time).
  Result<void> check(const std::string& person, const std::string& code);

  // Writes the secret of a person. kAlreadyExists unless it may replace one; kInvalidArgument for a name that cannot be
  // a file's.
  Result<void> enroll(const std::string& person, const TotpSecret& secret, bool may_replace);

 private:
  // Of one person.
  struct Attempts {
    std::uint32_t wrong = 0;  // In a row.
    std::uint32_t stops = 0;  // Since the last right one.
    WallTime stopped_until{};
  };
  struct State {
    std::map<std::string, std::uint64_t> last_step;  // By person: of the newest code that was taken.
    std::map<std::string, Attempts> attempts;        // By person; none after a right code.
  };
  Result<std::filesystem::path> file_of(const std::string& person) const;
  Result<State> load() const;
  Result<void> save(const State& state) const;
  Result<void> refuse(State& state, const std::string& person, const std::string& why) const;

  const std::filesystem::path directory_;
  const Clock& clock_;
  std::mutex mutex_;
};

}  // namespace da::policy
