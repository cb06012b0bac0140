#include "services/recorder/task_ends.h"

#include <gtest/gtest.h>

#include "da/v1/history.pb.h"
#include "da/v1/task.pb.h"

namespace da::recorder {
namespace {

struct TaskEndsTest : testing::Test {
  TaskEnds ends;
  ManualClock clock;

  template <class Fact>
  void note(const std::string& task_id) {
    recording::RecordedFact fact{.type = Fact::descriptor()};
    fact.header.set_task_id(task_id);
    ends.note(fact, clock.now());
  }
  std::vector<std::string> over() {
    std::vector<std::string> ids;
    for (const TaskOver& task : ends.take_over(clock.now())) ids.push_back(task.task_id);
    return ids;
  }
};

using Ids = std::vector<std::string>;

TEST_F(TaskEndsTest, ATaskIsOverWhenPolicyAndPlannerAreDone) {
  note<v1::TaskOpened>("t1");
  note<v1::TaskAccepted>("t1");
  note<v1::TaskClosed>("t1");
  EXPECT_EQ(over(), Ids{});
  note<v1::TaskEnded>("t1");
  EXPECT_EQ(over(), Ids{"t1"});
  EXPECT_EQ(over(), Ids{});
}

TEST_F(TaskEndsTest, APlannerThatNeverAcceptedItIsNotWaitedFor) {
  note<v1::TaskOpened>("t1");
  note<v1::TaskClosed>("t1");
  EXPECT_EQ(over(), Ids{"t1"});
}

TEST_F(TaskEndsTest, APlannerThatDiesIsWaitedForOnlySoLong) {
  note<v1::TaskOpened>("t1");
  note<v1::TaskAccepted>("t1");
  note<v1::TaskClosed>("t1");
  clock.advance(TaskEnds::kPatience - Milliseconds(1));
  EXPECT_EQ(over(), Ids{});
  clock.advance(Milliseconds(1));
  EXPECT_EQ(over(), Ids{"t1"});
}

TEST_F(TaskEndsTest, TasksEndSeparately) {
  note<v1::TaskOpened>("t1");
  note<v1::TaskOpened>("t2");
  note<v1::TaskClosed>("t2");
  note<v1::TaskClosed>("unknown");
  EXPECT_EQ(over(), Ids{"t2"});
  note<v1::TaskClosed>("t1");
  EXPECT_EQ(over(), Ids{"t1"});
}

TEST_F(TaskEndsTest, ATaskThatARestartedPolicyDoesNotKnowIsOver) {
  note<v1::TaskOpened>("t1");
  ends.note_open({"t1"}, clock.now());
  clock.advance(TaskEnds::kPatience);
  EXPECT_EQ(over(), Ids{});
  ends.note_open({}, clock.now());
  clock.advance(TaskEnds::kPatience - Milliseconds(1));
  ends.note_open({}, clock.now());
  EXPECT_EQ(over(), Ids{});
  clock.advance(Milliseconds(1));
  const auto ended = ends.take_over(clock.now());
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0].task_id, "t1");
  EXPECT_NE(ended[0].cut, "");
}

// The policy may have answered before it opened the task.
TEST_F(TaskEndsTest, ATaskThatThePolicyKnowsAgainIsNotOver) {
  note<v1::TaskOpened>("t1");
  ends.note_open({}, clock.now());
  clock.advance(Milliseconds(500));
  ends.note_open({"t1"}, clock.now());
  clock.advance(TaskEnds::kPatience);
  EXPECT_EQ(over(), Ids{});
}

}  // namespace
}  // namespace da::recorder
