// The desktop changes at any moment of a step. What the fake programs were sent decides what the outcome may say.
#include <gmock/gmock.h>

#include "tests/services/actuator/executor_fixture.h"

namespace da::actuator {
namespace {

using Windows = std::list<fake::FakeWindow>;
using WindowChange = std::function<void(fake::FakeWindow&)>;

class BegunSteps : public ExecutorTest {
 protected:
  struct Change {
    const char* name;
    std::function<void(Windows&)> apply;
  };
  struct Moment {
    const char* name;
    int checkpoints;  // Before the change, where it comes at a checkpoint.
  };
  struct Tally {
    int refused = 0;
    int stopped_after_press = 0;
  };

  void open_windows() {
    world_->change([](Windows& windows) { windows.clear(); });
    world_->open_window("Behind", "/usr/bin/behind", {0, 0, 400, 300});
    const std::string front = world_->open_window("Form", "/usr/bin/form", {0, 0, 400, 300});
    world_->change([](Windows& windows) { windows.front().acts_by_pointer_alone = true; });
    world_->add_element(front, {.role = "link", .name = "Delete", .bounds = {20, 20, 100, 30}});
    world_->add_element(front, {.role = "table cell", .name = "Row", .bounds = {20, 60, 100, 20}, .selectable = true});
    world_->add_element(front, {.role = "text", .name = "Name", .bounds = {20, 100, 100, 20}, .editable = true});
    world_->change([](Windows& windows) { windows.front().focused_element = windows.front().elements.back().id; });
  }
  v1::Action click_on(const std::string& name) {
    shared_.elements.enter_task("task");
    const auto tree = desktop_->ui_tree().read(std::nullopt, {5000, clock_.now()});
    v1::Action action;
    for (const Element& element : tree->elements) {
      if (element.name == name) action.mutable_ui_click()->set_element_id(shared_.elements.id_of(element.handle));
    }
    EXPECT_TRUE(action.has_ui_click()) << name;
    return action;
  }
  std::vector<v1::Action> actions() {
    std::vector<v1::Action> all{click_on("Delete"), click_on("Row"), click_on("Row"), click_on("Delete"),
                                click(60, 35),      click(60, 35),   write("abc"),    write("\n")};
    all[2].mutable_ui_click()->set_double_click(true);
    all[3].mutable_ui_click()->set_hold(v1::HELD_KEYS_CTRL);
    all[5].mutable_mouse()->set_clicks(3);
    const auto add = [&all] { return &all.emplace_back(); };
    auto* const hotkey = add()->mutable_hotkey();
    hotkey->add_keys("ctrl");
    hotkey->add_keys("z");
    auto* const press = add()->mutable_press();
    for (const char* key : {"tab", "enter", "space"}) press->add_keys(key);
    auto* const typed = add()->mutable_keyboard_type();
    typed->set_text("abc");
    typed->set_submit(true);
    add()->mutable_paste()->set_text("abc");
    auto* const scroll = add()->mutable_scroll();
    scroll->set_x(60);
    scroll->set_y(35);
    scroll->set_dy(3);
    auto* const drag = add()->mutable_drag();
    for (const int x : {30, 60, 90}) {
      drag->add_path()->set_x(x);
      drag->mutable_path()->rbegin()->set_y(35);
    }
    return all;
  }
  std::vector<std::string> pressed_since(std::size_t inputs_before) {
    std::vector<std::string> inputs = world_->inputs();
    inputs.erase(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(std::min(inputs_before, inputs.size())));
    std::erase_if(inputs, [](const std::string& input) { return input.starts_with("move"); });
    return inputs;
  }
  void disturb(const v1::Action& action, const Change& change, const Moment& moment, Tally& tally) {
    int asked = 0;
    bool changed = false;
    const auto at_checkpoint = [&] {
      if (asked++ == moment.checkpoints) world_->change(change.apply);
      return false;
    };
    const WindowChange leave = [&](fake::FakeWindow& window) {
      if (!std::exchange(changed, true)) {
        for (auto& element : window.elements) element.bounds.y += 100;
      }
    };
    const bool at_move = moment.name == std::string("when the pointer moves");
    const bool at_press = moment.name == std::string("when the button goes down");
    world_->when_moved(at_move ? leave : WindowChange([](fake::FakeWindow&) {}));
    world_->when_pressed(at_press ? leave : WindowChange([](fake::FakeWindow&) {}));
    v1::ExecuteRequest request;
    *request.mutable_action() = action;
    *request.mutable_grant() = grant(prepare(action));
    const std::size_t before = world_->inputs().size();
    const v1::Outcome outcome = executor_.execute(request, at_checkpoint);
    const auto pressed = pressed_since(before);
    tally.refused += outcome.kind() == v1::Outcome::KIND_REFUSED;
    tally.stopped_after_press += outcome.kind() == v1::Outcome::KIND_INTERRUPTED && !pressed.empty();
    if (outcome.kind() != v1::Outcome::KIND_REFUSED) return;
    EXPECT_THAT(pressed, testing::IsEmpty())
        << outcome.message() << "; " << action.ShortDebugString() << "; the window " << change.name << " "
        << moment.name << " " << moment.checkpoints;
  }
};

// Bug: a click whose button left its place after the press was called refused, and the planner clicked again.
TEST_F(BegunSteps, AreNeverCalledRefused) {
  const std::array changes{
      Change{"closes", [](Windows& windows) { windows.pop_front(); }},
      Change{"moves", [](Windows& windows) { windows.front().bounds.x += 300; }},
      Change{"goes behind another one",
             [](Windows& windows) { windows.splice(windows.end(), windows, windows.begin()); }},
      Change{"moves its elements",
             [](Windows& windows) {
               for (auto& element : windows.front().elements) element.bounds.y += 100;
             }},
      Change{"disables its elements",
             [](Windows& windows) {
               for (auto& element : windows.front().elements) element.enabled = false;
             }},
  };
  std::vector<Moment> moments{{"when the pointer moves", -1}, {"when the button goes down", -1}};
  for (int number = 0; number < 5; ++number) moments.push_back({"at checkpoint", number});
  Tally tally;
  open_windows();
  const std::size_t count = actions().size();
  for (std::size_t number = 0; number < count; ++number) {
    for (const Change& change : changes) {
      for (const Moment& moment : moments) {
        open_windows();
        disturb(actions()[number], change, moment, tally);
      }
    }
  }
  EXPECT_GT(tally.refused, 40) << "changes before the first press";
  EXPECT_GT(tally.stopped_after_press, 40) << "changes after it";
}

}  // namespace
}  // namespace da::actuator
