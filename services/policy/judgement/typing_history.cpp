#include "services/policy/judgement/typing_history.h"

#include <algorithm>

namespace da::policy {
namespace {

// More than a command line. Of a longer text only the end is kept.
constexpr std::size_t kMaxTextBytes = 4'000;
// More than a task may type (task_limits.h), so that no amount of typing elsewhere makes the history forget a field.
constexpr std::size_t kMaxTaskBytes = 1 << 22;
constexpr std::size_t kPieceBytes = 200;  // Memory of a piece besides its text.

// Compacts the strokes before it drops any text: otherwise enough caret moves and erasing would push the text out.
void append(Strokes& strokes, const Strokes& more) {
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    strokes[i] += more[i];
    if (strokes[i].size() > kMaxTextBytes) strokes[i] = settled(strokes[i], kSelectAll[i], kMaxTextBytes);
  }
}

std::size_t bytes_of(const Strokes& strokes) {
  std::size_t bytes = 0;
  for (const std::string& each : strokes) bytes += each.size();
  return bytes;
}

std::string first_characters(const std::string& text, std::size_t count) {
  std::size_t end = 0;
  while (end < text.size() && count > 0) {
    ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
    --count;
  }
  return text.substr(0, end);
}

bool maybe_same_field(const auto& piece, const v1::Evidence& evidence) {
  const std::string& element_id = evidence.focused_element().element_id();
  return piece.window_id == evidence.foreground().window_id() &&
         (piece.element_id == element_id || piece.element_id.empty() || element_id.empty());
}

}  // namespace

v1::Action carried_out(const v1::Action& action, const v1::Outcome& outcome) {
  v1::Action part = action;
  if (outcome.done() >= outcome.total()) return part;
  if (part.has_write()) {
    part.mutable_write()->set_text(first_characters(part.write().text(), outcome.done()));
  } else if (part.has_keyboard_type()) {
    part.mutable_keyboard_type()->set_text(first_characters(part.keyboard_type().text(), outcome.done()));
    part.mutable_keyboard_type()->set_submit(false);
  } else if (part.has_press() && !part.press().has_key()) {
    auto& keys = *part.mutable_press()->mutable_keys();
    keys.DeleteSubrange(static_cast<int>(outcome.done()), keys.size() - static_cast<int>(outcome.done()));
  }
  return part;
}

EarlierTyping TypingHistory::before(const std::string& task_id, const v1::Evidence& evidence) const {
  const std::lock_guard hold(mutex_);
  EarlierTyping earlier;
  const auto found = tasks_.find(task_id);
  if (found == tasks_.end()) return earlier;
  const Task& task = found->second;
  for (const Piece& piece : task.pieces) {
    if (maybe_same_field(piece, evidence)) append(earlier.strokes, piece.strokes);
  }
  earlier.text = typed_of(earlier.strokes.front());
  earlier.run_dialog = task.run_dialog;
  const std::string& window_id = evidence.foreground().window_id();
  if (!window_id.empty() && window_id == task.run_dialog_window) earlier.run_dialog.open = true;
  return earlier;
}

void TypingHistory::add(const std::string& task_id, const v1::Action& action, const v1::Evidence& evidence) {
  const std::lock_guard hold(mutex_);
  Task& task = tasks_[task_id];
  const std::string& window_id = evidence.foreground().window_id();
  follow_run_dialog(task, action, window_id);
  Strokes strokes;
  strokes.fill(strokes_of(action));
  if (bytes_of(strokes) == 0) return;
  add_piece(task, {window_id, evidence.focused_element().element_id(), std::move(strokes)});
}

void TypingHistory::follow_run_dialog(Task& task, const v1::Action& action, const std::string& window_id) {
  const bool was_open = task.run_dialog.open;
  if (!was_open && !window_id.empty() && window_id == task.run_dialog_window) task.run_dialog.open = true;
  const bool typed = !follow(task.run_dialog, action).empty();
  if (typed && was_open && window_id != task.opened_from) task.run_dialog_window = window_id;
  if (!was_open && task.run_dialog.open && window_id != task.run_dialog_window) {
    task.opened_from = window_id;
    task.run_dialog_window.clear();
  }
}

void TypingHistory::add_piece(Task& task, Piece piece) {
  const auto last = std::find_if(task.pieces.rbegin(), task.pieces.rend(),
                                 [&](const Piece& each) { return each.window_id == piece.window_id; });
  if (last != task.pieces.rend() && last->element_id == piece.element_id) {
    task.bytes -= bytes_of(last->strokes);
    append(last->strokes, piece.strokes);
    task.bytes += bytes_of(last->strokes);
  } else {
    Strokes strokes;
    append(strokes, piece.strokes);
    piece.strokes = std::move(strokes);
    task.bytes += bytes_of(piece.strokes) + kPieceBytes;
    task.pieces.push_back(std::move(piece));
  }
  while (task.bytes > kMaxTaskBytes) {
    task.bytes -= bytes_of(task.pieces.front().strokes) + kPieceBytes;
    task.pieces.pop_front();
  }
}

void TypingHistory::forget(const std::string& task_id) {
  const std::lock_guard hold(mutex_);
  tasks_.erase(task_id);
}

}  // namespace da::policy
