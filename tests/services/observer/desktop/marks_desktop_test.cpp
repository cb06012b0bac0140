// Marks on real applications: numbers in the image are where GTK reports its widgets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "services/observer/frames/observation_source.h"
#include "services/observer/frames/wire.h"
#include "tests/services/actuator/x11/test_session.h"
#include "tests/services/observer/decode.h"
#include "tests/services/observer/desktop/desktop_in_process.h"

namespace da::observer {
namespace {

class MarksDesktopTest : public testing::Test {
 protected:
  Result<Observed> look(bool marks = true) {
    v1::ObserveRequest request;
    request.set_task_id("t1");
    request.set_image(v1::IMAGE_WISH_PLAIN);
    request.set_marks(marks);
    request.set_settle(true);
    request.set_max_wait_ms(5'000);
    return observations_.observe(request);
  }
  std::vector<std::string> names() {
    std::vector<std::string> names;
    const auto seen = look();
    if (!seen) return {seen.error().message};
    for (const auto& node : seen->observation.marked()) names.push_back(node.name());
    return names;
  }
  void start_form() {
    session_.start("/usr/bin/python3 " DA_SOURCE_DIR "/tests/programs/gtk_form.py " + form_.string(), "Test form");
    // The tree is complete once the button is visible.
    ASSERT_TRUE(session_.eventually([&] { return std::ranges::count(names(), "Show") == 1; }));
  }
  // Bounds of a field, as GTK reports them.
  Rect place_of(const std::string& field) {
    const auto place = nlohmann::json::parse(std::ifstream(form_)).at("place").at(field);
    return {place[0], place[1], place[2], place[3]};
  }

  actuator::TestSession session_;
  const std::filesystem::path form_ = session_.file("form.json");
  DesktopInProcess source_{session_.desktop()};
  FrameCache frames_{source_};
  ObservationSource observations_{frames_};
};

TEST_F(MarksDesktopTest, MarksHaveTheBoundsThatTheApplicationReports) {
  start_form();
  const auto bare = look(false);
  const auto seen = look();
  ASSERT_TRUE(bare && seen);
  const auto& marked = seen->observation.marked();
  ASSERT_EQ(names(), (std::vector<std::string>{"Password", "Token", "Comment", "Show"}));
  const Decoded before = decode_png(bare->image->data());
  const Decoded after = decode_png(seen->image->data());
  const auto pixel = [](const Decoded& image, int x, int y) {
    const auto at = image.rgb.begin() + 3 * (y * image.width + x);
    return std::vector<int>(at, at + 3);
  };
  for (const auto& node : marked) {
    const Rect bounds = rect_from_wire(node.bounds());
    if (node.role() != "push button") {
      EXPECT_EQ(bounds, place_of(node.name())) << node.name();
    }
    const auto line = pixel(after, bounds.x, bounds.center().y);
    EXPECT_EQ(pixel(after, bounds.right() - 1, bounds.center().y), line);
    EXPECT_EQ(pixel(after, bounds.center().x, bounds.y), line);
    EXPECT_NE(pixel(before, bounds.center().x, bounds.y), line);
    EXPECT_EQ(pixel(after, bounds.center().x, bounds.center().y), pixel(before, bounds.center().x, bounds.center().y));
  }
}

TEST_F(MarksDesktopTest, ElementsUnderALargerWindowHaveNoNumber) {
  start_form();
  session_.start("mousepad", "Mousepad");
  session_.run({"wmctrl", "-r", ":ACTIVE:", "-b", "add,maximized_vert,maximized_horz"});
  ASSERT_TRUE(session_.eventually([&] {
    const auto window = session_.find_window("Mousepad");
    return window && window->focused && window->bounds.width >= 1270 && std::ranges::count(names(), "File") == 1;
  }));
  EXPECT_THAT(names(), testing::Not(testing::Contains("Comment")));
  EXPECT_THAT(names(), testing::Contains("Edit"));
  const auto tree = observations_.read_ui({});
  ASSERT_TRUE(tree);
  EXPECT_TRUE(std::ranges::any_of(tree->nodes(), [](const auto& node) { return node.name() == "Comment"; }))
      << "the covered element is still in the tree";
}

}  // namespace
}  // namespace da::observer
