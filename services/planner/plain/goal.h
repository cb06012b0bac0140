// A plain goal: its sentences in the order of execution, with repeated ones written out. Plain values; any thread.
// Coordinates are desktop pixels, times are seconds, key names are the canonical ones of lib/contract/keys.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lib/base/geometry.h"

namespace da::planner::plain {

struct OpenApp {
  std::string command;
  std::optional<double> within = std::nullopt;  // Seconds.
};
struct FocusWindow {
  std::string title;
};
struct TypeText {
  std::string text;
  std::optional<std::string> field;  // A description; unset: the focused element.
};
struct PasteText {
  std::string text;
};
struct PressKeys {
  std::vector<std::string> keys;  // One key, or a chord with its modifiers first.
};

enum class ClickKind { kSingle, kDouble, kRight };
using Target = std::variant<std::string, Point>;  // The written form of tools/element_query.h, or a place.

struct Click {
  ClickKind kind = ClickKind::kSingle;
  Target target;
};
struct Scroll {
  int notches_down = 0;          // Negative: up.
  std::optional<Target> target;  // Unset: the focused window.
};
struct Drag {
  Target from;
  Target to;
};
struct Select {
  std::string item;
  std::string list;  // Description of the drop-down list.
};
struct WaitSeconds {
  double seconds = 0;
};
struct WaitForText {
  std::string text;
  double seconds = 0;
};

enum class Property {
  kVisible,
  kEnabled,
  kChecked,
  kText,
  kWindowOpen,
  kNotVisible,
  kDisabled,
  kUnchecked,
  kWindowClosed
};

struct Check {
  std::string target;
  Property property = Property::kVisible;
  std::string expected;  // For kText.
};
// The header of a block.
struct If {
  Check condition;
  double within = 0;          // Timeout for the condition, in seconds.
  std::size_t sentences = 0;  // Length of the block, which is skipped if the condition is false.
};
struct CloseWindow {
  std::string title;
};
struct TerminateApp {
  std::string title;
};
struct DeleteFile {
  std::string path;
};

using Command = std::variant<OpenApp, FocusWindow, TypeText, PasteText, PressKeys, Click, Scroll, Drag, Select,
                             WaitSeconds, WaitForText, Check, If, CloseWindow, TerminateApp, DeleteFile>;

template <class... Kinds>
bool is_any_of(const Command& command) {
  return (std::holds_alternative<Kinds>(command) || ...);
}

// The innermost `optional:` block around a sentence.
struct Optional {
  std::size_t left = 0;  // Sentences from this one to the block's end; 0: the sentence is not optional.
  double within = 0;     // Timeout for a target, in seconds.
};

struct Sentence {
  Command command;
  std::string source;  // As written, for people.
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  Optional optional;
};

using Goal = std::vector<Sentence>;

}  // namespace da::planner::plain
