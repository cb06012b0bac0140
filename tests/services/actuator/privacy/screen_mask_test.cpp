#include "services/actuator/privacy/screen_mask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "services/actuator/desktop/fake/fake_desktop.h"

namespace da::actuator {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

// A desktop that calls a function at each capture of the screen.
class RestlessDesktop final : public Desktop, public Screen {
 public:
  RestlessDesktop(Desktop& below, std::function<void()> happens) : below_(below), happens_(std::move(happens)) {}

  std::string_view id() const override { return below_.id(); }
  Screen& screen() override { return *this; }
  Input& input() override { return below_.input(); }
  Windows& windows() override { return below_.windows(); }
  Applications& applications() override { return below_.applications(); }
  UiTree& ui_tree() override { return below_.ui_tree(); }
  Clipboard& clipboard() override { return below_.clipboard(); }
  PersonWatch& person_watch() override { return below_.person_watch(); }
  Session& session() override { return below_.session(); }
  DesktopState& state() override { return below_.state(); }
  Files& files() override { return below_.files(); }
  Overlay& overlay() override { return below_.overlay(); }

  Result<Layout> layout() override { return below_.screen().layout(); }
  Result<FrameView> capture() override {
    auto view = below_.screen().capture();
    happens_();
    return view;
  }
  Result<FrameView> capture_area(const Rect& area) override { return below_.screen().capture_area(area); }
  Result<std::optional<std::vector<Rect>>> changed_since(std::uint64_t generation) override {
    return below_.screen().changed_since(generation);
  }
  Result<std::unique_ptr<DrawingWatch>> watch_drawing() override { return below_.screen().watch_drawing(); }
  Result<Point> cursor() override { return below_.screen().cursor(); }
  Result<CursorShape> cursor_shape() override { return below_.screen().cursor_shape(); }
  Result<Quiet> wait_quiet(const Rest& rest, MonoTime deadline) override {
    return below_.screen().wait_quiet(rest, deadline);
  }

 private:
  Desktop& below_;
  std::function<void()> happens_;
};

class ScreenMaskTest : public testing::Test {
 protected:
  ScreenMaskTest() {
    window_ = world_->open_window("Log in", "/usr/bin/login", {100, 100, 300, 200});
    field_ = world_->add_element(window_, {.role = "password text",
                                           .name = "Password",
                                           .bounds = {120, 150, 200, 20},
                                           .editable = true,
                                           .password = true});
    token_ = world_->add_element(
        window_, {.role = "text", .name = "Token", .text = "abc", .bounds = {120, 180, 200, 20}, .editable = true});
  }
  ScreenMask masks(const std::string& toml) {
    auto parsed = Masks::parse(toml, "m.toml");
    EXPECT_TRUE(parsed) << parsed.error().message;
    return ScreenMask(*std::move(parsed), {});
  }
  std::vector<Rect> areas(ScreenMask& mask) {
    const auto masked = mask.locate(*desktop_, clock_);
    EXPECT_TRUE(masked) << masked.error().message;
    std::vector<Rect> found;
    for (const MaskedArea& area : masked->areas) found.push_back(area.area);
    return found;
  }
  Element element(const std::string& id) { return *desktop_->ui_tree().refresh({id}, clock_.now()); }
  WindowInfo window() { return desktop_->windows().list()->front(); }
  void move_by(int dx) {
    world_->change([&](auto& windows) {
      windows.front().bounds.x += dx;
      for (auto& each : windows.front().elements) each.bounds.x += dx;
    });
  }
  // Counts pixels of the frame after blackening.
  struct Frame {
    std::size_t field = 0;
    std::size_t other = 0;  // Neither the field's colour nor black.
  };
  Frame capture(ScreenMask& mask, const std::function<void()>& happens) {
    RestlessDesktop desktop(*desktop_, happens);
    const auto captured = mask.capture(desktop, std::nullopt, clock_);
    EXPECT_TRUE(captured) << captured.error().message;
    const Rect& area = captured->view.area;
    std::vector<std::uint8_t> pixels(captured->view.data, captured->view.data + area.area() * 4);
    black_out(pixels.data(), captured->view.stride, area, captured->masked);
    Frame frame;
    for (std::size_t at = 0; at < pixels.size(); at += 4) {
      const bool white = pixels[at] == 255 && pixels[at + 1] == 255 && pixels[at + 2] == 255;
      const bool black = pixels[at] == 0 && pixels[at + 1] == 0 && pixels[at + 2] == 0;
      frame.field += white ? 1 : 0;
      frame.other += white || black ? 0 : 1;
    }
    return frame;
  }
  void hide_owner() {
    world_->change([](auto& windows) {
      windows.front().pid = 0;
      windows.front().executable.clear();
    });
  }
  void forget_areas_seen() { clock_.advance(Milliseconds(501)); }

