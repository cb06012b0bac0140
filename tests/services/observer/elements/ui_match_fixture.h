// Elements and windows of a fake desktop, and the search for a target among them.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "services/observer/elements/actionable.h"
#include "services/observer/elements/ui_match.h"
#include "services/observer/frames/wire.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {

class UiMatchTest : public testing::Test {
 protected:
  std::vector<v1::Candidate> match(const std::string& query, v1::Actionable actionable = v1::ACTIONABLE_ENABLED) {
    std::vector<const v1::Window*> views;
    for (const auto& each : windows_) views.push_back(&each);
    return match_ui(tree_, scene(views), parse_target(query), actionable);
  }
  std::string best(const std::string& query, v1::Actionable actionable = v1::ACTIONABLE_ENABLED) {
    const auto candidates = match(query, actionable);
    return candidates.empty() ? "" : candidates.front().node().element_id();
  }
  // The title of the window over the best candidate's center.
  std::string cover(const std::string& query, v1::Actionable actionable = v1::ACTIONABLE_ENABLED) {
    std::vector<const v1::Window*> views;
    for (const auto& each : windows_) views.push_back(&each);
    const auto candidates = match(query, actionable);
    if (candidates.empty()) return "not found";
    return cover_of(tree_, scene(views), candidates.front(), actionable);
  }
  Scene scene(const std::vector<const v1::Window*>& views) {
    area_views_.clear();
    for (const auto& each : areas_) area_views_.push_back(&each);
    return {views, {0, 0, 1280, 800}, area_views_};
  }
  std::string menu_in_the_way(const std::string& query, v1::Actionable actionable = v1::ACTIONABLE_ENABLED) {
    std::vector<const v1::Window*> views;
    for (const auto& each : windows_) views.push_back(&each);
    const auto candidates = match(query, actionable);
    return candidates.empty() ? "not found" : menu_before(tree_, scene(views), candidates.front(), actionable);
  }
  // The dialog that is in the way of the best candidate.
  std::string blocker(const std::string& query, v1::Actionable actionable = v1::ACTIONABLE_ENABLED) {
    std::vector<const v1::Window*> views;
    for (const auto& each : windows_) views.push_back(&each);
    const auto candidates = match(query, actionable);
    return candidates.empty() ? "not found" : blocker_of(tree_, scene(views), candidates.front(), actionable);
  }
  bool is_outside(const std::string& query) {
    std::vector<const v1::Window*> views;
    for (const auto& each : windows_) views.push_back(&each);
    return is_named_outside(tree_, scene(views), parse_target(query), match(query).front(), v1::ACTIONABLE_ENABLED);
  }
  // The new window is in front of those that were added before.
  v1::ClickArea& add_area(const std::string& window_id, std::initializer_list<Rect> parts, bool listed = true) {
    v1::ClickArea area;
    area.set_window_id(window_id);
    area.set_title(window_id);
    area.set_listed(listed);
    if (listed) area.set_owner_id(window_id);
    for (const Rect& part : parts) *area.add_parts() = rect_to_wire(part);
    areas_.insert(areas_.begin(), std::move(area));
    return areas_.front();
  }
  v1::UiNode& add(v1::UiNode node) { return *tree_.add_nodes() = std::move(node); }

  std::vector<v1::Window> windows_{window("w1", {0, 0, 600, 400}, true)};
  v1::UiTree tree_;
  std::vector<v1::ClickArea> areas_;
  std::vector<const v1::ClickArea*> area_views_;
};

}  // namespace da::observer
