#include "services/actuator/overlay/task_overlay.h"

#include <gmock/gmock.h>

#include "lib/base/text.h"
#include "services/actuator/desktop/fake/fake_overlay.h"

namespace da::actuator {
namespace {

using testing::HasSubstr;

class TaskOverlayTest : public testing::Test {
 protected:
  static v1::HeartbeatRequest heartbeat(bool open, const std::vector<std::string>& waiting = {}) {
    v1::HeartbeatRequest request;
    if (open) request.add_open_tasks()->set_task_id("task");
    for (const std::string& challenge : waiting) request.add_waiting_challenges(challenge);
    return request;
  }
  static ShownStep step(const std::string& why, const std::string& words = "") {
    return {.justification = why,
            .marker = Rect{10, 20, 30, 40},
            .question = words.empty() ? "" : "sends a mail",
            .approval_words = words};
  }
  // Waits until the desktop shows what is due.
  bool comes_up() {
    for (int tries = 0; tries < 500; ++tries) {
      if (desktop_.now() == overlay_.due()) return true;
      std::this_thread::sleep_for(Milliseconds(10));
    }
    return false;
  }

  ManualClock clock_;
  fake::FakeOverlay desktop_;
  TaskOverlay overlay_{desktop_, clock_};
};

TEST_F(TaskOverlayTest, ShowsWhoDrivesTheDesktopAndHowToStopItWhileATaskIsOpen) {
  EXPECT_FALSE(overlay_.due());
  overlay_.hear(heartbeat(true));
  ASSERT_TRUE(overlay_.due());
  EXPECT_EQ(overlay_.due()->driver, "driven by DesktopAssist");
  EXPECT_EQ(overlay_.due()->stop_chord, "stop: Ctrl+Shift+Esc");
  EXPECT_FALSE(overlay_.due()->marker);
  EXPECT_TRUE(comes_up());
  ASSERT_TRUE(desktop_.now());
  overlay_.hear(heartbeat(false));
  EXPECT_TRUE(comes_up());
  EXPECT_FALSE(desktop_.now());
}

TEST_F(TaskOverlayTest, ShowsAStepWhileItActsAndForAMomentAfterwards) {
  overlay_.hear(heartbeat(true));
  overlay_.step_begins(step("opens the file"));
  EXPECT_EQ(overlay_.due()->justification, "opens the file");
  EXPECT_EQ(overlay_.due()->marker, (Rect{10, 20, 30, 40}));
  EXPECT_TRUE(comes_up());
  clock_.advance(Milliseconds(60'000));
  overlay_.hear(heartbeat(true));
  EXPECT_EQ(overlay_.due()->justification, "opens the file") << "it still acts";
  overlay_.step_ends();
  clock_.advance(TaskOverlay::kStepStays);
  EXPECT_EQ(overlay_.due()->justification, "opens the file");
  clock_.advance(Milliseconds(1));
  EXPECT_EQ(overlay_.due()->justification, "");
  EXPECT_FALSE(overlay_.due()->marker);
  EXPECT_TRUE(comes_up()) << "without a further call";
}

TEST_F(TaskOverlayTest, ShowsTheWordsOfTheStepThatWaits) {
  overlay_.hear(heartbeat(true));
  overlay_.prepared("c1", step("sends it", "lusab babad gutih tugad"));
  EXPECT_EQ(overlay_.due()->approval_words, "") << "nobody is asked yet";
  overlay_.hear(heartbeat(true, {"c1"}));
  EXPECT_EQ(overlay_.due()->approval_words, "lusab babad gutih tugad");
  EXPECT_EQ(overlay_.due()->justification, "sends it");
  EXPECT_TRUE(overlay_.due()->marker);
  overlay_.hear(heartbeat(true, {"c1", "c2"}));
  EXPECT_EQ(overlay_.due()->approval_words, "lusab babad gutih tugad, and 1 more");
  overlay_.hear(heartbeat(true));
  EXPECT_EQ(overlay_.due()->approval_words, "");
  EXPECT_TRUE(comes_up());
}

TEST_F(TaskOverlayTest, ActingStepIsShownBeforeAWaitingOneAndWithoutWords) {
  overlay_.prepared("c1", step("sends it", "lusab babad gutih tugad"));
  overlay_.hear(heartbeat(true, {"c1"}));
  overlay_.step_begins(step("sends it now", "lusab babad gutih tugad"));
  EXPECT_EQ(overlay_.due()->justification, "sends it now");
  EXPECT_EQ(overlay_.due()->approval_words, "");
}

TEST_F(TaskOverlayTest, UnknownChallengeShowsNoWords) {
  overlay_.hear(heartbeat(true, {"of an earlier start"}));
  ASSERT_TRUE(overlay_.due());
  EXPECT_EQ(overlay_.due()->approval_words, "");
}

TEST_F(TaskOverlayTest, KeepsNoMoreThanTheNewestPreparedSteps) {
  for (int i = 0; i < 1000; ++i) overlay_.prepared("c" + std::to_string(i), step("why", "words"));
  overlay_.hear(heartbeat(true, {"c0"}));
  EXPECT_EQ(overlay_.due()->approval_words, "");
  overlay_.hear(heartbeat(true, {"c999"}));
  EXPECT_EQ(overlay_.due()->approval_words, "words");
}

TEST_F(TaskOverlayTest, VanishesWhenThePolicyIsSilent) {
  overlay_.hear(heartbeat(true));
  EXPECT_TRUE(comes_up());
  clock_.advance(TaskOverlay::kTasksStayOpen + Milliseconds(1));
  EXPECT_FALSE(overlay_.due());
  EXPECT_TRUE(comes_up());
  EXPECT_FALSE(desktop_.now());
}

TEST_F(TaskOverlayTest, EndedTaskLeavesNothingForTheNext) {
  overlay_.prepared("c1", step("sends it", "lusab babad gutih tugad"));
  overlay_.hear(heartbeat(true, {"c1"}));
  overlay_.step_begins(step("acts"));
  overlay_.hear(heartbeat(false));
  overlay_.hear(heartbeat(true, {"c1"}));
  EXPECT_EQ(overlay_.due()->justification, "");
  EXPECT_EQ(overlay_.due()->approval_words, "");
}

TEST_F(TaskOverlayTest, DesktopWithoutAnOverlayIsReported) {
  desktop_.refuse(Code::kUnimplemented);
  overlay_.hear(heartbeat(true));
  for (int tries = 0; tries < 500 && overlay_.describe() == "no task to show"; ++tries) {
    std::this_thread::sleep_for(Milliseconds(10));
  }
  EXPECT_THAT(overlay_.describe(), HasSubstr("unable to show an overlay"));
}

TEST_F(TaskOverlayTest, IsShownOnceTheScreenIsUnlocked) {
  desktop_.refuse(Code::kFailedPrecondition);
  overlay_.hear(heartbeat(true));
  for (int tries = 0; tries < 500 && overlay_.describe() == "no task to show"; ++tries) {
    std::this_thread::sleep_for(Milliseconds(10));
  }
  EXPECT_FALSE(desktop_.now());
  desktop_.refuse(std::nullopt);
  EXPECT_TRUE(comes_up()) << "without a further call";
}

TEST(ShownJustification, IsAtMostSixtyCharactersAndEscaped) {
  EXPECT_EQ(shown_in_overlay("opens the file", 60), "opens the file");
  const std::string sixty(60, 'a');
  EXPECT_EQ(shown_in_overlay(sixty, 60), sixty);
  EXPECT_EQ(shown_in_overlay(sixty + "b", 60), std::string(57, 'a') + "...");
  EXPECT_EQ(shown_in_overlay("a\nb\x1b[2J", 60), "a\\nb\\x1b[2J");
  EXPECT_EQ(shown_in_overlay("a\u202eb", 60), "a\\u{202e}b");
  EXPECT_EQ(shown_in_overlay("\xff", 60), "\\xff");
  std::string overrides;
  for (int i = 0; i < 60; ++i) overrides += "\u202e";
  EXPECT_EQ(decode_utf8(shown_in_overlay(overrides, 60))->size(), 60U);
  std::string chinese;
  for (int i = 0; i < 61; ++i) chinese += "\u6f22";
  EXPECT_EQ(decode_utf8(shown_in_overlay(chinese, 60))->size(), 60U);
}

}  // namespace
}  // namespace da::actuator
