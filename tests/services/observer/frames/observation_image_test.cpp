// The images of observations: named by their hash, annotated, marked, published and read.
#include <gtest/gtest.h>
#include <unistd.h>
#include <fstream>

#include "tests/services/observer/frames/observation_fixture.h"

namespace da::observer {
namespace {

TEST_F(ObservationSourceTest, ImageIsNamedByItsHash) {
  const auto seen = observations_.observe(request(v1::IMAGE_WISH_ANNOTATED));
  ASSERT_TRUE(seen && seen->image);
  EXPECT_EQ(seen->image->media_type(), "image/png");
  EXPECT_EQ(seen->image->data().substr(1, 3), "PNG");
  EXPECT_EQ(seen->image->image_hash(), to_hex(blake2b(seen->image->data(), 16)));
  EXPECT_EQ(seen->observation.image_hash(), seen->image->image_hash());
}

TEST_F(ObservationSourceTest, PlainImageIsTheUnannotatedScreenWithinTheLimits) {
  source_.fill({10, 20, 300, 200}, 90);
  source_.cursor = {100, 100};
  const auto seen = observations_.observe(request(v1::IMAGE_WISH_PLAIN));
  ASSERT_TRUE(seen && seen->image);
  const Decoded decoded = decode_png(seen->image->data());
  ASSERT_EQ(decoded.width, 640);
  ASSERT_EQ(decoded.height, 480);
  for (std::size_t i = 0; i < std::size_t{640} * 480; ++i) {
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(decoded.rgb[i * 3 + c], source_.pixels[i * 4 + 2 - c]) << i;
  }
  auto smaller = request(v1::IMAGE_WISH_PLAIN);
  smaller.mutable_image_limits()->set_long_edge(320);
  const auto scaled = observations_.observe(smaller);
  ASSERT_TRUE(scaled && scaled->image);
  EXPECT_EQ(decode_png(scaled->image->data()).width, 320);
  EXPECT_EQ(scaled->observation.coordinates().image_width(), 320u);
}

TEST_F(ObservationSourceTest, MarkedElementsAreInTheObservationAndTheirBoxesInTheImage) {
  source_.fill({0, 0, 640, 480}, 200);
  // The desktop begins at -100,-50: pixel 200,100 of the image, and 100,50 at half the size.
  *source_.tree.add_nodes() = element("push button", "Save", {100, 50, 80, 40}, {v1::UI_STATE_ENABLED});
  source_.tree.mutable_nodes(0)->set_text("a text");
  *source_.tree.add_nodes() = element("label", "Nothing to click", {100, 150, 80, 40}, {v1::UI_STATE_ENABLED});
  auto asked = request(v1::IMAGE_WISH_PLAIN);
  asked.set_marks(true);
  asked.mutable_image_limits()->set_long_edge(320);
  const auto seen = observations_.observe(asked);
  ASSERT_TRUE(seen && seen->image);
  ASSERT_EQ(seen->observation.marked_size(), 1);
  EXPECT_EQ(seen->observation.marked(0).element_id(), "push button/Save");
  EXPECT_EQ(seen->observation.marked(0).text(), "");
  EXPECT_EQ(seen->observation.ui_nodes(), 2u);
  EXPECT_EQ(source_.tree_requests.size(), 1u) << "read once, for digest and marks";
  const Decoded decoded = decode_png(seen->image->data());
  const auto red = [&](int x, int y) { return decoded.rgb[static_cast<std::size_t>(y * 320 + x) * 3]; };
  const std::uint8_t line = red(120, 50);
  EXPECT_NE(line, 200);
  EXPECT_EQ(red(100, 60), line);
  EXPECT_EQ(red(139, 60), line);
  EXPECT_EQ(red(120, 69), line);
  EXPECT_EQ(red(120, 60), 200);
  EXPECT_EQ(red(140, 60), 200);
  EXPECT_EQ(red(101, 38), line) << "its label";
}

TEST_F(ObservationSourceTest, MarksNeedARequestAndAnImageAndMayBeOnAnAnnotatedOne) {
  *source_.tree.add_nodes() = element("push button", "Save", {100, 50, 80, 40}, {v1::UI_STATE_ENABLED});
  auto asked = request(v1::IMAGE_WISH_ANNOTATED);
  EXPECT_EQ(observations_.observe(asked)->observation.marked_size(), 0);
  const auto without = observations_.observe(asked);
  asked.set_marks(true);
  const auto with = observations_.observe(asked);
  EXPECT_EQ(with->observation.marked_size(), 1);
  EXPECT_NE(with->image->image_hash(), without->image->image_hash());
  asked.set_image(v1::IMAGE_WISH_UNSPECIFIED);
  EXPECT_EQ(observations_.observe(asked)->observation.marked_size(), 0);
}

// Bug: without marks, annotations covered elements.
TEST_F(ObservationSourceTest, AnnotationsDoNotCoverElementsWithoutMarks) {
  source_.cursor = {300, 400};
  // Below the number 200 at the upper edge.
  *source_.tree.add_nodes() = element("push button", "Save", {95, -50, 60, 30}, {v1::UI_STATE_ENABLED});
  const auto with = observations_.observe(request(v1::IMAGE_WISH_ANNOTATED));
  source_.tree.mutable_nodes(0)->clear_states();
  const auto without = observations_.observe(request(v1::IMAGE_WISH_ANNOTATED));
  ASSERT_TRUE(with && with->image && without && without->image);
  const auto number = [](const v1::ImageFact& image) {
    const Decoded decoded = decode_png(image.data());
    int changed = 0;
    for (int y = 1; y < 12; ++y) {
      for (int x = 203; x < 225; ++x) {
        changed += decoded.rgb[static_cast<std::size_t>(y * decoded.width + x) * 3] != decoded.rgb[15 * 3] ? 1 : 0;
      }
    }
    return changed;
  };
  EXPECT_EQ(number(*with->image), 0);
  EXPECT_GT(number(*without->image), 50);
}

TEST_F(ObservationSourceTest, PhotographIsJpegOnlyForClientsThatAcceptJpeg) {
  std::uint32_t seed = 1;
  for (auto& byte : source_.pixels) {
    seed = seed * 1664525u + 1013904223u;
    byte = static_cast<std::uint8_t>(100 + (seed >> 28));
  }
  auto asked = request(v1::IMAGE_WISH_PLAIN);
  EXPECT_EQ(observations_.observe(asked)->image->media_type(), "image/png");
  asked.mutable_image_limits()->set_jpeg(true);
  const auto seen = observations_.observe(asked);
  EXPECT_EQ(seen->image->media_type(), "image/jpeg");
  EXPECT_EQ(seen->observation.image_hash(), to_hex(blake2b(seen->image->data(), 16)));
  EXPECT_EQ(decode_by_pil(seen->image->data(), "JPEG").width, 640);

  v1::ZoomRequest zoom;
  *zoom.mutable_area() = rect_to_wire({0, 0, 200, 100});
  EXPECT_EQ(observations_.zoom(zoom)->media_type(), "image/png");
  zoom.mutable_image_limits()->set_jpeg(true);
  const auto closer = observations_.zoom(zoom);
  ASSERT_EQ(closer->media_type(), "image/jpeg");
  EXPECT_EQ(decode_by_pil(closer->data(), "JPEG").width, 800);
}

}  // namespace
}  // namespace da::observer
