#include "services/console/terminal/questions/pending_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace da::console {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Kind = PendingQueue::Kind;
using Lines = std::vector<std::string>;

// Accepts every line except "again".
class FakePending final : public Pending {
 public:
  FakePending(std::string id, Lines& answered) : id_(std::move(id)), answered_(answered) {}
  const std::string& id() const override { return id_; }
  std::string text() const override { return "text of " + id_; }
  std::string commands() const override { return "command " + id_; }
  std::string prompt() const override { return id_ + "> "; }
  Takes takes() const override { return Takes::kWords; }
  Then answer(const std::string& line) override {
    if (line == "again") return Then::kAskAgain;
    answered_.push_back(id_ + " " + line);
    return Then::kEnded;
  }

 private:
  const std::string id_;
  Lines& answered_;
};

class PendingQueueTest : public testing::Test {
 protected:
  void waits(PendingQueue& queue, Kind kind, const Lines& ids) {
    queue.refresh(kind, ids, [&](std::size_t index) { return std::make_unique<FakePending>(ids[index], answered_); });
  }
  // The output since the last call.
  std::string shown() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  // Lets kQuiet pass without input.
  void becomes_quiet() { clock_.advance(kQuiet); }

  std::ostringstream out_;
  ManualClock clock_;
  int discarded_ = 0;
  Lines answered_;
  PendingQueue queue_{out_, PendingQueue::Mode::kAsks, clock_, [this] { ++discarded_; }};
};

TEST_F(PendingQueueTest, AsksAgainAfterALineThatIsNoAnswer) {
  waits(queue_, Kind::kQuestion, {"q1"});
  EXPECT_EQ(shown(), "text of q1\nq1> ");
  waits(queue_, Kind::kQuestion, {"q1"});
  EXPECT_EQ(shown(), "");
  queue_.answer("again");
  EXPECT_EQ(shown(), "q1> ");
  queue_.answer("yes");
  EXPECT_EQ(shown(), "");
  EXPECT_EQ(queue_.asked(), nullptr);
  waits(queue_, Kind::kQuestion, {"q1"});
  EXPECT_EQ(shown(), "") << "the list was made before the answer";
  EXPECT_THAT(answered_, ElementsAre("q1 yes"));
}

TEST_F(PendingQueueTest, BothKindsAreAskedOneAfterAnother) {
  waits(queue_, Kind::kApproval, {"a1"});
  EXPECT_EQ(shown(), "text of a1\na1> ");
  waits(queue_, Kind::kQuestion, {"q1"});
  EXPECT_EQ(shown(), "\nafter this comes question q1\na1> ") << "the last on the screen is what a line answers";
  queue_.answer("yes");
  EXPECT_EQ(shown(), "text of q1\nq1> ");
  waits(queue_, Kind::kApproval, {"a2"});
  EXPECT_EQ(shown(), "\nafter this comes approval a2\nq1> ");
  queue_.answer("yes");
  queue_.answer("no");
  EXPECT_THAT(answered_, ElementsAre("a1 yes", "q1 yes", "a2 no"));
}

TEST_F(PendingQueueTest, SameIdInBothKindsGivesTwoEntries) {
  waits(queue_, Kind::kApproval, {"x"});
  waits(queue_, Kind::kQuestion, {"x"});
  waits(queue_, Kind::kApproval, {});
  becomes_quiet();
  waits(queue_, Kind::kApproval, {});
  EXPECT_NE(queue_.asked(), nullptr);
  waits(queue_, Kind::kQuestion, {});
  EXPECT_EQ(queue_.asked(), nullptr);
}

TEST_F(PendingQueueTest, InputBeforeAQuestionIsDropped) {
  waits(queue_, Kind::kApproval, {"a1"});
  EXPECT_EQ(discarded_, 1);
  waits(queue_, Kind::kQuestion, {"q1"});
  EXPECT_EQ(discarded_, 2);
  waits(queue_, Kind::kQuestion, {"q1"});
  EXPECT_EQ(discarded_, 2) << "nothing has changed: the begun line goes on";
  queue_.answer("yes");
  EXPECT_EQ(discarded_, 3);
}

