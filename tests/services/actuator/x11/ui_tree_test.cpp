#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <iostream>
#include <map>

#include "lib/contract/evidence/element_name.h"
#include "tests/services/actuator/x11/test_session.h"

namespace da::actuator {
namespace {

class UiTreeTest : public ::testing::Test {
 protected:
  TreeLimits limits() const { return {5000, session_.deadline()}; }

  // Waits for the first showing element with this role and name.
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
  EXPECT_TRUE(session_.eventually([&] {
    const auto focused = tree_.focused(window, session_.deadline());
    return focused && focused->element && focused->element->handle == text->handle;
  }));
  const auto under = tree_.element_at(window, text->bounds.center(), session_.deadline());
  ASSERT_OK(under);
  EXPECT_EQ(under->element->handle, text->handle);
  const auto again = tree_.refresh(text->handle, session_.deadline());
  ASSERT_OK(again);
  EXPECT_EQ(again->bounds, text->bounds);
  EXPECT_EQ(again->window_id, window.id);
  EXPECT_EQ(again->parent, text->parent);
  report("mousepad", window);
}

TEST_F(UiTreeTest, ElementsOfAProgramThatHasJustStartedAreAwaited) {
  const auto awaited = [&](const WindowInfo& window) { return tree_.read(window, limits())->awaited; };
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  const WindowInfo silent = session_.start("env NO_AT_BRIDGE=1 mousepad", "Mousepad");
  EXPECT_THAT(tree_.read(std::nullopt, limits())->awaited, ElementsAre(silent.id)) << "GTK will expose elements";
  const WindowInfo drawn = session_.start("xterm -T drawn", "drawn");
  EXPECT_THAT(awaited(drawn), IsEmpty()) << "no library of it exposes elements";
  const WindowInfo told = session_.start("zenity --info --text=hello --title=told", "told");
  ASSERT_TRUE(element(told, "push button", "OK"));
  EXPECT_THAT(awaited(told), IsEmpty()) << "the elements are there";
  EXPECT_TRUE(session_.eventually([&] { return awaited(silent).empty(); })) << "it never will";
}

// GTK 3 does extra work for each of its own events while anybody is registered. The registry knows who is.
TEST_F(UiTreeTest, ApplicationsRestWhenNobodyAsks) {
  const std::string answer =
      session_.output_of({"gdbus", "call", "--session", "--dest", "org.a11y.Bus", "--object-path", "/org/a11y/bus",
                          "--method", "org.a11y.Bus.GetAddress"});
  const auto begin = answer.find("unix:");
  const std::string address = answer.substr(begin, answer.rfind('\'') - begin);
  const auto registered = [&] {
    return session_.output_of({"gdbus", "call", "--address", address, "--dest", "org.a11y.atspi.Registry",
                               "--object-path", "/org/a11y/atspi/registry", "--method",
                               "org.a11y.atspi.Registry.GetRegisteredEvents"});
  };
  constexpr const char* kNobody = "(@a(ss) [],)";
  const WindowInfo window = session_.start("mousepad", "Mousepad");
  const auto text = element(window, "text", "");
  ASSERT_TRUE(text);
  const auto registers = [&] { return tree_.read(window, limits()) && registered() != kNobody; };
  EXPECT_TRUE(session_.eventually(registers));
  ASSERT_TRUE(tree_.read(window, limits()));
  tree_.let_applications_rest();
  EXPECT_EQ(registered(), kNobody);
  // An element is still known by its handle, and its application still rests.
  const auto again = tree_.refresh(text->handle, session_.deadline());
  ASSERT_OK(again);
  EXPECT_EQ(again->bounds, text->bounds);
  EXPECT_EQ(registered(), kNobody);
  // The next read registers, and sees what has changed meanwhile.
  session_.run({"xdotool", "type", "changed"});
  EXPECT_TRUE(session_.eventually([&] {
    const auto tree = tree_.read(window, limits());
    return tree && std::ranges::any_of(tree->elements, [](const Element& each) { return each.text == "changed"; });
  }));
  EXPECT_TRUE(session_.eventually(registers));
  EXPECT_TRUE(session_.eventually([&] { return registered() == kNobody; }));
}

// A small window shows the first line of a long text; the last one is below the element.
TEST_F(UiTreeTest, ReportsPlacesOfVisibleAndScrolledOutText) {
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

// Presses 6 × 7 = by `press` and reads the result from the clipboard.
class CalculatorTest : public UiTreeTest {
 protected:
  void expect_42(const std::function<void(const Element&)>& press) {
    const WindowInfo started = session_.start("gnome-calculator", "Calculator");
    for (const char* name : {"6", "×", "7", "="}) {
      std::optional<Element> button;
      // The window of a program that has just started may still change its size.
      EXPECT_TRUE(session_.eventually([&] {
        button = element(started, "push button", name);
        return button && in_window(*button, *session_.find_window("Calculator"));
      })) << name;
      ASSERT_TRUE(button) << name;
      EXPECT_TRUE(button->has(ElementState::kEnabled)) << name;
      press(*button);
    }
    const std::vector<std::string> copy{"ctrl", "c"};
    EXPECT_TRUE(session_.eventually([&] {
      (void)session_.desktop().input().chord(copy, go_on);
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

// Bug: a name of 100,000 characters was stored with each tree and sent with each list of elements.
TEST_F(UiTreeTest, LongNameIsCut) {
  write_file(session_.file("long.py"), R"(
import gi
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="Long name")
button = Gtk.Button(label="OK")
button.get_accessible().set_name("\u00e4" * 100_000 + "Delete everything")
window.add(button)
window.show_all()
Gtk.main()
)");
  const WindowInfo window = session_.start("/usr/bin/python3 " + session_.file("long.py").string(), "Long name");
  std::string name;
  for (std::size_t i = 0; i < contract::kMaxNameCharacters; ++i) name += "\u00e4";
  const auto button = element(window, "push button", name);
  ASSERT_TRUE(button) << "the name must be cut between characters";
  EXPECT_TRUE(contract::may_be_cut(button->name));
  const auto under = tree_.element_at(window, button->bounds.center(), session_.deadline());
  ASSERT_OK(under);
  EXPECT_EQ(under->element->name, name);
}

TEST_F(UiTreeTest, ElementOfAClosedWindowIsGone) {
  const WindowInfo window = session_.start("mousepad", "Mousepad");
  const auto text = element(window, "text", "");
  ASSERT_TRUE(text);
  ASSERT_OK(session_.desktop().windows().terminate(window.pid, window.process_start, go_on, session_.deadline()));
  EXPECT_EQ(tree_.refresh(text->handle, session_.deadline()).error().code, Code::kNotFound);
  EXPECT_EQ(tree_.invoke(text->handle, session_.deadline()).error().code, Code::kNotFound);
}

TEST_F(UiTreeTest, HungApplicationIsLeftOutAndNamedInTheNote) {
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

// Compares cached trees with fresh reads after changes, also when the cached tree was read during the change.
class KeptTreeTest : public UiTreeTest, public ::testing::WithParamInterface<std::string> {
 protected:
  std::vector<Element> read(Milliseconds max_age) {
    const auto tree = tree_.read(std::nullopt, {.deadline = session_.deadline(), .max_age = max_age});
    EXPECT_TRUE(tree.has_value() && !tree->truncated);
    return tree ? tree->elements : std::vector<Element>();
  }
  static std::string line(const Element& e) {
    std::string line = e.role + " \"" + e.name + "\" \"" + e.text + "\" " + std::to_string(e.bounds.x) + "," +
                       std::to_string(e.bounds.y) + " " + std::to_string(e.bounds.width) + "x" +
                       std::to_string(e.bounds.height);
    for (const ElementState state : e.states) line += " " + std::to_string(static_cast<int>(state));
    return line;
  }
  static std::string lines(const std::vector<Element>& elements) {
    std::string all;
    for (const Element& element : elements) all += line(element) + "\n";
    return all;
  }
  void press(std::vector<std::string> keys) {
    SCOPED_TRACE("after " + keys.back());
    ASSERT_OK(session_.desktop().input().chord(keys, go_on));
    for (int i = 0; i < 3; ++i) (void)read(kAnyAge);
    (void)session_.desktop().screen().wait_quiet({Milliseconds(300)}, session_.deadline());
    const std::string kept = lines(read(kAnyAge));
    const auto anew = read(Milliseconds(0));
    EXPECT_EQ(kept, lines(anew));
    const auto window = session_.desktop().windows().foreground();
    ASSERT_TRUE(window.has_value() && window->has_value());
    const auto focused = tree_.focused(**window, session_.deadline());
    ASSERT_OK(focused);
    const auto chain = innermost_focused(anew, **window);
    if (chain.empty()) return;  // GTK3's file chooser has buttons that no tree contains.
    ASSERT_TRUE(focused->element);
    EXPECT_THAT(chain, ::testing::Contains(focused->element->handle)) << line(*focused->element);
  }
  // The focused element and its parent: Qt reports the inner part of an editor as focused, too.
  static std::vector<ElementHandle> innermost_focused(const std::vector<Element>& elements, const WindowInfo& window) {
    std::map<ElementHandle, int> depths;
    std::map<ElementHandle, ElementHandle> parents;
    std::vector<ElementHandle> chain;
    int deepest = 0;
    for (const Element& element : elements) {
      parents[element.handle] = element.parent;
      const int depth = depths[element.handle] = depths[element.parent] + 1;
      const bool there = element.window_id == window.id || element.window_id.empty();
      if (!there || element.pid != window.pid || !element.has(ElementState::kFocused) || depth < deepest) continue;
      deepest = depth;
      chain = {element.handle};
    }
    if (!chain.empty()) chain.push_back(parents[chain.front()]);
    return chain;
  }
  static constexpr Milliseconds kAnyAge{600'000};
};

TEST_P(KeptTreeTest, EqualsAFreshRead) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "line " + std::to_string(i) + "\n";
  write_file(session_.file("text.txt"), text);
  const bool opens_files = GetParam() != "gnome-calculator";
  session_.start(GetParam() + (opens_files ? " " + session_.file("text.txt").string() : ""),
                 opens_files ? "text.txt" : "Calculator");
  ASSERT_TRUE(session_.eventually([&] { return read(kAnyAge).size() > 20; }));
  press({"7"});
  press({"8"});
  press({"backspace"});
  press({"ctrl", "end"});
  press({"pageup"});
  press({"f10"});
  press({"down"});
  press({"down"});
  press({"right"});
  press({"esc"});
  press({"esc"});
  press({"ctrl", "o"});
  press({"tab"});
  press({"esc"});
  press({"ctrl", "f"});
  press({"5"});
  press({"esc"});
}

INSTANTIATE_TEST_SUITE_P(Toolkits, KeptTreeTest, ::testing::Values("mousepad", "featherpad", "gnome-calculator"),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::erase(name, '-');
                           return name;
                         });

// A cached tree is not returned for an application that hangs.
TEST_F(UiTreeTest, HungApplicationIsLeftOutAlthoughItsTreeIsCached) {
  const WindowInfo window = session_.start("mousepad", "Mousepad");
  ASSERT_TRUE(element(window, "text", ""));
  const auto read = [&](Milliseconds max_age) {
    return tree_.read(std::nullopt, {.deadline = session_.deadline(), .max_age = max_age});
  };
  ASSERT_OK(read(kPatience));
  (void)session_.desktop().screen().wait_quiet({Milliseconds(300)}, session_.deadline());
  ASSERT_OK(read(kPatience));
  ASSERT_EQ(::kill(static_cast<pid_t>(window.pid), SIGSTOP), 0);
  const auto stopped = read(kPatience);
  ASSERT_EQ(::kill(static_cast<pid_t>(window.pid), SIGCONT), 0);
  ASSERT_OK(stopped);
  EXPECT_TRUE(stopped->truncated);
  EXPECT_NE(stopped->note.find(std::to_string(window.pid)), std::string::npos) << stopped->note;
}

TEST_F(UiTreeTest, StopsAtTheNodeLimit) {
  const WindowInfo window = session_.start("mousepad", "Mousepad");
  ASSERT_TRUE(element(window, "text", ""));
  const auto tree = tree_.read(window, {20, session_.deadline()});
  ASSERT_OK(tree);
  EXPECT_EQ(tree->elements.size(), 20U);
  EXPECT_TRUE(tree->truncated);
}

TEST(UiTreeWithoutABus, TreeIsEmptyAndItsNoteGivesTheReason) {
  TestSession session(SessionBus::kWithout);
  const auto tree = session.desktop().ui_tree().read(std::nullopt, {100, session.deadline()});
  ASSERT_OK(tree);
  EXPECT_TRUE(tree->elements.empty());
  EXPECT_NE(tree->note, "");
}

}  // namespace
}  // namespace da::actuator
