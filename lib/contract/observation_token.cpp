#include "lib/contract/observation_token.h"

#include "lib/base/id.h"

namespace da::contract {

std::string observation_token(const std::string& task_token) {
  constexpr std::string_view kDomain("da.v1.observation\0", 18);
  return to_hex(blake2b(std::string(kDomain) + task_token));
}

std::string observation_digest(const std::string& observation_token) { return blake2b(observation_token); }

}  // namespace da::contract
