#include "services/actuator/desktop/x11/atspi/atspi_tree.h"

#include <algorithm>
#include <array>

#include "lib/base/text.h"
#include "services/actuator/desktop/x11/atspi/atspi_elements.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_scrolled_out.h"

namespace da::actuator::x11 {
namespace {

Error gone() { return {Code::kNotFound, "the element is gone"}; }

// The frame of this top level. LibreOffice has different objects for both: take the only frame with the same name.
std::optional<std::size_t> frame_of(const AccessibleNode& top, const std::vector<AccessibleNode>& frames) {
  std::optional<std::size_t> same_name;
  int same_names = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (frames[i].ref == top.ref) return i;
    if (frames[i].role != top.role || frames[i].name != top.name || top.name.empty()) continue;
    same_name = i;
    ++same_names;
  }
  return same_names == 1 ? same_name : std::nullopt;
}

// Adapts the conversion to nodes read while their frame was reported at `reported`, which is late for a moving window.
FrameWindow with_reported_place(FrameWindow place, const Rect& matched, const Rect& reported) {
  if (matched.empty() || reported.empty()) return place;
  place.map = place.map.displaced({matched.x - reported.x, matched.y - reported.y});
  return place;
}

void add_note(ElementTree& tree, const std::string& note) {
  if (note.empty()) return;
  if (!tree.note.empty()) tree.note += "; ";
  tree.note += note;
}

void append(const ElementTree& part, ElementTree& whole) {
  whole.elements.insert(whole.elements.end(), part.elements.begin(), part.elements.end());
  whole.truncated = whole.truncated || part.truncated;
  whole.opening = whole.opening || part.opening;
  add_note(whole, part.note);
}

// A rectangle that contains everything that an application shows.
Rect place_of(std::uint32_t pid, const std::vector<DescribedWindow>& windows, const ElementTree& tree) {
  Rect place;
  for (const DescribedWindow& window : windows)
    if (window.info.pid == pid) place = bounding(place, window.info.bounds);
  for (const Element& element : tree.elements) place = bounding(place, element.visible);
  return place;
}

}  // namespace

AtspiTree::AtspiTree(X11Windows& windows, std::unique_ptr<ScreenChanges> changes, const Clock& clock)
    : windows_(windows), clock_(clock), kept_(std::move(changes), clock), frame_memory_(clock), new_dialogs_(clock) {
  // Early, so that applications that start from now on build whole trees. read() reports a missing bus.
  if (const auto use = connect()) (void)bus_->listen();
}

Result<AtspiTree::Use> AtspiTree::connect() {
  if (bus_) {
    auto use = bus_->use();
    if (bus_->stay_open()) return use;
  }
  if (bus_) {  // Connection lost: bus names are no longer valid.
    bus_.reset();
    applications_ = {};
    memory_ = {};
    frame_memory_.forget_all();
    found_focus_ = {};
  }
  kept_.forget_all();
  ASSIGN_OR_RETURN(bus_, AtspiBus::open(clock_));
  return bus_->use();
}

void AtspiTree::let_applications_rest() {
  if (!bus_) return;
  const auto use = bus_->use();
  bus_->rest();
}

Result<std::vector<AccessibleNode>> AtspiTree::top_levels(const AtspiApplication& application,
                                                          AccessibleCollector& collector, const AccessibleNode* known) {
  ASSIGN_OR_RETURN(const auto refs, collector.children(application.root));
  if (known != nullptr && refs.size() == 1 && refs.front() == known->ref && collector.frames_have_extents(known->ref)) {
    return std::vector{*known};
  }
  std::vector<AccessibleNode> frames;
  for (const AccessibleRef& ref : refs) {
    AccessibleNode frame;
    frame.ref = ref;
    frames.push_back(std::move(frame));
  }
  RETURN_IF_ERROR(collector.identify(frames, 0));
  RETURN_IF_ERROR(collector.detail(frames, 0));
  RETURN_IF_ERROR(collector.measure_java_frames(frames));
  return frames;
}

