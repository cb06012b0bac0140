// What an outcome says about the effect of its action, on the fake desktop: confirmed, not observed, or contradicted.
#include "services/actuator/proof/effect_proof.h"

#include <atomic>
#include <string>
#include <thread>

#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

class EffectProofTest : public ExecutorTest {
 protected:
  EffectProofTest() { window_ = world_->open_window("Settings", "/usr/bin/settings", {0, 0, 600, 400}); }

  std::string add(fake::FakeElement element) { return world_->add_element(window_, std::move(element)); }
  v1::Action click_on(const std::string& handle) {
    shared_.elements.enter_task("task");
    v1::Action action;
    action.mutable_ui_click()->set_element_id(shared_.elements.id_of({handle}));
    return action;
  }
  void focus(const std::string& handle) {
    world_->change([&](auto& windows) { windows.front().focused_element = handle; });
  }
  // Nothing shows that the application reads its keys.
  void hide_reading() {
    world_->change([](auto& windows) { windows.front().reads_unseen = true; });
  }
  static v1::Action press(const std::string& key) {
    v1::Action action;
    action.mutable_press()->set_key(key);
    return action;
  }

  std::string window_;
};

TEST_F(EffectProofTest, CheckedBoxIsConfirmed) {
  const auto box = add({.role = "check box", .name = "Private", .bounds = {20, 60, 120, 20}});
  const auto outcome = run(click_on(box));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "it is checked");
}

TEST_F(EffectProofTest, BoxThatStaysAsItWasHasNoEffect) {
  const auto box = add({.role = "check box", .name = "Private", .bounds = {20, 60, 120, 20}, .inert = true});
  const auto outcome = run(click_on(box));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_NO_EFFECT);
  EXPECT_EQ(outcome.message(), "it is still not checked");
}

// An application may read its input and then be busy for longer than an effect usually takes to show.
TEST_F(EffectProofTest, ApplicationThatDoesNotAnswerForAWhileHasTimeToShowTheEffect) {
  const auto box = add({.role = "check box", .name = "Private", .bounds = {20, 60, 120, 20}});
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  world_->when_pressed([](fake::FakeWindow& window) { window.unanswered = 40; });
  const auto outcome = run(click_on(box));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "it is checked");
}

TEST_F(EffectProofTest, ApplicationThatDoesNotAnswerAnyMoreProvesNothing) {
  const auto box = add({.role = "check box", .name = "Private", .bounds = {20, 60, 120, 20}});
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  world_->when_pressed([](fake::FakeWindow& window) { window.unanswered = 100'000; });
  const auto outcome = run(click_on(box));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED);
  EXPECT_EQ(outcome.message(), "its application does not answer");
}

// The change has another cause, such as a dialog that opens at the same time.
TEST_F(EffectProofTest, ChangeBesideABoxThatStaysAsItWasIsNoProof) {
  const auto box = add({.role = "check box", .name = "Private", .bounds = {20, 60, 120, 20}, .inert = true});
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  world_->when_pressed([](fake::FakeWindow& window) { window.title = "Settings (2)"; });
  const auto outcome = run(click_on(box));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED);
  EXPECT_THAT(outcome.message(), testing::StartsWith("it is still not checked, but "));
}

TEST_F(EffectProofTest, ButtonWithoutAnyVisibleEffectIsNotConfirmed) {
  const auto button = add({.role = "push button", .name = "Refresh", .bounds = {20, 60, 120, 20}});
  const auto outcome = run(click_on(button));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED);
  EXPECT_EQ(outcome.message(), "nothing changed within 1 s");
}

// Bug: a button that its program disabled in the moment of the click was "proven" by that.
TEST_F(EffectProofTest, ButtonThatIsDisabledInTheMomentOfTheClickIsNotConfirmed) {
  const auto button = add({.role = "push button", .name = "Send", .bounds = {20, 60, 120, 20}, .inert = true});
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  world_->when_pressed([](fake::FakeWindow& window) { window.elements.back().enabled = false; });
  const auto outcome = run(click_on(button));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED);
  EXPECT_EQ(outcome.message(), "it is disabled now: by the click, or before the click arrived");
}

TEST_F(EffectProofTest, ButtonThatClosesItsWindowIsConfirmed) {
  const auto button = add({.role = "push button", .name = "Close", .bounds = {20, 60, 120, 20}});
  const auto outcome = run(click_on(button));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "a window closed");
}

