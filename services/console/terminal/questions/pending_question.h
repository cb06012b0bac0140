// A question of a model (the tool ask_user). Any line that is not empty is the answer. Owner's thread.
#pragma once

#include "da/v1/task.pb.h"
#include "services/console/session/clients_rpc.h"
#include "services/console/terminal/questions/pending.h"

namespace da::console {

class PendingQuestion final : public Pending {
 public:
  // The planner must outlive it.
  PendingQuestion(const PlannerClient& planner, v1::UserQuestion question)
      : planner_(planner), question_(std::move(question)) {}

  const std::string& id() const override { return question_.question_id(); }
  std::string text() const override;
  std::string commands() const override;
  std::string prompt() const override;
  Takes takes() const override { return Takes::kAnyText; }
  Then answer(const std::string& line) override;

 private:
  const PlannerClient& planner_;
  const v1::UserQuestion question_;
};

}  // namespace da::console
