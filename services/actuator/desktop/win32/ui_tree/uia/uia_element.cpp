#include "services/actuator/desktop/win32/ui_tree/uia/uia_element.h"

#include <oleauto.h>

#include <algorithm>
#include <cmath>

#include "lib/contract/evidence/roles.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_roles.h"

namespace da::actuator::win32 {
namespace {

using contract::role;

constexpr std::size_t kLongestName = 500;
constexpr int kFirstControlType = 50000;

// Indexed by control type - 50000, five per row.
// clang-format off
constexpr std::string_view kRoles[] = {
    role("push button"), role("calendar"), role("check box"), role("combo box"), role("text"),
    role("link"), role("image"), role("list item"), role("list box"), role("menu"),
    role("menu bar"), role("menu item"), role("progress bar"), role("radio button"), role("scroll bar"),
    role("slider"), role("spin button"), role("status bar"), role("page tab list"), role("page tab"),
    role("label"), role("tool bar"), role("tool tip"), role("tree"), role("tree item"),
    role("panel"), role("panel"), role("panel"), role("table"), role("table row"),
    role("document frame"), role("push button menu"), role("frame"), role("panel"), role("header"),
    role("column header"), role("table"), role("title bar"), role("separator"), role("panel"),
    role("tool bar"),
};
// clang-format on
constexpr int kCustom = 50025;
constexpr int kDocument = 50030;
constexpr int kPane = 50033;

// Owns a VARIANT.
class Value {
 public:
  Value(uia::AutomationElement& element, int property) {
    ::VariantInit(&variant_);
    if (element.GetCachedPropertyValue(property, &variant_) != S_OK) ::VariantClear(&variant_);
  }
  ~Value() { ::VariantClear(&variant_); }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;

  bool is_true() const { return variant_.vt == VT_BOOL && variant_.boolVal != VARIANT_FALSE; }
  int number(int otherwise) const { return variant_.vt == VT_I4 ? variant_.lVal : otherwise; }
  std::wstring text(std::size_t limit) const {
    if (variant_.vt != VT_BSTR || variant_.bstrVal == nullptr) return {};
    const std::size_t length = std::min<std::size_t>(::SysStringLen(variant_.bstrVal), limit);
    return {variant_.bstrVal, length};
  }
  // The elements of an array of this type; empty for another value.
  template <class T>
  std::vector<T> array(VARTYPE type) const {
    if (variant_.vt != (VT_ARRAY | type) || variant_.parray == nullptr || ::SafeArrayGetDim(variant_.parray) != 1) {
      return {};
    }
    LONG first = 0;
    LONG last = -1;
    ::SafeArrayGetLBound(variant_.parray, 1, &first);
    ::SafeArrayGetUBound(variant_.parray, 1, &last);
    constexpr LONG kMost = 64;
    void* data = nullptr;
    if (last < first || last - first >= kMost || ::SafeArrayAccessData(variant_.parray, &data) != S_OK) return {};
    const auto* begin = static_cast<const T*>(data);
    std::vector<T> values(begin, begin + (last - first + 1));
    ::SafeArrayUnaccessData(variant_.parray);
    return values;
  }

 private:
  VARIANT variant_;
};

Rect rect_of(const Value& value) {
  const auto parts = value.array<double>(VT_R8);
  constexpr double kLimit = 1'000'000;
  const bool sane = parts.size() == 4 && std::ranges::all_of(parts, [](double part) {
                      return std::isfinite(part) && std::abs(part) < kLimit;
                    });
  if (!sane || parts[2] <= 0 || parts[3] <= 0) return {};
  const auto pixel = [](double part) { return static_cast<int>(std::lround(part)); };
  return {pixel(parts[0]), pixel(parts[1]), pixel(parts[2]), pixel(parts[3])};
}

// Never ends within a surrogate pair.
std::string utf8_of(std::wstring text) {
  if (!text.empty() && text.back() >= 0xd800 && text.back() < 0xdc00) text.pop_back();
  return to_utf8(text);
}

std::string content_of(uia::AutomationElement& element, int property) {
  // Every character takes at least one unit, so this keeps to kMaxElementText characters.
  std::wstring text = Value(element, property).text(kMaxElementText);
  std::erase(text, L'\r');
  return utf8_of(std::move(text));
}

// What MSAA reports about the element. Name, role and states are empty where it reports nothing.
struct Legacy {
  explicit Legacy(uia::AutomationElement& element)
      : available(Value(element, uia::kIsLegacyIAccessibleAvailable).is_true()),
        role(available ? Value(element, uia::kLegacyRole).number(0) : 0),
        state(available ? Value(element, uia::kLegacyState).number(0) : 0) {}

