// The facets of a step that rules look at. They come from the action and the evidence, never from the proposer's words.
//
//   window, process   keyboard tools: the foreground window; other tools: the target window
//                     launch: process is the program that would be started
//   element, role     the element under the pointer or named by id; for keyboard tools the focused element
//                     drag: window, process, element and role of both ends
//   chord             hotkey and press: "ctrl+alt+altgr+shift+win+key", modifiers in this order, each once; mentioned:
//                     the chords that the desktop may recognise while the keys go down
//   text              typed text: write, paste, keyboard_type, type_in_described_field, and press and hotkey of keys
//                     that type; mentioned: the same joined to the text that the task typed there before
//   command           launch: program and arguments
//   path              file_delete, with links resolved; launch: the program's file
//   desktop, planner  of the task
//
// window, element, text and command also mention their readings (confusables.h).
// Pure; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "da/v1/observation.pb.h"
#include "da/v1/tools.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/result.h"
#include "services/policy/judgement/time_of_day.h"
#include "services/policy/judgement/typing_history.h"

namespace da::policy {

enum class WriteLockView { kClosed, kOpen };

// Everything that a step is judged with besides its action and evidence.
struct Circumstances {
  WriteLockView write_lock = WriteLockView::kClosed;
  std::string desktop_id;
  std::string planner;                  // The owner of the task's token.
  std::string rule_file;                // Path of the policy's rule file.
  MinuteOfDay minute = 0;               // Local time of the policy's host.
  std::set<std::string> allowed_tools;  // Tools that the task may use; empty: all.
  // Number of earlier steps, within the rule's repetition time, that met its other conditions; keyed by rule.
  std::map<std::string, std::uint32_t> repeats;
  EarlierTyping earlier;
};

// Unset if the tool has no such facet; "" if it has one whose value is unknown.
struct Facet {
  std::vector<std::string> actual;     // The step acts on it or does it. An allow rule must match all of it.
  std::vector<std::string> mentioned;  // Named besides (the bash of "env bash"). A stricter rule matches any of it.
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
  std::map<std::string, std::uint32_t> repeats;  // Means the same as in Circumstances.
};

// evidence may be null if none was gathered. kInvalidArgument for an unknown key.
Result<Subject> subject_of(const std::string& tool, const v1::Action& action, const v1::Evidence* evidence,
                           const Circumstances& circumstances = {});

// The launch that a step causes by typing into a run dialog; nullopt for every other step.
std::optional<Subject> launch_typed_by(const v1::Action& action, const Circumstances& circumstances);

// True for tools that act at a point of the desktop.
bool is_pointer_tool(const v1::Action& action);

}  // namespace da::policy
