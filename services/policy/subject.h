// What a step would touch, in the words that rules use. Taken from the action and from the evidence, never from what
// the proposer says about it.
//
//   window, process   keyboard tools: the foreground window; other tools: the target window
//                     launch: process is the program that would be started
//   element, role     what is under the pointer or named by id; for keyboard tools what has the focus
//                     drag: window, process, element and role of both ends
//   chord             hotkey and press: "ctrl+alt+altgr+shift+win+key", modifiers in this order, each once; mentioned
//                     is what the desktop would take the keys for while they go down
//   text              what is typed: write, paste, keyboard_type, type_in_described_field, and press and hotkey of keys
//                     that type; mentioned is what it makes together with what the task typed there before
//   command           launch: program and arguments
//   path              file_delete, with links resolved; launch: the program's file
//   desktop, planner  of the task
//
// window, element, text and command also mention what they look like to a person (look_alikes.h).
// Pure; any thread.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/result.h"
#include "services/policy/circumstances.h"

namespace da::policy {

// One aspect of a step. Unset where the tool has no such thing; "" where it has, but it is not known.
struct Facet {
  std::vector<std::string> actual;     // What it would act on or do: an allow rule must match all of it.
  std::vector<std::string> mentioned;  // What it names besides (the bash of "env bash"): a stricter rule matches any.
};

struct Subject {
  std::string tool;
  std::optional<Facet> window;
  std::optional<Facet> process;
  std::optional<Facet> element;
  std::optional<Facet> role;
  std::optional<Facet> chord;
  std::optional<Facet> text;
  std::optional<Facet> command;
  std::optional<Facet> path;
  std::optional<Facet> desktop;
  std::optional<Facet> planner;
  std::set<v1::UiState> element_states;
  MinuteOfDay minute = 0;
  std::map<std::string, std::uint32_t> repeats;  // As in Circumstances.
};

// evidence may be null where none was gathered. kInvalidArgument where a key has no name that is known.
Result<Subject> subject_of(const std::string& tool, const v1::Action& action, const v1::Evidence* evidence,
                           const Circumstances& circumstances = {});

// Text that goes to a dialog which starts programs is a launch as well; nullopt where the step is no such thing.
std::optional<Subject> launch_typed_by(const v1::Action& action, const Circumstances& circumstances);

// True for tools that act on whatever has the keyboard focus.
bool is_keyboard_tool(const v1::Action& action);
// True for tools that act at a point of the desktop.
bool is_pointer_tool(const v1::Action& action);

// The window that the step acts on; null where there is none.
const v1::Window* subject_window(const v1::Action& action, const v1::Evidence& evidence);
const v1::UiNode* subject_element(const v1::Action& action, const v1::Evidence& evidence);

// "ctrl+shift+esc" for these keys in any order and spelling. kInvalidArgument for an unknown key.
Result<std::string> normalised_chord(std::span<const std::string> keys);

// Last part of a path, of Windows or POSIX.
std::string base_name(const std::string& path);

}  // namespace da::policy
