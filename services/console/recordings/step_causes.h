// Finds the facts that led to one step, by following Header.cause backwards: the step's judgements, grant and outcome,
// its plan, the observations that the plan is based on with their images, the step before, and so on up to the task.
// First note() all facts, then select(). Not thread-safe.
#pragma once

#include <google/protobuf/message.h>

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "da/v1/header.pb.h"

namespace da::console {

class StepCauses {
 public:
  // Call it for every message, in recording order: select() names a message by its number.
  void note(const google::protobuf::Message& message);

  // The numbers of the facts, from 0. Empty if no fact names the step.
  std::set<std::size_t> select(const std::string& step_id) const;

  // All steps of all plans, for error messages.
  std::vector<std::string> steps() const;

 private:
  struct Fact {
    v1::Header header;
    std::string type;
    std::vector<std::string> defines;  // Ids that the causes of other facts name.
    std::vector<std::string> steps;    // Ids of a plan's steps.
    std::string step_id;               // That it is about.
    std::string image_hash;
  };
  std::vector<Fact> facts_;
};

}  // namespace da::console
