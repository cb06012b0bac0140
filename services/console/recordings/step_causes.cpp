#include "services/console/recordings/step_causes.h"

#include <algorithm>
#include <map>

#include "lib/recording/embedded_types.h"
#include "services/console/recordings/message_fields.h"

namespace da::console {
namespace {

// By name, because the types come from the recording.
constexpr std::string_view kPlan = "da.v1.Plan";
constexpr std::string_view kObservation = "da.v1.Observation";
constexpr std::string_view kImage = "da.v1.ImageFact";
constexpr std::string_view kModelCall = "da.v1.ModelCall";
constexpr std::string_view kTaskOpened = "da.v1.TaskOpened";
constexpr std::string_view kTaskAccepted = "da.v1.TaskAccepted";

}  // namespace

void StepCauses::note(const google::protobuf::Message& message) {
  Fact fact{.type = message.GetDescriptor()->full_name(), .step_id = text_field(message, "step_id")};
  if (auto header = recording::header_of(message)) fact.header = *std::move(header);
  if (fact.type == kPlan) {
    fact.steps = text_fields(message, "steps", "step_id");
    fact.defines = fact.steps;
    fact.defines.push_back(text_field(message, "plan_id"));
  } else if (fact.type == kObservation) {
    fact.defines = {text_field(message, "frame_id")};
    fact.image_hash = text_field(message, "image_hash");
  } else if (fact.type == kImage) {
    fact.image_hash = text_field(message, "image_hash");
  } else if (fact.type == kTaskOpened || fact.type == kTaskAccepted) {
    fact.defines = {fact.header.task_id()};
  }
  facts_.push_back(std::move(fact));
}

std::set<std::size_t> StepCauses::select(const std::string& step_id) const {
  std::set<std::size_t> selected;
  std::set<std::string> followed;
  std::vector<std::pair<std::string, std::size_t>> causes;  // Each cause with the number of its fact.
  const auto take = [&](std::size_t number) {
    if (!selected.insert(number).second) return;
    const Fact& fact = facts_[number];
    if (!fact.header.cause().empty()) causes.emplace_back(fact.header.cause(), number);
  };
  // The observer's facts with this cause show its effect.
  for (std::size_t number = 0; number < facts_.size(); ++number) {
    const Fact& fact = facts_[number];
    const bool is_about = fact.step_id == step_id || fact.header.cause() == step_id;
    if (is_about && fact.header.writer() != "observer" && fact.type != kModelCall) take(number);
    if (std::ranges::find(fact.steps, step_id) != fact.steps.end()) take(number);
  }
  while (!causes.empty()) {
    const auto [cause, effect] = std::move(causes.back());
    causes.pop_back();
    if (!followed.insert(cause).second) continue;
    bool is_found = false;
    for (std::size_t number = 0; number < facts_.size(); ++number) {
      const Fact& fact = facts_[number];
      if (std::ranges::find(fact.defines, cause) == fact.defines.end()) continue;
      // A frame can be observed again after the plan. But facts of two services may be recorded in the other order than
      // they were made, so without an earlier observation the first one counts.
      if (fact.type == kObservation && number > effect && is_found) continue;
      is_found = true;
      take(number);
    }
  }
  std::set<std::string> images;
  std::size_t last = 0;
  for (const std::size_t number : selected) {
    if (facts_[number].type == kPlan) last = number;
    if (!facts_[number].image_hash.empty()) images.insert(facts_[number].image_hash);
  }
  for (std::size_t number = 0; number < facts_.size(); ++number) {
    const Fact& fact = facts_[number];
    if (fact.type == kImage && images.contains(fact.image_hash)) selected.insert(number);
    // The plan's cause is the frame; the call to the model has the frame's cause.
    if (fact.type == kModelCall && followed.contains(fact.header.cause()) && number < last) selected.insert(number);
  }
  return selected;
}

std::vector<std::string> StepCauses::steps() const {
  std::vector<std::string> all;
  for (const Fact& fact : facts_) all.insert(all.end(), fact.steps.begin(), fact.steps.end());
  return all;
}

}  // namespace da::console
