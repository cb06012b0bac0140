#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <iostream>

#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

class UiTreeTest : public ::testing::Test {
 protected:
  TreeLimits limits() const { return {5000, session_.deadline()}; }

  // The first showing element of this role and name, once there is one.
  std::optional<Element> element(const WindowInfo& window, std::string_view role, std::string_view name) {
    std::optional<Element> found;
    session_.eventually([&] {
      const auto tree = tree_.read(window, limits());
      if (!tree) return false;
      for (const Element& each : tree->elements)
        if (each.role == role && each.name == name && each.has(ElementState::kShowing)) found = each;
      return found.has_value();
    });
    return found;
  }
  void report(const char* name, const WindowInfo& window) {
    double best = 1e9;
    double first = 0;
    std::size_t count = 0;
    for (int i = 0; i < 10; ++i) {
      const MonoTime from = system_clock().now();
      const auto tree = tree_.read(window, limits());
      const double took = std::chrono::duration<double, std::milli>(system_clock().now() - from).count();
      if (i == 0) first = took;
      best = std::min(best, took);
      count = tree->elements.size();
      EXPECT_EQ(tree->note, "");
    }
    std::cout << name << ": " << count << " elements, first " << first << " ms, best " << best << " ms\n";
  }
  bool in_window(const Element& element, const WindowInfo& window) {
    return intersection(element.bounds, window.bounds) == element.bounds && !element.bounds.empty();
  }

  TestSession session_;
  UiTree& tree_ = session_.desktop().ui_tree();
};

TEST_F(UiTreeTest, ReadsAGtk3EditorAndItsFocusedText) {
  write_file(session_.file("text.txt"), "first line\nsecond line\n");
  const WindowInfo window = session_.start("mousepad " + session_.file("text.txt").string(), "text.txt");
  const auto text = element(window, "text", "");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->text, "first line\nsecond line\n");
  EXPECT_EQ(text->window_id, window.id);
  EXPECT_EQ(text->pid, window.pid);
  EXPECT_TRUE(text->has(ElementState::kEditable));
  EXPECT_TRUE(text->has(ElementState::kMultiLine));
  EXPECT_TRUE(in_window(*text, window));
  const auto focused = tree_.focused(window, session_.deadline());
  ASSERT_OK(focused);
  ASSERT_TRUE(focused->has_value());
  EXPECT_EQ((*focused)->handle, text->handle);
  const auto under = tree_.element_at(window, text->bounds.center(), session_.deadline());
  ASSERT_OK(under);
  EXPECT_EQ((*under)->handle, text->handle);
  const auto again = tree_.refresh(text->handle, session_.deadline());
  ASSERT_OK(again);
  EXPECT_EQ(again->bounds, text->bounds);
  EXPECT_EQ(again->window_id, window.id);
  EXPECT_EQ(again->parent, text->parent);
  report("mousepad", window);
}

// Of a long text in a small window the first line shows, the last is below the element.
TEST_F(UiTreeTest, TellsWhereTheTextOfEditorsIsAlsoWhatIsScrolledOut) {
  std::string text = "first";
  for (int i = 0; i < 150; ++i) text += "\nline";
  text += "\nlast";
  write_file(session_.file("text.txt"), text);
  for (const std::string editor : {"mousepad", "featherpad"}) {
    SCOPED_TRACE(editor);
    const WindowInfo window = session_.start(editor + " " + session_.file("text.txt").string(), "text.txt");
    std::optional<Element> shown;
    ASSERT_TRUE(session_.eventually([&] {
      const auto tree = tree_.read(window, limits());
      if (!tree) return false;
      for (const Element& each : tree->elements)
        if (each.text.starts_with("first\nline") && each.has(ElementState::kShowing)) shown = each;
      return shown.has_value();
    }));
    const auto end = static_cast<std::uint32_t>(text.size());
    const auto places =
        tree_.text_places(shown->handle, std::array{TextRange{0, 5}, TextRange{end - 4, 4}}, session_.deadline());
    ASSERT_OK(places);
    ASSERT_EQ(places->size(), 2U);
    EXPECT_EQ(intersection(places->at(0), shown->bounds), places->at(0));
    EXPECT_GT(places->at(0).width, 10);
    EXPECT_GT(places->at(0).height, 5);
    EXPECT_GE(places->at(1).y, shown->bounds.bottom());
    EXPECT_EQ(tree_.text_places({"gone"}, {}, session_.deadline()).error().code, Code::kNotFound);
  }
}

