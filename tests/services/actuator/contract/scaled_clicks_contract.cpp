#include <cstdlib>
#include <random>

#include "lib/contract/coordinates.h"
#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

constexpr int kClicks = 500;

class ScaledClicksContract : public ContractTest {
 protected:
  // The coordinate contract of an image of the whole desktop, `numerator`/`denominator` of its size.
  v1::CoordinateContract image_of_size(int numerator, int denominator) {
    const Rect desktop = desktop_.screen().layout()->desktop;
    v1::CoordinateContract image;
    *image.mutable_desktop() = da::contract::to_proto(desktop);
    image.set_image_width(static_cast<std::uint32_t>(desktop.width * numerator / denominator));
    image.set_image_height(static_cast<std::uint32_t>(desktop.height * numerator / denominator));
    return image;
  }

  Events presses_and_releases() {
    Events received = stage_->received("Target");
    std::erase_if(received, [](const std::string& event) { return event.starts_with("move"); });
    return received;
  }
};

// Clicks at pixels of a scaled image, as a model does.
TEST_F(ScaledClicksContract, FiveHundredClicksInAScaledImageLandOnWhatItsPixelsShow) {
  const v1::CoordinateContract image = image_of_size(5, 9);
  const Rect pad = target_.pad;
  std::mt19937 random(7);
  std::uniform_int_distribution<int> right(4, pad.width - 5);
  std::uniform_int_distribution<int> down(4, pad.height - 5);
  Events expected;
  for (int i = 0; i < kClicks; ++i) {
    const Point meant{pad.x + right(random), pad.y + down(random)};
    const auto pixel = da::contract::map_to_image(image, meant);
    ASSERT_DONE(pixel);
    const auto point = da::contract::map_to_desktop(image, *pixel);
    ASSERT_DONE(point);
    // A pixel of the image shows less than two pixels of the desktop in each direction.
    ASSERT_LE(std::abs(point->x - meant.x), 1);
    ASSERT_LE(std::abs(point->y - meant.y), 1);
    const Progress clicked = desktop_.input().click(*point, Button::kLeft, 1, Milliseconds(0), go_on);
    ASSERT_FALSE(clicked.stopped) << clicked.stopped->message;
    expected.push_back("press left " + at(*point));
    expected.push_back("release left " + at(*point));
  }
  ASSERT_TRUE(stage_->eventually([&] { return presses_and_releases().size() >= expected.size(); }));
  const Events received = presses_and_releases();
  ASSERT_EQ(received.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(received[i], expected[i]) << "event " << i;
}

}  // namespace
}  // namespace da::actuator::contract
