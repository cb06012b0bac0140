#include "services/console/recordings/step_causes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "da/v1/history.pb.h"
#include "da/v1/model.pb.h"
#include "da/v1/observation.pb.h"
#include "da/v1/outcome.pb.h"
#include "da/v1/plan.pb.h"

namespace da::console {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

template <class Fact>
Fact fact(const std::string& writer, const std::string& cause) {
  Fact made;
  made.mutable_header()->set_task_id("task");
  made.mutable_header()->set_writer(writer);
  made.mutable_header()->set_cause(cause);
  return made;
}

v1::Observation observation(const std::string& frame, const std::string& cause, const std::string& image = "") {
  auto made = fact<v1::Observation>("observer", cause);
  made.set_frame_id(frame);
  made.set_image_hash(image);
  return made;
}

v1::Plan plan(const std::string& id, const std::string& frame, const std::string& step) {
  auto made = fact<v1::Plan>("planner", frame);
  made.set_plan_id(id);
  made.add_steps()->set_step_id(step);
  return made;
}

v1::Outcome outcome(const std::string& step) {
  auto made = fact<v1::Outcome>("actuator", step);
  made.set_step_id(step);
  return made;
}

v1::ImageFact image(const std::string& hash, const std::string& cause) {
  auto made = fact<v1::ImageFact>("observer", cause);
  made.set_image_hash(hash);
  return made;
}

// Two steps: each with its observation, plan and outcome.
StepCauses two_steps() {
  StepCauses causes;
  causes.note(fact<v1::TaskOpened>("policy", "task"));   // 0
  causes.note(observation("frame1", "task"));            // 1
  causes.note(fact<v1::ModelCall>("planner", "task"));   // 2
  causes.note(plan("plan1", "frame1", "step1"));         // 3
  causes.note(outcome("step1"));                         // 4
  causes.note(observation("frame2", "step1", "hash2"));  // 5
  causes.note(image("hash2", "step1"));                  // 6
  causes.note(plan("plan2", "frame2", "step2"));         // 7
  causes.note(outcome("step2"));                         // 8
  causes.note(observation("frame2", "step2", "hash3"));  // 9
  causes.note(image("hash3", "step2"));                  // 10
  return causes;
}

TEST(StepCauses, FollowsCausesBackToTheTask) { EXPECT_THAT(two_steps().select("step1"), ElementsAre(0, 1, 2, 3, 4)); }

TEST(StepCauses, AStepIsCausedByTheStepsBeforeItButNotByWhatFollows) {
  EXPECT_THAT(two_steps().select("step2"), ElementsAre(0, 1, 2, 3, 5, 6, 7, 8));
}

TEST(StepCauses, AnUnknownStepSelectsNothing) {
  EXPECT_THAT(two_steps().select("step3"), IsEmpty());
  EXPECT_THAT(two_steps().steps(), ElementsAre("step1", "step2"));
}

TEST(StepCauses, CausesInACircleEnd) {
  StepCauses causes;
  causes.note(plan("plan", "frame", "step"));
  causes.note(observation("frame", "step"));
  causes.note(plan("step", "step", "frame"));
  EXPECT_THAT(causes.select("step"), ElementsAre(0, 1, 2));
}

TEST(StepCauses, AnObservationThatWasRecordedAfterItsPlanIsStillItsCause) {
  StepCauses causes;
  causes.note(plan("plan", "frame", "step"));
  causes.note(observation("frame", "task"));
  causes.note(observation("frame", "step"));
  EXPECT_THAT(causes.select("step"), ElementsAre(0, 1));
}

}  // namespace
}  // namespace da::console
