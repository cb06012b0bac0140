#include "services/policy/rule_file/accepted_rules.h"

#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "lib/os/files/files.h"

namespace da::policy {
namespace {

constexpr std::size_t kMaxBytes = 4u << 20;

bool may_change(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return true;
  return status.st_uid == ::geteuid() || ::eaccess(path.c_str(), W_OK) == 0;
}

// Whether this user can put another file in the place of one in the directory. A directory with the sticky bit, such as
// /tmp, lets only the owner of a file rename it.
bool may_exchange_entries(const std::filesystem::path& directory) {
  struct stat status {};
  const bool is_sticky = ::stat(directory.c_str(), &status) == 0 && (status.st_mode & S_ISVTX) != 0;
  return is_sticky ? status.st_uid == ::geteuid() || ::geteuid() == 0 : may_change(directory);
}

// `before`: the rules in force so far; null at the start.
Result<RulesInForce> find_in_force(const AcceptedRules& accepted, const Rules* before) {
  ASSIGN_OR_RETURN(Rules now, Rules::load(accepted.rule_file(), before));
  if (!is_within_reach(accepted.rule_file())) return RulesInForce{std::move(now), {}};
  ASSIGN_OR_RETURN(auto text, accepted.read());
  if (!text && before != nullptr) text = before->toml();
  if (!text) {
    RETURN_IF_ERROR(accepted.accept(now.toml()));
    return RulesInForce{std::move(now), {}};
  }
  if (*text == now.toml()) return RulesInForce{std::move(now), {}};
  auto known = Rules::parse(*text, accepted.rule_file().string(), before);
  if (!known) {
    return Error{known.error().code, "the accepted rules " + accepted.record().string() +
                                         " cannot be used; accept the " + "rule file again: da-console policy accept " +
                                         accepted.rule_file().string() + ": " + known.error().message};
  }
  return RulesInForce{*std::move(known), now.version()};
}

}  // namespace

AcceptedRules::AcceptedRules(const std::filesystem::path& state_directory, std::filesystem::path rule_file)
    : rule_file_(std::move(rule_file)) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(rule_file_, error);
  const std::string name = (error ? rule_file_ : canonical).string();
  record_ = state_directory / "accepted-rules" / (to_hex(blake2b(name)) + ".toml");
}

Result<std::optional<std::string>> AcceptedRules::read() const {
  auto text = os::read_private_file(record_, os::Links::kRefuse, kMaxBytes);
  if (text) return std::optional(*std::move(text));
  if (text.error().code == Code::kNotFound) return std::optional<std::string>();
  return text.error();
}

Result<void> AcceptedRules::accept(std::string_view toml) const {
  RETURN_IF_ERROR(os::make_private_directory(record_.parent_path()));
  return os::write_private_file(record_, toml);
}

bool is_within_reach(const std::filesystem::path& file) {
  std::error_code error;
  auto path = std::filesystem::canonical(file, error);
  if (error || may_change(path)) return true;
  while (path.has_relative_path()) {
    path = path.parent_path();
    if (may_exchange_entries(path)) return true;
  }
  return false;
}

Result<RulesInForce> find_rules_in_force(const AcceptedRules& accepted) { return find_in_force(accepted, nullptr); }

std::shared_ptr<const Rules> RuleBook::current() const {
  const std::lock_guard hold(mutex_);
  return rules_;
}

Result<void> RuleBook::reload() {
  auto found = find_in_force(accepted_, current().get());
  const std::lock_guard hold(mutex_);
  problem_ = found ? std::string() : found.error().message;
  if (!found) return found.error();
  rules_ = std::make_shared<const Rules>(std::move(found->rules));
  unaccepted_version_ = std::move(found->unaccepted_version);
  return ok();
}

std::string RuleBook::problem() const {
  const std::lock_guard hold(mutex_);
  return problem_;
}

std::string RuleBook::unaccepted_version() const {
  const std::lock_guard hold(mutex_);
  return unaccepted_version_;
}

}  // namespace da::policy
