#include "services/actuator/privacy/placeholder.h"

#include <re2/re2.h>

#include <algorithm>

#include "lib/base/text.h"

namespace da::actuator {
namespace {

constexpr std::string_view kOpen = "{{secret:";
constexpr std::string_view kClose = "}}";

// The start of the next text that is meant as a placeholder; npos if there is none.
std::size_t find_marker(std::string_view text, std::size_t from) {
  static const re2::RE2 kMarker(R"((?i)(\{\{\s*secret\s*:))");
  const re2::StringPiece rest(text.data() + from, text.size() - from);
  re2::StringPiece found;
  if (!re2::RE2::PartialMatch(rest, kMarker, &found)) return std::string_view::npos;
  return static_cast<std::size_t>(found.data() - text.data());
}

// A checkpoint's messages are the actuator's own and repeat no typed character.
bool is_checkpoint_error(const Error& error) {
  return error.code == Code::kAborted || error.code == Code::kCancelled || error.code == Code::kFailedPrecondition;
}

}  // namespace

bool mentions_secret(std::string_view text) { return find_marker(text, 0) != std::string_view::npos; }

Result<std::vector<TextPiece>> split_placeholders(std::string_view text) {
  std::vector<TextPiece> pieces;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t marker = find_marker(text, at);
    const std::string_view plain = text.substr(at, marker == std::string_view::npos ? marker : marker - at);
    if (!plain.empty()) pieces.push_back({std::string(plain), {}});
    if (marker == std::string_view::npos) break;
    const std::size_t name_at = marker + kOpen.size();
    const std::size_t end = text.find(kClose, marker);
    const bool whole = text.substr(marker).starts_with(kOpen) && end != std::string_view::npos;
    if (!whole || !is_secret_name(text.substr(name_at, end - name_at))) {
      return Error{Code::kInvalidArgument,
                   "write a secret as {{secret:name}} without spaces; a name has letters, digits, \"_\", \"-\", \".\""};
    }
    at = end + kClose.size();
    pieces.push_back({std::string(text.substr(marker, at - marker)), std::string(text.substr(name_at, end - name_at))});
  }
  return pieces;
}

Result<ResolvedText> ResolvedText::resolve(std::string_view text, const Secrets& secrets) {
  ASSIGN_OR_RETURN(const auto pieces, split_placeholders(text));
  std::size_t capacity = 0;
  for (const TextPiece& piece : pieces) {
    const Secret* secret = secrets.find(piece.secret);
    if (!piece.secret.empty() && secret == nullptr) {
      return Error{Code::kNotFound, "there is no secret \"" + piece.secret + "\" in the actuator's secrets file"};
    }
    capacity += secret != nullptr ? secret->value.view().size() : piece.text.size();
  }
  ResolvedText resolved(capacity);
  for (const TextPiece& piece : pieces) {
    const Secret* secret = secrets.find(piece.secret);
    auto characters = decode_utf8(secret != nullptr ? secret->value.view() : std::string_view(piece.text));
    if (!characters) return Error{Code::kInvalidArgument, "the text is not valid UTF-8"};
    resolved.characters_.append(*characters);
    resolved.spans_.push_back(
        {secret != nullptr ? piece.text.size() : characters->size(), characters->size(), secret != nullptr});
    wipe(characters->data(), characters->size() * sizeof(char32_t));
  }
  return resolved;
}

Progress ResolvedText::conceal(Progress typed) const {
  Progress shown{0, 0, std::move(typed.stopped)};
  std::size_t left = typed.done;
  bool secret = false;
  for (const Span& span : spans_) {
    const std::size_t part = std::min(left, span.typed);
    left -= part;
    const std::size_t counted = !span.secret ? part : part == span.typed ? span.shown : 0;
    shown.done += static_cast<std::uint32_t>(counted);
    shown.total += static_cast<std::uint32_t>(span.shown);
    secret = secret || span.secret;
  }
  if (secret && shown.stopped && !is_checkpoint_error(*shown.stopped)) {
    shown.stopped->message = "a text with a secret could not be typed";
  }
  return shown;
}

}  // namespace da::actuator
