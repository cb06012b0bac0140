#include "services/actuator/desktop/x11/atspi_tree.h"

#include <algorithm>
#include <array>
#include <set>

#include "lib/base/text.h"
#include "services/actuator/desktop/viewport.h"
#include "services/actuator/desktop/x11/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kPatience{700};  // With an application that says nothing at all.
constexpr std::size_t kMaxAncestors = 64;
constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
constexpr const char* kAction = "org.a11y.atspi.Action";
constexpr const char* kComponent = "org.a11y.atspi.Component";

AccessibleRef desktop_root() { return {"org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"}; }

ElementHandle handle_of(const AccessibleRef& ref) { return {ref.bus + "\n" + ref.path}; }

std::optional<AccessibleRef> ref_of(const ElementHandle& handle) {
  const auto end = handle.native.find('\n');
  if (end == std::string::npos) return std::nullopt;
  AccessibleRef ref{handle.native.substr(0, end), handle.native.substr(end + 1)};
  const bool valid =
      sd_bus_service_name_is_valid(ref.bus.c_str()) > 0 && sd_bus_object_path_is_valid(ref.path.c_str()) > 0;
  return valid ? std::optional(std::move(ref)) : std::nullopt;
}

Error gone() { return {Code::kNotFound, "the element is gone"}; }

// The best first; what toolkits call "the thing that a click does".
constexpr auto kClickLike =
    std::to_array<std::string_view>({"click", "press", "activate", "toggle", "jump", "open", "showmenu"});

std::optional<std::size_t> click_like_action(const std::vector<std::string>& actions) {
  for (const std::string_view wanted : kClickLike)
    for (std::size_t i = 0; i < actions.size(); ++i)
      if (fold_case(actions[i]) == wanted) return i;
  return std::nullopt;
}

// Of a window that a window manager lists, unlike menus and tooltips.
bool is_window_role(std::string_view role) {
  return role == "frame" || role == "dialog" || role == "file chooser" || role == "alert" || role == "color chooser" ||
         role == "font chooser";
}

Rect moved(const Rect& extents, Point offset) {
  return {extents.x + offset.x, extents.y + offset.y, extents.width, extents.height};
}

Element element_of(const AccessibleNode& node, std::uint32_t pid, const FrameWindow& place) {
  Element element;
  element.handle = handle_of(node.ref);
  element.window_id = place.window_id;
  element.pid = pid;
  element.role = role_name(node.role);
  element.name = node.name;
  element.text = node.text;
  element.states = element_states(node.states, node.role);
  if (!node.extents.empty()) element.bounds = moved(node.extents, place.offset);
  return element;
}

// The indices of pop-up menus whose items have wrong places. Java gives the items places above their real ones, so that a
// click on one would choose another. Such items begin above the menu and end before its end; those of a menu that scrolls
// do not.
std::set<std::size_t> displaced_menus(const std::vector<AccessibleNode>& nodes) {
  std::map<std::size_t, std::pair<int, int>> reach;  // First and last row of pixels of the items of each menu.
  for (const AccessibleNode& node : nodes) {
    if (node.parent == AccessibleNode::kNoParent || role_name(node.role) != "menu item") continue;
    if (!is_showing(node.states) || role_name(nodes[node.parent].role) != "popup menu") continue;
    auto& [top, bottom] = reach.try_emplace(node.parent, node.extents.y, node.extents.bottom()).first->second;
    top = std::min(top, node.extents.y);
    bottom = std::max(bottom, node.extents.bottom());
  }
  std::set<std::size_t> displaced;
  for (const auto& [menu, rows] : reach) {
    const Rect& place = nodes[menu].extents;
    if (!place.empty() && rows.first < place.y && rows.second < place.bottom()) displaced.insert(menu);
  }
  return displaced;
}

