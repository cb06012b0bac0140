#include "services/policy/typing_history.h"

#include <algorithm>
#include <array>

#include "lib/contract/keys.h"
#include "services/policy/subject.h"

namespace da::policy {
namespace {

// More than a command line; what is longer is judged by its end.
constexpr std::size_t kMaxTextBytes = 4'000;
constexpr std::size_t kMaxPieces = 256;
// Start menus and run dialogs of Windows and of common X11 desktops.
constexpr std::array<std::string_view, 6> kRunDialogChords = {"win+r", "alt+f2", "win", "win+s", "win+q", "ctrl+esc"};

void append(std::string& text, const std::string& more) {
  text += more;
  if (text.size() <= kMaxTextBytes) return;
  auto cut = text.size() - kMaxTextBytes;
  while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) ++cut;
  text.erase(0, cut);
}

// What a key types by itself; "" for keys that type nothing.
std::string typed_by_key(const std::string& key) {
  const auto name = contract::canonical_key(key);
  if (!name) return {};
  if (*name == "space") return " ";
  if (*name == "enter") return "\n";
  if (*name == "tab") return "\t";
  if (*name == "backspace") return "\b";
  const bool one_character =
      std::ranges::count_if(key, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }) == 1;
  return one_character ? key : std::string();
}

std::string typed_by_chord(const google::protobuf::RepeatedPtrField<std::string>& keys) {
  std::string typed;
  for (const std::string& key : keys) {
    const auto name = contract::canonical_key(key);
    if (name == "shift") continue;
    if (!name || contract::is_modifier(*name)) return {};
    typed += typed_by_key(key);
  }
  return typed;
}

bool opens_run_dialog(const v1::Action& action) {
  const auto is_one = [](std::span<const std::string> keys) {
    const auto chord = normalised_chord(keys);
    return chord && std::ranges::find(kRunDialogChords, *chord) != kRunDialogChords.end();
  };
  if (action.has_hotkey()) {
    return is_one(std::vector<std::string>(action.hotkey().keys().begin(), action.hotkey().keys().end()));
  }
  if (!action.has_press()) return false;
  std::vector<std::string> keys(action.press().keys().begin(), action.press().keys().end());
  if (action.press().has_key()) keys.push_back(action.press().key());
  return std::ranges::any_of(keys, [&](const std::string& key) { return is_one(std::span(&key, 1)); });
}

bool leaves_run_dialog(const v1::Action& action) {
  if (!is_keyboard_tool(action)) return !is_pointer_tool(action);
  const auto is_escape = [](const std::string& key) { return contract::canonical_key(key) == "esc"; };
  return typed_by(action).find('\n') != std::string::npos || is_escape(action.press().key()) ||
         std::ranges::any_of(action.press().keys(), is_escape);
}

bool maybe_same_field(const auto& piece, const v1::Evidence& evidence) {
  const std::string& element_id = evidence.focused_element().element_id();
  return piece.window_id == evidence.foreground().window_id() &&
         (piece.element_id == element_id || piece.element_id.empty() || element_id.empty());
}

}  // namespace

std::string typed_by(const v1::Action& action) {
  switch (action.tool_case()) {
    case v1::Action::kWrite: return action.write().text();
    case v1::Action::kPaste: return action.paste().text();
    case v1::Action::kKeyboardType: return action.keyboard_type().text();
    case v1::Action::kTypeInDescribedField: return action.type_in_described_field().text_to_type();
    case v1::Action::kHotkey: return typed_by_chord(action.hotkey().keys());
    case v1::Action::kPress: break;
    default: return {};
  }
  std::string typed;
  if (action.press().has_key()) typed += typed_by_key(action.press().key());
  for (const std::string& key : action.press().keys()) typed += typed_by_key(key);
  return typed;
}

std::string without_erased(const std::string& typed) {
  std::string left;
  for (const char c : typed) {
    if (c != '\b') {
      left += c;
      continue;
    }
    while (!left.empty() && (static_cast<unsigned char>(left.back()) & 0xc0) == 0x80) left.pop_back();
    if (!left.empty()) left.pop_back();
  }
  return left;
}

EarlierTyping TypingHistory::before(const std::string& task_id, const v1::Evidence& evidence) const {
  const std::lock_guard hold(mutex_);
  EarlierTyping earlier;
  const auto task = tasks_.find(task_id);
  if (task == tasks_.end()) return earlier;
  for (const Piece& piece : task->second.pieces) {
    if (maybe_same_field(piece, evidence)) append(earlier.text, piece.text);
  }
  earlier.in_run_dialog = task->second.in_run_dialog;
  earlier.command = task->second.command;
  return earlier;
}

void TypingHistory::add(const std::string& task_id, const v1::Action& action, const v1::Evidence& evidence) {
  const std::lock_guard hold(mutex_);
  Task& task = tasks_[task_id];
  const std::string typed = typed_by(action);
  if (opens_run_dialog(action)) {
    task.in_run_dialog = true;
    task.command.clear();
  } else if (task.in_run_dialog) {
    append(task.command, typed);
    if (leaves_run_dialog(action)) task.in_run_dialog = false;
  }
  if (typed.empty()) return;
  Piece piece{evidence.foreground().window_id(), evidence.focused_element().element_id(), typed};
  const auto last = std::find_if(task.pieces.rbegin(), task.pieces.rend(),
                                 [&](const Piece& each) { return each.window_id == piece.window_id; });
  if (last != task.pieces.rend() && last->element_id == piece.element_id) {
    append(last->text, typed);
  } else {
    task.pieces.push_back(std::move(piece));
    if (task.pieces.size() > kMaxPieces) task.pieces.pop_front();
  }
}

void TypingHistory::forget(const std::string& task_id) {
  const std::lock_guard hold(mutex_);
  tasks_.erase(task_id);
}

}  // namespace da::policy
