#include "services/planner/model/element_names.h"

#include <gtest/gtest.h>

namespace da::planner::model {
namespace {

constexpr const char* kSave = "0d3b7f0a-1111-4222-8333-944445555666";
constexpr const char* kOpen = "0d3b7f0a-1111-4222-8333-944445555667";

v1::Action ui_click(const std::string& id) {
  v1::Action action;
  action.mutable_ui_click()->set_element_id(id);
  return action;
}

TEST(ElementNames, AnElementKeepsItsName) {
  ElementNames names;
  EXPECT_EQ(names.name_of(kSave), "e1");
  EXPECT_EQ(names.name_of(kOpen), "e2");
  EXPECT_EQ(names.name_of(kSave), "e1");
}

TEST(ElementNames, ShortensEveryIdInAText) {
  ElementNames names;
  EXPECT_EQ(names.shorten(std::string(kSave) + " push button, " + kOpen + "," + kSave), "e1 push button, e2,e1");
  EXPECT_EQ(names.shorten("0d3b7f0a-1111"), "0d3b7f0a-1111");
  EXPECT_EQ(names.shorten(""), "");
}

TEST(ElementNames, ResolvesNamesAndIds) {
  ElementNames names;
  names.name_of(kSave);
  EXPECT_EQ(names.resolve(ui_click("e1"))->ui_click().element_id(), kSave);
  EXPECT_EQ(names.resolve(ui_click(kOpen))->ui_click().element_id(), kOpen);
}

TEST(ElementNames, RefusesUnknownNames) {
  ElementNames names;
  names.name_of(kSave);
  for (const std::string name : {"e0", "e2", "e", "e1x", "1", "", "e-1", "e99999999999999999999", "E1", "Save"}) {
    const auto resolved = names.resolve(ui_click(name));
    ASSERT_FALSE(resolved) << name;
    EXPECT_EQ(resolved.error().code, Code::kNotFound);
  }
}

TEST(ElementNames, LeavesOtherToolsAlone) {
  v1::Action action;
  action.mutable_write()->set_text("e1");
  EXPECT_EQ(ElementNames().resolve(action)->write().text(), "e1");
}

TEST(ElementNames, NumbersBelongToTheNewestImage) {
  ElementNames names;
  v1::Action click;
  click.mutable_ui_click()->set_element_id("2");
  EXPECT_FALSE(names.resolve(click));
  names.number({"first", "second"});
  EXPECT_EQ(names.resolve(click)->ui_click().element_id(), "second");
  names.number({"only"});
  EXPECT_FALSE(names.resolve(click)) << "there is no 2 any more";
  for (const char* none : {"0", "-1", "02x", "99999999999999999999", ""}) {
    click.mutable_ui_click()->set_element_id(none);
    EXPECT_FALSE(names.resolve(click)) << none;
  }
}

}  // namespace
}  // namespace da::planner::model
