#include "services/observer/frames/observation_source.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <fstream>

#include "tests/services/observer/frames/observation_fixture.h"

namespace da::observer {
namespace {

TEST_F(ObservationSourceTest, DescribesTheDesktop) {
  source_.cursor = {-90, 20};
  *source_.tree.add_nodes() = element("label", "Hello", {0, 0, 10, 10});
  const auto seen = observations_.observe(request());
  ASSERT_TRUE(seen);
  const auto& observation = seen->observation;
  EXPECT_EQ(observation.coordinates().desktop().x(), -100);
  EXPECT_EQ(observation.coordinates().image_width(), 640u);
  EXPECT_EQ(observation.cursor().x(), -90);
  EXPECT_EQ(observation.focused_window().window_id(), "w1");
  EXPECT_EQ(observation.windows_size(), 1);
  EXPECT_EQ(observation.ui_nodes(), 1u);
  EXPECT_EQ(observation.ui_digest().size(), 32u);
  EXPECT_EQ(observation.frame_hash().size(), 32u);
  EXPECT_FALSE(observation.settled()) << "the request did not ask to settle";
  EXPECT_FALSE(seen->image);
}

TEST_F(ObservationSourceTest, QuietTimeIsShorterThanACaretBlink) {
  const auto seen = observations_.observe(request(v1::IMAGE_WISH_UNSPECIFIED, true));
  ASSERT_TRUE(seen);
  EXPECT_TRUE(seen->observation.settled());
  EXPECT_EQ(source_.requests.back().quiet_ms(), 300u);
  EXPECT_EQ(source_.requests.back().max_wait_ms(), 2'000u);
  source_.settled = false;
  EXPECT_FALSE(observations_.observe(request(v1::IMAGE_WISH_UNSPECIFIED, true))->observation.settled());
}

TEST_F(ObservationSourceTest, ChangeSinceTheLastObservationIsInDesktopPixels) {
  ASSERT_TRUE(observations_.observe(request()));
  source_.fill({70, 70, 4, 4}, 50);
  ASSERT_TRUE(frames_.refresh({}));  // A Locate call does this, too.
  source_.fill({200, 10, 4, 4}, 50);
  const auto seen = observations_.observe(request());
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->observation.changed_tiles(), 2u);
  EXPECT_EQ(seen->observation.changed_area().x(), 64 - 100);
  EXPECT_EQ(seen->observation.changed_area().y(), 0 - 50);
  EXPECT_EQ(seen->observation.changed_area().width(), 192u);
  EXPECT_EQ(observations_.observe(request())->observation.changed_tiles(), 0u);
}

TEST_F(ObservationSourceTest, OneElementIsReadWithoutTheTree) {
  *source_.tree.add_nodes() = element("text", "Name", {0, 0, 10, 10});
  source_.tree.mutable_nodes(0)->set_element_id("field");
  v1::ReadUiRequest request;
  request.set_element_id("field");
  EXPECT_EQ(observations_.read_ui(request)->nodes(0).name(), "Name");
  request.set_element_id("gone");
  EXPECT_EQ(observations_.read_ui(request)->nodes_size(), 0);
  EXPECT_TRUE(source_.tree_requests.empty());
}

// The reader of an error would take the observer for lost.
TEST_F(ObservationSourceTest, ElementOfABusyApplicationIsMissingLikeInTheTree) {
  *source_.tree.add_nodes() = element("text", "Name", {0, 0, 10, 10});
  *source_.tree.add_nodes() = element("text", "Other", {0, 20, 10, 10});
  source_.tree.mutable_nodes(0)->set_element_id("field");
  source_.element_error = {Code::kDeadlineExceeded, "the application does not answer"};
  v1::ReadUiRequest request;
  request.set_element_id("field");
  const auto read = observations_.read_ui(request);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->nodes_size(), 1);
  EXPECT_EQ(read->nodes(0).name(), "Name");
  source_.tree.clear_nodes();
  EXPECT_EQ(observations_.read_ui(request)->nodes_size(), 0);
}

}  // namespace
}  // namespace da::observer
