// Completes the chain of objects from a window to one of its elements, where the siblings are not read.
#include <algorithm>

#include "services/actuator/desktop/x11/atspi/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_applications.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_long_menus.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_rows.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_scrolled_out.h"

namespace da::actuator::x11 {
namespace {

constexpr std::int32_t kFirstColumn = 0;
constexpr std::size_t kMaxAncestors = 64;
constexpr std::size_t kMostLines = 1'000;

bool is_above_top_levels(const AccessibleRef& ref) { return ref.null() || ref.path == desktop_root().path; }

AccessibleRef read_parent(sd_bus_message* m) {
  const char* bus = nullptr;
  const char* path = nullptr;
  if (m == nullptr || sd_bus_message_read(m, "v", "(so)", &bus, &path) <= 0) return {};
  return {bus, path};
}

}  // namespace

Result<std::vector<AccessibleNode>> AccessibleCollector::walk_up(const AccessibleRef& object) {
  std::vector<AccessibleNode> chain;
  AccessibleRef next = object;
  while (!is_above_top_levels(next) && chain.size() < kMaxAncestors) {
    AccessibleNode node;
    node.ref = next;
    chain.push_back(std::move(node));
    if (const auto panel = memory_.panels_of_root_panes.find({next.bus, next.path});
        panel != memory_.panels_of_root_panes.end()) {
      next = panel->second;
      continue;
    }
    ASSIGN_OR_RETURN(const auto reply, bus_.call(next, property_of(kAccessible, "Parent"), deadline_));
    next = read_parent(reply.get());
  }
  std::ranges::reverse(chain);
  for (std::size_t i = 1; i < chain.size(); ++i) chain[i].parent = i - 1;
  return chain;
}

// All are asked at once; walking up takes a round trip for each ancestor. The ancestors' kinds are known.
Result<std::vector<AccessibleNode>> AccessibleCollector::identify_known(const std::vector<LineObject>& line) {
  sparing_ = toolkit_is_java(line.front().ref);
  std::vector<AccessibleNode> chain(line.size());
  bool same = true;
  CallBatch batch(bus_);
  for (std::size_t i = 0; i < line.size(); ++i) {
    AccessibleNode& node = chain[i];
    node.ref = line[i].ref;
    node.role = line[i].kind.role;
    node.interfaces = line[i].kind.interfaces;
    if (i > 0) node.parent = i - 1;
    if (i + 1 == line.size() && !sparing_) ask_kind(batch, node);
    ask_states(batch, node);
    const AccessibleRef above = i > 0 ? line[i - 1].ref : AccessibleRef{};
    const auto panel = memory_.panels_of_root_panes.find({node.ref.bus, node.ref.path});
    if (panel != memory_.panels_of_root_panes.end()) {
      same = same && panel->second == above;
      continue;
    }
    batch.add(node.ref, property_of(kAccessible, "Parent"), [&same, above](sd_bus_message* m) {
      const AccessibleRef parent = read_parent(m);
      same = same && m != nullptr && (above.null() ? is_above_top_levels(parent) : parent == above);
    });
  }
  line_children_.reset();
  if (with_line_) ask_children(batch, *with_line_, line_children_);
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  if (same) return chain;
  line_children_.reset();
  chain.clear();
  return chain;
}

Result<std::vector<AccessibleNode>> AccessibleCollector::identified_line(const AccessibleRef& object) {
  const ObjectId id{object.bus, object.path};
  if (const auto known = memory_.lines.find(id); known != memory_.lines.end()) {
    ASSIGN_OR_RETURN(auto chain, identify_known(known->second));
    if (!chain.empty()) return chain;
    memory_.lines.erase(known);
  }
  ASSIGN_OR_RETURN(auto chain, walk_up(object));
  if (chain.empty()) return Error{Code::kNotFound, "the element is gone"};
  RETURN_IF_ERROR(identify(chain, 0));
  if (memory_.lines.size() >= kMostLines) memory_.lines.clear();
  std::vector<LineObject>& line = memory_.lines[id];
  for (const AccessibleNode& node : chain) line.push_back({node.ref, {node.role, node.interfaces}});
  return chain;
}

Result<bool> AccessibleCollector::is_in_kept_page(const std::vector<AccessibleNode>& chain) {
  bool kept = false;
  CallBatch batch(bus_);
  for (std::size_t i = 1; i < chain.size(); ++i) {
    if (!is_document(chain[i].role)) continue;
    batch.add(chain[i - 1].ref, {kAccessible, "GetChildren"}, [&kept, &page = chain[i].ref](sd_bus_message* m) {
      if (m == nullptr) return;
      const auto children = read_refs(m);
      if (std::ranges::find(children, page) == children.end()) kept = true;
    });
  }
  RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
  return kept;
}

Result<void> AccessibleCollector::ask_headers(std::vector<AccessibleNode>& chain) {
  if (sparing_) return ok();
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    AccessibleNode& table = chain[i];
    const auto role = role_name(table.role);
    if ((role != "table" && role != "tree table") || !table.has_interface("Table")) continue;
    std::vector<AccessibleNode> header;
    CallBatch batch(bus_);
    batch.add(table.ref,
              {kTable, "GetColumnHeader", [](sd_bus_message* m) { (void)sd_bus_message_append(m, "i", kFirstColumn); }},
              [&header](sd_bus_message* m) {
                if (m == nullptr) return;
                AccessibleNode node;
                node.ref = read_ref(m);
                if (!node.ref.null()) header.push_back(std::move(node));
              });
    RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
    if (header.empty()) continue;
    RETURN_IF_ERROR(identify(header, 0));
    RETURN_IF_ERROR(detail(header, 0));
    std::vector<AccessibleNode> both{table, header.front()};
    both[0].parent = AccessibleNode::kNoParent;
    both[1].parent = 0;
    find_column_headers(both);
    table.header = both[0].header;
  }
  return ok();
}

