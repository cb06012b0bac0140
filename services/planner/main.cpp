// The planner service: decides what to try. Has no input device and no connection to the actuator.
#include "lib/base/plain_output.h"
#include "lib/base/text.h"
#include "lib/os/files/file_descriptors.h"
#include "lib/service/logging/log_facts.h"
#include "lib/service/service.h"
#include "services/planner/model/doctor/doctor_command.h"
#include "services/planner/planner.h"
#include "services/planner/planner_rpc.h"
#include "services/planner/roles.h"
#include "services/planner/rules/commands/profile_command.h"

namespace da::planner {
namespace {

constexpr std::size_t kShownOfGoal = 300;

service::Properties properties(TaskQueue& queue) {
  const TaskQueue::Load load = queue.load();
  service::Properties all = {{"task", load.running.empty() ? "none" : load.running}};
  if (!load.goal.empty()) all.emplace_back("goal", quote_foreign(load.goal, kShownOfGoal));
  if (!load.detail.empty()) all.emplace_back("step", load.detail);
  const v1::ListQuestionsReply waiting = queue.questions().list();
  for (const v1::UserQuestion& asked : waiting.questions()) {
    all.emplace_back("question " + asked.question_id(), quote_foreign(asked.question(), kShownOfGoal));
  }
  all.emplace_back("waiting", std::to_string(load.waiting));
  return all;
}

Result<void> service_main(service::Context& context) {
  ASSIGN_OR_RETURN(const auto bus, context.open_publisher());
  const service::LogFacts log_facts(*bus, "planner");
  ASSIGN_OR_RETURN(auto to_observer, context.channel_to("observer"));
  ASSIGN_OR_RETURN(auto to_policy, context.channel_to("policy"));
  const auto observer = connect_observer(std::move(to_observer));
  const auto policy = connect_policy(std::move(to_policy));
  ASSIGN_OR_RETURN(const auto models, model::read_settings(context.config(), model::process_environment()));
  ASSIGN_OR_RETURN(const auto question_expiry, read_question_expiry(context.config()));
  Planner planner({*observer, *policy, *bus, context.clock(), models, model::process_environment(), question_expiry});
  PlannerRpc rpc(planner);
  return context.serve(
      {&rpc}, [&] { return properties(planner.tasks()); }, [&] { planner.tasks().stop(); });
}

// Files that the model settings name. Creates save_calls now, because the confined process cannot create files.
Result<service::Needs> needs(const service::Config& config) {
  ASSIGN_OR_RETURN(const auto settings, model::read_settings(config, model::process_environment()));
  service::Needs needs{.network = os::Network::kTcp};
  for (const std::filesystem::path& file :
       {settings.key_file, settings.saved_calls, std::filesystem::path(settings.http.ca_file),
        settings.http.proxy.login_file}) {
    if (!file.empty()) needs.files.read.push_back(file);
  }
  if (!settings.save_calls.empty()) {
    ASSIGN_OR_RETURN(const auto made, os::open_private_to_append(settings.save_calls));
    needs.files.write.push_back(settings.save_calls);
  }
  return needs;
}

}  // namespace
}  // namespace da::planner

int main(int argc, char** argv) {
  const da::PlainOutput output;
  if (da::planner::rules::is_profile_command(argc, argv)) return da::planner::rules::run_profile_command(argc, argv);
  if (da::planner::model::is_doctor_command(argc, argv)) return da::planner::model::run_doctor(argc, argv);
  return da::service::run(argc, argv,
                          {.name = "planner",
                           .summary = "Turns goals into steps and submits them to the policy.",
                           .needs = da::planner::needs},
                          da::planner::service_main);
}
