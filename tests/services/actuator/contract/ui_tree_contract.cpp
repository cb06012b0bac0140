#include <gmock/gmock.h>

#include <algorithm>

#include "tests/services/actuator/contract/stage.h"

namespace da::actuator::contract {
namespace {

class UiTreeContract : public ContractTest {
 protected:
  UiTreeContract() {
    stage_->eventually([&] { return named("Text") && named("Press"); });
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

}  // namespace
}  // namespace da::actuator::contract
