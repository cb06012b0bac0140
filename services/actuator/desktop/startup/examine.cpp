#include "services/actuator/desktop/startup/examine.h"

#include "services/actuator/desktop/startup/open_desktop.h"

namespace da::actuator {
namespace {

constexpr Milliseconds kTreeTimeout{5000};

template <class T>
service::Check check(const std::string& name, const Result<T>& result, const std::string& found,
                     const std::string& advice) {
  return {name, result.has_value(), result ? found : result.error().message, result ? "" : advice};
}

std::string size_of(const Rect& rect) { return std::to_string(rect.width) + "x" + std::to_string(rect.height); }

service::Check check_tree(Desktop& desktop, const NativeExam& exam) {
  const auto tree = desktop.ui_tree().read(std::nullopt, {5000, system_clock().now() + kTreeTimeout});
  if (!tree) return {exam.tree_name, false, tree.error().message, exam.tree_advice};
  if (!tree->available) return {exam.tree_name, false, tree->note, exam.tree_advice};
  const std::string found = std::to_string(tree->elements.size()) + " elements can be read";
  return {exam.tree_name, true, tree->note.empty() ? found : found + " (" + tree->note + ")", ""};
}

}  // namespace

std::vector<service::Check> examine_desktop() {
  const auto config =
      service::Config::parse("[actuator]\nbackend = \"" + std::string(native_backend()) + "\"\n", "doctor");
  NativeExam exam = native_exam();
  const auto desktop = open_desktop(*config, DesktopUse::kExamine, system_clock());
  std::vector<service::Check> checks = {
      check("desktop", desktop, desktop ? std::string((*desktop)->id()) : "", exam.desktop_advice)};
  if (desktop) {
    const auto layout = (*desktop)->screen().layout();
    checks.push_back(check("monitors", layout,
                           layout ? std::to_string(layout->monitors.size()) + " in " + size_of(layout->desktop) : "",
                           exam.monitors_advice));
    checks.push_back(
        check("capture", (*desktop)->screen().capture(), "the screen can be captured", exam.capture_advice));
    const auto listed = (*desktop)->windows().list();
    checks.push_back(check("windows", listed, listed ? std::to_string(listed->size()) + " windows are listed" : "",
                           exam.windows_advice));
    checks.push_back(check_tree(**desktop, exam));
  }
  checks.insert(checks.end(), exam.more.begin(), exam.more.end());
  return checks;
}

}  // namespace da::actuator
