// Models the text of a field while steps type into it, caret moves included: "-rf ~", home, "rm " gives "rm -rf ~".
// It follows characters, backspace, delete, left, right, home, end and ctrl+a. It does not follow the mouse, selections
// with shift, moves by line or by word. Pure; any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "da/v1/tools.pb.h"

namespace da::policy {

// The meaning of ctrl+a, which depends on the application.
enum class SelectAll { kReplacesAll, kGoesHome };
inline constexpr std::array kSelectAll = {SelectAll::kReplacesAll, SelectAll::kGoesHome};

// The characters that an action types with any tool: single keys count, and '\b' is a backspace.
std::string typed_by(const v1::Action& action);

// The text that remains once the backspaces are applied.
std::string without_erased(const std::string& typed);

// The number of UTF-8 characters.
std::size_t characters_in(std::string_view text);

// The effect of an action on the focused field: its text, and a control character for each editing key.
std::string strokes_of(const v1::Action& action);

// Every text that the field may contain after the strokes: one for each meaning of ctrl+a. Empty for invalid UTF-8.
std::vector<std::string> texts_of(std::string_view strokes);

// Shorter strokes that leave the same text and caret; of a text longer than max_bytes only the end. At most
// 2 * max_bytes + 1 bytes.
std::string settled(std::string_view strokes, SelectAll select_all, std::size_t max_bytes);

// The strokes that type: characters, and '\b' for each backspace.
std::string typed_of(std::string_view strokes);

}  // namespace da::policy