Result<std::vector<FrameWindow>> AtspiTree::places_of(const std::vector<AccessibleNode>& frames, std::uint32_t pid,
                                                      const std::vector<DescribedWindow>& windows) {
  std::vector<AccessibleFrame> described;
  for (const AccessibleNode& frame : frames) {
    described.push_back({.pid = pid,
                         .name = frame.name,
                         .extents = frame.extents,
                         .active = is_active(frame.states),
                         .showing = is_showing(frame.states),
                         .listed = is_window_role(frame.role)});
  }
  frame_memory_.recall(frames, described);
  auto places = match_frames(described, windows);
  frame_memory_.learn(frames, described, windows, places);
  RETURN_IF_ERROR(place_unlisted(frames, described, places));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto toolkit = memory_.toolkits.find(frames[i].ref.bus);
    const bool measured = places[i].unplaced.empty() && !places[i].window_id.empty();
    if (measured && toolkit != memory_.toolkits.end()) toolkit->second.scale = places[i].map.scale;
    if (!places[i].window_id.empty()) windows_.learn_modal(places[i].window_id, is_modal(frames[i].states));
  }
  return places;
}

Result<void> AtspiTree::place_unlisted(const std::vector<AccessibleNode>& nodes,
                                       const std::vector<AccessibleFrame>& frames, std::vector<FrameWindow>& places) {
  std::optional<std::vector<DescribedWindow>> unlisted;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    FrameWindow& place = places[i];
    if (!place.unplaced.empty() || is_opening(nodes[i], place)) continue;
    const auto common = frame_memory_.common_map_of(nodes[i].ref.bus);
    if (!frames[i].showing || frames[i].extents.empty()) {
      if (frames[i].extents.empty() || place.window_id.empty()) place.map = common.value_or(PlaceMap{});
      continue;
    }
    if (!place.window_id.empty()) continue;
    if (!unlisted) {
      ASSIGN_OR_RETURN(unlisted, windows_.unlisted());
    }
    const auto map = map_of_unlisted(frames[i], *unlisted, common);
    if (map) place.map = *map;
    if (!map) place.unplaced = "the screen shows no window of its application at the place that it reports";
  }
  return ok();
}

Result<void> AtspiTree::find_popups(const std::vector<AccessibleNode>& nodes, std::uint32_t pid, FrameWindow& place) {
  const auto shows = [](const AccessibleNode& node) { return node.popover && is_showing(node.states); };
  if (std::ranges::none_of(nodes, shows)) return ok();
  ASSIGN_OR_RETURN(const auto unlisted, windows_.unlisted());
  for (const DescribedWindow& window : unlisted) {
    if (window.override_redirect && window.info.pid == pid && !window.only_shows) place.popups.push_back(window.client);
  }
  return ok();
}

Result<void> AtspiTree::read_frames(const AtspiApplication& application, const Question& question,
                                    const std::vector<AccessibleNode>& frames, std::size_t room,
                                    AccessibleCollector& collector, KeptTree& read) {
  ASSIGN_OR_RETURN(const auto places, places_of(frames, application.pid, question.windows));
  // Windows outside of the window manager's list (menus, tooltips) belong to every window that is asked for.
  const auto wanted = [&](std::size_t i) {
    return !question.window || places[i].window_id == question.window->id ||
           (places[i].window_id.empty() && is_showing(frames[i].states));
  };
  ElementTree& tree = read.tree;
  Result<void> outcome;
  for (std::size_t i = 0; i < frames.size() && outcome; ++i) {
    if (!wanted(i)) continue;
    std::vector<AccessibleNode> nodes;
    outcome = collector.walk({frames[i].ref}, room - tree.elements.size(), nodes);
    new_dialogs_.disable(nodes, collector);
    const bool may_have_moved = !nodes.empty() && collector.frames_have_extents(frames[i].ref);
    FrameWindow place =
        with_reported_place(places[i], frames[i].extents, may_have_moved ? nodes.front().extents : Rect{});
    RETURN_IF_ERROR(find_popups(nodes, application.pid, place));
    if (!place.unplaced.empty()) {
      add_note(tree, "the places of the elements of " + quote_foreign(frames[i].name, 80) +
                         " are unknown: " + place.unplaced);
    }
    tree.opening = tree.opening || (!nodes.empty() && is_opening(nodes.front(), place));
    for (Element& element : elements_of(nodes, application.pid, place)) tree.elements.push_back(std::move(element));
    std::ranges::move(nodes, std::back_inserter(read.nodes));
  }
  if (collector.most_children() > 0) {
    add_note(tree, "read only the visible elements of a list or table with " +
                       std::to_string(collector.most_children()) + " elements");
  }
  if (collector.truncated()) {
    tree.truncated = true;
    add_note(tree, "more than " + std::to_string(question.limits.max_nodes) + " elements");
  }
  return outcome;
}

