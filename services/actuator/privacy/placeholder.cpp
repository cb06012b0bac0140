#include "services/actuator/privacy/placeholder.h"

#include <algorithm>

#include "lib/base/text.h"

namespace da::actuator {
namespace {

// A checkpoint's messages are the actuator's own and repeat no typed character.
bool is_checkpoint_error(const Error& error) {
  return error.code == Code::kAborted || error.code == Code::kCancelled || error.code == Code::kFailedPrecondition;
}

}  // namespace

const std::string* typed_text(const v1::Action& action) {
  if (action.has_write()) return &action.write().text();
  if (action.has_keyboard_type()) return &action.keyboard_type().text();
  return nullptr;
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
  Progress shown{0, 0, std::move(typed.stopped), typed.read};
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
