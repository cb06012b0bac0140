#include "services/actuator/desktop/x11/atspi_tree.h"

#include <algorithm>
#include <array>
#include <set>

#include "lib/base/text.h"
#include "services/actuator/desktop/x11/atspi_elements.h"
#include "services/actuator/desktop/x11/atspi_roles.h"

namespace da::actuator::x11 {
namespace {

constexpr Milliseconds kPatience{700};  // With an application that says nothing at all.
constexpr std::size_t kMaxAncestors = 64;
constexpr const char* kAccessible = "org.a11y.atspi.Accessible";
constexpr const char* kAction = "org.a11y.atspi.Action";
constexpr const char* kComponent = "org.a11y.atspi.Component";

AccessibleRef desktop_root() { return {"org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"}; }

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

AtspiTree::AtspiTree(X11Windows& windows, std::unique_ptr<DamageWatch> drawn, const Clock& clock)
    : windows_(windows), drawn_(std::move(drawn)), clock_(clock), new_dialogs_(clock) {
  // Early, so that applications that start from now on build whole trees. Without a bus read() says so.
  (void)connect();
}

Result<void> AtspiTree::connect() {
  if (bus_ && bus_->open_still()) return ok();
  bus_.reset();
  pids_.clear();
  memory_ = {};
  kept_.clear();
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
  AccessibleCollector collector(*bus_, memory_, deadline, kPatience);
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
  AccessibleCollector collector(*bus_, memory_, question.limits.deadline, kPatience);
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
    tree.opening = tree.opening || (!nodes.empty() && is_opening(nodes.front(), place));
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

// Where the display cannot tell, everything may have changed.
void AtspiTree::forget_what_may_have_changed() {
  const auto drawn = drawn_->drawn();
  if (!drawn || *drawn) kept_.clear();
}

const AtspiTree::Kept* AtspiTree::kept_of(const std::string& bus_name, Milliseconds max_age) const {
  const auto kept = kept_.find(bus_name);
  const bool fresh = kept != kept_.end() && clock_.now() - kept->second.read_at <= max_age;
  return fresh ? &kept->second : nullptr;
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
  const bool may_be_kept = !window && limits.max_age > Milliseconds(0);
  if (may_be_kept) forget_what_may_have_changed();
  bool known = false;
  for (const Application& application : *found) {
    if (window && window->pid != application.pid) continue;
    known = true;
    const Kept* const kept = may_be_kept ? kept_of(application.root.bus, limits.max_age) : nullptr;
    if (kept != nullptr) {
      tree.elements.insert(tree.elements.end(), kept->elements.begin(), kept->elements.end());
      continue;
    }
    const auto first = static_cast<std::ptrdiff_t>(tree.elements.size());
    const auto outcome = read_application(application, question, tree);
    if (may_be_kept && outcome && is_read_sparingly(memory_, application.root)) {
      kept_[application.root.bus] = {{tree.elements.begin() + first, tree.elements.end()}, clock_.now()};
    }
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
    if (const auto panel = memory_.panels_of_root_panes.find({next.bus, next.path});
        panel != memory_.panels_of_root_panes.end()) {
      next = panel->second;
      continue;
    }
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
  return Asked{*ref, AccessibleCollector(*bus_, memory_, deadline, kPatience)};
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
  const Rect& told = chain.back().extents;
  const Point offset = told.empty() ? now.offset : Point{described.bounds.x - told.x, described.bounds.y - told.y};
  return Placed{std::move(chain.back()), std::move(described), offset};
}

Result<Element> AtspiTree::refresh(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(Placed found, find(asked, deadline));
  return std::move(found.element);
}

Result<Element> AtspiTree::recall(const ElementHandle& element, const TreeLimits& limits) {
  forget_what_may_have_changed();
  const auto ref = ref_of(element);
  if (const Kept* const kept = ref ? kept_of(ref->bus, limits.max_age) : nullptr; kept != nullptr) {
    const auto known = std::ranges::find(kept->elements, element, &Element::handle);
    if (known != kept->elements.end()) return *known;
  }
  return refresh(element, limits.deadline);
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
