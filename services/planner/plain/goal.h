// A plain goal: sentences in the order in which they are carried out. Plain values; any thread.
// Coordinates are desktop pixels, times are seconds, key names are canonical ones of lib/contract/keys.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lib/base/geometry.h"

namespace da::planner::plain {

struct OpenApp {
  std::string command;
};
struct FocusWindow {
  std::string title;
};
struct TypeText {
  std::string text;
  std::optional<std::string> field;  // Described; the focus where it is unset.
};
struct PasteText {
  std::string text;
};
struct PressKeys {
  std::vector<std::string> keys;  // One key, or a chord with its modifiers first.
};

enum class ClickKind { kSingle, kDouble, kRight };
using Target = std::variant<std::string, Point>;  // Described, or a place.

struct Click {
  ClickKind kind = ClickKind::kSingle;
  Target target;
};
struct Scroll {
  int notches_down = 0;          // Negative: up.
  std::optional<Target> target;  // The focused window where it is unset.
};
struct Drag {
  Point from;
  Point to;
};
struct WaitSeconds {
  double seconds = 0;
};
struct WaitForText {
  std::string text;
  double seconds = 0;
};

enum class Property { kVisible, kEnabled, kChecked, kText, kWindowOpen };

struct Check {
  std::string target;
  Property property = Property::kVisible;
  std::string expected;  // For kText.
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

using Command = std::variant<OpenApp, FocusWindow, TypeText, PasteText, PressKeys, Click, Scroll, Drag, WaitSeconds,
                             WaitForText, Check, CloseWindow, TerminateApp, DeleteFile>;

struct Sentence {
  Command command;
  std::string source;  // As written, for people.
  std::uint32_t line = 1;
  std::uint32_t column = 1;
};

using Goal = std::vector<Sentence>;

}  // namespace da::planner::plain