// Whether nothing below it shows, or where it shows is not known. LibreOffice has two menu bars: one that
// shows, and one that has no height.
bool hides_children(const AccessibleNode& node, std::size_t index, const std::set<std::size_t>& displaced) {
  const bool flat = role_name(node.role) == "menu bar" && (node.extents.width > 0) != (node.extents.height > 0);
  return flat || displaced.contains(index);
}

// One element for each node; nodes[0] is a top level, parents stand before their children.
std::vector<Element> elements_of(const std::vector<AccessibleNode>& nodes, std::uint32_t pid,
                                 const FrameWindow& place) {
  std::vector<Element> elements;
  std::vector<Viewport> below;  // For the children of each.
  std::vector<bool> hidden;     // The children of each.
  const auto displaced = displaced_menus(nodes);
  const bool opens = !nodes.empty() && place.window_id.empty() && place.process_has_windows &&
                     is_window_role(role_name(nodes.front().role));
  for (const AccessibleNode& node : nodes) {
    Element element = element_of(node, pid, place);
    // GTK3 says "showing" of a dialog that it is about to open.
    if (opens) std::erase(element.states, ElementState::kShowing);
    Viewport viewport;
    if (node.parent != AccessibleNode::kNoParent) {
      element.parent = handle_of(nodes[node.parent].ref);
      viewport = below[node.parent];
    }
    const bool in_hidden = node.parent != AccessibleNode::kNoParent && hidden[node.parent];
    if (in_hidden) std::erase(element.states, ElementState::kShowing);
    hidden.push_back(in_hidden || hides_children(node, elements.size(), displaced));
    viewport.place(element, may_be_visible(node.states) ? Drawn::kYes : Drawn::kNo);
    below.push_back(viewport.of_children(element));
    elements.push_back(std::move(element));
  }
  return elements;
}

// The windows of one application's top levels.
std::vector<FrameWindow> places_of(const std::vector<AccessibleNode>& frames, std::uint32_t pid,
                                   const std::vector<DescribedWindow>& windows, AccessibleCollector& collector) {
  std::vector<AccessibleFrame> described;
  for (const AccessibleNode& frame : frames) described.push_back({pid, frame.name, frame.extents});
  auto places = match_frames(described, windows);
  const bool moved = std::ranges::any_of(places, [](const FrameWindow& place) { return place.offset != Point{}; });
  if (moved && collector.tells_places_on_screen(frames.front().ref))
    for (FrameWindow& place : places) place.offset = {};
  return places;
}

// The frame that is this top level. In LibreOffice the top level above a document's elements is another object than the
// application's frame, so the frame with the same name is taken where there is only one.
std::optional<std::size_t> frame_of(const AccessibleNode& top, const std::vector<AccessibleNode>& frames) {
  std::optional<std::size_t> like;
  int alike = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (frames[i].ref == top.ref) return i;
    if (frames[i].role != top.role || frames[i].name != top.name || top.name.empty()) continue;
    like = i;
    ++alike;
  }
  return alike == 1 ? like : std::nullopt;
}

// The window's place as seen from nodes that were asked when the application believed its frame to be at `believed`: a
// window that moves is a little ahead of that.
FrameWindow as_believed(FrameWindow place, const Rect& matched, const Rect& believed) {
  if (matched.empty() || believed.empty()) return place;
  place.offset.x += matched.x - believed.x;
  place.offset.y += matched.y - believed.y;
  return place;
}

void add_note(ElementTree& tree, const std::string& note) {
  if (!tree.note.empty()) tree.note += "; ";
  tree.note += note;
}

}  // namespace

AtspiTree::AtspiTree(X11Windows& windows, const Clock& clock) : windows_(windows), clock_(clock), new_dialogs_(clock) {
  // Early, so that applications that start from now on build whole trees. Without a bus read() says so.
  (void)connect();
}

Result<void> AtspiTree::connect() {
  if (bus_ && bus_->open_still()) return ok();
  bus_.reset();
  pids_.clear();
  crowded_.clear();
  ASSIGN_OR_RETURN(bus_, AtspiBus::open(clock_));
  return ok();
}

