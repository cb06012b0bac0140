// Judges proposed actions, asks people, and signs what may happen. Holds no input device and no model key.
#include <spdlog/spdlog.h>
#include <unistd.h>

#include "lib/os/file_watch.h"
#include "lib/service/service.h"
#include "lib/service/version.h"
#include "services/policy/actuator_client_rpc.h"
#include "services/policy/policy.h"
#include "services/policy/policy_rpc.h"
#include "services/policy/workbench/audit_commands.h"
#include "services/policy/workbench/commands.h"

namespace da::policy {
namespace {

void reload_rules(Policy& policy) {
  if (const auto reloaded = policy.reload_rules(); !reloaded) {
    spdlog::error("the rule file was changed and cannot be used, so the rules before it stay in force: {}",
                  reloaded.error().message);
  } else {
    spdlog::warn("the rule file was changed and is in force");
  }
}

// The log lies in the state directory; its heads wherever the operator says, such as on another machine's share.
Result<std::unique_ptr<AuditLog>> open_audit_log(service::Context& context, const std::filesystem::path& state,
                                                 const GrantSigner& signer, const Rules& rules) {
  ASSIGN_OR_RETURN(const auto heads, context.config().find_string("policy.audit_heads"));
  AuditRecord started("started", context.clock().wall_now());
  started.text("version", service::kVersion)
      .number("pid", static_cast<std::uint64_t>(::getpid()))
      .text("desktop", context.desktop_id())
      .text("rules", rules.file())
      .text("rules_version", rules.version());
  auto log = AuditLog::open({state / kAuditFile, heads ? std::filesystem::path(*heads) : state / kAuditHeadsFile},
                            signer, std::move(started), context.clock());
  if (log && !(*log)->problem().empty()) {
    spdlog::error("every step is denied until the audit log can be written: {}", (*log)->problem());
  }
  return log;
}

Result<void> service_main(service::Context& context) {
  ASSIGN_OR_RETURN(const auto rules_file, context.config().string("policy.rules"));
  ASSIGN_OR_RETURN(const auto key_file, context.config().string("policy.signing_key"));
  ASSIGN_OR_RETURN(auto rules, Rules::load(rules_file));
  ASSIGN_OR_RETURN(auto signer, GrantSigner::load(key_file));
  ASSIGN_OR_RETURN(const auto state, context.state_directory());
  ASSIGN_OR_RETURN(auto halt, service::HaltLatch::open(state));
  ASSIGN_OR_RETURN(auto audit, open_audit_log(context, state, signer, rules));
  ASSIGN_OR_RETURN(const auto bus, context.open_publisher());
  ASSIGN_OR_RETURN(auto channel, context.channel_to("actuator"));
  const auto actuator = connect_actuator(std::move(channel));
  Policy policy({std::move(rules), std::move(signer), std::move(halt), context.desktop_id(), std::move(audit)},
                *actuator, *bus, context.clock());
  ASSIGN_OR_RETURN(const auto rules_watch, os::FileWatch::open(rules_file, [&policy] { reload_rules(policy); }));
  PolicyRpc rpc(policy);
  return context.serve(
      {&rpc}, [&] { return policy.properties(); }, [&] { policy.shut_down(); });
}

}  // namespace
}  // namespace da::policy

int main(int argc, char** argv) {
  if (da::policy::is_workbench_command(argc, argv)) return da::policy::run_workbench(argc, argv);
  if (da::policy::is_audit_command(argc, argv)) return da::policy::run_audit(argc, argv);
  return da::service::run(argc, argv, {"policy", "Decides what may happen, asks people, and signs grants."},
                          da::policy::service_main);
}
