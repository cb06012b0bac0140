// Changes between Prepare and Execute on the fake desktop. tests/stale has the same with real applications.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "lib/base/path_text.h"
#include "lib/bus/memory_transport.h"
#include "services/actuator/desktop/fake/fake_desktop.h"
#include "services/actuator/executor.h"
#include "tests/acted.h"
#include "tests/services/actuator/test_policy.h"
#include "tests/temp_dir.h"

namespace da::actuator {
namespace {

using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;

class StaleTarget : public testing::Test {
 protected:
  StaleTarget() : window_(world_->open_notes()) {}

  v1::Evidence prepare(const v1::Action& action) {
    v1::PrepareRequest request;
    *request.mutable_action() = action;
    request.set_task_id("task");
    request.set_step_id("step");
    auto evidence = executor_.prepare(request);
    EXPECT_TRUE(evidence) << evidence.error().message;
    return evidence->evidence;
  }
  v1::Outcome execute(const v1::Action& action, const v1::Grant& grant, const std::function<void()>& between = {}) {
    v1::ExecuteRequest request;
    *request.mutable_action() = action;
    *request.mutable_grant() = grant;
    return executor_.execute(request, [&] {
      if (between) between();
      return false;
    });
  }
  v1::Outcome::Code code_after(const v1::Action& action, const std::function<void()>& disturbance) {
    const auto evidence = prepare(action);
    EXPECT_EQ(evidence.problem(), "");
    disturbance();
    return execute(action, policy_.sign(policy_.claims(evidence))).code();
  }

  v1::Action click(const std::string& element) {
    v1::Action action;
    const Point at = find(element).bounds.center();
    action.mutable_mouse()->set_x(at.x);
    action.mutable_mouse()->set_y(at.y);
    return action;
  }
  v1::Action ui_click(const std::string& element) {
    shared_.elements.enter_task("task");
    v1::Action action;
    action.mutable_ui_click()->set_element_id(shared_.elements.id_of(find(element).handle));
    return action;
  }
  static v1::Action write(const std::string& text) {
    v1::Action action;
    action.mutable_write()->set_text(text);
    return action;
  }
  Element find(const std::string& name) {
    const auto tree = desktop_->ui_tree().read(std::nullopt, {5000, clock_.now()});
    return *std::ranges::find(tree->elements, name, &Element::name);
  }
  void change_window(const std::function<void(fake::FakeWindow&)>& change) {
    world_->change([&](auto& windows) {
      for (auto& window : windows) {
        if (window.id == window_) change(window);
      }
    });
  }
  void change_element(const std::string& name, const std::function<void(fake::FakeElement&)>& change) {
    change_window([&](fake::FakeWindow& window) {
      for (auto& element : window.elements) {
        if (element.name == name) change(element);
      }
    });
  }
  static std::string find_id(const fake::FakeWindow& window, const std::string& name) {
    return std::ranges::find(window.elements, name, &fake::FakeElement::name)->id;
  }
  void move(int dx) {
    change_window([&](fake::FakeWindow& window) {
      window.bounds.x += dx;
      for (auto& element : window.elements) element.bounds.x += dx;
    });
  }

