#include "services/console/session/look_at_desktop.h"

#include <algorithm>
#include <optional>

#include "lib/contract/task_token.h"
#include "lib/os/process/local_person.h"
#include "services/console/session/desktop_of_run.h"
#include "services/console/session/embedded_services.h"
#include "services/console/session/run_directory.h"
#include "services/console/session/session.h"

namespace da::console {
namespace {

constexpr std::uint32_t kLongestLookSeconds = 60;

Result<void> look_with(const Session& session, const std::string& observation_token,
                       const std::function<Result<void>(const ObserverClient&)>& look) {
  ASSIGN_OR_RETURN(const auto channel, session.channel_to("observer"));
  return look(ObserverClient(channel, observation_token));
}

}  // namespace

Result<void> look_at_desktop(const LookOptions& options,
                             const std::function<Result<void>(const ObserverClient&)>& look) {
  std::optional<EmbeddedServices> embedded;
  if (options.config.empty() && std::ranges::all_of(RunDirectory::live(), is_on_other_display)) {
    ASSIGN_OR_RETURN(auto started, EmbeddedServices::start({.backend = options.backend,
                                                            .only = {{"actuator", "observer", "policy"}},
                                                            .recorded = false}));
    embedded.emplace(std::move(started));
  }
  ASSIGN_OR_RETURN(const auto session, Session::open(embedded ? embedded->console_config() : options.config));
  v1::OpenTaskRequest request;
  request.set_goal(options.purpose);
  request.set_opened_by(os::local_person());
  request.set_dry_run(true);
  request.mutable_limits()->set_time_s(kLongestLookSeconds);
  ASSIGN_OR_RETURN(const auto task, session.policy().open_task(request));
  auto looked = look_with(session, contract::observation_token(task.task_token()), look);
  RETURN_IF_ERROR(session.policy().close_task(task.task_token()));
  return looked;
}

}  // namespace da::console
