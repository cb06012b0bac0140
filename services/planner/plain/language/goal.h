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
using Target = std::variant<std::string, Point>;  // The written form of lib/contract/element_query.h, or a place.

struct Click {
  ClickKind kind = ClickKind::kSingle;
  Target target;
  std::vector<std::string> modifiers = {};  // Held during the click: "ctrl", "shift", "alt".
};
struct Hover {
  Target target;
};
// Moves a slider or fills a spin button.
struct SetValue {
  std::string target;
  double value = 0;
  bool percent = false;  // True: `value` is a percentage of the element's range.
};
struct Scroll {
  int notches_down = 0;          // Negative: up.
  std::optional<Target> target;  // Unset: the focused window.
};
struct Drag {
  Target from;
  Target to = {};                          // Unused with `by`.
  std::optional<Point> by = std::nullopt;  // Pixels from the middle of `from`.
};
struct Select {
  std::string item;
  std::string list;  // Description of the drop-down list.
};
// Selects several rows of a list or table: the first with a click, the others with ctrl.
struct SelectRows {
  std::vector<std::string> rows;  // Descriptions.
};
// Reads a text for later sentences, which write it as {{name}}.
struct Copy {
  std::string target;
  std::string name;
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
  std::string expected;  // Only kText uses it.
};
// The header of a block.
struct If {
  Check condition;
  double within = 0;          // Timeout for the condition, in seconds.
  std::size_t sentences = 0;  // Length of the block, which is skipped if the condition is false.
};
struct WaitUntil {
  Check condition;
  double seconds = 0;
};
// The header of a loop. `sentences` counts the body and its EndWhile.
struct While {
  Check condition;
  std::size_t sentences = 0;
  std::uint32_t most_rounds = 0;
};
struct EndWhile {
  std::size_t sentences = 0;  // Back to the While.
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

using Command = std::variant<OpenApp, FocusWindow, TypeText, PasteText, PressKeys, Click, Hover, SetValue, Scroll, Drag,
                             Select, SelectRows, Copy, WaitSeconds, WaitForText, WaitUntil, Check, If, While, EndWhile,
                             CloseWindow, TerminateApp, DeleteFile>;

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
  std::string source;  // The sentence as written, for people.
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  Optional optional;
};

using Goal = std::vector<Sentence>;

}  // namespace da::planner::plain
