#include "services/policy/rule_book.h"

namespace da::policy {

std::shared_ptr<const Rules> RuleBook::current() const {
  const std::lock_guard hold(mutex_);
  return rules_;
}

Result<void> RuleBook::reload() {
  auto loaded = Rules::load(current()->file());
  const std::lock_guard hold(mutex_);
  problem_ = loaded ? std::string() : loaded.error().message;
  if (!loaded) return loaded.error();
  rules_ = std::make_shared<const Rules>(*std::move(loaded));
  return ok();
}

std::string RuleBook::problem() const {
  const std::lock_guard hold(mutex_);
  return problem_;
}

}  // namespace da::policy