  std::shared_ptr<fake::FakeWorld> world_ = std::make_shared<fake::FakeWorld>();
  std::unique_ptr<Desktop> desktop_ = open_fake_desktop(world_);
  ManualClock clock_;
  std::string window_;
  std::string field_;
  std::string token_;
};

TEST_F(ScreenMaskTest, NothingIsMaskedWithoutMasks) {
  ScreenMask mask;
  EXPECT_THAT(areas(mask), IsEmpty());
}

TEST_F(ScreenMaskTest, EachKindOfMaskIsLocated) {
  auto rect = masks("[[mask]]\nrect = [1, 2, 3, 4]");
  EXPECT_THAT(areas(rect), testing::ElementsAre(Rect{1, 2, 3, 4}));
  auto passwords = masks("[[mask]]\npasswords = true");
  EXPECT_THAT(areas(passwords), testing::ElementsAre(Rect{120, 150, 200, 20}));
  auto named = masks("[[mask]]\nprocess = '^login$'\nelement = '^token$'");
  EXPECT_THAT(areas(named), testing::ElementsAre(Rect{120, 180, 200, 20}));
  auto whole = masks("[[mask]]\nwindow = 'log in'");
  EXPECT_THAT(areas(whole), testing::ElementsAre(Rect{100, 100, 300, 200}));
  auto other = masks("[[mask]]\nwindow = 'other'\n[[mask]]\nwindow = 'other'\npasswords = true");
  EXPECT_THAT(areas(other), IsEmpty());
}

TEST_F(ScreenMaskTest, WindowWithATruncatedTreeIsMaskedWhole) {
  for (int i = 0; i < 5000; ++i) world_->add_element(window_, {.role = "label", .bounds = {0, 0, 1, 1}});
  auto passwords = masks("[[mask]]\npasswords = true");
  EXPECT_THAT(areas(passwords), testing::ElementsAre(Rect{100, 100, 300, 200}));
}

TEST_F(ScreenMaskTest, WindowWhoseElementsHaveNoKnownPlaceIsMaskedWhole) {
  world_->change([](auto& windows) {
    for (auto& each : windows.front().elements) each.unplaced = "the scale of its window is unknown";
  });
  auto passwords = masks("[[mask]]\npasswords = true");
  EXPECT_THAT(areas(passwords), testing::ElementsAre(Rect{100, 100, 300, 200}));
  auto named = masks("[[mask]]\nelement = '^nothing$'");
  EXPECT_THAT(areas(named), IsEmpty()) << "no mask concerns it";
  ScreenMask secrets;
  ASSERT_TRUE(secrets.fields().add(element(token_), window(), {"token"}));
  EXPECT_THAT(areas(secrets), testing::ElementsAre(Rect{100, 100, 300, 200}));
}

TEST_F(ScreenMaskTest, ElementMaskCoversTheWholeWindowOfAnUnknownProgram) {
  hide_owner();
  auto of_program = masks("[[mask]]\nprocess = '^other$'");
  EXPECT_THAT(areas(of_program), testing::ElementsAre(Rect{100, 100, 300, 200}));
  auto named = masks("[[mask]]\nprocess = '^other$'\nelement = '^nothing$'");
  EXPECT_THAT(areas(named), testing::ElementsAre(Rect{100, 100, 300, 200}));
  auto passwords = masks("[[mask]]\npasswords = true");
  EXPECT_THAT(areas(passwords), testing::ElementsAre(Rect{100, 100, 300, 200}));
}

TEST_F(ScreenMaskTest, AnElementThatMayBeInAMaskedWindowOfAnUnknownProgramIsHidden) {
  auto mask = masks("[[mask]]\nprocess = '^other$'");
  const auto shown = [&] {
    Element anywhere = element(token_);
    anywhere.window_id.clear();
    anywhere.bounds = {0, 0, 10, 10};
    mask.hide(anywhere, *mask.locate(*desktop_, clock_));
    return anywhere.name + anywhere.text;
  };
  EXPECT_EQ(shown(), "Tokenabc");
  hide_owner();
  EXPECT_EQ(shown(), "");
}

TEST_F(ScreenMaskTest, AMovedElementIsMaskedAtBothPlacesForAMoment) {
  ScreenMask mask;
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  EXPECT_THAT(areas(mask), testing::ElementsAre(Rect{120, 180, 200, 20}));
  move_by(50);
  EXPECT_THAT(areas(mask), testing::UnorderedElementsAre(Rect{120, 180, 200, 20}, Rect{170, 180, 200, 20}));
  forget_areas_seen();
  EXPECT_THAT(areas(mask), testing::ElementsAre(Rect{170, 180, 200, 20}));
}

TEST_F(ScreenMaskTest, AWindowThatMovesDuringACaptureIsCapturedAgain) {
  ScreenMask mask;
  ASSERT_TRUE(mask.fields().add(element(field_), window()));
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  EXPECT_GT(capture(*std::make_unique<ScreenMask>(), [] {}).field, 0U);
  int captures = 0;
  const Frame frame = capture(mask, [&] {
    if (++captures < 3) move_by(40);
  });
  EXPECT_EQ(captures, 3);
  EXPECT_EQ(frame.field, 0U);
  EXPECT_GT(frame.other, 0U);
}

TEST_F(ScreenMaskTest, EverythingIsBlackIfAWindowNeverStandsStill) {
  ScreenMask mask;
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  const Frame frame = capture(mask, [&] { move_by(40); });
  EXPECT_EQ(frame.field + frame.other, 0U);
}

TEST_F(ScreenMaskTest, ASlowCaptureMasksTheWholeWindowBecauseAFieldMayHaveMovedAndComeBack) {
  ScreenMask mask;
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  const auto masks_whole_window = [&](Milliseconds taken) {
    RestlessDesktop desktop(*desktop_, [&] { clock_.advance(taken); });
    const auto captured = mask.capture(desktop, std::nullopt, clock_);
    return std::ranges::count(captured->masked, window().bounds, &MaskedArea::area) > 0;
  };
  EXPECT_FALSE(masks_whole_window(Milliseconds(150)));
  EXPECT_TRUE(masks_whole_window(Milliseconds(151)));
}

TEST_F(ScreenMaskTest, MovingWindowWithoutMasksDoesNotRepeatTheCapture) {
  ScreenMask mask;
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  world_->open_window("Clock", "/usr/bin/clock", {600, 600, 50, 50});
  int captures = 0;
  capture(mask, [&] { ++captures, move_by(1); });
  EXPECT_EQ(captures, 1);
}

TEST_F(ScreenMaskTest, MissingFieldStaysMaskedWithinItsWindow) {
  ScreenMask mask;
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  world_->change([](auto& windows) { windows.front().elements.pop_back(); });
  move_by(50);
  EXPECT_THAT(areas(mask), testing::ElementsAre(Rect{170, 180, 200, 20}));
  world_->change([](auto& windows) { windows.clear(); });
  forget_areas_seen();
  EXPECT_THAT(areas(mask), IsEmpty());
  EXPECT_TRUE(mask.fields().empty());
}

TEST_F(ScreenMaskTest, MinimizedWindowHasNoMaskedArea) {
  ScreenMask mask;
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  world_->change([](auto& windows) { windows.front().minimized = true; });
  EXPECT_THAT(areas(mask), IsEmpty());
  EXPECT_FALSE(mask.fields().empty());
}

TEST_F(ScreenMaskTest, AnotherTaskReleasesAnEmptyOrdinaryField) {
  ScreenMask mask;
  mask.fields().enter_task("one");
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  ASSERT_TRUE(mask.fields().add(element(field_), window()));
  const auto fill = [&](const std::string& text) {
    world_->change([&](auto& windows) { windows.front().elements.back().text = text; });
    forget_areas_seen();
  };
  EXPECT_EQ(areas(mask).size(), 2U);
  fill("");
  EXPECT_EQ(areas(mask).size(), 2U);  // The same task.
  mask.fields().enter_task("two");
  fill("abc");
  EXPECT_EQ(areas(mask).size(), 2U);  // Not empty.
  fill("");
  EXPECT_THAT(areas(mask), Not(Contains(Rect{120, 180, 200, 20})));
  forget_areas_seen();
  EXPECT_THAT(areas(mask), testing::ElementsAre(Rect{120, 150, 200, 20}));  // Its emptiness is unknown.
  fill("abc");
  EXPECT_EQ(areas(mask).size(), 2U) << "undo has brought the secret back";
}

TEST_F(ScreenMaskTest, FieldThatMovesToAnotherWindowStaysMasked) {
  ScreenMask mask;
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  world_->open_window("Another", "/usr/bin/notes", {500, 300, 300, 200});
  world_->change([](auto& windows) {
    fake::FakeWindow& another = windows.front();
    const fake::FakeWindow login = windows.back();
    another.pid = login.pid;
    another.elements.push_back(login.elements.back());
    another.elements.back().bounds = {520, 330, 200, 20};
    windows.pop_back();
  });
  forget_areas_seen();
  EXPECT_THAT(areas(mask), testing::ElementsAre(Rect{520, 330, 200, 20}));
}

TEST_F(ScreenMaskTest, TooManyFieldsAreAnErrorThatForgetsNone) {
  ScreenMask mask;
  Result<void> added;
  for (int i = 0; i < 65 && added; ++i) {
    added = mask.fields().add(element(world_->add_element(window_, {.bounds = {i, 0, 1, 1}})), window());
  }
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, Code::kResourceExhausted);
  EXPECT_EQ(areas(mask).size(), 64U);
}