Result<void> AtspiTree::learn_pids(const std::vector<AccessibleRef>& roots, MonoTime deadline) {
  const AccessibleRef daemon{"org.freedesktop.DBus", "/org/freedesktop/DBus"};
  CallBatch batch(*bus_);
  for (const AccessibleRef& root : roots) {
    if (pids_.contains(root.bus)) continue;
    batch.add(daemon,
              {"org.freedesktop.DBus", "GetConnectionUnixProcessID",
               [&root](sd_bus_message* m) { (void)sd_bus_message_append(m, "s", root.bus.c_str()); }},
              [this, &root](sd_bus_message* m) {
                std::uint32_t pid = 0;
                if (m != nullptr && sd_bus_message_read(m, "u", &pid) > 0) pids_[root.bus] = pid;
              });
  }
  return batch.run(deadline, kPatience);
}

Result<std::vector<AtspiTree::Application>> AtspiTree::applications(MonoTime deadline) {
  AccessibleCollector collector(*bus_, crowded_, deadline, kPatience);
  ASSIGN_OR_RETURN(const auto roots, collector.children(desktop_root()));
  RETURN_IF_ERROR(learn_pids(roots, deadline));
  std::vector<Application> found;
  for (const AccessibleRef& root : roots)
    if (const auto pid = pids_.find(root.bus); pid != pids_.end()) found.push_back({root, pid->second});
  return found;
}

Result<std::vector<AccessibleNode>> AtspiTree::top_levels(const Application& application,
                                                          AccessibleCollector& collector) {
  ASSIGN_OR_RETURN(const auto refs, collector.children(application.root));
  std::vector<AccessibleNode> frames;
  for (const AccessibleRef& ref : refs) {
    AccessibleNode frame;
    frame.ref = ref;
    frames.push_back(std::move(frame));
  }
  RETURN_IF_ERROR(collector.identify(frames, 0));
  RETURN_IF_ERROR(collector.detail(frames, 0));
  return frames;
}

Result<void> AtspiTree::read_application(const Application& application, const Question& question, ElementTree& tree) {
  AccessibleCollector collector(*bus_, crowded_, question.limits.deadline, kPatience);
  ASSIGN_OR_RETURN(const auto frames, top_levels(application, collector));
  const auto places = places_of(frames, application.pid, question.windows, collector);
  // Windows outside the window manager's list (menus, tooltips) belong to whatever window is asked for.
  const auto wanted = [&](std::size_t i) {
    return !question.window || places[i].window_id == question.window->id ||
           (places[i].window_id.empty() && is_showing(frames[i].states));
  };
  Result<void> outcome;
  for (std::size_t i = 0; i < frames.size() && outcome; ++i) {
    if (!wanted(i)) continue;
    std::vector<AccessibleNode> nodes;
    outcome = collector.walk({frames[i].ref}, question.limits.max_nodes - tree.elements.size(), nodes);
    new_dialogs_.disable(nodes, collector);
    const FrameWindow place =
        nodes.empty() ? places[i] : as_believed(places[i], frames[i].extents, nodes.front().extents);
    for (Element& element : elements_of(nodes, application.pid, place)) tree.elements.push_back(std::move(element));
  }
  if (collector.most_children() > 0) {
    add_note(tree, "of a list or table with " + std::to_string(collector.most_children()) +
                       " elements only those that show were read");
  }
  if (collector.truncated()) {
    tree.truncated = true;
    add_note(tree, "more than " + std::to_string(question.limits.max_nodes) + " elements");
  }
  return outcome;
}

