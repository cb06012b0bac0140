#include "services/planner/plain/value_setting.h"

#include <algorithm>

#include "tests/services/planner/plain/plain_planner_fixture.h"

namespace da::planner::plain {
namespace {

class Slider : public WholeGoals {
 protected:
  void SetUp() override {
    FakeElement& slider = world_.add({.id = "s", .role = "slider", .name = "Volume"});
    v1::UiRange& range = slider.range.emplace();
    range.set_value(10);
    range.set_maximum(100);
    range.set_step(1);
    slider.on_click = [&range] { range.set_value(50); };
    world_.on_keys = [this, &range](const std::vector<std::string>& keys) {
      for (const std::string& key : keys) {
        const double moved = range.value() + (key == "right" ? per_key_ : -per_key_);
        range.set_value(std::clamp(moved, range.minimum(), range.maximum()));
      }
    };
  }
  double value() { return world_.element("s")->range->value(); }

  double per_key_ = 1;
};

TEST_F(Slider, IsMovedByArrowKeysUntilItTellsTheValue) {
  run("set \"Volume\" to 40");
  EXPECT_EQ(value(), 40);
  EXPECT_EQ(run("set \"Volume\" to 40"), Done{"1 sentence was carried out"}) << "it is there already";
  run("set slider \"Volume\" to 100%");
  EXPECT_EQ(value(), 100);
}

TEST_F(Slider, IsMovedWhateverAnArrowKeyDoes) {
  per_key_ = -5;
  run("set \"Volume\" to 30");
  EXPECT_EQ(value(), 30);
}

TEST_F(Slider, AValueThatItCannotHaveFails) {
  per_key_ = 5;
  const auto failed = run("set \"Volume\" to 32");
  EXPECT_NE(failed.back().find("\"Volume\" tells 30"), std::string::npos) << failed.back();
  const auto outside = run("set \"Volume\" to 101");
  EXPECT_NE(outside.back().find("goes from 0 to 100"), std::string::npos) << outside.back();
}

// Bug: a value counted as set when it was as near as a part of the bounds, which may be far apart.
TEST_F(Slider, AValueIsNotThereBecauseTheBoundsAreFarApart) {
  v1::UiRange& range = *world_.element("s")->range;
  range.set_maximum(2147483647);
  range.set_value(1'000);
  per_key_ = 0;
  const auto far = run("set \"Volume\" to 5");
  EXPECT_EQ(far.back().find("1 sentence was carried out"), std::string::npos) << far.back();
  range.set_minimum(-1.7e308);
  range.set_maximum(1.7e308);
  const auto unbounded = run("set \"Volume\" to 50%");
  EXPECT_NE(unbounded.back().find("tells no bounds"), std::string::npos) << unbounded.back();
}

}  // namespace
}  // namespace da::planner::plain