TEST_F(PendingQueueTest, EntryAnsweredElsewhereIsReplacedByTheNext) {
  waits(queue_, Kind::kApproval, {"a1"});
  waits(queue_, Kind::kQuestion, {"q1", "q2"});
  shown();
  waits(queue_, Kind::kQuestion, {"q2"});
  EXPECT_EQ(shown(), "") << "it was not asked about yet";
  waits(queue_, Kind::kApproval, {});
  EXPECT_THAT(shown(), HasSubstr("approval a1 is over"));
  becomes_quiet();
  waits(queue_, Kind::kApproval, {});
  EXPECT_EQ(shown(), "text of q2\nq2> ");
}

// Bug: the planner withdrew its question while the person typed "yes", and the line approved the next entry.
TEST_F(PendingQueueTest, LineForAWithdrawnEntryDoesNotReachTheNext) {
  waits(queue_, Kind::kQuestion, {"q1"});
  waits(queue_, Kind::kApproval, {"a1"});
  shown();
  waits(queue_, Kind::kQuestion, {});
  EXPECT_THAT(shown(), AllOf(HasSubstr("question q1 is over"), Not(HasSubstr("a1>"))));
  EXPECT_EQ(queue_.asked(), nullptr);
  clock_.advance(Milliseconds(100));
  queue_.disturb();
  clock_.advance(kQuiet - Milliseconds(1));
  waits(queue_, Kind::kApproval, {"a1"});
  EXPECT_EQ(shown(), "") << "it is quiet for less than the whole time since the last key";
  EXPECT_EQ(queue_.asked(), nullptr);
  clock_.advance(Milliseconds(1));
  const int before = discarded_;
  waits(queue_, Kind::kApproval, {"a1"});
  EXPECT_EQ(shown(), "\nwhat you typed meanwhile was dropped\ntext of a1\na1> ");
  EXPECT_EQ(discarded_, before + 1);
  queue_.answer("no");
  EXPECT_THAT(answered_, ElementsAre("a1 no"));
}

TEST_F(PendingQueueTest, LineForAWithdrawnEntryDoesNotReachALaterEntry) {
  waits(queue_, Kind::kQuestion, {"q1"});
  waits(queue_, Kind::kQuestion, {});
  waits(queue_, Kind::kApproval, {"a1"});
  EXPECT_EQ(queue_.asked(), nullptr);
  EXPECT_THAT(shown(), Not(HasSubstr("a1")));
  becomes_quiet();
  waits(queue_, Kind::kApproval, {"a1"});
  EXPECT_EQ(shown(), "text of a1\na1> ");
}

TEST_F(PendingQueueTest, EntryThatEndsBeforeItIsAskedCausesNoWait) {
  waits(queue_, Kind::kQuestion, {"q1"});
  waits(queue_, Kind::kQuestion, {});
  clock_.advance(kQuiet / 2);
  waits(queue_, Kind::kQuestion, {"q2"});
  waits(queue_, Kind::kQuestion, {"q3"});
  shown();
  clock_.advance(kQuiet / 2);
  waits(queue_, Kind::kQuestion, {"q3"});
  EXPECT_EQ(shown(), "text of q3\nq3> ");
}

// Bug: a planner with endless questions delayed approvals until they expired.
TEST_F(PendingQueueTest, ApprovalsPrecedeQuestionsButNotTheAskedEntry) {
  waits(queue_, Kind::kQuestion, {"q1", "q2", "q3"});
  waits(queue_, Kind::kApproval, {"a1", "a2"});
  waits(queue_, Kind::kQuestion, {"q1", "q2", "q3", "q4"});
  waits(queue_, Kind::kApproval, {"a1", "a2", "a3"});
  EXPECT_EQ(queue_.asked()->id(), "q1") << "a line that is begun reaches nothing else";
  for (int i = 0; i < 7; ++i) queue_.answer("yes");
  EXPECT_THAT(answered_, ElementsAre("q1 yes", "a1 yes", "a2 yes", "a3 yes", "q2 yes", "q3 yes", "q4 yes"));
}

