// What stands in a text field after keys and text, caret moves included: "-rf ~", home, "rm " is "rm -rf ~".
// Followed are characters, backspace, delete, left, right, home, end and ctrl+a; not the mouse, not selections by
// shift, not lines up or down, not words. Pure; any thread.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "da/v1/tools.pb.h"

namespace da::policy {

// What ctrl+a does, which is the application's to say.
enum class SelectAll { kReplacesAll, kGoesHome };
inline constexpr std::array kSelectAll = {SelectAll::kReplacesAll, SelectAll::kGoesHome};

// What an action does to the field that has the focus: its text, and a control character for each key that edits.
std::string strokes_of(const v1::Action& action);

// Each text that may stand in the field then; more than one where a key means one thing here and another there (ctrl+a
// selects all, or goes to the start). Empty where the strokes are no UTF-8.
std::vector<std::string> texts_of(std::string_view strokes);

// Strokes that leave the same text with the caret at the same place, without what was erased and the caret's ways; of a
// text of more than max_bytes its end. At most twice as many bytes, and one.
std::string settled(std::string_view strokes, SelectAll select_all, std::size_t max_bytes);

// The strokes that type: characters, and '\b' for each backspace.
std::string typed_of(std::string_view strokes);

}  // namespace da::policy
