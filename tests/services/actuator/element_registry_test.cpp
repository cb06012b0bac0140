#include "services/actuator/element_registry.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

TEST(ElementRegistry, AnElementKeepsItsIdWithinATask) {
  ElementRegistry registry;
  registry.enter_task("a");
  const std::string id = registry.id_of({"native"});
  EXPECT_EQ(id.size(), 36U);
  registry.enter_task("a");
  EXPECT_EQ(registry.id_of({"native"}), id);
  EXPECT_NE(registry.id_of({"other"}), id);
  EXPECT_EQ(registry.find(id)->native, "native");
}

TEST(ElementRegistry, IdsDieWithTheTask) {
  ElementRegistry registry;
  registry.enter_task("a");
  const std::string id = registry.id_of({"native"});
  registry.enter_task("b");
  EXPECT_FALSE(registry.find(id).has_value());
  EXPECT_NE(registry.id_of({"native"}), id);
}

}  // namespace
}  // namespace da::actuator