// All events that the application sent before its answer about its top levels have arrived by then.
Result<bool> AtspiTree::is_current(const KeptTree& kept, const KeptTree& now, AccessibleCollector& collector) {
  if (kept.last_event != now.last_event || !same_frames(kept.frames, now.frames)) return false;
  if (kept.drawn.empty()) return true;
  const auto nodes = touched(kept);
  if (!nodes) return false;
  return collector.unchanged(*nodes);
}

Result<void> AtspiTree::read_application(const AtspiApplication& application, const Question& question,
                                         ElementTree& tree) {
  const std::string& bus_name = application.root.bus;
  const Milliseconds max_age = question.limits.max_age;
  const KeptTrees::Key key{bus_name, question.window ? question.window->id : ""};
  KeptTree* const kept = kept_.find(key, max_age);
  if (kept != nullptr && kept->drawn.empty() && is_read_sparingly(memory_, application.root)) {
    append(kept->tree, tree);
    return ok();
  }
  AccessibleCollector collector(*bus_, memory_, question.limits.deadline, kSilenceLimit);
  KeptTree now;
  now.read_at = clock_.now();
  ASSIGN_OR_RETURN(now.frames, top_levels(application, collector));
  now.last_event = bus_->last_event_of(bus_name);
  if (kept != nullptr && !is_read_sparingly(memory_, application.root)) {
    ASSIGN_OR_RETURN(const bool current, is_current(*kept, now, collector));
    if (current) {
      kept->drawn.clear();
      append(kept->tree, tree);
      return ok();
    }
  }
  const std::size_t room = question.limits.max_nodes - tree.elements.size();
  auto outcome = read_frames(application, question, now.frames, room, collector, now);
  append(now.tree, tree);
  const bool is_whole = outcome && !now.tree.truncated && !now.tree.opening &&
                        std::ranges::all_of(now.tree.elements, &std::string::empty, &Element::unplaced);
  if (is_whole && max_age > Milliseconds(0) && !new_dialogs_.any_guarded()) {
    now.where = place_of(application.pid, question.windows, now.tree);
    kept_.keep(key, std::move(now));
  }
  return outcome;
}

Result<ElementTree> AtspiTree::read(const std::optional<WindowInfo>& window, const TreeLimits& limits) {
  ElementTree tree;
  const auto use = connect();
  if (!use) {
    tree.available = false;
    tree.note = "no accessibility tree: " + use.error().message;
    return tree;
  }
  RETURN_IF_ERROR(bus_->listen());
  Question question{window, limits, {}};
  ASSIGN_OR_RETURN(question.windows, windows_.described());
  const auto found = applications_.list(*bus_, limits.deadline);
  // A tree of one window says nothing about the other windows.
  const auto find_awaited = [&] {
    std::set<std::uint32_t> connected;
    if (found)
      for (const AtspiApplication& application : *found) connected.insert(application.pid);
    auto awaited = awaited_.find(question.windows, tree.elements, connected, clock_.now());
    std::erase_if(awaited, [&](const std::string& id) { return window && window->id != id; });
    return awaited;
  };
  if (!found) {
    tree.awaited = find_awaited();
    tree.truncated = true;
    tree.available = false;
    tree.note = "no accessibility tree: " + found.error().message;
    return tree;
  }
  if (limits.max_age > Milliseconds(0)) kept_.look();
  bool known = false;
  for (const AtspiApplication& application : *found) {
    if (window && (window->pid == 0 || window->pid != application.pid)) continue;
    known = true;
    const auto outcome = read_application(application, question, tree);
    if (outcome || outcome.error().code == Code::kNotFound) continue;
    tree.truncated = true;
    add_note(tree, "process " + std::to_string(application.pid) + ": " + outcome.error().message);
  }
  if (!known)
    add_note(tree, window ? "the window's application has no accessibility tree" : "no accessible application");
  tree.awaited = find_awaited();
  return tree;
}

