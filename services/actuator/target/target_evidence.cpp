#include "services/actuator/target/target_evidence.h"

#include <algorithm>
#include <set>

#include "lib/base/id.h"
#include "lib/contract/coordinates.h"
#include "services/actuator/desktop_proto.h"

namespace da::actuator {
namespace {

std::string digest_of(const FileIdentity& file) {
  return blake2b(std::to_string(file.device) + "," + std::to_string(file.inode) + "," + std::to_string(file.changed_ns),
                 16);
}

// With its true title, masked or not, because rules judge by it.
v1::Window window_evidence(const WindowInfo& window) {
  v1::Window described = to_proto(window);
  described.set_title(window.title);
  return described;
}

void blacken_masked_pixels(const std::vector<MaskedArea>& masked, Neighbourhood& around) {
  std::string& look = around.look;
  const auto width = static_cast<std::size_t>(around.area.width);
  for (const MaskedArea& mask : masked) {
    const Rect covered = intersection(mask.area, around.area);
    if (covered.empty()) continue;
    for (int y = covered.y; y < covered.bottom(); ++y) {
      const auto row = static_cast<std::size_t>(y - around.area.y) * width;
      const auto column = static_cast<std::size_t>(covered.x - around.area.x);
      std::fill_n(look.begin() + static_cast<std::ptrdiff_t>(row + column), covered.width, '\0');
    }
  }
}

std::set<std::string> open_files_of(const ActionTarget& target, Desktop& desktop) {
  std::set<std::uint32_t> programs;
  if (target.receiver && target.foreground) programs.insert(target.foreground->pid);
  for (const auto* window : {&target.window, &target.drop_window}) {
    if (*window) programs.insert((*window)->pid);
  }
  std::set<std::string> files;
  if (programs.empty()) return files;
  std::set<std::uint32_t> with_windows;
  if (const auto windows = desktop.windows().list()) {
    for (const WindowInfo& window : *windows) with_windows.insert(window.pid);
  }
  for (const std::uint32_t pid : programs) {
    for (std::string& file : desktop.applications().open_files(pid, with_windows)) files.insert(std::move(file));
  }
  return files;
}

}  // namespace

v1::Evidence evidence_of(const ActionTarget& target, ElementRegistry& elements) {
  v1::Evidence evidence;
  if (target.foreground) *evidence.mutable_foreground() = window_evidence(*target.foreground);
  if (target.focused) *evidence.mutable_focused_element() = to_proto(*target.focused, elements);
  if (target.element) *evidence.mutable_target_element() = to_proto(*target.element, elements);
  if (target.window) *evidence.mutable_target_window() = window_evidence(*target.window);
  if (target.cover) *evidence.mutable_cover_window() = window_evidence(*target.cover);
  if (target.drop_window) *evidence.mutable_drop_window() = window_evidence(*target.drop_window);
  if (target.drop_element) *evidence.mutable_drop_element() = to_proto(*target.drop_element, elements);
  for (const WindowInfo& window : target.passed_windows) *evidence.add_passed_windows() = window_evidence(window);
  evidence.set_took_keyboard(target.receiver && target.receiver->took_keyboard);
  evidence.set_focus_unread(target.focus_unread);
  evidence.set_target_unread(target.element_unread);
  evidence.set_drop_unread(target.drop_unread);
  if (target.point) *evidence.mutable_target_point() = contract::to_proto(*target.point);
  if (target.neighbourhood) {
    evidence.set_target_pixels(target.neighbourhood->look);
    *evidence.mutable_target_area() = contract::to_proto(target.neighbourhood->area);
  }
  if (target.drop_neighbourhood) {
    evidence.set_drop_pixels(target.drop_neighbourhood->look);
    *evidence.mutable_drop_area() = contract::to_proto(target.drop_neighbourhood->area);
  }
  if (target.file) {
    evidence.set_canonical_path(target.file->canonical_path);
    evidence.set_file_identity(digest_of(*target.file));
    if (!target.launch) evidence.set_file_size(target.file->size);
  }
  if (target.launch) {
    evidence.set_canonical_path(target.launch->executable);
    for (const std::string& word : target.launch->argv) evidence.add_argv(word);
  }
  evidence.set_button_held(target.button_held.has_value());
  evidence.set_problem(target.problem);
  evidence.set_problem_code(target.problem_code);
  return evidence;
}

std::uint32_t starter_of_run(const std::vector<WindowInfo>& windows, const std::vector<std::uint32_t>& ancestors) {
  const auto owns_window = [&](std::uint32_t pid) {
    return std::ranges::find(windows, pid, &WindowInfo::pid) != windows.end();
  };
  const auto found = std::ranges::find_if(ancestors, owns_window);
  return found == ancestors.end() ? 0 : *found;
}

Result<v1::Evidence> masked_evidence(Desktop& desktop, ScreenMask& mask, ElementRegistry& elements, const Clock& clock,
                                     ActionTarget target) {
  ASSIGN_OR_RETURN(const Masked masked, mask.locate(desktop, clock));
  for (auto* element : {&target.focused, &target.element, &target.drop_element}) {
    if (*element) mask.hide_text(**element, masked);
  }
  for (auto* look : {&target.neighbourhood, &target.drop_neighbourhood}) {
    if (*look) blacken_masked_pixels(masked.areas, **look);
  }
  v1::Evidence evidence = evidence_of(target, elements);
  for (const std::string& file : open_files_of(target, desktop)) evidence.add_open_files(file);
  return evidence;
}

}  // namespace da::actuator
