#include "services/observer/locate/phrases.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "services/observer/elements/actionable.h"
#include "services/observer/elements/ui_match.h"
#include "services/observer/locate/target_choice.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

struct Desk {
  std::vector<v1::Window> windows{window("w1", {0, 0, 600, 400}, true), window("w2", {600, 0, 600, 400}, false)};
  v1::UiTree tree;

  void add(const std::string& id, const std::string& role, const std::string& name, const Rect& bounds,
           const std::string& window_id = "w1") {
    v1::UiNode node = element(role, name, bounds, {v1::UI_STATE_ENABLED});
    node.add_states(v1::UI_STATE_SHOWING);
    node.set_element_id(id);
    node.set_window_id(window_id);
    *tree.add_nodes() = node;
  }

  std::vector<const v1::Window*> views() const {
    std::vector<const v1::Window*> all;
    for (const auto& each : windows) all.push_back(&each);
    return all;
  }

  // The element that the target means; "" if it is ambiguous or missing.
  std::string meant_by(const std::string& written) const {
    const auto query = contract::parse_element_query(written);
    v1::LocateRequest request;
    request.set_target(query.name);
    request.set_role(query.role);
    request.set_index(query.index);
    request.set_window(query.window);
    const auto all = views();
    const Scene scene{all, {0, 0, 1280, 800}};
    const LocatedTarget target = target_of(request).value();
    auto found = match_ui(tree, scene, target, v1::ACTIONABLE_ENABLED);
    (void)keep_at_index(target, found);
    return found.empty() || is_ambiguous(found) ? "" : found.front().node().element_id();
  }

  std::map<std::string, std::string> phrases() const {
    const auto all = views();
    std::map<std::string, std::string> by_id;
    const v1::UiTree listed = list_with_phrases(tree, {all, {0, 0, 1280, 800}});
    for (const v1::UiNode& node : listed.nodes()) {
      by_id[node.element_id()] = node.phrase();
    }
    return by_id;
  }
};

TEST(Phrases, AreAsShortAsTheyCanBe) {
  Desk desk;
  desk.windows[0].set_title("One");
  desk.windows[1].set_title("Other");
  desk.add("save", "push button", "Save", {10, 10, 80, 30});
  desk.add("menu", "menu", "Terminal", {10, 60, 80, 30});
  desk.add("label", "label", "Terminal", {10, 110, 80, 30});
  desk.add("first", "push button", "Edit", {10, 160, 80, 30});
  desk.add("second", "push button", "Edit", {110, 160, 80, 30});
  desk.add("field", "entry", "", {10, 210, 80, 30});
  auto phrases = desk.phrases();
  EXPECT_EQ(phrases["save"], "\"Save\"");
  EXPECT_EQ(phrases["menu"], "\"Terminal\"");
  EXPECT_EQ(phrases["label"], "label \"Terminal\"");
  EXPECT_EQ(phrases["first"], "1st \"Edit\"");
  EXPECT_EQ(phrases["second"], "2nd \"Edit\"");
  EXPECT_EQ(phrases["field"], "entry in \"One\"");
}

TEST(PhrasesProperty, EachPhraseMeansExactlyItsElement) {
  EXPECT_TRUE(rc::check([] {
    Desk desk;
    desk.windows[0].set_title("One");
    desk.windows[1].set_title("One more");
    const int count = *rc::gen::inRange(1, 25);
    for (int i = 0; i < count; ++i) {
      const auto role = *rc::gen::element<std::string>("push button", "label", "menu item", "entry", "check box",
                                                       "page tab", "link", "icon", "slider", "text");
      const auto name = *rc::gen::element<std::string>("", "Save", "Save As", "save", "Edit", "a \"b\"", "OK", "2nd",
                                                       "x\ny", "Open...", "_Open");
      const Rect bounds{20 + (i % 5) * 110, 20 + (i / 5) * 60, 90, 30};
      const bool first = *rc::gen::arbitrary<bool>();
      desk.add("e" + std::to_string(i), role, name, {bounds.x + (first ? 0 : 600), bounds.y, 90, 30},
               first ? "w1" : "w2");
    }
    for (const auto& [id, phrase] : desk.phrases()) {
      if (!phrase.empty()) RC_ASSERT(desk.meant_by(phrase) == id);
    }
  }));
}

}  // namespace
}  // namespace da::observer
