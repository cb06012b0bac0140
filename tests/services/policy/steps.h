// Helpers that build steps and evidence.
#pragma once

#include <initializer_list>
#include <string>

#include "da/v1/outcome.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/verdict.pb.h"

namespace da::policy {

// Short names, used for the enums nested in these messages.
using O = v1::Outcome;
using V = v1::Verdict;

}  // namespace da::policy

namespace da::policy::test {

inline v1::Step step(v1::Action action, const std::string& id = "s1") {
  v1::Step step;
  step.set_step_id(id);
  *step.mutable_action() = std::move(action);
  return step;
}

inline v1::Action write(const std::string& text) {
  v1::Action action;
  action.mutable_write()->set_text(text);
  return action;
}

inline v1::Action paste(const std::string& text) {
  v1::Action action;
  action.mutable_paste()->set_text(text);
  return action;
}

inline v1::Action hotkey(std::initializer_list<std::string> keys) {
  v1::Action action;
  for (const auto& key : keys) action.mutable_hotkey()->add_keys(key);
  return action;
}

inline v1::Action press(std::initializer_list<std::string> keys) {
  v1::Action action;
  for (const auto& key : keys) action.mutable_press()->add_keys(key);
  return action;
}

inline v1::Action click(int x, int y) {
  v1::Action action;
  action.mutable_mouse()->set_x(x);
  action.mutable_mouse()->set_y(y);
  return action;
}

inline v1::Action move(int x, int y) {
  v1::Action action = click(x, y);
  action.mutable_mouse()->set_action(v1::Mouse::GESTURE_MOVE);
  return action;
}

inline v1::Action ui_click(const std::string& element_id) {
  v1::Action action;
  action.mutable_ui_click()->set_element_id(element_id);
  return action;
}

inline v1::Action launch(const std::string& command) {
  v1::Action action;
  action.mutable_launch()->set_command(command);
  return action;
}

inline v1::Action file_delete(const std::string& path) {
  v1::Action action;
  action.mutable_file_delete()->set_path(path);
  return action;
}

inline v1::Action terminate(const std::string& title) {
  v1::Action action;
  action.mutable_app_terminate()->set_title(title);
  return action;
}

inline v1::Action wait_for(const std::string& text) {
  v1::Action action;
  action.mutable_wait_for()->set_text(text);
  action.mutable_wait_for()->set_secs(1);
  return action;
}

inline v1::Window window(const std::string& title, const std::string& executable, std::uint32_t pid = 100) {
  v1::Window window;
  window.set_window_id("w" + std::to_string(pid));
  window.set_title(title);
  window.set_executable(executable);
  window.set_pid(pid);
  window.set_process_start(7);
  return window;
}

inline v1::UiNode element(const std::string& role, const std::string& name) {
  v1::UiNode node;
  node.set_element_id("e-" + name);
  node.set_role(role);
  node.set_name(name);
  node.add_states(v1::UI_STATE_SHOWING);
  return node;
}

// An editor in the foreground; its text field has the focus and is under the pointer.
inline v1::Evidence editor() {
  v1::Evidence evidence;
  evidence.set_boot_id("boot");
  evidence.set_challenge("challenge");
  *evidence.mutable_foreground() = window("Untitled - Mousepad", "/usr/bin/mousepad");
  *evidence.mutable_target_window() = evidence.foreground();
  *evidence.mutable_focused_element() = element("text", "Document");
  *evidence.mutable_target_element() = element("text", "Document");
  return evidence;
}

inline v1::Evidence program(const std::string& path, std::initializer_list<std::string> argv) {
  v1::Evidence evidence = editor();
  evidence.clear_target_window();
  evidence.clear_target_element();
  evidence.set_canonical_path(path);
  for (const auto& word : argv) evidence.add_argv(word);
  return evidence;
}

}  // namespace da::policy::test
