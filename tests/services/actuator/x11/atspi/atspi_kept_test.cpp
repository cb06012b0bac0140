#include "services/actuator/desktop/x11/atspi/atspi_kept.h"

#include <gmock/gmock.h>

#include "services/actuator/desktop/x11/atspi/atspi_elements.h"

namespace da::actuator::x11 {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

// A window with a column of ten labels of 20 pixels, a hidden one inside the first, and an empty column beside it.
class TouchedTest : public testing::Test {
 protected:
  TouchedTest() {
    add("window", {0, 0, 400, 200}, AccessibleNode::kNoParent);
    const std::size_t labels = add("labels", {0, 0, 200, 200}, 0);
    for (int i = 0; i < 10; ++i) add("label " + std::to_string(i), {0, 20 * i, 200, 20}, labels);
    kept_.nodes[add("hidden", {0, 0, 200, 20}, 2)].states = 0;
    add("empty", {200, 0, 200, 200}, 0);
    kept_.tree.elements = elements_of(kept_.nodes, 4711, {"window", {}, true});
  }

  std::size_t add(const std::string& name, const Rect& extents, std::size_t parent) {
    AccessibleNode node;
    node.ref = {":1.7", "/" + std::to_string(kept_.nodes.size())};
    node.name = name;
    node.states = 1ULL << 8U | 1ULL << 24U | 1ULL << 25U | 1ULL << 30U;  // Enabled, sensitive, showing, visible.
    node.extents = extents;
    node.parent = parent;
    kept_.nodes.push_back(std::move(node));
    return kept_.nodes.size() - 1;
  }
  std::optional<std::vector<std::string>> names_touched() const {
    const auto nodes = touched(kept_);
    if (!nodes) return std::nullopt;
    std::vector<std::string> names;
    for (const AccessibleNode& node : *nodes) names.push_back(node.name);
    return names;
  }

  KeptTree kept_;
};

TEST_F(TouchedTest, WithoutDrawingNoNodeIsTouched) { EXPECT_THAT(names_touched(), Optional(IsEmpty())); }

TEST_F(TouchedTest, DrawingTouchesTheShowingNodesThere) {
  kept_.drawn = {{10, 45, 2, 10}};
  EXPECT_THAT(names_touched(), Optional(ElementsAre("window", "labels", "label 2")));
}

// The hidden node may show now.
TEST_F(TouchedTest, HiddenNodeIsTouchedWithItsContainer) {
  kept_.drawn = {{10, 5, 2, 10}};
  EXPECT_THAT(names_touched(), Optional(ElementsAre("window", "labels", "label 0", "hidden")));
}

TEST_F(TouchedTest, ManyTouchedNodesMeanReadingEverythingAgain) {
  kept_.drawn = {{0, 0, 200, 200}};
  EXPECT_EQ(names_touched(), std::nullopt);
}

TEST_F(TouchedTest, TouchedListedRowMeansReadingEverythingAgain) {
  kept_.nodes[4].only_listed = true;
  kept_.drawn = {{10, 45, 2, 10}};
  EXPECT_EQ(names_touched(), std::nullopt);
}

TEST(SameFrames, HaveTheSameStatesAndPlaces) {
  AccessibleNode frame;
  frame.ref = {":1.7", "/1"};
  frame.extents = {0, 0, 100, 100};
  AccessibleNode moved = frame;
  moved.extents.x = 1;
  AccessibleNode active = frame;
  active.states = 2;
  EXPECT_TRUE(same_frames({frame}, {frame}));
  EXPECT_FALSE(same_frames({frame}, {moved}));
  EXPECT_FALSE(same_frames({frame}, {active}));
  EXPECT_FALSE(same_frames({frame}, {frame, frame}));
}

}  // namespace
}  // namespace da::actuator::x11