Result<ElementTree> AtspiTree::read(const std::optional<WindowInfo>& window, const TreeLimits& limits) {
  ElementTree tree;
  if (const auto connected = connect(); !connected) {
    tree.available = false;
    tree.note = "no accessibility tree: " + connected.error().message;
    return tree;
  }
  Question question{window, limits, {}};
  ASSIGN_OR_RETURN(question.windows, windows_.described());
  const auto found = applications(limits.deadline);
  if (!found) {
    tree.truncated = true;
    tree.available = false;
    tree.note = "no accessibility tree: " + found.error().message;
    return tree;
  }
  bool known = false;
  for (const Application& application : *found) {
    if (window && window->pid != application.pid) continue;
    known = true;
    const auto outcome = read_application(application, question, tree);
    if (outcome || outcome.error().code == Code::kNotFound) continue;
    tree.truncated = true;
    add_note(tree, "process " + std::to_string(application.pid) + ": " + outcome.error().message);
  }
  if (!known)
    add_note(tree, window ? "the window's application has no accessibility tree" : "no accessible application");
  return tree;
}

// Later in the tree is deeper, or above its siblings.
Result<std::optional<Element>> AtspiTree::innermost(const WindowInfo& window, MonoTime deadline,
                                                    const std::function<bool(const Element&)>& wanted) {
  ASSIGN_OR_RETURN(auto tree, read(window, {TreeLimits{}.max_nodes, deadline}));
  std::map<ElementHandle, int> depths;
  Element* best = nullptr;
  int best_depth = -1;
  for (Element& element : tree.elements) {
    const auto parent = depths.find(element.parent);
    const int depth = parent == depths.end() ? 0 : parent->second + 1;
    depths[element.handle] = depth;
    if (depth < best_depth || !wanted(element)) continue;
    best = &element;
    best_depth = depth;
  }
  return best == nullptr ? std::optional<Element>() : std::optional(std::move(*best));
}

Result<std::optional<Element>> AtspiTree::element_at(const WindowInfo& window, Point at, MonoTime deadline) {
  return innermost(window, deadline, [at](const Element& element) {
    return element.has(ElementState::kShowing) && element.visible.contains(at);
  });
}

Result<std::optional<Element>> AtspiTree::focused(const WindowInfo& window, MonoTime deadline) {
  return innermost(window, deadline, [](const Element& element) { return element.has(ElementState::kFocused); });
}

// The top level first, the element last; without the application's own object. All of them identified and detailed.
Result<std::vector<AccessibleNode>> AtspiTree::with_ancestors(Asked& asked, MonoTime deadline) {
  const Call parent{"org.freedesktop.DBus.Properties", "Get",
                    [](sd_bus_message* m) { (void)sd_bus_message_append(m, "ss", kAccessible, "Parent"); }};
  std::vector<AccessibleNode> chain;
  AccessibleRef next = asked.ref;
  while (!next.null() && next.path != desktop_root().path && chain.size() < kMaxAncestors) {
    AccessibleNode node;
    node.ref = next;
    chain.push_back(node);
    ASSIGN_OR_RETURN(const auto reply, bus_->call(next, parent, deadline));
    const char* bus = nullptr;
    const char* path = nullptr;
    if (sd_bus_message_read(reply.get(), "v", "(so)", &bus, &path) <= 0) break;
    next = {bus, path};
  }
  if (chain.empty()) return gone();
  std::ranges::reverse(chain);
  for (std::size_t i = 1; i < chain.size(); ++i) chain[i].parent = i - 1;
  RETURN_IF_ERROR(asked.collector.identify(chain, 0));
  // An object that has left its window has nobody above it.
  if (chain.back().role == 0 || is_defunct(chain.back().states) || chain.front().role == 0) return gone();
  asked.collector.correct_gtk4(chain, 0);
  RETURN_IF_ERROR(asked.collector.detail(chain, 0));
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (chain[i].unplaced.empty() || !is_showing(chain[i].states)) continue;
    if (chain[i - 1].unplaced.empty()) {
      RETURN_IF_ERROR(asked.collector.place_row(chain[i], chain[i - 1]));
    } else {
      chain[i].extents = chain[i - 1].extents;  // A part of a cell.
    }
  }
  return chain;
}