// Presses 6 × 7 = by `press` and asks the clipboard what came out.
class CalculatorTest : public UiTreeTest {
 protected:
  void expect_42(const std::function<void(const Element&)>& press) {
    const WindowInfo started = session_.start("gnome-calculator", "Calculator");
    for (const char* name : {"6", "×", "7", "="}) {
      const auto button = element(started, "push button", name);
      ASSERT_TRUE(button) << name;
      EXPECT_TRUE(in_window(*button, *session_.find_window("Calculator"))) << name;
      EXPECT_TRUE(button->has(ElementState::kEnabled)) << name;
      press(*button);
    }
    const std::vector<std::string> copy{"ctrl", "c"};
    EXPECT_TRUE(session_.eventually([&] {
      (void)session_.desktop().input().chord(copy);
      return session_.output_of({"xclip", "-selection", "clipboard", "-o"}) == "42";
    }));
  }
};

TEST_F(CalculatorTest, InvokesTheButtonsOfAGtk4Application) {
  expect_42([&](const Element& button) { ASSERT_OK(tree_.invoke(button.handle, session_.deadline())); });
  report("gnome-calculator", *session_.find_window("Calculator"));
}

TEST_F(CalculatorTest, ClicksTheButtonsOfAGtk4ApplicationAtTheirPlaces) {
  expect_42([&](const Element& button) {
    const auto again = tree_.refresh(button.handle, session_.deadline());
    ASSERT_OK(again);
    EXPECT_EQ(again->name, button.name);
    EXPECT_TRUE(again->has(ElementState::kShowing));
    const Progress clicked = session_.desktop().input().click(again->bounds.center(), Button::kLeft, 1, {}, go_on);
    EXPECT_FALSE(clicked.stopped);
  });
}

TEST_F(UiTreeTest, ReadsAQtEditor) {
  write_file(session_.file("text.txt"), "qt line\n");
  const WindowInfo window = session_.start("featherpad " + session_.file("text.txt").string(), "text.txt");
  const auto find = [&]() -> std::optional<Element> {
    const auto tree = tree_.read(window, limits());
    if (tree)
      for (const Element& each : tree->elements)
        if (each.role == "text" && each.text == "qt line\n") return each;
    return std::nullopt;
  };
  EXPECT_TRUE(session_.eventually([&] { return find().has_value(); }));
  const auto text = find();
  ASSERT_TRUE(text);
  EXPECT_TRUE(in_window(*text, window));
  EXPECT_EQ(text->window_id, window.id);
  report("featherpad", window);
}

TEST_F(UiTreeTest, AnElementOfAClosedWindowIsGone) {
  const WindowInfo window = session_.start("mousepad", "Mousepad");
  const auto text = element(window, "text", "");
  ASSERT_TRUE(text);
  ASSERT_OK(session_.desktop().windows().terminate(window.pid, window.process_start, session_.deadline()));
  EXPECT_EQ(tree_.refresh(text->handle, session_.deadline()).error().code, Code::kNotFound);
  EXPECT_EQ(tree_.invoke(text->handle, session_.deadline()).error().code, Code::kNotFound);
}

TEST_F(UiTreeTest, AHungApplicationIsLeftOutAndNamed) {
  const WindowInfo hung = session_.start("mousepad", "Mousepad");
  ASSERT_TRUE(element(hung, "text", ""));
  const WindowInfo other = session_.start("gnome-calculator", "Calculator");
  ASSERT_TRUE(element(other, "push button", "7"));
  ASSERT_EQ(::kill(static_cast<pid_t>(hung.pid), SIGSTOP), 0);
  const auto tree = tree_.read(std::nullopt, limits());
  ASSERT_OK(tree);
  EXPECT_TRUE(tree->truncated);
  EXPECT_NE(tree->note.find(std::to_string(hung.pid)), std::string::npos) << tree->note;
  EXPECT_TRUE(std::ranges::any_of(tree->elements, [&](const Element& each) { return each.pid == other.pid; }));
}

TEST_F(UiTreeTest, StopsAtItsCap) {
  const WindowInfo window = session_.start("mousepad", "Mousepad");
  ASSERT_TRUE(element(window, "text", ""));
  const auto tree = tree_.read(window, {20, session_.deadline()});
  ASSERT_OK(tree);
  EXPECT_EQ(tree->elements.size(), 20U);
  EXPECT_TRUE(tree->truncated);
}

TEST(UiTreeWithoutABus, IsEmptyAndSaysWhy) {
  TestSession session(SessionBus::kWithout);
  const auto tree = session.desktop().ui_tree().read(std::nullopt, {100, session.deadline()});
  ASSERT_OK(tree);
  EXPECT_TRUE(tree->elements.empty());
  EXPECT_NE(tree->note, "");
}

}  // namespace
}  // namespace da::actuator
