#include "services/actuator/desktop/win32/ui_tree/win32_tree.h"

#include <spdlog/spdlog.h>

#include <map>

#include "services/actuator/desktop/viewport.h"
#include "services/actuator/desktop/win32/applications/win32_process.h"
#include "services/actuator/desktop/win32/base/wide_text.h"
#include "services/actuator/desktop/win32/base/win32_error.h"
#include "services/actuator/desktop/win32/windows/window_facts.h"

namespace da::actuator::win32 {
namespace {

constexpr std::size_t kMostItems = 500;
constexpr int kDeepest = 64;

Error gone() { return {Code::kNotFound, "the element is gone"}; }

// Where the children of an element are visible: Viewport clips by scrolling containers, and a window also clips by
// itself.
struct Clip {
  Viewport viewport;
  std::optional<Rect> area;

  void place(Element& element) const {
    viewport.place(element, Drawn::kYes);
    if (!area) return;
    element.visible = intersection(element.visible, *area);
    if (element.visible.empty()) std::erase(element.states, ElementState::kShowing);
  }
  Clip of_children(const Element& element) const { return {viewport.of_children(element), area}; }
  Clip of_children(const Element& element, const Rect& client) const {
    Element inside = element;
    inside.visible = intersection(inside.visible, client);
    return {viewport.of_children(inside), area ? intersection(*area, client) : client};
  }
};

Rect client_area(HWND window) {
  RECT client{};
  ::GetClientRect(window, &client);
  ::MapWindowPoints(window, nullptr, reinterpret_cast<POINT*>(&client), 2);
  return {client.left, client.top, client.right - client.left, client.bottom - client.top};
}

// Places objects of the window `container`, parents before children, and drops those without a parent among them.
// `clip`: where the children of the window are visible.
void place_objects(std::vector<Element>& objects, const Element& container, const Clip& clip) {
  std::map<ElementHandle, Clip> inner{{container.handle, clip}};
  std::vector<Element> placed;
  for (Element& object : objects) {
    const auto around = inner.find(object.parent);
    if (around == inner.end()) continue;
    around->second.place(object);
    inner.emplace(object.handle, around->second.of_children(object));
    placed.push_back(std::move(object));
  }
  objects = std::move(placed);
}

// Walks the windows of one top-level window.
class TreeWalk {
 public:
  TreeWalk(HWND root, const TreeLimits& limits, const Clock& clock, MsaaWorker* msaa, ElementTree& tree)
      : reader_(root, limits.deadline, clock, msaa), limits_(limits), tree_(tree) {}

  void walk(HWND window, const Clip& clip, int depth) {
    if (tree_.elements.size() >= limits_.max_nodes) return truncate("the window has more elements than were asked for");
    if (reader_.question().is_over()) return truncate("the time was over");
    Element element = reader_.describe(window);
    if (reader_.was_silent()) truncate("the application does not answer");
    clip.place(element);
    const Clip inner = clip.of_children(element, client_area(window));
    const Element parent = element;
    tree_.elements.push_back(std::move(element));
    add_items(parent, window, inner);
    add_objects(parent, window, inner);
    if (depth >= kDeepest) return truncate("the elements are nested too deeply");
    for (const HWND child : children_of(window)) {
      if (::IsWindowVisible(child)) walk(child, inner, depth + 1);
    }
  }

 private:
  std::size_t room() const {
    return limits_.max_nodes - std::min<std::size_t>(tree_.elements.size(), limits_.max_nodes);
  }
  void add_items(const Element& list, HWND window, const Clip& clip) {
    const std::size_t limit = std::min(room(), kMostItems);
    std::vector<Element> items = reader_.items(list, window, limit);
    if (!items.empty() && items.size() == limit) truncate("a list has more items than were read");
    for (Element& item : items) {
      clip.place(item);
      tree_.elements.push_back(std::move(item));
    }
  }
  void add_objects(const Element& container, HWND window, const Clip& clip) {
    if (room() == 0) return;
    std::vector<Element> objects = reader_.objects(container, window, std::min(room(), kMostItems));
    if (reader_.was_silent()) truncate("the application does not answer");
    if (!reader_.msaa().truncated().empty()) truncate(reader_.msaa().truncated().c_str());
    place_objects(objects, container, clip);
    for (Element& object : objects) tree_.elements.push_back(std::move(object));
  }
  void truncate(const char* why) {
    tree_.truncated = true;
    if (tree_.note.empty()) tree_.note = why;
  }

