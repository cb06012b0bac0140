#include "services/console/terminal/stream/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "da/v1/outcome.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/bus/topics.h"

namespace da::console {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MonoTime at(double seconds) { return MonoTime(Nanoseconds(static_cast<std::int64_t>(seconds * 1e9))); }

template <class T>
bus::Fact task_fact(T message, const std::string& task = "t1") {
  message.mutable_header()->set_task_id(task);
  return {.topic = bus::topic_name<T>(), .message = std::make_unique<T>(std::move(message))};
}

v1::TaskStateChanged state(v1::TaskState state, std::uint32_t part, const std::string& text) {
  v1::TaskStateChanged changed;
  changed.set_state(state);
  changed.set_part(part);
  changed.set_parts(part == 0 ? 0 : 2);
  changed.set_part_text(text);
  return changed;
}

v1::TaskEnded ended(v1::TaskEnd end) {
  v1::TaskEnded fact;
  fact.mutable_result()->set_task_id("t1");
  fact.mutable_result()->set_end(end);
  return fact;
}

TEST(Progress, ASentenceIsALineOnceTheNextOneBegins) {
  Progress progress("t1", Colours::kNone);
  EXPECT_THAT(progress.take(task_fact(state(v1::TASK_STATE_OBSERVING, 1, "open notes")), at(1)), IsEmpty());
  EXPECT_THAT(progress.take(task_fact(state(v1::TASK_STATE_ACTING, 1, "open notes")), at(1.2)), IsEmpty());
  EXPECT_THAT(progress.take(task_fact(state(v1::TASK_STATE_OBSERVING, 2, "click \"Save\"")), at(1.4)),
              ElementsAre("[1/2] open notes … done 0.4 s"));
  EXPECT_THAT(progress.take(task_fact(state(v1::TASK_STATE_OBSERVING, 0, "")), at(2)), IsEmpty());
  EXPECT_THAT(progress.take(task_fact(ended(v1::TASK_END_DONE)), at(2.4)),
              ElementsAre("[2/2] click \"Save\" … done 1.0 s"));
  EXPECT_EQ(progress.status(at(3), 79), "");
}

TEST(Progress, StatusShowsTimeAndActivity) {
  Progress progress("t1", Colours::kNone);
  progress.take(task_fact(state(v1::TASK_STATE_DECIDING, 1, "click \"Save\"")), at(0));
  const std::string status = progress.status(at(2.5), 79);
  EXPECT_THAT(status, HasSubstr("[1/2] click \"Save\" … "));
  EXPECT_THAT(status, HasSubstr(" 2.5 s, waiting for its target"));
  EXPECT_NE(progress.status(at(2.65), 79).substr(23, 4), status.substr(23, 4)) << "it spins";
}

TEST(Progress, StatusCutsTheSentenceFirst) {
  Progress progress("t1", Colours::kNone);
  progress.take(task_fact(state(v1::TASK_STATE_DECIDING, 1, std::string(100, 'x') + "漢字")), at(0));
  for (const std::size_t columns : {10U, 40U, 60U, 79U}) EXPECT_LE(progress.status(at(1), columns).size(), columns + 2);
  EXPECT_THAT(progress.status(at(1), 60), HasSubstr("waiting for its target"));
}

TEST(Progress, SkippedAndFailedSentencesShowTheirResult) {
  Progress skipped("t1", Colours::kNone);
  skipped.take(task_fact(state(v1::TASK_STATE_ACTING, 1, "a")), at(0));
  v1::Outcome outcome;
  outcome.set_code(v1::Outcome::CODE_SKIPPED);
  skipped.take(task_fact(outcome), at(1));
  EXPECT_THAT(skipped.take(task_fact(ended(v1::TASK_END_DONE)), at(1)), ElementsAre("[1/2] a … left out 1.0 s"));
  for (const auto& [end, word] :
       {std::pair{v1::TASK_END_DENIED, "denied"}, {v1::TASK_END_EXPIRED, "expired"}, {v1::TASK_END_FAILED, "failed"}}) {
    Progress progress("t1", Colours::kNone);
    progress.take(task_fact(state(v1::TASK_STATE_ACTING, 1, "a")), at(0));
    EXPECT_THAT(progress.take(task_fact(ended(end)), at(1)), ElementsAre(HasSubstr(std::string("a … ") + word)));
  }
}

TEST(Progress, EachPlanOfAModelIsALine) {
  Progress progress("t1", Colours::kNone);
  v1::TaskStateChanged deciding = state(v1::TASK_STATE_DECIDING, 0, "");
  deciding.set_turn(3);
  progress.take(task_fact(deciding), at(0));
  EXPECT_THAT(progress.status(at(1), 79), HasSubstr("waiting for the model"));
  v1::Plan plan;
  plan.add_steps()->set_justification("Open the menu");
  plan.add_steps();
  progress.take(task_fact(plan), at(1));
  EXPECT_THAT(progress.take(task_fact(ended(v1::TASK_END_DONE)), at(2)),
              ElementsAre("[turn 3] Open the menu and 1 more … done 1.0 s"));
}

TEST(Progress, OtherTasksAreNotShown) {
  Progress progress("t1", Colours::kNone);
  EXPECT_THAT(progress.take(task_fact(state(v1::TASK_STATE_ACTING, 1, "a"), "t2"), at(0)), IsEmpty());
  EXPECT_EQ(progress.status(at(1), 79), "");
}

TEST(Progress, ForeignTextDoesNotSteerTheTerminal) {
  Progress progress("t1", Colours::kNone);
  progress.take(task_fact(state(v1::TASK_STATE_ACTING, 1, "click \"\x1b[2J\u202e\"")), at(0));
  EXPECT_THAT(progress.status(at(1), 79), HasSubstr("\\x1b[2J\\u{202e}"));
  EXPECT_THAT(progress.take(task_fact(ended(v1::TASK_END_DONE)), at(1)), ElementsAre(HasSubstr("\\x1b[2J\\u{202e}")));
}

TEST(Progress, ColoursAreOptional) {
  Progress progress("t1", Colours::kAnsi);
  progress.take(task_fact(state(v1::TASK_STATE_ACTING, 1, "a")), at(0));
  EXPECT_THAT(progress.take(task_fact(ended(v1::TASK_END_DONE)), at(1)),
              ElementsAre("[1/2] a … \x1b[32mdone\x1b[0m 1.0 s"));
}

}  // namespace
}  // namespace da::console
