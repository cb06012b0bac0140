#include <gmock/gmock.h>

#include <algorithm>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

class UiTreeContract : public ContractTest {
 protected:
  UiTreeContract() {
    stage_->eventually([&] { return named("Text") && named("Press") && named("Row 12"); });
  }
  std::optional<Element> named(const std::string& name) {
    const auto tree = tree_.read(target_.window, {.deadline = stage_->deadline()});
    if (!tree) return std::nullopt;
    // The label of a field may have the same name.
    const auto found = std::ranges::find_if(
        tree->elements, [&](const Element& element) { return element.name == name && element.role != "label"; });
    return found == tree->elements.end() ? std::nullopt : std::optional(*found);
  }

  UiTree& tree_ = desktop_.ui_tree();
};

TEST_F(UiTreeContract, ElementsAreFoundAgainAfterTheyWereForgotten) {
  const auto field = named("Text");
  ASSERT_TRUE(field);
  tree_.forget_all();
  const auto old = tree_.refresh(field->handle, stage_->deadline());
  EXPECT_TRUE(old || old.error().code == Code::kNotFound);
  ASSERT_TRUE(named("Text"));
  EXPECT_EQ(named("Text")->role, field->role);
}

TEST_F(UiTreeContract, ElementsHaveRoleStatesAndPlace) {
  const auto text = named("Text");
  const auto button = named("Press");
  ASSERT_TRUE(text && button);
  EXPECT_EQ(text->role, "text");
  EXPECT_TRUE(text->has(ElementState::kEditable));
  EXPECT_TRUE(text->has(ElementState::kFocused));
  EXPECT_FALSE(text->has(ElementState::kPassword));
  EXPECT_EQ(button->role, "push button");
  for (const auto& element : {*text, *button}) {
    EXPECT_TRUE(element.has(ElementState::kShowing)) << element.name;
    EXPECT_TRUE(element.has(ElementState::kEnabled)) << element.name;
    EXPECT_FALSE(element.bounds.empty()) << element.name;
    EXPECT_EQ(intersection(element.bounds, target_.window.bounds), element.bounds) << element.name;
    EXPECT_EQ(element.pid, target_.window.pid) << element.name;
  }
}

TEST_F(UiTreeContract, NodeLimitTruncatesTheTree) {
  const auto tree = tree_.read(target_.window, {.max_nodes = 1, .deadline = stage_->deadline()});
  ASSERT_DONE(tree);
  EXPECT_TRUE(tree->truncated);
  EXPECT_LE(tree->elements.size(), 1U);
  EXPECT_NE(tree->note, "");
}

TEST_F(UiTreeContract, ElementIsFoundAtAPointAndByItsFocus) {
  const auto button = named("Press");
  ASSERT_TRUE(button);
  const auto under = tree_.element_at(target_.window, button->bounds.center(), stage_->deadline());
  ASSERT_DONE(under);
  ASSERT_TRUE(under->element);
  EXPECT_EQ(under->element->pid, target_.window.pid);
  EXPECT_FALSE(under->unread);
  const auto focused = tree_.focused(target_.window, stage_->deadline());
  ASSERT_DONE(focused);
  ASSERT_TRUE(focused->element);
  EXPECT_EQ(focused->element->name, "Text");
}

TEST_F(UiTreeContract, RefreshTellsTheCurrentTextAndThatAnElementIsGone) {
  const auto text = named("Text");
  ASSERT_TRUE(text);
  ASSERT_FALSE(desktop_.input().type(U"hello", Milliseconds(0), go_on).stopped);
  EXPECT_TRUE(stage_->eventually([&] {
    const auto now = tree_.refresh(text->handle, stage_->deadline());
    return now && now->text == "hello";
  }));
  ASSERT_DONE(desktop_.windows().close(target_.window.id));
  EXPECT_TRUE(stage_->eventually([&] {
    const auto now = tree_.refresh(text->handle, stage_->deadline());
    return !now && now.error().code == Code::kNotFound;
  }));
}

