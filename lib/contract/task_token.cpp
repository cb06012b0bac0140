#include "lib/contract/task_token.h"

#include <string_view>

#include "lib/base/id.h"

namespace da::contract {
namespace {

// Digest of a text, for the one purpose that `domain` names.
std::string hex_digest(std::string_view domain, const std::string& text) {
  return to_hex(blake2b(std::string(domain) + '\0' + text));
}

std::string suffix(const std::string& goal) { return "." + hex_digest("da.v1.goal", goal).substr(0, 32); }

}  // namespace

std::string task_token(const std::string& secret, const std::string& goal) { return secret + suffix(goal); }

bool is_for_goal(const std::string& task_token, const std::string& goal) { return task_token.ends_with(suffix(goal)); }

std::string observation_token(const std::string& task_token) { return hex_digest("da.v1.observation", task_token); }

std::string observation_digest(const std::string& observation_token) { return blake2b(observation_token); }

}  // namespace da::contract
