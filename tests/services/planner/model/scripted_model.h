// A model that answers from a script and records its requests. One thread.
//
//   ScriptedModel model;
//   model.says(R"({"steps":[],"done":"It was done before."})");
//   model.ends(Finish::kRefused, "I cannot help with that.");
//   model.fails({Code::kUnavailable, "HTTP 503"});
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "services/planner/model/model.h"

namespace da::planner::model {

class ScriptedModel final : public Model {
 public:
  using Answer = tl::expected<Reply, Failure>;

  std::vector<Request> requests;      // In order, including retries.
  std::function<void()> before_each;  // Called after a request is recorded, before it is answered.

  ScriptedModel& says(std::string text, Usage usage = {.input_tokens = 1000, .output_tokens = 100}) {
    return answers(Reply{.text = std::move(text), .model = name_, .usage = usage});
  }
  ScriptedModel& ends(Finish finish, std::string detail, std::string text = "") {
    return answers(Reply{.finish = finish, .text = std::move(text), .detail = std::move(detail), .model = name_});
  }
  ScriptedModel& fails(Error error) { return answers(tl::unexpected(Failure{std::move(error), std::nullopt})); }
  ScriptedModel& answers(Answer answer) {
    script_.push_back(std::move(answer));
    return *this;
  }

  // The number of answers left in the script.
  std::size_t left() const { return script_.size(); }

  const std::string& provider() const override { return provider_; }
  const std::string& name() const override { return name_; }

  // Every request after the script's end is an error that is not retried.
  Answer answer(const Request& request, Milliseconds, std::stop_token stop) override {
    requests.push_back(request);
    if (before_each) before_each();
    if (stop.stop_requested()) return tl::unexpected(Failure{{Code::kCancelled, "stopped"}, std::nullopt});
    if (script_.empty()) {
      return tl::unexpected(Failure{{Code::kFailedPrecondition, "the script of the test is over"}, std::nullopt});
    }
    Answer next = std::move(script_.front());
    script_.pop_front();
    return next;
  }

 private:
  const std::string provider_ = "scripted";
  const std::string name_ = "script-1";
  std::deque<Answer> script_;
};

}  // namespace da::planner::model
