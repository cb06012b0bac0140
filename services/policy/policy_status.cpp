// Describes a policy for `da-console status`.
#include <algorithm>

#include "services/policy/policy.h"

namespace da::policy {

std::vector<std::pair<std::string, std::string>> Policy::properties() const {
  const auto tasks = tasks_.all();
  const auto unlocked = std::ranges::count_if(
      tasks, [this](const auto& task) { return write_lock_.is_open_for(task->terms.write_lock); });
  const auto rules = rules_.current();
  const std::string problem = rules_.problem();
  const auto enrolled = second_factor_.enrolled();
  const auto pending = approvals_.in_words();
  std::vector<std::pair<std::string, std::string>> all = {
      {"write lock", write_lock_.describe() +
                         (unlocked > 0 ? "; open also for " + std::to_string(unlocked) + " single task(s)" : "")},
      {"halted", service::in_status(stopping_.state().halted())},
      {"paused", service::in_status(stopping_.state().paused())},
      {"heartbeat", heartbeat_.describe()},
      {"pending approvals", std::to_string(pending.size())},
      {"open tasks", std::to_string(tasks.size())},
      {"rules", rules->file() + " (" + std::to_string(rules->all().size()) + " rules)"},
      {"rules version", rules->version()},
      {"second factor", !enrolled   ? "NOT readable, so critical steps are denied: " + enrolled.error().message
                        : *enrolled ? "critical steps need a code"
                                    : "nobody is enrolled"},
      {"rule file",
       !problem.empty() ? "NOT in force, nothing is allowed: " + problem
       : rules_.unaccepted_version().empty()
           ? "in force"
           : "changed, and NOT accepted, so the rules before stay in force: da-console policy accept " + rules->file()},
      {"audit log", audit_.describe()},
      {"recording", recording_.describe()}};
  for (const auto& [id, action_text] : pending) all.emplace_back("approval " + id, action_text);
  return all;
}

}  // namespace da::policy