// The first and the last entry tell where all of them are.
Result<void> AccessibleCollector::ask_menu_entries(std::vector<AccessibleNode>& chain) {
  for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
    if (!is_menu_window(chain[i])) continue;
    std::vector<AccessibleNode> nodes{chain[i]};
    nodes[0].parent = AccessibleNode::kNoParent;
    RETURN_IF_ERROR(count_children(nodes, 0));
    if (nodes[0].child_count <= 0) continue;
    CallBatch batch(bus_);
    for (const int at : {0, nodes[0].child_count - 1}) {
      batch.add(chain[i].ref,
                {kAccessible, "GetChildAtIndex", [at](sd_bus_message* m) { (void)sd_bus_message_append(m, "i", at); }},
                [&nodes](sd_bus_message* m) {
                  AccessibleNode entry;
                  if (m != nullptr) entry.ref = read_ref(m);
                  entry.parent = 0;
                  if (!entry.ref.null()) nodes.push_back(std::move(entry));
                });
    }
    RETURN_IF_ERROR(batch.run(deadline_, silence_limit_));
    RETURN_IF_ERROR(identify(nodes, 1));
    RETURN_IF_ERROR(detail(nodes, 1));
    find_menu_entries(nodes);
    chain[i].entries = nodes[0].entries;
    chain[i].entry_height = nodes[0].entry_height;
  }
  return ok();
}

// The index among the siblings tells whether the object is before or after those that show.
Result<void> AccessibleCollector::place_chain(std::vector<AccessibleNode>& chain) {
  const auto views = views_of(chain);
  bool estimated = false;
  for (std::size_t i = 1; i < chain.size(); ++i) {
    AccessibleNode& node = chain[i];
    const AccessibleNode& around = chain[i - 1];
    if (!node.unplaced.empty() && is_showing(node.states)) {
      if (around.unplaced.empty()) {
        RETURN_IF_ERROR(place_row(node, around));
      } else {
        node.extents = around.extents;  // Part of a cell.
      }
      continue;
    }
    if (!may_be_scrolled_out(node) || around.extents.empty() || !views[i - 1]) continue;
    const Rect& view = *views[i - 1];
    if (!estimated && intersection(view, around.extents) == around.extents) continue;
    if (estimated) {
      node.extents = {around.extents.x, around.extents.y, node.unplaced.width, node.unplaced.height};
      continue;
    }
    AccessibleNode shown = around;
    shown.extents = intersection(view, around.extents);
    RETURN_IF_ERROR(place_row(node, shown));
    if (node.extents.empty()) node.extents = {view.x, view.bottom(), node.unplaced.width, node.unplaced.height};
    estimated = true;
  }
  return ok();
}

}  // namespace da::actuator::x11
