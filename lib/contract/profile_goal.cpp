#include "lib/contract/profile_goal.h"

#include <map>

#include "lib/base/id.h"
#include "lib/base/text.h"

namespace da::contract {
namespace {

constexpr std::size_t kShownOfProfileName = 100;
constexpr std::size_t kProfileDigestBytes = 16;

// With its length, so that different parts never have the same sequence of bytes.
void add(const std::string& part, std::string& bytes) { bytes += std::to_string(part.size()) + ':' + part; }

}  // namespace

std::string profile_goal(const v1::ProfileRun& run) {
  std::string bytes = std::string("da.v1.profile") + '\0';
  add(run.name(), bytes);
  add(run.text(), bytes);
  add(std::to_string(run.templates_size()), bytes);
  for (const auto& file : run.templates()) {
    add(file.filename(), bytes);
    add(file.content(), bytes);
  }
  const std::map<std::string, std::string> variables(run.variables().begin(), run.variables().end());
  for (const auto& [name, value] : variables) {
    add(name, bytes);
    add(value, bytes);
  }
  add(run.provider(), bytes);
  add(run.model(), bytes);
  bytes += run.strict() ? " strict" : "";
  bytes += run.once() ? " once" : "";
  bytes += run.without_pictures() ? " without pictures" : "";
  bytes += " " + std::to_string(run.for_ms());
  return "run the profile " + quote_foreign(run.name(), kShownOfProfileName) + " (" +
         to_hex(blake2b(bytes, kProfileDigestBytes)) + ")";
}

}  // namespace da::contract
