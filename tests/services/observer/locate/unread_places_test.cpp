#include "services/observer/locate/unread_places.h"

#include <gtest/gtest.h>

#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

class UnreadPlaces : public testing::Test {
 protected:
  // Whether text that was read at this point is acted on.
  bool is_used(Point at) {
    v1::Candidate read;
    read.mutable_bounds()->set_x(at.x);
    read.mutable_bounds()->set_y(at.y);
    std::vector<v1::Candidate> candidates{read};
    const std::vector<const v1::Window*> windows{&window_};
    drop_unread(tree_, {windows, {0, 0, 1280, 800}}, candidates);
    return !candidates.empty();
  }

  v1::Window window_ = window("w1", {0, 0, 600, 400}, true);
  v1::UiTree tree_;
};

// Bug: a word in a paragraph was clicked instead of the radio button of that name, because the page had not arrived.
TEST_F(UnreadPlaces, TextInAPageWithoutElementsIsNotActedOn) {
  *tree_.add_nodes() = element("push button", "Back", {10, 10, 40, 20});
  auto& page = *tree_.add_nodes() = element("document web", "News", {0, 50, 600, 350});
  EXPECT_FALSE(is_used({300, 200}));
  EXPECT_TRUE(is_used({300, 20})) << "beside the page";
  auto& heading = *tree_.add_nodes() = element("heading", "News", {0, 50, 600, 30});
  heading.set_parent_id(page.element_id());
  EXPECT_TRUE(is_used({300, 200})) << "the page has arrived";
}

TEST_F(UnreadPlaces, TextInAWindowWhoseTreeWasCutIsNotActedOn) {
  tree_.set_truncated(true);
  EXPECT_TRUE(is_used({300, 200})) << "the window exposes no elements";
  *tree_.add_nodes() = element("push button", "Save", {10, 10, 40, 20});
  EXPECT_FALSE(is_used({300, 200}));
}

// Bug: the label "Amount" was clicked in place of its field, because Java had not yet told its elements.
TEST_F(UnreadPlaces, TextInAWindowWhoseElementsAreAwaitedIsNotActedOn) {
  tree_.add_awaited("another window");
  EXPECT_TRUE(is_used({300, 200}));
  tree_.add_awaited(window_.window_id());
  EXPECT_FALSE(is_used({300, 200}));
}

// Bug: a button behind a modal dialog of its page was read from the screen and clicked; the dialog took the click.
TEST_F(UnreadPlaces, TextBehindADialogOfItsPageIsNotActedOn) {
  auto& page = *tree_.add_nodes() = element("document web", "Shop", {0, 50, 600, 350});
  auto& dialog = *tree_.add_nodes() = element("dialog", "Sign in", {200, 150, 200, 100});
  dialog.set_parent_id(page.element_id());
  const auto behind = [&](Point at) {
    v1::Candidate read;
    read.mutable_bounds()->set_x(at.x);
    read.mutable_bounds()->set_y(at.y);
    std::vector<v1::Candidate> candidates{read};
    return drop_behind_dialogs(tree_, candidates);
  };
  EXPECT_EQ(behind({50, 300}), "the dialog \"Sign in\"");
  EXPECT_EQ(behind({250, 200}), "") << "in the dialog";
  EXPECT_EQ(behind({50, 20}), "") << "beside the page";
  auto& canvas = *tree_.add_nodes() = element("canvas", "", {0, 250, 600, 150});
  canvas.set_parent_id(page.element_id());
  EXPECT_EQ(behind({50, 300}), "") << "the dialog is not modal: the page shows other elements";
}

}  // namespace
}  // namespace da::observer