  bool available;
  int role;
  int state;
};

// Controls that UI Automation has no type for are Custom, and those that it knows nothing about are Pane.
bool tells_no_role(int control_type, std::string_view role) {
  return control_type == kCustom || control_type == kPane || role == "unknown";
}

}  // namespace

std::string_view role_of_control_type(int control_type, Editable editable) {
  if (control_type == kDocument && editable == Editable::kYes) return role("text");
  const auto index = static_cast<std::size_t>(control_type - kFirstControlType);
  return control_type >= kFirstControlType && index < std::size(kRoles) ? kRoles[index] : role("unknown");
}

std::optional<std::string> runtime_id_of(uia::AutomationElement& element) {
  const auto parts = Value(element, uia::kRuntimeId).array<std::int32_t>(VT_I4);
  if (parts.empty()) return std::nullopt;
  std::string text;
  for (const std::int32_t part : parts) text += (text.empty() ? "" : ".") + std::to_string(part);
  return text;
}

Element element_of(uia::AutomationElement& element) {
  const auto is = [&](int property) { return Value(element, property).is_true(); };
  const Legacy legacy(element);
  Element found;
  found.pid = static_cast<std::uint32_t>(std::max(Value(element, uia::kProcessId).number(0), 0));
  found.name = utf8_of(Value(element, uia::kName).text(kLongestName));
  if (found.name.empty() && legacy.available) {
    found.name = utf8_of(Value(element, uia::kLegacyName).text(kLongestName));
  }
  found.bounds = rect_of(Value(element, uia::kBoundingRectangle));
  const int control_type = Value(element, uia::kControlType).number(0);
  const bool has_value = is(uia::kIsValueAvailable);
  bool editable = has_value && !is(uia::kValueIsReadOnly);
  found.role = role_of_control_type(control_type, editable ? Editable::kYes : Editable::kNo);
  if (tells_no_role(control_type, found.role)) found.role = role_of_msaa(legacy.role).value_or(found.role);
  const bool is_text = found.role == "text";
  const bool password = is(uia::kIsPassword) || is_protected(legacy.state);
  if (!password && (is_text || found.role == "combo box")) {
    if (has_value) found.text = content_of(element, uia::kValue);
    if (!has_value && legacy.available) found.text = content_of(element, uia::kLegacyValue);
  }
  if (!has_value && legacy.available && is_text) editable = (legacy.state & STATE_SYSTEM_READONLY) == 0;
  if (password) found.role = role("password text");
  const auto add_if = [&](bool set, ElementState state) {
    if (set) found.states.push_back(state);
  };
  // What a pattern of UI Automation tells, and otherwise MSAA.
  const auto tells = [&](int available, bool pattern, int msaa_state) {
    return is(available) ? pattern : (legacy.state & msaa_state) != 0;
  };
  const bool offscreen = is(uia::kIsOffscreen);
  add_if(!offscreen && !found.bounds.empty(), ElementState::kShowing);
  add_if(is(uia::kIsEnabled), ElementState::kEnabled);
  add_if(is(uia::kHasKeyboardFocus), ElementState::kFocused);
  add_if(editable && is_text, ElementState::kEditable);
  add_if(tells(uia::kIsToggleAvailable, Value(element, uia::kToggleState).number(0) == 1, STATE_SYSTEM_CHECKED),
         ElementState::kChecked);
  add_if(tells(uia::kIsSelectionItemAvailable, true, STATE_SYSTEM_SELECTABLE), ElementState::kSelectable);
  add_if(tells(uia::kIsSelectionItemAvailable, is(uia::kIsSelected), STATE_SYSTEM_SELECTED), ElementState::kSelected);
  add_if(tells(uia::kIsExpandCollapseAvailable, Value(element, uia::kExpandCollapseState).number(0) == uia::kExpanded,
               STATE_SYSTEM_EXPANDED),
         ElementState::kExpanded);
  add_if(password, ElementState::kPassword);
  add_if(is(uia::kIsKeyboardFocusable), ElementState::kFocusable);
  add_if(control_type == kDocument && editable, ElementState::kMultiLine);
  add_if(offscreen && is(uia::kIsScrollItemAvailable), ElementState::kScrolledOut);
  if (!offscreen) found.visible = found.bounds;
  return found;
}

std::optional<int> expand_state_of(uia::AutomationElement& element) {
  if (!Value(element, uia::kIsExpandCollapseAvailable).is_true()) return std::nullopt;
  return Value(element, uia::kExpandCollapseState).number(uia::kLeafNode);
}

bool has_clicking_default_action(uia::AutomationElement& element) {
  const Legacy legacy(element);
  return legacy.available && default_action_means_click(legacy.role) &&
         !Value(element, uia::kLegacyDefaultAction).text(1).empty();
}

}  // namespace da::actuator::win32
