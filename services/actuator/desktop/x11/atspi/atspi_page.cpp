// Asks a browser what is under a point of its page. Elements of a page have places of their own, so that a header that
// stays in view can lie over all others.
#include <algorithm>
#include <array>
#include <thread>

#include "services/actuator/desktop/x11/atspi/atspi_elements.h"
#include "services/actuator/desktop/x11/atspi/atspi_tree.h"
#include "services/actuator/desktop/x11/atspi/bus/atspi_roles.h"

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

struct Answers {
  AccessibleRef first;
  AccessibleRef last;
};

Result<Answers> ask_page(AccessibleCollector& collector, const AccessibleRef& page, Point at) {
  Answers answers;
  ASSIGN_OR_RETURN(answers.first, hit_in(collector, page, at));
  answers.last = answers.first;
  if (!collector.answers_late(page)) return answers;
  for (int i = 0; i < kTries; ++i) {
    std::this_thread::sleep_for(kBetweenTries);
    ASSIGN_OR_RETURN(AccessibleRef hit, hit_in(collector, page, at));
    const bool agrees = i > 0 && hit == answers.last;
    answers.last = std::move(hit);
    if (agrees) break;
  }
  return answers;
}

// Returns points at the edges of the areas that `cover` shares with the element and its two nearest containers, at the
// height or width of the element's middle.
std::vector<Point> points_to_compare(const std::vector<AccessibleNode>& chain, const Rect& cover) {
  constexpr std::size_t kContainers = 2;
  std::vector<Point> points;
  const Point center = chain.back().extents.center();
  for (std::size_t up = 0; up <= kContainers && up < chain.size(); ++up) {
    const Rect shared = intersection(chain[chain.size() - 1 - up].extents, cover);
    for (const Point at : {Point{shared.x + 1, center.y}, Point{shared.right() - 2, center.y},
                           Point{center.x, shared.y + 1}, Point{center.x, shared.bottom() - 2}}) {
      if (shared.contains(at)) points.push_back(at);
    }
  }
  return points;
}

// Chromium has no late answer for the text of an option or a menu item, so its guess stays: the last element of the
// document at that place. At other points of the shared area it tells whether a container of the element is on top.
Result<bool> is_only_guessed(AccessibleCollector& collector, const AccessibleRef& page,
                             const std::vector<AccessibleNode>& chain, const std::vector<AccessibleNode>& cover) {
  for (const Point at : points_to_compare(chain, cover.back().extents)) {
    ASSIGN_OR_RETURN(const Answers answers, ask_page(collector, page, at));
    const bool came_late = answers.first != answers.last;
    if (came_late && contains(chain, answers.last) && !contains(cover, answers.last)) return true;
  }
  return false;
}

}  // namespace

Result<std::optional<Element>> AtspiTree::page_cover(const ElementHandle& element, Point at, MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(auto line, line_of(asked));
  if (std::ranges::none_of(line, is_page)) return std::optional<Element>();
  ASSIGN_OR_RETURN(const auto chain, detailed(asked, std::move(line)));
  const auto page = std::ranges::find_if(chain, is_page);
  ASSIGN_OR_RETURN(const Placed placed, find(asked, deadline));
  if (!placed.map) return std::optional<Element>();
  ASSIGN_OR_RETURN(const Answers answers, ask_page(asked.collector, page->ref, placed.map->to_reported(at)));
  if (contains(chain, answers.last)) return std::optional<Element>();
  Asked other{answers.last, {}, AccessibleCollector(*bus_, memory_, deadline, kSilenceLimit)};
  ASSIGN_OR_RETURN(const auto above, with_ancestors(other));
  if (contains(above, asked.ref)) return std::optional<Element>();
  if (asked.collector.answers_late(page->ref) && answers.first == answers.last) {
    ASSIGN_OR_RETURN(const bool guessed, is_only_guessed(asked.collector, page->ref, chain, above));
    if (guessed) return std::optional<Element>();
  }
  ASSIGN_OR_RETURN(Placed found, find(other, deadline));
  return std::optional(std::move(found.element));
}

Result<std::optional<PageDocument>> AtspiTree::document_of(const ElementHandle& element, MonoTime deadline) {
  ASSIGN_OR_RETURN(Asked asked, ask(element, deadline));
  ASSIGN_OR_RETURN(const auto chain, line_of(asked));
  // A page may also call a part of itself a document, which is a "document frame" then.
  for (const std::string_view role : {"document web", "document frame"}) {
    const auto found = std::ranges::find_if(chain.rbegin(), chain.rend(),
                                            [&](const AccessibleNode& node) { return role_name(node.role) == role; });
    if (found != chain.rend()) return std::optional(PageDocument{handle_of(found->ref), std::string(role)});
  }
  return std::optional<PageDocument>();
}

}  // namespace da::actuator::x11
