// Asks a browser what is under a point of its page. Elements of a page have places of their own, so that a header that
// stays in view can lie over all others.
#include <algorithm>
#include <array>
#include <thread>

#include "services/actuator/desktop/x11/atspi/atspi_elements.h"
#include "services/actuator/desktop/x11/atspi/atspi_tree.h"

namespace da::actuator::x11 {
namespace {

// Chromium answers at once from the places that it knows, asks the page meanwhile, and tells its answer later. So it is
// asked until two answers agree; the last one counts in any case.
constexpr int kTries = 5;
constexpr Milliseconds kBetweenTries{30};
constexpr int kMostDepth = 64;

bool contains(const std::vector<AccessibleNode>& chain, const AccessibleRef& ref) {
  return std::ranges::find(chain, ref, &AccessibleNode::ref) != chain.end();
}

// The innermost element under the point that the application names; `object` itself if none.
Result<AccessibleRef> hit_in(AccessibleCollector& collector, AccessibleRef object, Point at) {
  for (int depth = 0; depth < kMostDepth; ++depth) {
    std::vector<AccessibleNode> hits;
    RETURN_IF_ERROR(collector.hit_test(object, std::array{at}, hits));
    if (hits.empty() || hits.front().ref == object) break;
    object = hits.front().ref;
  }
  return object;
}

}  // namespace

Result<std::optional<Element>> AtspiTree::page_cover(const ElementHandle& element, Point at, MonoTime deadline) {
  std::optional<Element> cover;
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(const auto chain, with_ancestors(asked, deadline));
  const auto page = std::ranges::find_if(chain, is_page);
  if (page == chain.end()) return cover;
  ASSIGN_OR_RETURN(const Placed placed, find(asked, deadline));
  if (!placed.map) return cover;
  const Point in_page = placed.map->to_reported(at);
  const bool late = asked.collector.answers_late(page->ref);
  if (late) (void)hit_in(asked.collector, page->ref, in_page);
  AccessibleRef before;
  for (int i = 0; i < kTries; ++i) {
    if (late) std::this_thread::sleep_for(kBetweenTries);
    ASSIGN_OR_RETURN(const AccessibleRef hit, hit_in(asked.collector, page->ref, in_page));
    const bool agrees = !late || hit == before || i + 1 == kTries;
    before = hit;
    if (!agrees) continue;
    if (contains(chain, hit)) return std::optional<Element>();
    Asked other{hit, {}, AccessibleCollector(*bus_, memory_, deadline, kSilenceLimit)};
    ASSIGN_OR_RETURN(const auto above, with_ancestors(other, deadline));
    if (contains(above, asked.ref)) return std::optional<Element>();
    ASSIGN_OR_RETURN(Placed found, find(other, deadline));
    return std::optional(std::move(found.element));
  }
  return cover;
}

}  // namespace da::actuator::x11
