// The text of a rule file as a person has accepted it.
//
// Programs on the desktop may be able to write a rule file, so a changed file comes into force only after a person has
// accepted it (`da-console policy accept`). The accepted text lies in the policy's state, as
// accepted-rules/DIGEST.toml (0600), where DIGEST is BLAKE2b-256 of the rule file's path. Any thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "lib/base/result.h"
#include "services/policy/judgement/rules.h"

namespace da::policy {

class AcceptedRules {
 public:
  AcceptedRules(const std::filesystem::path& state_directory, std::filesystem::path rule_file);

  const std::filesystem::path& rule_file() const { return rule_file_; }
  // Where the accepted text lies.
  const std::filesystem::path& record() const { return record_; }
  // nullopt: nobody has accepted any text yet.
  Result<std::optional<std::string>> read() const;
  Result<void> accept(std::string_view toml) const;

 private:
  std::filesystem::path rule_file_;
  std::filesystem::path record_;
};

struct RulesInForce {
  Rules rules;
  std::string unaccepted_version;  // The version of the file, if no person has accepted it; else empty.
};

// Whether this user, and so a program on this user's desktop, can change what the path names. False for a file of
// another user that this user cannot write, in directories of which the same is true: the shipped rules of a package.
bool is_within_reach(const std::filesystem::path& file);

// The file's rules if they are accepted or out of reach, otherwise the accepted ones. Accepts the file if nobody has
// accepted any text yet: who starts the policy has named the file.
// kInvalidArgument, kNotFound and so on: the file, or the accepted text, cannot be used.
Result<RulesInForce> find_rules_in_force(const AcceptedRules& accepted);

// The rules in force; reads their file again. While problem() is not empty, no step may be allowed. Any thread.
class RuleBook {
 public:
  RuleBook(Rules rules, AcceptedRules accepted)
      : accepted_(std::move(accepted)), rules_(std::make_shared<const Rules>(std::move(rules))) {}

  std::shared_ptr<const Rules> current() const;
  // Reads the file, and what is accepted. On an error current() stays, and problem() tells why. current() also stays if
  // the record of what is accepted has been removed.
  Result<void> reload();
  // Why the last reload() failed; empty if it succeeded.
  std::string problem() const;
  // Returns RulesInForce.unaccepted_version of the last successful reload().
  std::string unaccepted_version() const;

 private:
  const AcceptedRules accepted_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Rules> rules_;
  std::string problem_;
  std::string unaccepted_version_;
};

}  // namespace da::policy
