#include "services/observer/locate/names_by_sight.h"

#include <gtest/gtest.h>

#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

class DrawnWindows : public testing::Test {
 protected:
  Scene scene() const { return {.windows = windows_, .desktop = {0, 0, 1280, 800}}; }
  const v1::Window* found(const std::string& title) const {
    LocatedTarget target;
    target.window = title;
    return drawn_window(tree_, windows_, target);
  }

  v1::Window front_ = window("w1", {0, 0, 600, 400}, true);
  v1::Window back_ = window("w2", {500, 300, 600, 400}, false);
  std::vector<const v1::Window*> windows_{&front_, &back_};
  v1::UiTree tree_;
};

// Bug: "1st field" was the second one while another window covered the first.
TEST_F(DrawnWindows, CoveredPartsAreTold) {
  front_.set_title("Mail");
  EXPECT_EQ(hidden_part(scene(), front_), "");
  EXPECT_EQ(hidden_part(scene(), back_), "the window \"Mail\" covers a part of its window");
  front_.set_minimized(true);
  EXPECT_EQ(hidden_part(scene(), back_), "");
}

TEST_F(DrawnWindows, PartsOutsideOfTheDesktopAreTold) {
  *front_.mutable_bounds() = window("", {-4, -4, 1288, 808}, true).bounds();
  EXPECT_EQ(hidden_part(scene(), front_), "") << "a maximised window whose frame is outside";
  *front_.mutable_bounds() = window("", {900, 0, 600, 400}, true).bounds();
  EXPECT_EQ(hidden_part(scene(), front_), "a part of its window is outside of the desktop");
}

TEST_F(DrawnWindows, TheFocusedWindowComesFirstAndATitleFindsOthers) {
  front_.set_title("Mail");
  back_.set_title("Transfer");
  EXPECT_EQ(found(""), &front_);
  EXPECT_EQ(found("Transfer"), &back_);
  EXPECT_EQ(found("Nobody"), nullptr);
  tree_.add_awaited("w2");
  EXPECT_EQ(found("Transfer"), nullptr) << "its elements will arrive";
}

TEST_F(DrawnWindows, AWindowWithElementsIsNotReadByItsPicture) {
  for (const char* const name : {"Save", "Load", "Quit"}) {
    auto& button = *tree_.add_nodes() = element("push button", name, {10, 10, 40, 20});
    button.set_window_id("w1");
  }
  EXPECT_EQ(found(""), nullptr);
}

// The goal's own words show there.
TEST_F(DrawnWindows, TheTerminalOfTheRunIsReadOnlyByItsTitle) {
  front_.set_title("Terminal");
  front_.set_started_run(true);
  EXPECT_EQ(found(""), nullptr);
  EXPECT_EQ(found("Terminal"), &front_);
}

}  // namespace
}  // namespace da::observer
