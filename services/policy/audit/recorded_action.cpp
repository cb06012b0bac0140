#include "services/policy/audit/recorded_action.h"

#include <algorithm>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "services/policy/judgement/caret_model.h"

namespace da::policy {
namespace {

constexpr std::size_t kTypedCharacters = 40;
constexpr std::size_t kWordsCharacters = 1'000;
constexpr std::string_view kSecretPlaceholder = "{{secret:";

// The typed or pasted text; null for other tools.
const std::string* typed_text(const v1::Action& action) {
  switch (action.tool_case()) {
    case v1::Action::kWrite: return &action.write().text();
    case v1::Action::kPaste: return &action.paste().text();
    case v1::Action::kKeyboardType: return &action.keyboard_type().text();
    case v1::Action::kTypeInDescribedField: return &action.type_in_described_field().text_to_type();
    default: return nullptr;
  }
}

bool is_password(const v1::UiNode& element) {
  return std::ranges::find(element.states(), v1::UI_STATE_PASSWORD) != element.states().end();
}

bool is_placeholder(std::string_view text) {
  return text.starts_with(kSecretPlaceholder) && text.find("}}") == text.size() - 2;
}

// "mail, bank" for a text with {{secret:mail}} and {{secret:bank}}.
std::string secrets_named(std::string_view text) {
  std::string names;
  for (auto at = text.find(kSecretPlaceholder); at != std::string_view::npos;
       at = text.find(kSecretPlaceholder, at + 1)) {
    const std::string_view rest = text.substr(at + kSecretPlaceholder.size());
    const auto end = rest.find("}}");
    if (end == std::string_view::npos || names.size() > kWordsCharacters) break;
    names += (names.empty() ? "" : ", ") + std::string(rest.substr(0, end));
  }
  return names;
}

}  // namespace

Exposure exposure_of(const v1::Action& action, const v1::Evidence& evidence) {
  const bool known = !evidence.challenge().empty();
  if (known && !is_password(evidence.focused_element()) && !is_password(evidence.target_element())) {
    return Exposure::kPlain;
  }
  const std::string* text = typed_text(action);
  if (text != nullptr && is_placeholder(*text)) return Exposure::kPlain;
  const auto shows = [](char c) { return static_cast<unsigned char>(c) > 0x20; };
  return std::ranges::any_of(text != nullptr ? *text : typed_by(action), shows) ? Exposure::kHidden : Exposure::kPlain;
}

void record_action(AuditRecord& record, const std::string& tool, const v1::Action& action, const std::string& words,
                   Exposure exposure) {
  const std::string* text = typed_text(action);
  if (exposure == Exposure::kHidden) {
    record.text("action", tool + " (hidden)");
    record.number("characters", characters_in(text != nullptr ? *text : typed_by(action)));
    return;
  }
  if (text == nullptr) {
    record.text("action", words, kWordsCharacters);
    return;
  }
  record.text("action", tool + " \"" + escape_foreign(*text, kTypedCharacters) + "\"", kWordsCharacters);
  record.number("characters", characters_in(*text)).digest("text_digest", blake2b(*text));
  record.text("secrets", secrets_named(*text), kWordsCharacters);
}

}  // namespace da::policy
