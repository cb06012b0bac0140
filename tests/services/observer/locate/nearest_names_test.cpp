#include "services/observer/locate/nearest_names.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "lib/base/name_text.h"
#include "lib/base/text.h"
#include "services/observer/frames/wire.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

class NearestNamesTest : public testing::Test {
 protected:
  void add(const std::string& role, const std::string& name, Rect bounds = {10, 10, 80, 20}) {
    v1::UiNode node = element(role, name, bounds, {kEnabled});
    node.set_window_id("w1");
    *tree_.add_nodes() = std::move(node);
  }
  std::vector<std::string> nearest(std::string_view target) {
    const v1::Window* const views[] = {&window_};
    std::vector<std::string> names;
    for (const auto& candidate : nearest_names(tree_, {views, {0, 0, 1280, 800}}, parse_target(target))) {
      names.push_back(candidate.text());
    }
    return names;
  }

  using Names = std::vector<std::string>;
  const v1::Window window_ = window("w1", {0, 0, 600, 400}, true);
  v1::UiTree tree_;
};

TEST_F(NearestNamesTest, MisspellingSuggestsTheRightName) {
  add("push button", "Cancel");
  add("push button", "Save");
  add("push button", "Settings");
  EXPECT_EQ(nearest("Saev"), (Names{"Save"}));
  EXPECT_EQ(nearest("SAVVE"), (Names{"Save"}));
  EXPECT_EQ(nearest("cancle button"), (Names{"Cancel"}));
  EXPECT_EQ(nearest("Sett"), (Names{"Settings"}));
}

TEST_F(NearestNamesTest, SomeWordsOfTheNameAreEnough) {
  add("menu item", "Save As...");
  add("menu item", "Save All");
  add("menu item", "Print...");
  EXPECT_EQ(nearest("save file as"), (Names{"Save As..."}));
  EXPECT_EQ(nearest("As Save"), (Names{"Save As...", "Save All"}));
}

TEST_F(NearestNamesTest, UnrelatedNamesAreNotSuggested) {
  add("push button", "OK");
  add("push button", "Cancel");
  add("push button", "7");
  EXPECT_EQ(nearest("Quit"), Names());
  EXPECT_EQ(nearest("8"), Names());
  EXPECT_EQ(nearest("\xff\xfe"), Names());
}

TEST_F(NearestNamesTest, AtMostThreeDistinctNamesAreSuggested) {
  for (const char* name : {"File 1", "File 1", "File 2", "File 3", "File 4"}) add("label", name);
  EXPECT_EQ(nearest("File 5").size(), kMostNearest);
  EXPECT_EQ(nearest("File 5"), (Names{"File 1", "File 2", "File 3"}));
}

TEST_F(NearestNamesTest, RequestedRoleDecidesBetweenSimilarNames) {
  add("label", "Saved");
  add("push button", "Saves");
  EXPECT_EQ(nearest("Saver button").front(), "Saves");
}

TEST_F(NearestNamesTest, HiddenElementsAreNotSuggested) {
  add("push button", "Save", {700, 10, 80, 20});
  EXPECT_EQ(nearest("Saev"), Names());
}

TEST_F(NearestNamesTest, FieldIsSuggestedByItsLabel) {
  add("label", "Name:", {10, 10, 60, 20});
  add("text", "", {80, 10, 100, 20});
  tree_.mutable_nodes(1)->add_states(v1::UI_STATE_EDITABLE);
  const v1::Window* const views[] = {&window_};
  const auto found = nearest_names(tree_, {views, {0, 0, 1280, 800}}, parse_target("Nmae field"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(rect_from_wire(found[0].bounds()).x, 80);
}

TEST(NearestNames, FailedLocateRepliesWithSuggestions) {
  ManualClock clock;
  FakeSource source({0, 0, 640, 480}, clock);
  *source.tree.add_nodes() = element("push button", "Save", {100, 50, 80, 40}, {kEnabled});
  FrameCache frames(source);
  ASSERT_TRUE(frames.refresh({}));
  v1::LocateRequest request;
  request.set_target("Saev");
  v1::LocateReply reply;
  add_nearest(frames, request, reply);
  ASSERT_EQ(reply.nearest_size(), 1);
  EXPECT_EQ(reply.nearest(0).text(), "Save");
  EXPECT_EQ(reply.nearest(0).bounds().x(), 100);
  v1::LocateReply found;
  found.add_candidates();
  add_nearest(frames, request, found);
  EXPECT_EQ(found.nearest_size(), 0);
  source.tree_error = {Code::kDeadlineExceeded, "slow"};
  v1::LocateReply blind;
  add_nearest(frames, request, blind);
  EXPECT_EQ(blind.nearest_size(), 0);
}

RC_GTEST_PROP(NameSimilarity, IsOneForEqualNamesAndAlwaysBetweenZeroAndOne,
              (const std::string& a, const std::string& b)) {
  const double alike = name_similarity(a, b);
  RC_ASSERT(alike >= 0.0 && alike <= 1.0);
  if (is_valid_utf8(a) && !comparable_name(plain_name(a)).empty()) RC_ASSERT(name_similarity(a, a) == 1.0);
}

}  // namespace
}  // namespace da::observer
