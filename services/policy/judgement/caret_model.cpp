#include "services/policy/judgement/caret_model.h"

#include <algorithm>
#include <map>
#include <utility>

#include "lib/base/text.h"
#include "lib/contract/keys.h"
#include "services/policy/judgement/chords.h"

namespace da::policy {
namespace {

// Strokes of keys that type nothing, as control characters that no text tool can type.
constexpr char kCaretLeft = '\x11';
constexpr char kCaretRight = '\x12';
constexpr char kCaretHome = '\x13';
constexpr char kCaretEnd = '\x14';
constexpr char kDeleteNext = '\x15';
constexpr char kSelectEverything = '\x16';

// The other bytes of a UTF-8 character are 10xxxxxx.
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

bool is_caret_stroke(char c) { return c >= kCaretLeft && c <= kSelectEverything; }

std::string stroke_of(const std::string& chord) {
  static const std::map<std::string_view, char> kStrokes = {
      {"left", kCaretLeft}, {"right", kCaretRight},  {"home", kCaretHome},    {"ctrl+home", kCaretHome},
      {"end", kCaretEnd},   {"ctrl+end", kCaretEnd}, {"delete", kDeleteNext}, {"ctrl+a", kSelectEverything}};
  const auto found = kStrokes.find(chord);
  return found == kStrokes.end() ? std::string() : std::string(1, found->second);
}

// The character that a single key types; "" for keys that type nothing.
std::string typed_by_key(const std::string& key) {
  const auto name = contract::canonical_key(key);
  if (!name) return {};
  if (*name == "space") return " ";
  if (*name == "enter") return "\n";
  if (*name == "tab") return "\t";
  if (*name == "backspace") return "\b";
  return characters_in(key) == 1 ? key : std::string();
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

std::string stroke_or_text(const v1::Action& action, const std::vector<std::string>& keys) {
  const auto chord = normalised_chord(keys);
  const std::string stroke = chord ? stroke_of(*chord) : std::string();
  return stroke.empty() ? typed_by(action) : stroke;
}

std::string last_bytes(std::string text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  auto cut = text.size() - max_bytes;
  while (cut < text.size() && !begins_character(text[cut])) ++cut;
  return text.erase(0, cut);
}

// The text before the caret, and the text behind it in reverse, so that a stroke costs the same wherever the caret is.
class TextField {
 public:
  explicit TextField(SelectAll select_all) : select_all_(select_all) {}

  void stroke(char32_t c) {
    const bool replaces = std::exchange(all_selected_, false);
    switch (c) {
      case U'\b':
      case kDeleteNext:
        if (replaces) return clear();
        erase(c == U'\b' ? before_ : behind_);
        break;
      case kCaretLeft: replaces ? home() : step(before_, behind_); break;
      case kCaretRight: replaces ? end() : step(behind_, before_); break;
      case kCaretHome: home(); break;
      case kCaretEnd: end(); break;
      case kSelectEverything: select_all_ == SelectAll::kGoesHome ? home() : select(); break;
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
    strokes.append(std::min(behind_.size(), strokes.size()), kCaretLeft);
    if (all_selected_) strokes += kSelectEverything;
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

TextField field_after(const std::u32string& strokes, SelectAll select_all) {
  TextField field(select_all);
  for (const char32_t c : strokes) field.stroke(c);
  return field;
}

}  // namespace

std::size_t characters_in(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

std::string typed_by(const v1::Action& action) {
  switch (action.tool_case()) {
    case v1::Action::kWrite: return action.write().text();
    case v1::Action::kPaste: return action.paste().text();
    case v1::Action::kKeyboardType:
      return action.keyboard_type().text() + (action.keyboard_type().submit() ? "\n" : "");
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
    while (!left.empty() && !begins_character(left.back())) left.pop_back();
    if (!left.empty()) left.pop_back();
  }
  return left;
}

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
  if (strokes.find(kSelectEverything) != std::string_view::npos) {
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
