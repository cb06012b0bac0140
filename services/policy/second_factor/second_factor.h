// The second factor of approvals: a one-time code of the person who approves (totp.h).
//
// A directory (0700) contains one secret for each person, NAME.totp (0600), which `enroll` writes, and `state`: for
// each person the newest used code, so that each code works once, and the number of wrong codes. Five wrong codes of
// one person in a row block that person's codes for one minute, the next five for two, and so on up to an hour; only a
// correct code of the same person resets this. The state survives restarts. If it cannot be written, no code is
// accepted. Any thread.
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

  // Whether anybody is enrolled. On an error the caller must deny each step that might need a code.
  Result<bool> enrolled() const;

  // Uses up one code of this person. kFailedPrecondition (the person is not enrolled), kInvalidArgument (no code
  // given), kPermissionDenied (wrong or used code), kResourceExhausted (the person's codes are blocked).
  Result<void> check(const std::string& person, const std::string& code);

  // Writes the person's secret. kAlreadyExists if there is one and not may_replace; kInvalidArgument for a name that is
  // not a valid file name.
  Result<void> enroll(const std::string& person, const TotpSecret& secret, bool may_replace);

 private:
  struct Attempts {
    std::uint32_t wrong = 0;  // Wrong codes in a row, since the last block.
    std::uint32_t stops = 0;  // Blocks since the last correct code.
    WallTime stopped_until{};
  };
  struct State {
    std::map<std::string, std::uint64_t> last_step;  // Time step of the newest accepted code, keyed by person.
    std::map<std::string, Attempts> attempts;        // Keyed by person; a correct code removes the entry.
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