TEST_F(EffectProofTest, ButtonThatChangesAnotherPartOfItsWindowIsConfirmed) {
  add({.role = "text", .name = "Log", .text = "a long line", .bounds = {20, 200, 300, 100}, .editable = true});
  const auto button = add({.role = "push button", .name = "Clear", .bounds = {20, 60, 120, 20}});
  const auto outcome = run(click_on(button));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "the screen changed there");
}

// Another window lies in front of a part of the window. It may belong to the same program: what it shows may have begun
// before the click, such as a window that is drawn only now.
TEST_F(EffectProofTest, ChangeInsideAWindowInFrontIsNoProof) {
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  for (const std::string program : {"/usr/bin/settings", "/usr/bin/clock"}) {
    SCOPED_TRACE(program);
    const auto button = add({.role = "push button", .name = "Refresh", .bounds = {20, 60, 120, 20}});
    const auto front = world_->open_window("In front", program, {300, 200, 200, 150});
    const auto label = world_->add_element(front, {.role = "label", .name = "noon", .bounds = {320, 250, 100, 20}});
    fake::FakeWindow* other = nullptr;
    world_->change([&](auto& windows) {
      other = &windows.front();
      other->keeps_above = true;
    });
    world_->when_pressed([&](fake::FakeWindow&) { other->elements.back().name = "one minute past noon"; });
    const auto outcome = run(click_on(button));
    EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED) << outcome.message();
    world_->change([&](auto& windows) { windows.remove_if([&](auto& each) { return each.id == front; }); });
  }
}

// A notification of another program comes up in the moment of the click. Such windows are unlisted.
TEST_F(EffectProofTest, NotificationOfAnotherProgramIsNoProof) {
  const auto button = add({.role = "push button", .name = "Refresh", .bounds = {20, 60, 120, 20}});
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  const auto front = world_->open_window("Mail", "/usr/bin/mail", {700, 200, 200, 150});
  fake::FakeWindow* other = nullptr;
  world_->change([&](auto& windows) {
    other = &windows.front();
    other->unmanaged = other->keeps_above = true;
  });
  world_->when_pressed([&](fake::FakeWindow&) { other->bounds.x = 300; });
  const auto outcome = run(click_on(button));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED) << outcome.message();
}

// A click on a window that a modal dialog blocks goes to the dialog, which gets the focus back.
TEST_F(EffectProofTest, WindowThatLosesTheFocusLooksOtherwiseWhichIsNoProof) {
  const auto button = add({.role = "push button", .name = "Refresh", .bounds = {20, 60, 120, 20}});
  add({.role = "label", .name = "active", .bounds = {20, 200, 300, 20}});
  const auto dialog = world_->open_window("Question", "/usr/bin/settings", {700, 200, 200, 150});
  std::list<fake::FakeWindow>* all = nullptr;
  world_->change([&](auto& windows) {
    all = &windows;
    std::ranges::find(windows, window_, &fake::FakeWindow::id)->acts_by_pointer_alone = true;
  });
  world_->when_pressed([&](fake::FakeWindow& window) {
    window.elements.back().name = "not active any more";
    window.blocked_by = dialog;
    all->splice(all->begin(), *all, std::ranges::find(*all, dialog, &fake::FakeWindow::id));
  });
  const auto outcome = run(click_on(button));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED) << outcome.message();
}

// A control that only lights up under the pointer was not shown to do anything.
TEST_F(EffectProofTest, ControlsOwnPixelsAreNoProof) {
  const auto button = add({.role = "push button", .name = "Refresh", .bounds = {20, 60, 120, 20}});
  world_->when_pressed([](fake::FakeWindow& window) { window.elements.back().role = "push button"; });
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  world_->when_moved([](fake::FakeWindow& window) { window.elements.back().bounds.width = 118; });
  EXPECT_EQ(run(click_on(button)).kind(), v1::Outcome::KIND_DISPATCHED);
}

TEST_F(EffectProofTest, ClickedFieldIsConfirmedByItsFocus) {
  const auto field = add({.role = "entry", .name = "City", .bounds = {20, 60, 120, 20}, .editable = true});
  const auto outcome = run(click_on(field));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "it has the focus");
}

TEST_F(EffectProofTest, TypedTextIsConfirmedByItsField) {
  focus(add({.role = "entry", .name = "City", .bounds = {20, 60, 120, 20}, .editable = true}));
  hide_reading();
  const auto outcome = run(write("Berlin"));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "the field has the text");
}

TEST_F(EffectProofTest, TextThatTheFieldDoesNotTakeHasNoEffect) {
  focus(add({.role = "entry", .name = "City", .bounds = {20, 60, 120, 20}, .editable = true, .inert = true}));
  const auto outcome = run(write("Berlin"));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_NO_EFFECT);
  EXPECT_EQ(outcome.message(), "the text was typed, but the field has another content");
}