TEST_F(PendingQueueTest, OnlyTheFirstQuestionsAreTaken) {
  Lines many;
  for (int i = 0; i < 1000; ++i) many.push_back("q" + std::to_string(i));
  waits(queue_, Kind::kQuestion, many);
  waits(queue_, Kind::kQuestion, many);
  for (std::size_t i = 0; i < kMostQuestions; ++i) {
    ASSERT_NE(queue_.asked(), nullptr);
    queue_.answer("yes");
  }
  EXPECT_EQ(queue_.asked(), nullptr);
  waits(queue_, Kind::kApproval, many);
  for (std::size_t i = 0; i < many.size(); ++i) {
    ASSERT_NE(queue_.asked(), nullptr) << "of the policy's own all are";
    queue_.answer("yes");
  }
}

TEST_F(PendingQueueTest, AfterTheWaitForQuietAnApprovalIsAskedFirst) {
  waits(queue_, Kind::kQuestion, {"q1", "q2"});
  waits(queue_, Kind::kQuestion, {"q2"});
  waits(queue_, Kind::kApproval, {"a1"});
  shown();
  becomes_quiet();
  waits(queue_, Kind::kQuestion, {"q2"});
  EXPECT_EQ(shown(), "text of a1\na1> ");
}

TEST_F(PendingQueueTest, EntryThatIsNoLongerListedIsForgotten) {
  waits(queue_, Kind::kQuestion, {"q1"});
  queue_.answer("yes");
  waits(queue_, Kind::kQuestion, {"q1"});
  EXPECT_EQ(queue_.asked(), nullptr) << "the list was made before the answer";
  waits(queue_, Kind::kApproval, {});
  waits(queue_, Kind::kQuestion, {"q1"});
  EXPECT_EQ(queue_.asked(), nullptr) << "a list of the other kind says nothing of it";
  waits(queue_, Kind::kQuestion, {});
  waits(queue_, Kind::kQuestion, {"q1"});
  EXPECT_NE(queue_.asked(), nullptr) << "nothing is kept of what is gone, so that nothing grows";
}

TEST_F(PendingQueueTest, AfterAnAnswerTheNextIsAskedAtOnce) {
  waits(queue_, Kind::kQuestion, {"q1"});
  queue_.answer("yes");
  waits(queue_, Kind::kQuestion, {});
  waits(queue_, Kind::kApproval, {"a1"});
  EXPECT_EQ(shown(), "text of q1\nq1> text of a1\na1> ");
}

TEST_F(PendingQueueTest, WithoutATerminalEachIsShownWithItsCommandAndNobodyIsAsked) {
  PendingQueue shows(out_, PendingQueue::Mode::kShows, clock_, [this] { ++discarded_; });
  waits(shows, Kind::kApproval, {"a1"});
  waits(shows, Kind::kQuestion, {"q1"});
  EXPECT_EQ(shown(), "text of a1\n  answer with: command a1\ntext of q1\n  answer with: command q1\n");
  EXPECT_EQ(discarded_, 0);
  EXPECT_THAT(answered_, IsEmpty());
}

TEST_F(PendingQueueTest, ClosedTerminalOnlyShowsEntries) {
  waits(queue_, Kind::kApproval, {"a1"});
  shown();
  queue_.ask_nobody();
  waits(queue_, Kind::kQuestion, {"q1"});
  EXPECT_EQ(shown(), "text of q1\n  answer with: command q1\n");
}

}  // namespace
}  // namespace da::console
