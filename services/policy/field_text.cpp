#include "services/policy/field_text.h"

#include <algorithm>
#include <map>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/keys.h"
#include "services/policy/subject.h"
#include "services/policy/typing_history.h"

namespace da::policy {
namespace {

// Control characters that no text tool can type.
constexpr char kLeft = '\x11';
constexpr char kRight = '\x12';
constexpr char kHome = '\x13';
constexpr char kEnd = '\x14';
constexpr char kDelete = '\x15';
constexpr char kAll = '\x16';

bool is_caret_stroke(char c) { return c >= kLeft && c <= kAll; }

std::string stroke_of(const std::string& chord) {
  static const std::map<std::string_view, char> kStrokes = {{"left", kLeft},      {"right", kRight}, {"home", kHome},
                                                            {"ctrl+home", kHome}, {"end", kEnd},     {"ctrl+end", kEnd},
                                                            {"delete", kDelete},  {"ctrl+a", kAll}};
  const auto found = kStrokes.find(chord);
  return found == kStrokes.end() ? std::string() : std::string(1, found->second);
}

std::string stroke_or_text(const v1::Action& action, const std::vector<std::string>& keys) {
  const auto chord = normalised_chord(keys);
  const std::string stroke = chord ? stroke_of(*chord) : std::string();
  return stroke.empty() ? typed_by(action) : stroke;
}

std::string last_bytes(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  auto cut = text.size() - max_bytes;
  while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) ++cut;
  return text.erase(0, cut);
}

// Text before the caret, and text behind it, the last character first: each stroke costs little, wherever it is.
class Field {
 public:
  explicit Field(SelectAll select_all) : select_all_(select_all) {}

  void stroke(char32_t c) {
    const bool replaces = std::exchange(all_selected_, false);
    switch (c) {
      case U'\b':
      case kDelete:
        if (replaces) return clear();
        erase(c == U'\b' ? before_ : behind_);
        break;
      case kLeft: replaces ? home() : step(before_, behind_); break;
      case kRight: replaces ? end() : step(behind_, before_); break;
      case kHome: home(); break;
      case kEnd: end(); break;
      case kAll: select_all_ == SelectAll::kGoesHome ? home() : select(); break;
      default:
        if (replaces) clear();
        before_ += c;
    }
  }

  std::string text() const {
    std::string text;
    for (const char32_t c : before_) append_utf8(text, c);
    std::for_each(behind_.rbegin(), behind_.rend(), [&](char32_t c) { append_utf8(text, c); });
    return text;
  }

  std::string settled(std::size_t max_bytes) const {
    std::string strokes = last_bytes(text(), max_bytes);
    strokes.append(std::min(behind_.size(), strokes.size()), kLeft);
    if (all_selected_) strokes += kAll;
    return strokes;
  }

 private:
  static void erase(std::u32string& side) {
    if (!side.empty()) side.pop_back();
  }
  static void step(std::u32string& from, std::u32string& to) {
    if (from.empty()) return;
    to += from.back();
    from.pop_back();
  }
  void home() {
    while (!before_.empty() && before_.back() != U'\n') step(before_, behind_);
  }
  void end() {
    while (!behind_.empty() && behind_.back() != U'\n') step(behind_, before_);
  }
  void select() { all_selected_ = true; }
  void clear() {
    before_.clear();
    behind_.clear();
  }

  const SelectAll select_all_;
  std::u32string before_;
  std::u32string behind_;
  bool all_selected_ = false;
};

Field field_after(const std::u32string& strokes, SelectAll select_all) {
  Field field(select_all);
  for (const char32_t c : strokes) field.stroke(c);
  return field;
}

}  // namespace

std::string strokes_of(const v1::Action& action) {
  if (action.has_hotkey()) {
    return stroke_or_text(action, {action.hotkey().keys().begin(), action.hotkey().keys().end()});
  }
  if (!action.has_press()) {
    std::string text = typed_by(action);
    std::erase_if(text, is_caret_stroke);
    return text;
  }
  std::vector<std::string> keys(action.press().keys().begin(), action.press().keys().end());
  if (action.press().has_key()) keys.push_back(action.press().key());
  std::string strokes;
  for (const std::string& key : keys) {
    v1::Action one;
    one.mutable_press()->set_key(key);
    strokes += stroke_or_text(one, {key});
  }
  return strokes;
}

std::vector<std::string> texts_of(std::string_view strokes) {
  const auto characters = decode_utf8(strokes);
  if (!characters) return {};
  std::vector<std::string> texts = {field_after(*characters, SelectAll::kReplacesAll).text()};
  if (strokes.find(kAll) != std::string_view::npos) {
    texts.push_back(field_after(*characters, SelectAll::kGoesHome).text());
  }
  return texts;
}

std::string settled(std::string_view strokes, SelectAll select_all, std::size_t max_bytes) {
  const auto characters = decode_utf8(strokes);
  if (!characters) return last_bytes(std::string(strokes), max_bytes);
  return field_after(*characters, select_all).settled(max_bytes);
}

std::string typed_of(std::string_view strokes) {
  std::string typed(strokes);
  std::erase_if(typed, is_caret_stroke);
  return typed;
}

}  // namespace da::policy