TEST_F(ScreenMaskTest, FieldWithASecretLosesItsTextButKeepsItsName) {
  ScreenMask mask;
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  Element shown = element(token_);
  shown.range = ElementRange{.value = 4711, .minimum = 0, .maximum = 9999};  // Spin buttons have one.
  mask.hide(shown, *mask.locate(*desktop_, clock_));
  EXPECT_EQ(shown.text, "");
  EXPECT_FALSE(shown.range);
  EXPECT_EQ(shown.name, "Token");
}

TEST_F(ScreenMaskTest, ElementAtThePlaceOfTheFieldLosesItsTextToo) {
  ScreenMask mask;
  ASSERT_TRUE(mask.fields().add(element(token_), window()));
  world_->change([](auto& windows) { windows.front().elements.back().id = "another"; });
  Element shown = element("another");
  ASSERT_EQ(shown.text, "abc");
  mask.hide(shown, *mask.locate(*desktop_, clock_));
  EXPECT_EQ(shown.text, "");
}

TEST_F(ScreenMaskTest, MaskedElementLosesNameAndTextButRulesSeeItsName) {
  auto mask = masks("[[mask]]\nelement = '^token$'");
  const auto masked = *mask.locate(*desktop_, clock_);
  Element shown = element(token_);
  mask.hide(shown, masked);
  EXPECT_EQ(shown.name + shown.text, "");
  Element judged = element(token_);
  mask.hide_text(judged, masked);
  EXPECT_EQ(judged.name, "Token");
  EXPECT_EQ(judged.text, "");
}