TEST_F(EffectProofTest, KeyThatTheApplicationHasReadIsConfirmed) {
  const auto outcome = run(press("f5"));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "the application has read the keys");
}

TEST_F(EffectProofTest, KeyWithoutReceiptAndWithoutAnyChangeIsNotConfirmed) {
  hide_reading();
  const auto outcome = run(press("f5"));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED);
  EXPECT_EQ(outcome.message(), "nothing changed within 1 s");
}

TEST_F(EffectProofTest, ClosedWindowIsConfirmed) {
  v1::Action action;
  action.mutable_close_window()->set_title("Settings");
  const auto outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "the window is closed");
}

TEST_F(EffectProofTest, MovedPointerIsConfirmedByItsPlace) {
  v1::Action action = click(300, 200);
  action.mutable_mouse()->set_action(v1::Mouse::GESTURE_MOVE);
  const auto outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "the pointer is there");
}

// Bug: an entry that only lit up under the pointer was called done.
TEST_F(EffectProofTest, MenuEntryThatIsSelectedByThePointerIsNotConfirmed) {
  const auto entry = add({.role = "menu item", .name = "Greet", .bounds = {20, 60, 120, 20}, .inert = true});
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  world_->when_moved([](fake::FakeWindow& window) { window.elements.back().selected = true; });
  world_->when_pressed([](fake::FakeWindow& window) { window.elements.back().selected = true; });
  const auto outcome = run(click_on(entry));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED) << outcome.message();
}

// Bug: the click had scrolled a long menu instead of choosing its item.
TEST_F(EffectProofTest, RadioItemIsConfirmedByItsStateAlone) {
  const auto item = add({.role = "radio menu item", .name = "Large", .bounds = {20, 60, 120, 20}, .inert = true});
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  world_->when_pressed([](fake::FakeWindow& window) { window.title = "Settings (2)"; });
  const auto outcome = run(click_on(item));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED);
  EXPECT_THAT(outcome.message(), testing::StartsWith("it is not checked, but "));
}

// Bug: a status line that changed while something was dragged proved the drag.
v1::Action drag_along(std::initializer_list<Point> path) {
  v1::Action drag;
  for (const Point point : path) {
    v1::PathPoint& added = *drag.mutable_drag()->add_path();
    added.set_x(point.x);
    added.set_y(point.y);
  }
  return drag;
}

TEST_F(EffectProofTest, DragIsConfirmedByWhatChangesAtItsEndsOnly) {
  world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
  for (const auto& [place, kind] : {std::pair(Rect{20, 350, 400, 20}, v1::Outcome::KIND_DISPATCHED),
                                    std::pair(Rect{280, 90, 40, 20}, v1::Outcome::KIND_CONFIRMED)}) {
    SCOPED_TRACE(place.y);
    const auto label = add({.role = "label", .name = "", .bounds = place});
    world_->when_pressed([&](fake::FakeWindow& window) {
      for (fake::FakeElement& each : window.elements) {
        if (each.id == label) each.enabled = false;
      }
    });
    const auto outcome = run(drag_along({{100, 100}, {300, 100}}));
    EXPECT_EQ(outcome.kind(), kind) << outcome.message();
  }
}

// Bug: the row on which a dragged object was dropped was lit up by the pointer, and that proved the drag.
TEST_F(EffectProofTest, HighlightUnderThePointerIsNoEffectOfADragOrOfTheWheel) {
  const auto row = add({.role = "label", .name = "", .bounds = {280, 90, 40, 20}});
  v1::Action scroll;
  scroll.mutable_scroll()->set_x(300);
  scroll.mutable_scroll()->set_y(100);
  scroll.mutable_scroll()->set_dy(1);
  for (const v1::Action& action : {drag_along({{100, 100}, {300, 100}}), scroll}) {
    const auto set_lit = [row](fake::FakeWindow& window, bool lit) {
      for (fake::FakeElement& each : window.elements) {
        if (each.id == row) each.enabled = !lit;
      }
    };
    world_->change([&](auto& windows) { set_lit(windows.front(), false); });
    world_->when_moved([set_lit](fake::FakeWindow& window) { set_lit(window, true); });
    const auto outcome = run(action);
    EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED) << outcome.message();
  }
}

