// The model's planner with a scripted model, policy and world: what its tests share.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "services/planner/model/model_planner.h"
#include "tests/services/planner/model/model_task.h"

namespace da::planner::model {

inline constexpr char kSaveId[] = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";
inline constexpr char kNameId[] = "00000000-9dad-11d1-80b4-00c04fd430c8";
inline constexpr char kNothing[] = R"({"steps":[],"done":null})";
inline constexpr char kLeftOut[] = "(The screenshot of this turn is left out here.)";

inline std::string press(const std::string& key) { return tool_step("press", R"({"key":")" + key + R"("})"); }

// The answer to a submission that the policy allowed.
inline v1::SubmitReply allowed(v1::Outcome::Kind kind, v1::Outcome::Code code = v1::Outcome::CODE_UNSPECIFIED) {
  return verdict(v1::Verdict::DECISION_ALLOW, kind, code);
}

class ModelPlannerTest : public ModelTask {
 protected:
  ModelPlannerTest() { world_.open_window({"w", "Page"}); }

  // Providers require that user and model take turns, the user first and last.
  void TearDown() override {
    for (const Request& request : model_.requests) {
      for (std::size_t i = 0; i < request.messages.size(); ++i) {
        EXPECT_EQ(request.messages[i].from, i % 2 == 0 ? Message::From::kUser : Message::From::kModel);
      }
      EXPECT_EQ(request.messages.size() % 2, 1u);
    }
  }

  FakeElement& add_save(std::string id = kSaveId) {
    return world_.add({.id = std::move(id), .window_id = "w", .role = "push button", .name = "Save"});
  }
  FakeElement& add_name() {
    return world_.add({.id = kNameId,
                       .window_id = "w",
                       .role = "text",
                       .name = "Name",
                       .bounds = {10, 300, 200, 20},
                       .editable = true});
  }

  // Sets the reply to the n-th submission, from 0; the others are carried out.
  void answer_submission(std::size_t n, v1::SubmitReply reply) {
    policy_.intercept = [this, n, reply](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
      if (policy_.submitted.size() != n + 1) return std::nullopt;
      return reply;
    };
  }
  void refuse_everything() {
    policy_.intercept = [](const v1::SubmitRequest&) -> std::optional<Result<v1::SubmitReply>> {
      return allowed(v1::Outcome::KIND_REFUSED, v1::Outcome::CODE_NOT_FOUND);
    };
  }

  const v1::Action& submitted(std::size_t n) { return policy_.submitted.at(n).step().action(); }
};

}  // namespace da::planner::model
