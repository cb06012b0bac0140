// The rules in force. A rule file that changed is read again. While it is broken or gone, problem() says why, and no
// step may be allowed: what its rules are is not known. Any thread.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "services/policy/rules.h"

namespace da::policy {

class RuleBook {
 public:
  explicit RuleBook(Rules rules) : rules_(std::make_shared<const Rules>(std::move(rules))) {}

  std::shared_ptr<const Rules> current() const;
  // Reads the file of the rules in force again.
  Result<void> reload();
  // Why the file is not what is in force; empty where it is.
  std::string problem() const;

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Rules> rules_;
  std::string problem_;
};

}  // namespace da::policy
