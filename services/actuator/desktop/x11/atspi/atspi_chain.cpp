// Completes the chain of objects from a window to one of its elements, where the siblings are not read.
#include <algorithm>

#include "services/actuator/desktop/x11/atspi/atspi_collect.h"
#include "services/actuator/desktop/x11/atspi/atspi_message.h"
#include "services/actuator/desktop/x11/atspi/atspi_roles.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_long_menus.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_rows.h"
#include "services/actuator/desktop/x11/atspi/toolkits/atspi_scrolled_out.h"

namespace da::actuator::x11 {
namespace {

constexpr std::int32_t kFirstColumn = 0;

}  // namespace

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