  ControlReader reader_;
  const TreeLimits& limits_;
  ElementTree& tree_;
};

// The element with its visible part, which depends on the windows around it.
Element placed(ControlReader& reader, HWND root, HWND window) {
  std::vector<HWND> path;
  for (HWND each = window; each != nullptr; each = each == root ? nullptr : ::GetAncestor(each, GA_PARENT)) {
    path.push_back(each);
  }
  Clip clip;
  Element element;
  for (auto each = path.rbegin(); each != path.rend(); ++each) {
    element = reader.describe(*each);
    clip.place(element);
    clip = clip.of_children(element, client_area(*each));
  }
  return element;
}

Result<Element> placed_item(ControlReader& reader, HWND root, HWND window, int index) {
  const Element list = placed(reader, root, window);
  ASSIGN_OR_RETURN(Element item, reader.item(list, window, index));
  Clip().of_children(list, client_area(window)).place(item);
  return item;
}

// The last of the objects, which come after their ancestors in the window; nullopt when there is none.
std::optional<Element> placed_object(std::vector<Element> objects, const Element& container, HWND window) {
  place_objects(objects, container, Clip().of_children(container, client_area(window)));
  return objects.empty() ? std::nullopt : std::optional(std::move(objects.back()));
}

Result<Element> placed_object_at(ControlReader& reader, HWND root, HWND window, const MsaaPath& path) {
  const Element container = placed(reader, root, window);
  auto found = placed_object(reader.objects_at_path(container, window, path), container, window);
  const auto id = found ? id_of(found->handle) : std::nullopt;
  return id && id->path == path ? Result<Element>(*std::move(found)) : gone();
}

bool is_group_box(HWND window) {
  return is_button(window) && (static_cast<DWORD>(::GetWindowLongPtrW(window, GWL_STYLE)) & BS_TYPEMASK) == BS_GROUPBOX;
}

// A group box lies in front of or behind the controls that it surrounds.
HWND child_at(HWND parent, POINT at) {
  HWND group = nullptr;
  for (const HWND child : children_of(parent)) {
    RECT bounds{};
    if (!::IsWindowVisible(child) || !::GetWindowRect(child, &bounds) || !::PtInRect(&bounds, at)) continue;
    if (!is_group_box(child)) return child;
    if (group == nullptr) group = child;
  }
  return group;
}

HWND innermost_at(HWND root, POINT at) {
  HWND window = root;
  for (int depth = 0; depth < kDeepest; ++depth) {
    const HWND child = child_at(window, at);
    if (child == nullptr) break;
    window = child;
  }
  return window;
}

// The window of a handle, if it is still the same one.
Result<ElementId> existing(const ElementHandle& element) {
  const auto id = id_of(element);
  if (!id) return Error{Code::kInvalidArgument, "this is no handle of an element on this desktop"};
  ElementId now = id_now(id->window, start_of(pid_of(id->window)));
  now.item = id->item;
  now.path = id->path;
  if (!::IsWindow(id->window) || now != *id) return gone();
  return now;
}

HWND root_of(HWND window) { return ::GetAncestor(window, GA_ROOT); }

bool names_edit(const ElementId& id) { return id.item == kNoItem && id.path.empty() && is_edit_control(id.window); }

}  // namespace

std::unique_ptr<MsaaWorker> open_msaa(const Clock& clock) {
  auto worker = MsaaWorker::open(
      "MSAA", [&clock]() -> Result<std::unique_ptr<MsaaClient>> { return std::make_unique<MsaaClient>(clock); }, clock,
      MsaaReader::kGrace);
  if (worker) return *std::move(worker);
  spdlog::warn("{}: windows of unknown classes show as one element", worker.error().message);
  return nullptr;
}

Result<ElementTree> Win32Tree::read(const std::optional<WindowInfo>& window, const TreeLimits& limits) {
  std::vector<WindowInfo> wanted;
  if (window) {
    wanted.push_back(*window);
  } else {
    ASSIGN_OR_RETURN(wanted, windows_.list());
  }
  ElementTree tree;
  for (const WindowInfo& each : wanted) {
    const auto root = window_of_id(each.id);
    if (!root || !::IsWindowVisible(*root)) {
      if (window) return Error{Code::kNotFound, "the window is gone"};
      continue;
    }
    TreeWalk(*root, limits, clock_, msaa_.get(), tree).walk(*root, {}, 0);
    for (const HWND popup : popups_of(*root)) TreeWalk(popup, limits, clock_, msaa_.get(), tree).walk(popup, {}, 0);
  }
  return tree;
}

Result<FoundElement> Win32Tree::element_at(const WindowInfo& window, Point at, MonoTime deadline) {
  const auto root = window_of_id(window.id);
  if (!root || !::IsWindowVisible(*root)) return Error{Code::kNotFound, "the window is gone"};
  // A menu or tooltip over the window belongs to it, but is a top-level window.
  const HWND top = root_of(::WindowFromPoint(POINT{at.x, at.y}));
  const bool covers = top != nullptr && top != *root && named_window(top) == *root;
  const HWND start = covers ? top : *root;
  ControlReader reader(start, deadline, clock_, msaa_.get());
  const HWND innermost = innermost_at(start, POINT{at.x, at.y});
  FoundElement found;
  if (const auto item = reader.item_at(innermost, at)) {
    if (auto element = placed_item(reader, start, innermost, *item)) found.element = *std::move(element);
  }
  if (!found.element) {
    const Element container = placed(reader, start, innermost);
    found.element = placed_object(reader.objects_at(container, innermost, at), container, innermost);
    if (!found.element) found.element = container;
  }
  found.unread = reader.left_unread();
  return found;
}

Result<FoundElement> Win32Tree::focused(const WindowInfo& window, MonoTime deadline) {
  const auto root = window_of_id(window.id);
  if (!root || !::IsWindowVisible(*root)) return Error{Code::kNotFound, "the window is gone"};
  GUITHREADINFO info{};
  info.cbSize = sizeof info;
  FoundElement found;
  const DWORD thread = ::GetWindowThreadProcessId(*root, nullptr);
  if (!::GetGUIThreadInfo(thread, &info) || info.hwndFocus == nullptr) return found;
  if (root_of(info.hwndFocus) != *root) return found;
  ControlReader reader(*root, deadline, clock_, msaa_.get());
  if (is_list_box(info.hwndFocus)) {
    const auto caret = reader.question().ask(info.hwndFocus, LB_GETCARETINDEX);
    if (caret && *caret >= 0) {
      auto item = placed_item(reader, *root, info.hwndFocus, static_cast<int>(*caret));
      if (item) found.element = *std::move(item);
    }
  }
  if (!found.element) {
    const Element container = placed(reader, *root, info.hwndFocus);
    found.element = placed_object(reader.objects_at_focus(container, info.hwndFocus), container, info.hwndFocus);
    if (!found.element) found.element = container;
  }
  found.unread = reader.left_unread();
  return found;
}

Result<Element> Win32Tree::refresh(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(const ElementId id, existing(element));
  const HWND root = root_of(id.window);
  ControlReader reader(root, deadline, clock_, msaa_.get());
  Result<Element> found = gone();
  if (!id.path.empty()) {
    found = placed_object_at(reader, root, id.window, id.path);
  } else if (id.item != kNoItem) {
    found = placed_item(reader, root, id.window, id.item);
  } else {
    found = placed(reader, root, id.window);
  }
  if (reader.was_silent() || (!found && reader.left_unread())) {
    return Error{Code::kDeadlineExceeded, "the application does not answer questions about the element in time"};
  }
  RETURN_IF_ERROR(existing(element));
  return found;
}

Result<std::vector<Rect>> Win32Tree::text_places(const ElementHandle& element, std::span<const TextRange>, MonoTime) {
  RETURN_IF_ERROR(existing(element));
  return Error{Code::kUnimplemented, "window handles do not tell where characters are"};
}

// Posted, not sent: a button that opens a dialog answers only once that is closed.
Result<void> Win32Tree::invoke(const ElementHandle& element, MonoTime) {
  ASSIGN_OR_RETURN(const ElementId id, existing(element));
  const bool has_click = id.item == kNoItem && id.path.empty() && is_button(id.window) && !is_group_box(id.window);
  if (!has_click) return Error{Code::kUnimplemented, "only buttons have a click of their own here"};
  if (root_of(id.window) != ::GetForegroundWindow()) {
    return Error{Code::kUnimplemented, "a button in a window that is not in front ignores its own click"};
  }
  if (!::IsWindowEnabled(id.window)) return Error{Code::kFailedPrecondition, "the button is not enabled"};
  if (::PostMessageW(id.window, BM_CLICK, 0, 0)) return ok();
  return win32_error("click the button", ::GetLastError());
}

Result<void> Win32Tree::reveal(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(const ElementId id, existing(element));
  if (id.item == kNoItem) return Error{Code::kUnimplemented, "only items of list boxes can be revealed here"};
  WindowQuestion question(deadline, clock_);
  const auto scrolled = question.ask(id.window, LB_SETTOPINDEX, static_cast<WPARAM>(id.item));
  if (!scrolled) return Error{Code::kDeadlineExceeded, "the application does not scroll its list in time"};
  return *scrolled != LB_ERR ? ok() : Result<void>(gone());
}

// EM_GETSEL packs both ends into 16 bits each, and answers -1 for a longer text.
Result<TextContent> Win32Tree::content(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(const ElementId id, existing(element));
  if (!names_edit(id)) return Error{Code::kUnimplemented, "only edit controls tell their content here"};
  WindowQuestion question(deadline, clock_);
  const auto length = question.ask(id.window, WM_GETTEXTLENGTH);
  const auto selection = question.ask(id.window, EM_GETSEL);
  const auto masked = question.ask(id.window, EM_GETPASSWORDCHAR);
  if (!length || !masked) return Error{Code::kDeadlineExceeded, "the application does not tell its text in time"};
  TextContent content{.length = static_cast<std::size_t>(*length)};
  if (*masked == 0) {
    const auto text = question.text(id.window, kMaxElementText);
    if (text) content.text = to_utf8(*text);
  }
  if (selection && *selection != -1) {
    const auto ends = static_cast<DWORD>(*selection);
    content.selected = TextRange{LOWORD(ends), static_cast<std::uint32_t>(HIWORD(ends) - LOWORD(ends))};
  }
  return content;
}

Result<void> Win32Tree::select_content(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(const ElementId id, existing(element));
  if (!names_edit(id)) return Error{Code::kUnimplemented, "only edit controls select their content here"};
  WindowQuestion question(deadline, clock_);
  if (question.ask(id.window, EM_SETSEL, 0, -1)) return ok();
  return Error{Code::kDeadlineExceeded, "the application does not select its text in time"};
}

}  // namespace da::actuator::win32
