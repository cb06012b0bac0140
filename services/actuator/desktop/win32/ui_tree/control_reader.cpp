#include "services/actuator/desktop/win32/ui_tree/control_reader.h"

#include <algorithm>

#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/ui_tree/msaa/msaa_roles.h"
#include "services/actuator/desktop/win32/ui_tree/window_scale.h"
#include "services/actuator/desktop/win32/windows/window_facts.h"

namespace da::actuator::win32 {
namespace {

constexpr std::size_t kLongestName = 500;
// A character takes up to two units of UTF-16.
constexpr std::size_t kLongestContent = 2 * kMaxElementText;

std::uint32_t style_of(HWND window) { return static_cast<std::uint32_t>(::GetWindowLongPtrW(window, GWL_STYLE)); }

std::wstring base_class_of(HWND window) {
  wchar_t name[257] = {};
  const UINT length = ::RealGetWindowClassW(window, name, 257);
  return length != 0 ? std::wstring(name, length) : class_of(window);
}

bool same_class(const std::wstring& a, const wchar_t* b) {
  return ::CompareStringOrdinal(a.c_str(), -1, b, -1, TRUE) == CSTR_EQUAL;
}

Rect rect_of(const RECT& r) { return {r.left, r.top, r.right - r.left, r.bottom - r.top}; }

Rect window_rect(HWND window) {
  RECT bounds{};
  return ::GetWindowRect(window, &bounds) ? rect_of(bounds) : Rect{};
}

// Whether it can be used: a window whose parent is disabled gets no input either.
bool is_enabled_in(HWND window, HWND root) {
  for (HWND each = window; each != nullptr; each = ::GetAncestor(each, GA_PARENT)) {
    if (!::IsWindowEnabled(each)) return false;
    if (each == root) break;
  }
  return true;
}

HWND focus_in(HWND root) {
  GUITHREADINFO info{};
  info.cbSize = sizeof info;
  const DWORD thread = ::GetWindowThreadProcessId(root, nullptr);
  if (::GetForegroundWindow() == nullptr || thread == 0 || !::GetGUIThreadInfo(thread, &info)) return nullptr;
  return info.hwndFocus;
}

// An application may say that it has the focus while another one has it.
std::int64_t without_foreign_focus(std::int64_t msaa_state, bool has_focus) {
  return has_focus ? msaa_state : msaa_state & ~std::int64_t{STATE_SYSTEM_FOCUSED};
}

// Whether the text of a window is its name. Otherwise it is, or may be, its content, such as a password: so if MSAA has
// not told what a window of an unknown class is.
bool text_is_name(const ControlRole& role, const Result<MsaaNode>& object) {
  if (role.known) return !role.named_by_label;
  if (!object) return object.error().code == Code::kNotFound;
  return !is_protected(object->state) && role_of_msaa(object->role) != "text";
}

// Returns at most kMaxElementText characters, and cuts none in half.
std::string content_of(std::wstring text) {
  std::size_t characters = 0;
  std::size_t end = 0;
  while (end < text.size() && characters < kMaxElementText) {
    const bool pair = text[end] >= 0xd800 && text[end] < 0xdc00 && end + 1 < text.size();
    end += pair ? 2 : 1;
    ++characters;
  }
  text.resize(end);
  std::erase(text, L'\r');
  return to_utf8(text);
}

}  // namespace

std::vector<HWND> children_of(HWND parent) {
  std::vector<HWND> children;
  // A program may reorder its windows meanwhile, which could make this endless.
  constexpr std::size_t kMost = 10'000;
  for (HWND child = ::GetWindow(parent, GW_CHILD); child != nullptr && children.size() < kMost;
       child = ::GetWindow(child, GW_HWNDNEXT)) {
    children.push_back(child);
  }
  return children;
}

bool is_list_box(HWND window) {
  const std::wstring name = base_class_of(window);
  const bool has_strings = (style_of(window) & (LBS_OWNERDRAWFIXED | LBS_OWNERDRAWVARIABLE)) == 0 ||
                           (style_of(window) & LBS_HASSTRINGS) != 0;
  return has_strings && (same_class(name, L"ListBox") || same_class(name, L"ComboLBox"));
}

bool is_edit_control(HWND window) { return is_edit(base_class_of(window)); }

bool is_button(HWND window) { return same_class(base_class_of(window), L"Button"); }

ControlReader::ControlReader(HWND root, MonoTime deadline, const Clock& clock, MsaaWorker* msaa)
    : root_(root),
      window_id_(id_of_window(named_window(root))),
      process_start_(start_of(pid_of(root))),
      focus_(focus_in(root)),
      question_(deadline, clock),
      msaa_(msaa, question_, deadline, clock) {}

ControlRole ControlReader::role_of(HWND window) const {
  return control_role(base_class_of(window), style_of(window), window == root_ ? Place::kTopLevel : Place::kChild);
}

Element ControlReader::describe(HWND window) {
  const std::uint32_t style = style_of(window);
  const ControlRole role = role_of(window);
  Element element;
  element.handle = handle_of(id_now(window, process_start_));
  if (window != root_) element.parent = handle_of(id_now(::GetAncestor(window, GA_PARENT), process_start_));
  element.window_id = window_id_;
  element.pid = pid_of(window);
  element.role = role.role;
  element.bounds = window == root_ ? bounds_of(window) : window_rect(window);
  const bool showing = ::IsWindowVisible(window) && !::IsIconic(root_) && !element.bounds.empty();
  if (showing) element.states.push_back(ElementState::kShowing);
  if (is_enabled_in(window, root_)) element.states.push_back(ElementState::kEnabled);
  if (window == focus_) element.states.push_back(ElementState::kFocused);
  if ((style & WS_TABSTOP) != 0 && window != root_) element.states.push_back(ElementState::kFocusable);
  if (is_button(window)) add_button_states(window, style, element);
  if (is_edit(base_class_of(window))) add_text_states(window, style, element);
  Result<MsaaNode> object = Error{Code::kUnimplemented, "MSAA is not asked about this window"};
  if (!role.known && window != root_) object = msaa_.object(window);
  if (object) {
    element.role = role_of_msaa(object->role).value_or(role.role);
    apply_msaa_state(without_foreign_focus(object->state, window == focus_), element);
    element.text = content_of(object->value);
  }
  element.name = name_of(window, role, object);
  if (role.has_content && !element.has(ElementState::kPassword)) {
    if (auto text = question_.text(window, kLongestContent)) element.text = content_of(*std::move(text));
  }
  return element;
}

std::string ControlReader::name_of(HWND window, const ControlRole& role, const Result<MsaaNode>& object) {
  if (window == root_) return kept_text_of(window);
  if (object && !object->name.empty()) return to_utf8(object->name);
  std::string name;
  if (!text_is_name(role, object)) {
    name = name_from_label(window);
  } else if (const auto text = question_.text(window, kLongestName)) {
    name = to_utf8(without_access_key(*text));
  }
  return name.empty() && role.known ? to_utf8(msaa_.name(window)) : name;
}

void ControlReader::add_button_states(HWND window, std::uint32_t style, Element& element) {
  const std::uint32_t type = style & BS_TYPEMASK;
  if (type == BS_GROUPBOX || type == BS_PUSHBUTTON || type == BS_DEFPUSHBUTTON) return;
  if (question_.ask(window, BM_GETCHECK) == BST_CHECKED) element.states.push_back(ElementState::kChecked);
}

// A program may set the mask character without the style. An edit that does not answer counts as a password.
void ControlReader::add_text_states(HWND window, std::uint32_t style, Element& element) {
  if ((style & ES_READONLY) == 0) element.states.push_back(ElementState::kEditable);
  if ((style & ES_MULTILINE) != 0) element.states.push_back(ElementState::kMultiLine);
  const bool masked =
      (style & ES_PASSWORD) != 0 || ((style & ES_MULTILINE) == 0 && question_.ask(window, EM_GETPASSWORDCHAR) != 0);
  if (!masked) return;
  element.states.push_back(ElementState::kPassword);
  element.role = "password text";
}

// In a dialog, the label of a control is the one before it in the order of the tab key.
std::string ControlReader::name_from_label(HWND window) {
  const HWND before = ::GetWindow(window, GW_HWNDPREV);
  if (before == nullptr || !same_class(base_class_of(before), L"Static")) return {};
  const auto text = question_.text(before, kLongestName);
  if (!text) return {};
  std::wstring name = without_access_key(*text);
  while (!name.empty() && (name.back() == L':' || name.back() == L' ')) name.pop_back();
  return to_utf8(name);
}

std::vector<Element> ControlReader::items(const Element& list, HWND window, std::size_t limit) {
  std::vector<Element> found;
  if (!is_list_box(window)) return found;
  const auto count = question_.ask(window, LB_GETCOUNT).value_or(0);
  for (LRESULT index = 0; index < count && found.size() < limit; ++index) {
    auto element = item(list, window, static_cast<int>(index));
    if (!element) break;
    found.push_back(*std::move(element));
  }
  return found;
}

Result<Element> ControlReader::item(const Element& list, HWND window, int index) {
  const Error gone{Code::kNotFound, "the list has no item " + std::to_string(index)};
  const auto position = static_cast<WPARAM>(index);
  const auto length = question_.ask(window, LB_GETTEXTLEN, position);
  if (!length || *length == LB_ERR) return gone;
  constexpr LRESULT kLongestItem = 10'000;  // The list box copies all of its text.
  std::wstring text(static_cast<std::size_t>(*length) + 1, L'\0');
  if (*length <= kLongestItem) {
    const auto copied = question_.ask(window, LB_GETTEXT, position, reinterpret_cast<LPARAM>(text.data()));
    if (!copied || *copied == LB_ERR) return gone;
    text.resize(std::min(static_cast<std::size_t>(*copied), text.size()));
  }
  RECT place{};
  question_.ask(window, LB_GETITEMRECT, position, reinterpret_cast<LPARAM>(&place));
  ElementId id = id_now(window, process_start_);
  id.item = index;
  Element element{.handle = handle_of(id),
                  .parent = list.handle,
                  .window_id = list.window_id,
                  .pid = list.pid,
                  .role = "list item"};
  element.name = to_utf8(std::wstring_view(text).substr(0, kLongestName));
  element.bounds = from_client(window, place);
  for (const ElementState state : {ElementState::kShowing, ElementState::kEnabled}) {
    if (list.has(state)) element.states.push_back(state);
  }
  element.states.push_back(ElementState::kSelectable);
  if (question_.ask(window, LB_GETSEL, position).value_or(0) > 0) element.states.push_back(ElementState::kSelected);
  return element;
}

std::optional<int> ControlReader::item_at(HWND window, Point at) {
  if (!is_list_box(window)) return std::nullopt;
  const auto inside = to_client(window, at);
  if (!inside) return std::nullopt;
  const auto found = question_.ask(window, LB_ITEMFROMPOINT, 0, MAKELPARAM(inside->x, inside->y));
  // The high word tells whether the point is beside the items.
  if (!found || HIWORD(*found) != 0) return std::nullopt;
  return LOWORD(*found);
}

bool ControlReader::shows_objects(const Element& container, HWND window) const {
  return !role_of(window).known && !container.has(ElementState::kPassword);
}

std::vector<Element> ControlReader::objects(const Element& container, HWND window, std::size_t limit) {
  if (!shows_objects(container, window)) return {};
  return elements_of(container, window, msaa_.descendants(window, limit));
}

std::vector<Element> ControlReader::objects_at(const Element& container, HWND window, Point at) {
  if (!shows_objects(container, window)) return {};
  return elements_of(container, window, msaa_.at_point(window, at));
}

std::vector<Element> ControlReader::objects_at_focus(const Element& container, HWND window) {
  if (!shows_objects(container, window)) return {};
  return elements_of(container, window, msaa_.at_focus(window));
}

std::vector<Element> ControlReader::objects_at_path(const Element& container, HWND window, const MsaaPath& path) {
  if (!shows_objects(container, window)) return {};
  return elements_of(container, window, msaa_.at_path(window, path));
}

std::vector<Element> ControlReader::elements_of(const Element& container, HWND window,
                                                const std::vector<MsaaNode>& nodes) const {
  std::vector<Element> elements;
  // Not the window's id now: it may have changed or closed since it was described.
  auto described = id_of(container.handle);
  if (!described) return elements;
  ElementId id = *std::move(described);
  for (const MsaaNode& node : nodes) {
    Element element{.window_id = container.window_id, .pid = container.pid};
    id.path = node.path;
    element.handle = handle_of(id);
    id.path.pop_back();
    element.parent = handle_of(id);
    element.role = role_of_msaa(node.role).value_or("unknown");
    element.name = to_utf8(node.name);
    element.text = content_of(node.value);
    element.bounds = node.bounds;
    if (!node.bounds.empty() && container.has(ElementState::kShowing)) element.states = {ElementState::kShowing};
    if (container.has(ElementState::kEnabled)) element.states.push_back(ElementState::kEnabled);
    apply_msaa_state(without_foreign_focus(node.state, window == focus_), element);
    elements.push_back(std::move(element));
  }
  return elements;
}

}  // namespace da::actuator::win32
