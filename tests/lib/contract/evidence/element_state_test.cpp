#include "lib/contract/evidence/element_state.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace da::contract {
namespace {

v1::UiNode element(const char* role, std::initializer_list<v1::UiState> states) {
  v1::UiNode node;
  node.set_role(role);
  for (const v1::UiState state : states) node.add_states(state);
  return node;
}

TEST(ElementState, CheckableElementIsOnOrOff) {
  for (const char* role :
       {"check box", "check menu item", "radio button", "radio menu item", "switch", "toggle button"}) {
    EXPECT_EQ(state_words(element(role, {v1::UI_STATE_ENABLED})), "off") << role;
    EXPECT_EQ(state_words(element(role, {v1::UI_STATE_ENABLED, v1::UI_STATE_CHECKED})), "on") << role;
  }
  EXPECT_EQ(state_words(element("push button", {v1::UI_STATE_ENABLED})), "");
}

TEST(ElementState, ElementThatIsNotEnabledIsDisabled) {
  EXPECT_EQ(state_words(element("push button", {})), "disabled");
  EXPECT_EQ(state_words(element("check box", {v1::UI_STATE_CHECKED})), "on, disabled");
}

}  // namespace
}  // namespace da::contract
