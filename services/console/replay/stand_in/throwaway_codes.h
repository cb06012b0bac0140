// Second factors for a replay: new secrets for the people of the recording, in a directory of the replay's policy. They
// open nothing else. Any thread, const.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "lib/base/clock.h"
#include "lib/base/result.h"

namespace da::console {

class ThrowawayCodes {
 public:
  // wall_offset: of the policy's clock.
  explicit ThrowawayCodes(Milliseconds wall_offset) : wall_offset_(wall_offset) {}

  // Writes a secret for each person.
  Result<void> enroll(const std::filesystem::path& directory, const std::set<std::string>& people);
  // Empty for a person who is not enrolled.
  std::string code_now(const std::string& person) const;

 private:
  const Milliseconds wall_offset_;
  std::map<std::string, std::string> secrets_;
};

}  // namespace da::console