// The chain from the top level to the element, identified only; without the application's root object.
Result<std::vector<AccessibleNode>> AtspiTree::line_of(Asked& asked) {
  ASSIGN_OR_RETURN(auto chain, asked.collector.identified_line(asked.ref));
  // An object that has left its window has no ancestors.
  if (chain.back().role == 0 || is_defunct(chain.back().states) || chain.front().role == 0) return gone();
  ASSIGN_OR_RETURN(const bool kept_page, asked.collector.is_in_kept_page(chain));
  if (kept_page) return gone();
  return chain;
}

// As line_of(), and detailed.
Result<std::vector<AccessibleNode>> AtspiTree::with_ancestors(Asked& asked) {
  ASSIGN_OR_RETURN(auto chain, line_of(asked));
  return detailed(asked, std::move(chain));
}

Result<std::vector<AccessibleNode>> AtspiTree::detailed(Asked& asked, std::vector<AccessibleNode> chain) {
  asked.collector.correct_gtk4(chain, 0);
  asked.collector.find_placeless(chain, 0);
  RETURN_IF_ERROR(asked.collector.detail(chain, 0));
  RETURN_IF_ERROR(asked.collector.read_labels(chain, chain.size() - 1));
  RETURN_IF_ERROR(asked.collector.ask_headers(chain));
  RETURN_IF_ERROR(asked.collector.ask_menu_entries(chain));
  RETURN_IF_ERROR(asked.collector.place_chain(chain));
  return chain;
}

Result<AtspiTree::Asked> AtspiTree::ask(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(Use use, connect());
  const auto ref = ref_of(element);
  if (!ref) return gone();
  return Asked{*ref, std::move(use), AccessibleCollector(*bus_, memory_, deadline, kSilenceLimit)};
}

Result<AtspiTree::Placed> AtspiTree::find(Asked& asked, MonoTime deadline) {
  const std::string& bus = asked.ref.bus;
  asked.collector.ask_with_line({bus, desktop_root().path});
  ASSIGN_OR_RETURN(auto chain, with_ancestors(asked));
  ASSIGN_OR_RETURN(const std::uint32_t pid, applications_.pid_of(*bus_, bus, deadline));
  ASSIGN_OR_RETURN(const auto windows, windows_.described());
  ASSIGN_OR_RETURN(const auto frames, top_levels({{bus, desktop_root().path}, pid}, asked.collector, &chain.front()));
  ASSIGN_OR_RETURN(const auto places, places_of(frames, pid, windows));
  const auto frame = frame_of(chain.front(), frames);
  if (!frame) return gone();
  const bool may_have_moved =
      frames[*frame].ref == chain.front().ref && asked.collector.frames_have_extents(chain.front().ref);
  const Rect reported = may_have_moved ? chain.front().extents : Rect{};
  FrameWindow now = with_reported_place(places[*frame], frames[*frame].extents, reported);
  RETURN_IF_ERROR(find_popups(chain, pid, now));
  Element described = elements_of(chain, pid, now).back();
  auto map = maps_of(chain, now).back();
  return Placed{std::move(chain.back()), std::move(described), map, chain.size()};
}

Result<Element> AtspiTree::refresh(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(Placed found, find(asked, deadline));
  return std::move(found.element);
}

Result<Element> AtspiTree::recall(const ElementHandle& element, const TreeLimits& limits) {
  kept_.look();
  const auto ref = ref_of(element);
  const KeptTree* const kept =
      ref && is_read_sparingly(memory_, *ref) ? kept_.find({ref->bus, ""}, limits.max_age) : nullptr;
  if (kept != nullptr && kept->drawn.empty()) {
    const auto known = std::ranges::find(kept->tree.elements, element, &Element::handle);
    if (known != kept->tree.elements.end()) return *known;
  }
  return refresh(element, limits.deadline);
}

Result<std::vector<Rect>> AtspiTree::text_places(const ElementHandle& element, std::span<const TextRange> ranges,
                                                 MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(const Placed found, find(asked, deadline));
  if (!found.map) return Error{Code::kUnimplemented, "the place of the element is unknown: " + found.element.unplaced};
  ASSIGN_OR_RETURN(auto places, asked.collector.text_extents(found.node, ranges));
  if (std::ranges::all_of(places, &Rect::empty))
    return Error{Code::kUnimplemented, "the element does not expose the place of its text"};
  for (Rect& place : places)
    if (!place.empty()) place = found.map->to_desktop(place);
  return places;
}

}  // namespace da::actuator::x11
