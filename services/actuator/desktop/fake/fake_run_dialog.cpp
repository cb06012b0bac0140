#include <algorithm>
#include <sstream>

#include "services/actuator/desktop/fake/fake_world.h"

namespace da::actuator::fake {

void FakeWorld::install_run_dialog() {
  const std::lock_guard lock(mutex_);
  has_run_dialog_ = true;
}

void FakeWorld::open_run_dialog() {
  open_window_locked("Run", kShell, {20, desktop_.bottom() - 220, 400, 200});
  FakeElement field{.id = next_id("e"),
                    .role = "text",
                    .name = kRunField,
                    .text = last_command_,
                    .bounds = {30, desktop_.bottom() - 150, 380, 30},
                    .editable = true};
  windows_.front().kind = WindowKind::kDialog;
  windows_.front().focused_element = field.id;
  windows_.front().elements.push_back(std::move(field));
  command_selected_ = true;
}

void FakeWorld::run_typed() {
  last_command_ = focused_element()->text;
  received("run " + last_command_);
  close(front()->id);
  std::istringstream words{last_command_};
  std::string program;
  std::string file;
  words >> program >> file;
  const auto found = std::ranges::find_if(installed_, [&](const auto& each) { return each.second == program; });
  if (program == "/usr/bin/notes") {
    open_notes_locked(file);
  } else if (found != installed_.end()) {
    open_window_locked(found->first, program, {0, 0, 400, 300});
  } else {
    open_window_locked("Run error", kShell, {100, 100, 400, 200});
    windows_.front().kind = WindowKind::kDialog;
  }
}

}  // namespace da::actuator::fake
