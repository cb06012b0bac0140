#include "services/actuator/desktop/fake/fake_desktop.h"
#include "services/actuator/desktop/fake/fake_world.h"
#include "tests/services/actuator/contract/stage.h"
#include "tests/temp_dir.h"

namespace da::actuator::contract {
namespace {

// The main monitor is not the leftmost one: the origin is negative.
constexpr Rect kDesktop{-640, -200, 1920, 1000};

class FakeStage final : public Stage {
 public:
  Desktop& desktop() override { return *desktop_; }

  Target open_target(const std::string& title) override {
    const int shift = 40 * opened_++;
    const Rect bounds{100 + shift, 80 + shift, 500, 400};
    const std::string window = world_->open_window(title, "/usr/bin/target", bounds);
    const std::string text = world_->add_element(window, {.role = "text",
                                                          .name = "Text",
                                                          .bounds = {bounds.x + 10, bounds.y + 30, 230, 100},
                                                          .editable = true,
                                                          .multi_line = true});
    world_->add_element(window,
                        {.role = "push button", .name = "Press", .bounds = {bounds.x + 10, bounds.y + 140, 100, 30}});
    const Rect list{bounds.x + 250, bounds.y + 30, 240, 80};
    for (int row = 0; row < 12; ++row) {
      world_->add_element(window, {.role = "list item",
                                   .name = "Row " + std::to_string(row + 1),
                                   .bounds = {list.x, list.y + 20 * row, list.width, 20},
                                   .selectable = true,
                                   .viewport = list});
    }
    world_->change([&](auto& windows) {
      windows.front().focused_element = text;
      windows.front().scrolls_by_itself = true;
    });
    return {desktop_->windows().list()->front(), {bounds.x + 10, bounds.y + 190, 480, 200}};
  }
  Events received(const std::string& title) override {
    Events events = world_->received_by(title);
    for (std::string& event : events) {
      if (event.starts_with("pressed ")) event = "pressed";
    }
    return events;
  }
  std::string text(const std::string& title) override {
    std::string text;
    world_->change([&](auto& windows) {
      for (const auto& window : windows) {
        if (window.title == title) text = window.elements.front().text;
      }
    });
    return text;
  }
  bool has_overlay() override { return true; }
  std::string seen_by_person() override {
    const auto overlay = world_->overlay().now();
    if (!overlay) return "";
    const Rect marker = overlay->marker.value_or(Rect{});
    return overlay->driver + "|" + overlay->stop_chord + "|" + overlay->justification + "|" + overlay->question + "|" +
           overlay->approval_words + "|" + at({marker.x, marker.y});
  }
  void open_dialog(const std::string& title) override {
    const std::string dialog = world_->open_window("Question", "/usr/bin/target", {700, 600, 200, 100});
    world_->change([&](auto& windows) {
      for (auto& window : windows) {
        if (window.title == title) window.blocked_by = dialog;
      }
    });
  }
  bool open_launcher() override {
    world_->open_window("Launcher", "/usr/bin/launcher", {kDesktop.x, kDesktop.y, 300, 24});
    world_->change([](auto& windows) {
      windows.front().unmanaged = true;
      windows.front().takes_keyboard = true;
    });
    return true;
  }
  bool open_menu() override {
    world_->open_window("", "/usr/bin/target", {kDesktop.x, kDesktop.y, 120, 90});
    world_->change([](auto& windows) {
      windows.front().unmanaged = true;
      windows.front().grabs_clicks = true;
    });
    return true;
  }
  bool act_as_person(PersonActs act) override {
    switch (act) {
      case PersonActs::kTapsKey: world_->person(PersonInput::kKeyboard); break;
      case PersonActs::kUsesMouse: world_->person(PersonInput::kMouse); break;
      case PersonActs::kPressesKillKeys: world_->person(PersonInput::kKillSwitch); break;
    }
    return true;
  }
  bool lock() override {
    world_->obstruct_session(SessionObstacle{SessionObstacle::Kind::kLocked, "a locker"});
    return true;
  }
  void unlock() override { world_->obstruct_session(std::nullopt); }

 private:
  const test::TempDir directory_;
  std::shared_ptr<fake::FakeWorld> world_ = std::make_shared<fake::FakeWorld>(kDesktop);
  std::unique_ptr<Desktop> desktop_ = open_fake_desktop(world_, {.home_trash = directory_.path() / "trash"});
  int opened_ = 0;
};

}  // namespace

std::unique_ptr<Stage> open_stage() { return std::make_unique<FakeStage>(); }

}  // namespace da::actuator::contract