Result<AtspiTree::Asked> AtspiTree::ask(const ElementHandle& element, MonoTime deadline) {
  RETURN_IF_ERROR(connect());
  const auto ref = ref_of(element);
  if (!ref) return gone();
  return Asked{*ref, AccessibleCollector(*bus_, crowded_, deadline, kPatience)};
}

Result<AtspiTree::Placed> AtspiTree::find(Asked& asked, MonoTime deadline) {
  ASSIGN_OR_RETURN(auto chain, with_ancestors(asked, deadline));
  const std::string& bus = asked.ref.bus;
  RETURN_IF_ERROR(learn_pids({asked.ref}, deadline));
  ASSIGN_OR_RETURN(const auto windows, windows_.described());
  const std::uint32_t pid = pids_.contains(bus) ? pids_[bus] : 0;
  ASSIGN_OR_RETURN(const auto frames, top_levels({{bus, desktop_root().path}, pid}, asked.collector));
  const auto places = places_of(frames, pid, windows, asked.collector);
  const auto frame = frame_of(chain.front(), frames);
  if (!frame) return gone();
  const Rect& believed = frames[*frame].ref == chain.front().ref ? chain.front().extents : Rect{};
  const FrameWindow now = as_believed(places[*frame], frames[*frame].extents, believed);
  Element described = elements_of(chain, pid, now).back();
  return Placed{std::move(chain.back()), std::move(described), now.offset};
}

Result<Element> AtspiTree::refresh(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(Placed found, find(asked, deadline));
  return std::move(found.element);
}

Result<std::vector<Rect>> AtspiTree::text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                                 MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(const Placed found, find(asked, deadline));
  ASSIGN_OR_RETURN(auto places, asked.collector.text_extents(found.node, ranges));
  if (std::ranges::all_of(places, &Rect::empty))
    return Error{Code::kUnimplemented, "the element does not tell where its text is"};
  for (Rect& place : places)
    if (!place.empty()) place = moved(place, found.offset);
  return places;
}

Result<void> AtspiTree::invoke(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(const auto chain, with_ancestors(asked, deadline));
  if (!asked.collector.own_actions_mean_clicks(asked.ref))
    return Error{Code::kUnimplemented, "the pointer does better with this toolkit: click its place instead"};
  const AccessibleNode& node = chain.back();
  if (node.has_interface("Action") && !is_showing(node.states))
    return Error{Code::kFailedPrecondition, "the element does not show: its action is not for now"};
  ASSIGN_OR_RETURN(const auto actions, asked.collector.actions(asked.ref));
  const auto action = click_like_action(actions);
  if (!action) return Error{Code::kUnimplemented, "the element has no action like a click: click its place instead"};
  ASSIGN_OR_RETURN(
      const auto reply,
      bus_->call(asked.ref,
                 {kAction, "DoAction",
                  [&](sd_bus_message* m) { (void)sd_bus_message_append(m, "i", static_cast<int>(*action)); }},
                 deadline));
  int done = 0;
  if (sd_bus_message_read(reply.get(), "b", &done) > 0 && done != 0) return ok();
  return Error{Code::kFailedPrecondition,
               "the application refused the action \"" + escape_foreign(actions[*action]) + "\" of the element"};
}

Result<void> AtspiTree::reveal(const ElementHandle& element, MonoTime deadline) {
  constexpr std::uint32_t kScrollAnywhere = 6;
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  const Error cannot{Code::kUnimplemented, "the application does not scroll to its elements by itself"};
  const auto reply = bus_->call(
      asked.ref,
      {kComponent, "ScrollTo", [](sd_bus_message* m) { (void)sd_bus_message_append(m, "u", kScrollAnywhere); }},
      deadline);
  // An element without the method is answered like one that is gone, and is tried by the wheel then, which finds out.
  if (!reply) return reply.error().code == Code::kNotFound ? cannot : reply.error();
  int done = 0;
  return sd_bus_message_read(reply->get(), "b", &done) > 0 && done != 0 ? ok() : Result<void>(cannot);
}

}  // namespace da::actuator::x11