// Bug: a full field of several lines that took no more keys was "proven" because its application had read them.
TEST_F(EffectProofTest, FieldOfSeveralLinesThatTellsItsTextMustShowTheTypedOne) {
  const auto field = add({.role = "text",
                          .name = "Note",
                          .text = "full",
                          .bounds = {20, 60, 300, 200},
                          .editable = true,
                          .multi_line = true,
                          .inert = true});
  focus(field);
  v1::Action write;
  write.mutable_write()->set_text("more");
  EXPECT_EQ(run(write).kind(), v1::Outcome::KIND_DISPATCHED);
}

// Bug: it was "proven" because it had told nothing before, too.
TEST_F(EffectProofTest, EmptyFieldOfSeveralLinesThatTakesNothingIsNotConfirmed) {
  const auto field = add({.role = "text",
                          .name = "Note",
                          .bounds = {20, 60, 300, 200},
                          .editable = true,
                          .multi_line = true,
                          .inert = true});
  focus(field);
  v1::Action write;
  write.mutable_write()->set_text("more");
  EXPECT_EQ(run(write).kind(), v1::Outcome::KIND_DISPATCHED);
}

// Bug: any changed text of the field counted as the pasted one.
TEST_F(EffectProofTest, PastedTextMustShow) {
  const auto field =
      add({.role = "text", .name = "Code", .text = "old", .bounds = {20, 60, 300, 20}, .editable = true});
  focus(field);
  v1::Action paste;
  paste.mutable_paste()->set_text("12345");
  EXPECT_EQ(run(paste).kind(), v1::Outcome::KIND_CONFIRMED);
  const auto label = add({.role = "label", .name = "Result", .bounds = {20, 100, 300, 20}});
  focus(label);
  EXPECT_EQ(run(paste).kind(), v1::Outcome::KIND_DISPATCHED);
}

// Bug: a double click that opened nothing was proven by the row that its first press had selected.
TEST_F(EffectProofTest, SelectionProvesNoDoubleAndNoRightClick) {
  const auto row = add({.role = "list item", .name = "report.pdf", .bounds = {20, 60, 300, 20}, .selectable = true});
  v1::Action twice = click_on(row);
  twice.mutable_ui_click()->set_double_click(true);
  EXPECT_EQ(run(twice).kind(), v1::Outcome::KIND_DISPATCHED);
}

// Changes a name from the press on: at once, or again and again, while the time passes.
class TellingElementTest : public EffectProofTest {
 protected:
  enum class Tells { kOnce, kAllTheTime };

  v1::Outcome click_while(Tells tells) {
    const auto label = add({.role = "label", .name = "Ready", .bounds = {20, 60, 200, 20}});
    world_->change([](auto& windows) { windows.front().acts_by_pointer_alone = true; });
    std::atomic<bool> pressed = false;
    world_->when_pressed([&](fake::FakeWindow&) { pressed = true; });
    const std::jthread time([&](const std::stop_token& stop) {
      for (int second = 0; !stop.stop_requested(); ++second) {
        if (pressed) {
          const std::string name = tells == Tells::kOnce ? "Sent" : "Ready since " + std::to_string(second) + " s";
          world_->change([&](auto& windows) { windows.front().elements.front().name = name; });
        }
        clock_.advance(Milliseconds(5));
        std::this_thread::sleep_for(Milliseconds(2));
      }
    });
    return run(click_on(label));
  }
};

// Bug: an application that was still starting dropped the text, and its own drawing passed for the effect.
TEST_F(EffectProofTest, DrawingIsNoProofOfATextThatCameBeforeTheFocus) {
  const auto document = add({.role = "text", .name = "Document", .bounds = {20, 60, 200, 20}, .editable = true});
  world_->when_typed([&](fake::FakeWindow& window) {
    window.elements.front().text = "Welcome";
    window.focused_element = document;
  });
  v1::Action action;
  action.mutable_write()->set_text("abc");
  const auto outcome = run(action);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED);
  EXPECT_EQ(outcome.message(), "no element had the keyboard focus yet when the text was typed");
}

TEST_F(TellingElementTest, NameThatChangesOnceConfirms) {
  const auto outcome = click_while(Tells::kOnce);
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_CONFIRMED);
  EXPECT_EQ(outcome.message(), "its name changed");
}

// A clock or a progress may stand in the element.
TEST_F(TellingElementTest, NameThatChangesAllTheTimeProvesNothing) {
  EXPECT_EQ(click_while(Tells::kAllTheTime).kind(), v1::Outcome::KIND_DISPATCHED);
}

TEST_F(EffectProofTest, ClickAtAPlaceWhereNothingHappensIsNotConfirmed) {
  const auto outcome = run(click(300, 300));
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_DISPATCHED);
  EXPECT_EQ(outcome.message(), "nothing changed within 1 s");
}

}  // namespace
}  // namespace da::actuator
