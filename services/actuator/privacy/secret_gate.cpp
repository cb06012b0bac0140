#include "services/actuator/privacy/secret_gate.h"

#include <algorithm>

#include "lib/contract/describe.h"
#include "lib/contract/keys.h"
#include "services/actuator/privacy/placeholder.h"

namespace da::actuator {
namespace {

SecretObjection invalid(std::string why) { return {v1::Outcome::CODE_INVALID, std::move(why)}; }

std::optional<SecretObjection> typing_objection(const std::string& text, const ActionTarget& target,
                                                const Secrets& secrets) {
  const auto pieces = split_placeholders(text);
  if (!pieces) return invalid(pieces.error().message);
  bool may_move_focus = false;
  for (const TextPiece& piece : *pieces) {
    if (piece.secret.empty()) {
      may_move_focus = may_move_focus || piece.text.find_first_of("\t\n") != std::string::npos;
      continue;
    }
    if (may_move_focus) {
      return invalid(
          "a tab or enter before a secret may move the focus to another field: type the secret by a step of its own");
    }
    const Secret* secret = secrets.find(piece.secret);
    if (secret == nullptr) return invalid("there is no secret \"" + piece.secret + "\" in the actuator's secrets file");
    const std::string name = "the secret \"" + piece.secret + "\"";
    if (target.foreground && !target.foreground->owner_is_known()) {
      return invalid(name + " is not typed: the program that owns the focused window is unknown");
    }
    if (!target.foreground || !target.focused) return invalid(name + " is not typed: the focused element is unknown");
    if (const auto objection = secret->scope.objection(*target.foreground, *target.focused)) {
      return invalid(name + " may not be typed here: " + *objection);
    }
  }
  return std::nullopt;
}

bool holds_keys(v1::HeldKeys keys) { return keys != v1::HELD_KEYS_UNSPECIFIED; }

bool selects_or_drags(const v1::Action& action) {
  if (action.has_drag()) return true;
  if (action.has_ui_click()) {
    return holds_keys(action.ui_click().hold()) || action.ui_click().double_click() ||
           action.ui_click().button() == v1::MOUSE_BUTTON_RIGHT;
  }
  if (!action.has_mouse() || action.mouse().action() == v1::Mouse::GESTURE_MOVE) return false;
  const v1::Mouse& mouse = action.mouse();
  return holds_keys(mouse.hold()) || mouse.action() != v1::Mouse::GESTURE_UNSPECIFIED || mouse.clicks() > 1 ||
         mouse.button() == v1::MOUSE_BUTTON_RIGHT;
}

// Toolkits take these for the copy, paste and cut keys of some keyboards.
bool copies_alone(const std::string& name) {
  const std::string key = contract::canonical_key(name).value_or(name);
  return key == "f16" || key == "f18" || key == "f20";
}

bool is_insert(const std::string& name) { return contract::canonical_key(name) == "insert"; }

bool copies(const v1::Action& action, const ActionTarget& target, const SecretFields& fields) {
  const auto from = [&](const std::optional<Element>& element) {
    return element && !element->has(ElementState::kPassword) && fields.may_hold_secret(element->handle);
  };
  if (action.has_press()) {
    const v1::Press& press = action.press();
    return (copies_alone(press.key()) || std::ranges::any_of(press.keys(), copies_alone)) && from(target.focused);
  }
  if (action.has_hotkey()) {
    const auto& keys = action.hotkey().keys();
    // Toolkits paste the current selection when insert is pressed with other keys.
    const bool pastes = std::ranges::any_of(keys, is_insert) && fields.any_copyable();
    return pastes || ((keys.size() > 1 || std::ranges::any_of(keys, copies_alone)) && from(target.focused));
  }
  // A middle click pastes the current selection, wherever it is, under the pointer.
  const bool middle = (action.has_mouse() && action.mouse().button() == v1::MOUSE_BUTTON_MIDDLE) ||
                      (action.has_ui_click() && action.ui_click().button() == v1::MOUSE_BUTTON_MIDDLE);
  if (middle) return fields.any_copyable();
  return selects_or_drags(action) && (from(target.element) || from(target.drop_element));
}

}  // namespace

std::optional<SecretObjection> secret_objection(const v1::Action& action, const ActionTarget& target,
                                                const ScreenMask& mask) {
  if (const std::string* text = typed_text(action)) return typing_objection(*text, target, mask.secrets());
  if (mentions_secret(contract::describe(action, contract::Extent::kWhole))) {
    const char* why = action.has_paste()
                          ? "a secret is not pasted, because every program can read the clipboard: type it with write"
                          : "a secret is only typed, by write or keyboard_type";
    return SecretObjection{v1::Outcome::CODE_UNSUPPORTED, why};
  }
  if (copies(action, target, mask.fields())) {
    return SecretObjection{
        v1::Outcome::CODE_UNSUPPORTED,
        "this could copy a secret from a field: chords, drags, double and right clicks, and clicks "
        "with held keys are refused in such a field, and middle clicks and chords with insert everywhere"};
  }
  return std::nullopt;
}

std::set<std::string> typed_secrets(const v1::Action& action) {
  std::set<std::string> names;
  const std::string* text = typed_text(action);
  const auto pieces = contract::split_placeholders(text == nullptr ? "" : *text);
  if (!pieces) return names;
  for (const auto& piece : *pieces) {
    if (!piece.secret.empty()) names.insert(piece.secret);
  }
  return names;
}

}  // namespace da::actuator
