// Proposes the commands that a script sends through a console, one after another, and answers each with what became of
// its step: a denial, a refusal or a stale target is an answer, and the script decides what follows. The policy judges
// each step as it does any other. An end of the task is answered by CommandInbox::close. Only the task's thread calls.
// The constructor's references must outlive the object.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "services/planner/commands/command_inbox.h"
#include "services/planner/proposer.h"
#include "services/planner/task/task_view.h"

namespace da::planner {

// Answers all commands that the task has not answered. The end of the commands succeeds if the task ended as done.
void close(CommandInbox& inbox, const v1::TaskResult& result);

class CommandProposer final : public Proposer {
 public:
  CommandProposer(CommandInbox& inbox, TaskView& view) : inbox_(inbox), view_(view) {}

  // Before the next command the screen settles, if the last one acted.
  View wanted_view() const override { return acted_ ? View::kSettledScreen : View::kState; }
  // Blocks until a command comes.
  Result<v1::Plan> decide(const v1::Observation& latest, Attempt attempt) override;
  void hear(const v1::Step& step, const Event& event) override;
  void see(const Answer& answer) override { seen_ = answer; }
  void paused(const std::string& reason) override;
  void resumed() override { inbox_.resume(); }

 private:
  Result<void> queue_steps(const Command& command);
  Result<void> check_focus();
  void answer(v1::CommandAnswer answer);

  CommandInbox& inbox_;
  TaskView& view_;
  bool acted_ = true;                // A step acted since the last observation; true for the first one.
  std::deque<v1::Step> pending_;     // Of the current command, not proposed yet.
  std::optional<v1::UiNode> field_;  // A pending step types into it; as it was found.
  std::string field_name_;
  bool begun_ = false;             // A step of the current command was carried out, but not its last.
  Answer seen_;                    // What the current command has read.
  std::uint64_t carried_out_ = 0;  // Commands.
};

}  // namespace da::planner
