#include "services/policy/setup.h"

#include <sodium.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "lib/base/text.h"
#include "lib/service/version.h"

namespace da::policy {
namespace {

constexpr std::int64_t kMostPeople = 10;

Result<ApprovalRules> read_approval_rules(const service::Config& config) {
  ApprovalRules rules;
  ASSIGN_OR_RETURN(const auto people, config.find_integer("policy.people_for_critical"));
  ASSIGN_OR_RETURN(const auto opener, config.find_boolean("policy.opener_may_approve"));
  if (people && (*people < 1 || *people > kMostPeople)) {
    return Error{Code::kInvalidArgument, "policy.people_for_critical must be 1 to " + std::to_string(kMostPeople)};
  }
  rules.people_for_critical = static_cast<std::uint32_t>(people.value_or(1));
  rules.opener_may_answer = opener.value_or(true);
  return rules;
}

// The log is in the state directory; the operator chooses the place of its heads, such as another machine's share.
Result<std::unique_ptr<AuditLog>> open_audit_log(service::Context& context, const std::filesystem::path& state,
                                                 const GrantSigner& signer, const Rules& rules) {
  ASSIGN_OR_RETURN(const auto heads, context.config().find_path("policy.audit_heads"));
  AuditRecord started("started", context.clock().wall_now());
  started.text("version", service::kVersion)
      .number("pid", static_cast<std::uint64_t>(::getpid()))
      .text("desktop", context.desktop_id())
      .text("rules", rules.file())
      .text("rules_version", rules.version());
  auto log = AuditLog::open({state / kAuditFile, heads ? *heads : state / kAuditHeadsFile}, signer, std::move(started),
                            context.clock());
  if (log && !(*log)->problem().empty()) {
    spdlog::error("every step is denied until the audit log can be written: {}", (*log)->problem());
  }
  return log;
}

// Reads the key from the descriptor of --secret-fd, otherwise from its file.
Result<GrantSigner> open_signer(service::Context& context) {
  ASSIGN_OR_RETURN(auto handed_over, context.take_secret());
  if (!handed_over) {
    ASSIGN_OR_RETURN(const auto file, context.config().secret_path("policy.signing_key"));
    return GrantSigner::load(file);
  }
  auto signer = GrantSigner::from_hex(trim(*handed_over), "--secret-fd");
  sodium_memzero(handed_over->data(), handed_over->size());
  return signer;
}

}  // namespace

Result<Policy::Setup> read_setup(service::Context& context) {
  const service::Config& config = context.config();
  ASSIGN_OR_RETURN(const auto rules_file, config.path("policy.rules"));
  ASSIGN_OR_RETURN(const auto second_factor, config.find_path("policy.second_factor"));
  ASSIGN_OR_RETURN(const auto approval_rules, read_approval_rules(config));
  ASSIGN_OR_RETURN(const auto recording_required, config.find_boolean("recording.required"));
  ASSIGN_OR_RETURN(auto notify, config.strings("policy.notify"));
  ASSIGN_OR_RETURN(auto signer, open_signer(context));
  ASSIGN_OR_RETURN(const auto state, context.state_directory());
  ASSIGN_OR_RETURN(auto stops, service::StopLatch::open(state));
  ASSIGN_OR_RETURN(auto in_force, find_rules_in_force(AcceptedRules(state, rules_file)));
  Rules& rules = in_force.rules;
  ASSIGN_OR_RETURN(auto audit, open_audit_log(context, state, signer, rules));
  return Policy::Setup{.rules = std::move(rules),
                       .signer = std::move(signer),
                       .stops = std::move(stops),
                       .desktop_id = context.desktop_id(),
                       .state_directory = state,
                       .second_factor_directory = second_factor ? *second_factor : state / "second-factor",
                       .approval_rules = approval_rules,
                       .notify = std::move(notify),
                       .audit = std::move(audit),
                       .recording_required = recording_required.value_or(true)};
}

}  // namespace da::policy
