// Which processes take our input, decided from what Windows answers about integrity levels. Pure; any thread.
//
// User Interface Privilege Isolation discards input to processes of a higher integrity level than ours. A medium
// process may not read the token of one that runs as administrator, so Windows' refusal usually means such a process.
// Any other answer without a level also counts as a higher level.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace da::actuator::win32 {

// The answer to the question for a process's integrity level.
struct Integrity {
  std::optional<std::uint32_t> level;  // SECURITY_MANDATORY_*_RID: 0x2000 is medium, 0x3000 high.
  // If there is no level: the error numbers of opening the process, and of reading its token.
  std::uint32_t open_error = 0;
  std::uint32_t read_error = 0;
};

// Whether Windows delivers our input to a process.
enum class Reach { kReached, kHigherIntegrity };
// A process that is gone counts as reached: it has no windows.
Reach reach_between(const Integrity& ours, const Integrity& theirs);

// The level in a mandatory label's SID, S-1-16-LEVEL. `sid` is a PSID; nullopt for any other SID.
std::optional<std::uint32_t> level_in(const void* sid);

// "medium (0x2000)". Windows names five levels; another one counts as the next lower one, such as "medium (0x2010)".
std::string level_in_words(std::uint32_t level);

}  // namespace da::actuator::win32
