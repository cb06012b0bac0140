// The parts that every task of this console has: its services, its policy's task, following it, and its last lines for
// people. Owner's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "da/v1/planner_rpc.pb.h"
#include "da/v1/policy_rpc.pb.h"
#include "services/console/commands/commands.h"
#include "services/console/commands/task_follower.h"
#include "services/console/session/embedded_services.h"
#include "services/console/session/session.h"
#include "services/console/terminal/stream/event_stream.h"
#include "services/console/terminal/stream/status_line.h"

namespace da::console {

// nullopt with --config: the services run already.
Result<std::optional<EmbeddedServices>> start_embedded(const GoalOptions& options);

// 0 means the services' default.
std::uint32_t time_limit_s(const GoalOptions& options);

Result<v1::OpenTaskReply> open_task(const Session& session, const GoalOptions& options, const std::string& planner);

// The tasks before this one; empty if it begins at once.
std::string turn_text(const v1::StartTaskReply& started);

// A started task. All members outlive it.
struct TaskRun {
  const Session& session;
  const v1::OpenTaskReply& task;
  std::optional<EmbeddedServices>& embedded;
  EventStream& events;
  StatusLine& status;
};

Followed follow_task(const TaskRun& run, Terminal terminal);

// Closes the task at the policy, says how it ended, and returns the exit code.
int finish_task(const TaskRun& run, Followed followed, const GoalOptions& options, std::ostream& people);

}  // namespace da::console
