// Judges proposed actions, asks people, and signs grants. Has no input device and no model key.
#include <spdlog/spdlog.h>

#include <mutex>
#include <string_view>

#include "lib/base/plain_output.h"
#include "lib/base/text.h"
#include "lib/os/files/file_watch.h"
#include "lib/os/files/files.h"
#include "lib/os/process/heap.h"
#include "lib/service/logging/log_facts.h"
#include "lib/service/service.h"
#include "services/policy/grant/actuator_client_rpc.h"
#include "services/policy/policy.h"
#include "services/policy/policy_rpc.h"
#include "services/policy/rule_tools/audit_commands.h"
#include "services/policy/rule_tools/commands.h"
#include "services/policy/rule_tools/judge_command.h"
#include "services/policy/second_factor/enroll.h"
#include "services/policy/setup.h"

namespace da::policy {
namespace {

constexpr const char* kCommands =
    "Commands, without --config; each has its own --help (`da-console policy|enroll|audit` start them):\n"
    "  rules check|explain|test   try a rule file, without a desktop\n"
    "  rules accept               put a changed rule file in force\n"
    "  enroll                     give a person a second factor\n"
    "  judge                      judge the steps of recordings again, under other rules\n"
    "  audit show|verify|export   read the audit log, and check that nobody changed it";

// Tries again until the file can be used. Logs each problem once. Any thread.
class RuleReloader {
 public:
  RuleReloader(Policy& policy, std::string file) : policy_(policy), file_(std::move(file)) {}

  os::FileWatch::Read read() {
    const std::lock_guard one_at_a_time(mutex_);
    const auto reloaded = policy_.reload_rules();
    if (!reloaded && reloaded.error().message != problem_) {
      spdlog::error("the changed rule file cannot be used, so nothing is allowed: {}", reloaded.error().message);
    }
    if (reloaded && *reloaded == Policy::Reload::kChanged) spdlog::warn("the changed rule file is in force");
    if (reloaded && *reloaded == Policy::Reload::kUnaccepted) {
      spdlog::warn(
          "the rule file is not the one that a person accepted: the accepted rules stay in force. To see the "
          "difference and accept it: da-console policy accept {}",
          escape_foreign(file_));
    }
    problem_ = reloaded ? std::string() : reloaded.error().message;
    return reloaded ? os::FileWatch::Read::kDone : os::FileWatch::Read::kAgain;
  }

 private:
  Policy& policy_;
  const std::string file_;
  std::mutex mutex_;
  std::string problem_;
};

Result<void> service_main(service::Context& context) {
  ASSIGN_OR_RETURN(Policy::Setup setup, read_setup(context));
  ASSIGN_OR_RETURN(const auto bus, context.open_publisher());
  const service::LogFacts log_facts(*bus, "policy");
  ASSIGN_OR_RETURN(const auto channel, context.channel_to("actuator"));
  ASSIGN_OR_RETURN(const auto heartbeats, context.channel_to("actuator"));
  const auto actuator = connect_actuator(channel, heartbeats);
  const AcceptedRules accepted(setup.state_directory, setup.rules.file());
  RETURN_IF_ERROR(os::make_private_directory(accepted.record().parent_path()));
  Policy policy(std::move(setup), *actuator, *bus, context.clock());
  RuleReloader rules(policy, accepted.rule_file().string());
  ASSIGN_OR_RETURN(const auto file_watch, os::FileWatch::open(accepted.rule_file(), [&] { return rules.read(); }));
  ASSIGN_OR_RETURN(const auto record_watch, os::FileWatch::open(accepted.record(), [&] { return rules.read(); }));
  PolicyRpc rpc(policy, context.peers());
  const auto halt = [&policy](const std::string& reason, const std::string& by) -> halt::Answer {
    v1::HaltRequest request;
    request.set_reason(reason);
    request.set_by(by);
    const auto halted = policy.halt_alone(request);
    return halted ? halt::Answer{true, ""} : halt::Answer{false, halted.error().message};
  };
  ASSIGN_OR_RETURN(const auto halts, context.listen_for_halts("/da.v1.Policy/Halt", halt));
  return context.serve(
      {&rpc}, [&] { return policy.properties(); }, [&] { policy.shut_down(); });
}

}  // namespace
}  // namespace da::policy

int main(int argc, char** argv) {
  const da::PlainOutput output;
  const std::string_view command = argc > 1 ? argv[1] : "";
  if (command == "enroll") return da::policy::run_enroll(argc, argv);
  if (command == "rules") return da::policy::run_rules(argc, argv);
  if (command == "audit") return da::policy::run_audit(argc, argv);
  if (command == "judge") return da::policy::run_judge(argc, argv);
  da::os::keep_large_blocks_apart();
  return da::service::run(argc, argv,
                          {.name = "policy",
                           .summary = "Judges proposed actions, asks people, and signs grants.",
                           .secret = "signing key",
                           .commands = da::policy::kCommands},
                          da::policy::service_main);
}