TEST_F(ScreenMaskTest, MinimizedMaskedWindowHidesItsElements) {
  auto mask = masks("[[mask]]\nwindow = 'log in'");
  world_->change([](auto& windows) { windows.front().minimized = true; });
  Element shown = element(token_);
  mask.hide(shown, *mask.locate(*desktop_, clock_));
  EXPECT_EQ(shown.name + shown.text, "");
}

TEST_F(ScreenMaskTest, PasswordFieldsKeepTheirNames) {
  auto mask = masks("[[mask]]\npasswords = true");
  Element shown = element(field_);
  mask.hide(shown, *mask.locate(*desktop_, clock_));
  EXPECT_EQ(shown.name, "Password");
}

// Bug: a program shows a secret also after the dialog that took it has closed.
TEST_F(ScreenMaskTest, AProgramHasItsSecretLongerThanTheField) {
  ScreenMask mask({}, *Secrets::parse("[[secret]]\nname = \"a\"\nvalue = \"hunter2hunter2\"", "s"));
  WindowInfo own = window();
  ASSERT_TRUE(mask.fields().add(element(token_), own, {"a"}));
  world_->change([](auto& windows) { windows.clear(); });
  forget_areas_seen();
  ASSERT_THAT(areas(mask), IsEmpty());
  ASSERT_TRUE(mask.fields().empty());
  own.title = "Found: hunter2hunter2";
  mask.hide(own);
  EXPECT_EQ(own.title, "Found: {{secret:a}}");
}

TEST_F(ScreenMaskTest, SecretInATitleIsRedactedIfItsProgramWasGivenIt) {
  ScreenMask mask({}, *Secrets::parse("[[secret]]\nname = \"a\"\nvalue = \"hunter2hunter2\"\n"
                                      "[[secret]]\nname = \"b\"\nvalue = \"never typed\"",
                                      "s"));
  WindowInfo own = window();
  own.title = "Found: hunter2hunter2";
  mask.hide(own);
  EXPECT_EQ(own.title, "Found: hunter2hunter2");
  ASSERT_TRUE(mask.fields().add(element(token_), window(), {"a"}));
  WindowInfo other = own;
  other.pid = 1;
  mask.hide(other);
  EXPECT_EQ(other.title, "Found: hunter2hunter2");
  mask.hide(own);
  EXPECT_EQ(own.title, "Found: {{secret:a}}");
  // The program may have another window that hides its process.
  other.pid = 0;
  mask.hide(other);
  EXPECT_EQ(other.title, "Found: {{secret:a}}");
  own.title = "Found: never typed";
  mask.hide(own);
  EXPECT_EQ(own.title, "Found: never typed") << "or a guess of a secret that was never typed would be confirmed";
}

}  // namespace
}  // namespace da::actuator
