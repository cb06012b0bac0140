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

EarlierTyping TypingHistory::before(const v1::Evidence& evidence) const {
  const std::lock_guard hold(mutex_);
  EarlierTyping earlier;
  for (const Piece& piece : pieces_) {
    if (maybe_same_field(piece, evidence)) append(earlier.strokes, piece.strokes);
  }
  earlier.text = typed_of(earlier.strokes.front());
  earlier.run_dialog = run_dialog_;
  const std::string& window_id = evidence.foreground().window_id();
  if (!window_id.empty() && window_id == run_dialog_window_) earlier.run_dialog.open = true;
  return earlier;
}

void TypingHistory::add(const v1::Action& action, const v1::Evidence& evidence) {
  const std::lock_guard hold(mutex_);
  const std::string& window_id = evidence.foreground().window_id();
  follow_run_dialog(action, window_id);
  Strokes strokes;
  strokes.fill(strokes_of(action));
  if (bytes_of(strokes) == 0) return;
  add_piece({window_id, evidence.focused_element().element_id(), std::move(strokes)});
}

void TypingHistory::follow_run_dialog(const v1::Action& action, const std::string& window_id) {
  const bool was_open = run_dialog_.open;
  if (!was_open && !window_id.empty() && window_id == run_dialog_window_) run_dialog_.open = true;
  const bool typed = !follow(run_dialog_, action).empty();
  if (typed && was_open && window_id != opened_from_) run_dialog_window_ = window_id;
  if (!was_open && run_dialog_.open && window_id != run_dialog_window_) {
    opened_from_ = window_id;
    run_dialog_window_.clear();
  }
}

void TypingHistory::add_piece(Piece piece) {
  const auto last = std::find_if(pieces_.rbegin(), pieces_.rend(),
                                 [&](const Piece& each) { return each.window_id == piece.window_id; });
  if (last != pieces_.rend() && last->element_id == piece.element_id) {
    bytes_ -= bytes_of(last->strokes);
    append(last->strokes, piece.strokes);
    bytes_ += bytes_of(last->strokes);
  } else {
    Strokes strokes;
    append(strokes, piece.strokes);
    piece.strokes = std::move(strokes);
    bytes_ += bytes_of(piece.strokes) + kPieceBytes;
    pieces_.push_back(std::move(piece));
  }
  while (bytes_ > kMaxTaskBytes) {
    bytes_ -= bytes_of(pieces_.front().strokes) + kPieceBytes;
    pieces_.pop_front();
  }
}

}  // namespace da::policy