  const test::TempDir directory_;
  TestPolicy policy_;
  std::shared_ptr<fake::FakeWorld> world_ = std::make_shared<fake::FakeWorld>();
  std::string window_;
  std::unique_ptr<Desktop> desktop_ = open_fake_desktop(world_, {.home_trash = directory_.path() / "trash"});
  SharedDesktop shared_{*desktop_, {}, {}};
  std::unique_ptr<Ledger> ledger_ = *Ledger::open(directory_.path() / "ledger");
  service::StopLatch stops_ = *service::StopLatch::open(directory_.path() / "state");
  ManualClock clock_;
  bus::Publisher bus_{bus::MemoryBus::create()->sink(), {"actuator", "fake:0"}, clock_};
  Executor executor_{shared_, "fake:0", *GrantCheck::create(policy_.public_key_hex()), *ledger_, stops_, bus_, clock_};
};

TEST_F(StaleTarget, APointIsRefusedWhenItsWindowMovedByOnePixel) {
  EXPECT_EQ(code_after(click("Text"), [&] { move(1); }), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(world_->inputs(), IsEmpty());
}

TEST_F(StaleTarget, AnElementIsClickedWhereItIsNowUnlessItMovedFar) {
  EXPECT_EQ(code_after(ui_click("Save"), [&] { move(2); }), v1::Outcome::CODE_UNSPECIFIED);
  EXPECT_EQ(code_after(ui_click("Save"), [&] { move(3); }), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(world_->inputs(), SizeIs(1));
}

// The accessibility action would reach the element under a dialog that opened after the approval.
TEST_F(StaleTarget, ElementIsRefusedWhenAnotherWindowCoversIt) {
  const auto outcome = code_after(ui_click("Save"), [&] {
    world_->open_window("Really?", "/usr/bin/dialog", {0, 0, 1280, 800});
  });
  EXPECT_EQ(outcome, v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(world_->inputs(), IsEmpty());
}

TEST_F(StaleTarget, AControlThatWasDisabledOrRenamedIsRefused) {
  const auto disable = [&] { change_element("Save", [](auto& element) { element.enabled = false; }); };
  EXPECT_EQ(code_after(click("Save"), disable), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(code_after(click("Clear"), [&] { change_element("Clear", [](auto& e) { e.name = "Clear all"; }); }),
            v1::Outcome::CODE_STALE_TARGET);
  EXPECT_THAT(world_->inputs(), IsEmpty());
}

TEST_F(StaleTarget, OtherTextUnderThePointerIsRefused) {
  change_element("Text", [](auto& element) { element.text = std::string(6000, 'a'); });
  EXPECT_EQ(code_after(click("Text"), [&] { change_element("Text", [](auto& e) { e.text.clear(); }); }),
            v1::Outcome::CODE_STALE_TARGET);
}

// Between the picture in which a point was chosen and Prepare, a model may think for a minute.
TEST_F(StaleTarget, PlaceThatLooksOtherwiseThanWhenItWasChosenIsRefused) {
  v1::PrepareRequest request;
  *request.mutable_action() = click("Text");
  request.set_task_id("task");
  std::string chosen;
  const auto problem_of = [&](const SeenLook& seen) {
    return executor_.prepare(request, seen)->evidence.problem_code();
  };
  change_element("Text", [](auto& element) { element.text = std::string(6000, 'a'); });
  chosen = executor_.prepare(request)->evidence.target_pixels();
  const SeenLook seen = [&](const Rect&) { return std::optional(chosen); };
  EXPECT_EQ(problem_of(seen), v1::Outcome::CODE_UNSPECIFIED);
  change_element("Text", [](auto& element) { element.text.clear(); });
  EXPECT_EQ(problem_of(seen), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(problem_of([](const Rect&) { return std::nullopt; }), v1::Outcome::CODE_UNSPECIFIED) << "a forgotten frame";
}

// Bug: a list was sorted anew in the elements that it had, and the "Save" of another row was clicked.
TEST_F(StaleTarget, ElementWhoseRowHasAnotherNameIsRefused) {
  const std::string label =
      world_->add_element(window_, {.role = "label", .name = "Smith", .bounds = {200, 300, 80, 20}});
  v1::PrepareRequest request;
  *request.mutable_action() = ui_click("Save");
  request.set_task_id("task");
  request.set_step_id("step");
  request.mutable_row()->set_element_id(shared_.elements.id_of({label}));
  request.mutable_row()->set_name("Smith");
  const auto evidence = executor_.prepare(request)->evidence;
  EXPECT_EQ(evidence.problem(), "");
  change_element("Smith", [](auto& element) { element.name = "Jones"; });
  const auto outcome = execute(request.action(), policy_.sign(policy_.claims(evidence)));
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET) << outcome.message();
  EXPECT_EQ(executor_.prepare(request)->evidence.problem_code(), v1::Outcome::CODE_STALE_TARGET);
  request.mutable_row()->set_name("Jones 43 %");  // Its progress has ticked.
  EXPECT_EQ(executor_.prepare(request)->evidence.problem_code(), v1::Outcome::CODE_STALE_TARGET);
  request.mutable_row()->set_wanted("Jones");
  EXPECT_EQ(executor_.prepare(request)->evidence.problem(), "");
}

TEST_F(StaleTarget, TheTitleCountsOnlyWhereNoElementIsKnown) {
  const auto rename = [&] { change_window([](auto& window) { window.title += " *"; }); };
  EXPECT_EQ(code_after(write("x"), rename), v1::Outcome::CODE_UNSPECIFIED);
  change_window([](auto& window) { window.focused_element.clear(); });
  EXPECT_EQ(code_after(write("x"), rename), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_EQ(world_->text_of("Text"), "x");
}

// Regression: a program told its focus a moment after its window had opened, and its first keys were refused.
TEST_F(StaleTarget, TheFirstKeysForAWindowWaitForItsFocus) {
  change_window([](auto& window) { window.focused_element.clear(); });
  std::jthread program([&] {
    std::this_thread::sleep_for(Milliseconds(120));
    change_window([](auto& window) { window.focused_element = find_id(window, "Name"); });
  });
  EXPECT_EQ(prepare(write("x")).focused_element().name(), "Name");
  change_window([](auto& window) { window.focused_element.clear(); });
  EXPECT_FALSE(prepare(write("x")).has_focused_element()) << "later keys do not wait";
}

TEST_F(StaleTarget, TypingStopsWhenFocusMovesToAnotherField) {
  const auto action = write(std::string(1000, 'x'));
  const auto grant = policy_.sign(policy_.claims(prepare(action)));
  int chunks = 0;
  const auto outcome = execute(action, grant, [&] {
    clock_.advance(Milliseconds(100));
    if (++chunks == 3) change_window([](auto& window) { window.focused_element = find_id(window, "Name"); });
  });
  EXPECT_EQ(outcome.kind(), v1::Outcome::KIND_INTERRUPTED);
  EXPECT_EQ(outcome.code(), v1::Outcome::CODE_STALE_TARGET);
  EXPECT_GT(outcome.done(), 0U);
  EXPECT_LT(world_->text_of("Name").size(), 300U);
}

TEST_F(StaleTarget, TabMayMoveTheFocusToTheNextField) {
  const auto action = write("a\tb" + std::string(300, 'x'));
  const auto grant = policy_.sign(policy_.claims(prepare(action)));
  int chunks = 0;
  const auto outcome = execute(action, grant, [&] {
    clock_.advance(Milliseconds(300));
    if (++chunks == 2) change_window([](auto& window) { window.focused_element = find_id(window, "Name"); });
  });
  EXPECT_TRUE(test::acted(outcome)) << outcome.message();
}

TEST_F(StaleTarget, ModifiedFileIsRefused) {
  const auto file = directory_.path() / "victim";
  std::ofstream(file) << "x";
  v1::Action action;
  action.mutable_file_delete()->set_path(text_of(file));
  const auto before = prepare(action).file_identity();
  EXPECT_THAT(before, SizeIs(16));
  EXPECT_EQ(code_after(action, [&] { std::filesystem::permissions(file, std::filesystem::perms::owner_read); }),
            v1::Outcome::CODE_STALE_TARGET);
  EXPECT_NE(prepare(action).file_identity(), before);
  EXPECT_TRUE(std::filesystem::exists(file));
}

// The policy has signed all of these grants; only their claims make them invalid.
TEST_F(StaleTarget, AGrantOfAnotherStepTaskDesktopOrStartExecutesNothing) {
  const auto other = prepare(write("other"));
  const std::vector<std::function<void(v1::GrantClaims&)>> edits = {
      [](auto& claims) { claims.set_boot_id("an earlier start"); },
      [](auto& claims) { claims.set_desktop_id("x11:1"); },
      [](auto& claims) { claims.set_task_id("another task"); },
      [](auto& claims) { claims.set_step_id("another step"); },
      [](auto& claims) { claims.set_challenge(""); },
      [](auto& claims) { claims.set_valid_ms(0); },
      [&](auto& claims) { claims.set_challenge(other.challenge()); },
      [&](auto& claims) { claims.set_action_digest(other.action_digest()); },
      [&](auto& claims) { claims.set_evidence_digest(contract::digest(other)); },
      [](auto& claims) { claims.clear_grant_id(); },
  };
  std::vector<v1::Outcome::Code> codes;
  for (const auto& edit : edits) {
    auto claims = policy_.claims(prepare(write("x")));
    edit(claims);
    clock_.advance(Milliseconds(1));
    codes.push_back(execute(write("x"), policy_.sign(claims)).code());
  }
  EXPECT_THAT(codes, Each(v1::Outcome::CODE_BAD_GRANT));
  EXPECT_EQ(world_->text_of("Text"), "");
  EXPECT_THAT(world_->inputs(), IsEmpty());
}

TEST_F(StaleTarget, ATruncatedOrAlteredGrantExecutesNothing) {
  const auto whole = policy_.sign(policy_.claims(prepare(write("x"))));
  for (std::size_t size = 0; size < whole.claims().size(); ++size) {
    auto grant = whole;
    grant.mutable_claims()->resize(size);
    ASSERT_EQ(execute(write("x"), grant).code(), v1::Outcome::CODE_BAD_GRANT) << size;
  }
  for (std::size_t size = 0; size < whole.signature().size(); ++size) {
    auto grant = whole;
    grant.mutable_signature()->resize(size);
    ASSERT_EQ(execute(write("x"), grant).code(), v1::Outcome::CODE_BAD_GRANT) << size;
  }
  for (std::size_t bit = 0; bit < 8 * whole.claims().size(); ++bit) {
    auto grant = whole;
    (*grant.mutable_claims())[bit / 8] = static_cast<char>(grant.claims()[bit / 8] ^ (1 << bit % 8));
    ASSERT_EQ(execute(write("x"), grant).code(), v1::Outcome::CODE_BAD_GRANT) << bit;
  }
  EXPECT_EQ(world_->text_of("Text"), "");
  EXPECT_TRUE(test::acted(execute(write("x"), whole)));  // No broken copy used it up.
}

TEST_F(StaleTarget, TheGrantOfOneActionExecutesNoOther) {
  const auto one = policy_.sign(policy_.claims(prepare(write("one"))));
  const auto two = policy_.sign(policy_.claims(prepare(write("two"))));
  EXPECT_EQ(execute(write("two"), one).code(), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(execute(write("one"), two).code(), v1::Outcome::CODE_BAD_GRANT);
  EXPECT_EQ(execute(write("one"), one).code(), v1::Outcome::CODE_BAD_GRANT);  // The attempt used it up.
  EXPECT_EQ(world_->text_of("Text"), "");
}

}  // namespace
}  // namespace da::actuator
