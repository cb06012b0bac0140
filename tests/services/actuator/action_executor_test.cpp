#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "lib/base/path_text.h"
#include "tests/acted.h"
#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using testing::Contains;
using testing::Not;

class ActionExecutorTest : public ExecutorTest {
 protected:
  v1::Action terminate(const std::string& title) {
    v1::Action action;
    action.mutable_app_terminate()->set_title(title);
    return action;
  }
};

TEST_F(ActionExecutorTest, OutcomeNamesTheRemovedFileInTheTrash) {
  const auto file = std::filesystem::canonical(directory_) / "victim.txt";
  std::ofstream(file) << "content";
  v1::Action action;
  action.mutable_file_delete()->set_path(text_of(file));
  const v1::Outcome outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED) << outcome.message();
  EXPECT_FALSE(std::filesystem::exists(file));
  const std::string words = "; it is kept as \"";
  const auto begin = outcome.message().find(words);
  ASSERT_NE(begin, std::string::npos) << outcome.message();
  std::string kept_as = outcome.message().substr(begin + words.size());
  kept_as.pop_back();
  // quote_foreign() doubles backslashes.
  for (std::size_t at = 0; (at = kept_as.find("\\\\", at)) != std::string::npos; ++at) kept_as.erase(at, 1);
  std::string content;
  std::ifstream(path_of(kept_as)) >> content;
  EXPECT_EQ(content, "content");
}

TEST_F(ActionExecutorTest, OutcomeTellsWhetherTheApplicationHasReadTheText) {
  v1::Action submit;
  submit.mutable_keyboard_type()->set_text("x");
  submit.mutable_keyboard_type()->set_submit(true);
  for (const v1::Action& action : {write("x"), submit}) {
    for (const bool seen : {true, false}) {
      world_->change([&](auto& windows) { windows.front().reads_unseen = !seen; });
      const v1::Outcome outcome = run(action);
      EXPECT_TRUE(test::acted(outcome)) << outcome.message();
      EXPECT_EQ(outcome.read(), seen);
    }
  }
}

TEST_F(ActionExecutorTest, OnlyButtonsAreClickedAgainWithoutWaitingForTheDoubleClickTime) {
  const std::string window = world_->open_window("Files", "/usr/bin/files", {600, 100, 400, 300});
  world_->add_element(window, {.role = "push button", .name = "Next", .bounds = {620, 120, 80, 30}});
  world_->add_element(window, {.role = "table cell", .name = "photo.png", .bounds = {620, 200, 80, 30}});
  run(click(660, 135));
  run(click(660, 135));
  EXPECT_EQ(world_->own_clicks(), 0);
  run(click(660, 215));
  run(click(660, 215));
  EXPECT_EQ(world_->own_clicks(), 2);
}

// An element's place is read again before the press; of what is found by sight only the system's window is known.
TEST_F(ActionExecutorTest, OnlyAClickBySightInsistsOnThePartOfTheWindow) {
  const std::string drawn = world_->open_window("Drawn", "/usr/bin/drawn", {700, 100, 300, 200});
  ASSERT_TRUE(test::acted(run(click(800, 150))));
  EXPECT_EQ(world_->clicked_part(), drawn);
  world_->add_element(drawn, {.role = "push button", .name = "Go", .bounds = {700, 100, 300, 200}});
  ASSERT_TRUE(test::acted(run(click(800, 150))));
  EXPECT_EQ(world_->clicked_part(), "");
}

TEST_F(ActionExecutorTest, OutcomeTellsHowTheProgramEnded) {
  world_->open_window("Victim", "/usr/bin/victim", {600, 400, 200, 200});
  const v1::Outcome outcome = run(terminate("Victim"));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "it was killed");
  EXPECT_THAT(world_->titles(), Not(Contains("Victim")));
}

TEST_F(ActionExecutorTest, CancelledTerminationKillsNothing) {
  world_->open_window("Victim", "/usr/bin/victim", {600, 400, 200, 200});
  v1::ExecuteRequest request;
  *request.mutable_action() = terminate("Victim");
  *request.mutable_grant() = grant(prepare(request.action()));
  const v1::Outcome outcome = executor_.execute(request, [] { return true; });
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_CANCELLED);
  EXPECT_THAT(world_->titles(), Contains("Victim"));
}

class FieldContentTest : public ActionExecutorTest {
 protected:
  static constexpr std::size_t kName = 1;  // The single-line field of the editor.

  FieldContentTest() {
    world_->change([](auto& windows) {
      fake::FakeWindow& window = windows.front();
      window.elements[kName].text = "Ada Lovelace";
      window.focused_element = window.elements[kName].id;
    });
  }
  template <class Change>
  void change_field(const Change& change) {
    world_->change([&](auto& windows) { change(windows.front().elements[kName]); });
  }
  v1::Outcome select_all() {
    v1::Action action;
    for (const char* key : {"ctrl", "a"}) action.mutable_hotkey()->add_keys(key);
    return run(action);
  }
};

TEST_F(FieldContentTest, ReplacedTextIsConfirmed) {
  EXPECT_EQ(select_all().kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(run(write("Bob")).kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(world_->text_of("Name"), "Bob");
}

// Bug: "Bob" in a field with "Ada Lovelace" gave "Ada LovelacBobe", because the control does not know ctrl+a.
TEST_F(FieldContentTest, ContentIsSelectedByHomeAndShiftEndWhereNothingElseDoes) {
  change_field([](fake::FakeElement& field) { field.selects_by_tree = false; });
  EXPECT_EQ(select_all().kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(run(write("Bob")).kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(world_->text_of("Name"), "Bob");
}

TEST_F(FieldContentTest, PasswordIsComparedByItsLength) {
  change_field([](fake::FakeElement& field) { field.password = true; });
  EXPECT_EQ(select_all().kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(run(write("Bob")).kind(), v1::Outcome::KIND_CONFIRMED);
  change_field([](fake::FakeElement& field) { field.longest = 2; });
  EXPECT_EQ(select_all().kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(run(write("Eve")).kind(), v1::Outcome::KIND_NO_EFFECT);
}

TEST_F(FieldContentTest, AppendedTextIsNotCompared) {
  EXPECT_TRUE(test::acted(run(write(" King"))));
  EXPECT_EQ(world_->text_of("Name"), "Ada Lovelace King");
}

}  // namespace
}  // namespace da::actuator