// A back end invokes an element only where that means the same as a click.
TEST_F(UiTreeContract, InvokedButtonIsPressedOnceOrMustBeClicked) {
  const auto button = named("Press");
  ASSERT_TRUE(button);
  const auto invoked = tree_.invoke(button->handle, stage_->deadline());
  if (!invoked) {
    EXPECT_EQ(invoked.error().code, Code::kUnimplemented) << invoked.error().message;
    EXPECT_THAT(stage_->received("Target"), testing::IsEmpty());
    return;
  }
  const Events received = events(1);
  EXPECT_EQ(std::ranges::count(received, "pressed"), 1);
}

TEST_F(UiTreeContract, ClickedButtonIsPressedOnce) {
  const auto button = named("Press");
  ASSERT_TRUE(button);
  ASSERT_EQ(desktop_.input().click(button->bounds.center(), Button::kLeft, 1, Milliseconds(0), go_on).done, 1U);
  EXPECT_TRUE(stage_->eventually([&] { return std::ranges::count(stage_->received("Target"), "pressed") == 1; }));
}

bool shows(const Element& element) { return element.has(ElementState::kShowing) && !element.visible.empty(); }

// A back end whose application cannot scroll to an element says so, and the wheel in its viewport brings it into view.
TEST_F(UiTreeContract, ScrolledOutRowComesIntoViewByRevealOrTheWheel) {
  const auto row = named("Row 12");
  ASSERT_TRUE(row);
  EXPECT_TRUE(row->has(ElementState::kScrolledOut));
  EXPECT_FALSE(shows(*row));
  ASSERT_FALSE(row->viewport.empty());
  const auto asked = tree_.reveal(row->handle, stage_->deadline());
  if (!asked) {
    ASSERT_EQ(asked.error().code, Code::kUnimplemented) << asked.error().message;
    ASSERT_FALSE(desktop_.input().scroll(row->viewport.center(), 0, 20, go_on).stopped);
  }
  std::optional<Element> now;
  ASSERT_TRUE(stage_->eventually([&] { return (now = named("Row 12")) && shows(*now); }));
  EXPECT_FALSE(now->has(ElementState::kScrolledOut));
  EXPECT_EQ(intersection(now->visible, now->viewport), now->visible);
  const auto first = named("Row 1");
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->has(ElementState::kScrolledOut));
}

TEST_F(UiTreeContract, RevealedRowThatShowsStaysInView) {
  const auto row = named("Row 2");
  ASSERT_TRUE(row && shows(*row));
  const auto asked = tree_.reveal(row->handle, stage_->deadline());
  EXPECT_TRUE(asked || asked.error().code == Code::kUnimplemented) << asked.error().message;
  ASSERT_TRUE(desktop_.screen().wait_quiet(Milliseconds(100), stage_->deadline()));
  const auto now = named("Row 2");
  EXPECT_TRUE(now && shows(*now));
  const auto text = named("Text");
  EXPECT_TRUE(text && shows(*text)) << "only the list may scroll";
}

// On a desktop without a method for it, nothing tells whether the element is gone: the wheel finds out.
TEST_F(UiTreeContract, RowOfAClosedWindowIsNotRevealed) {
  const auto row = named("Row 12");
  ASSERT_TRUE(row);
  ASSERT_DONE(desktop_.windows().close(target_.window.id));
  ASSERT_TRUE(stage_->eventually([&] {
    const auto now = tree_.refresh(row->handle, stage_->deadline());
    return !now && now.error().code == Code::kNotFound;
  }));
  const auto asked = tree_.reveal(row->handle, stage_->deadline());
  ASSERT_FALSE(asked);
  EXPECT_TRUE(asked.error().code == Code::kNotFound || asked.error().code == Code::kUnimplemented)
      << asked.error().message;
}

}  // namespace
}  // namespace da::actuator::contract
