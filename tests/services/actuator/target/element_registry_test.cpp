#include "services/actuator/target/element_registry.h"

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

TEST(ElementRegistry, IdsAreUnknownInAnotherTask) {
  ElementRegistry registry;
  registry.enter_task("a");
  const std::string id = registry.id_of({"native"});
  registry.enter_task("b");
  EXPECT_FALSE(registry.find(id).has_value());
  EXPECT_NE(registry.id_of({"native"}), id);
}

TEST(ElementRegistry, ForgottenIdsAreUnknownAndNewOnesAreGiven) {
  ElementRegistry registry;
  registry.enter_task("a");
  const std::string id = registry.id_of({"native"});
  registry.forget_all();
  EXPECT_FALSE(registry.find(id).has_value());
  EXPECT_EQ(registry.size(), 0U);
  EXPECT_NE(registry.id_of({"native"}), id);
}

TEST(ElementRegistry, ThreeObservingTasksDoNotEvictTheIdsOfATask) {
  ElementRegistry registry;
  registry.enter_task("a");
  const std::string id = registry.id_of({"native"});
  for (const char* look : {"b", "c", "d"}) {
    registry.enter_task(look);
    EXPECT_FALSE(registry.find(id).has_value());
    registry.enter_task("a");
    EXPECT_EQ(registry.find(id)->native, "native");
  }
  for (const char* look : {"b", "c", "d", "e"}) registry.enter_task(look);
  registry.enter_task("a");
  EXPECT_FALSE(registry.find(id).has_value());
}

TEST(ElementRegistry, PageThatRenewsItsObjectsDoesNotFillTheMemory) {
  constexpr std::size_t kTree = 5000;
  ElementRegistry registry;
  registry.enter_task("a");
  const std::string first = registry.id_of({"first"});
  for (std::size_t tree = 0; tree < 60; ++tree) {
    registry.enter_task("a");
    for (std::size_t i = 0; i < kTree; ++i) registry.id_of({std::to_string(tree * kTree + i)});
    const std::string newest = registry.id_of({std::to_string(tree * kTree)});
    ASSERT_EQ(registry.find(newest)->native, std::to_string(tree * kTree)) << "a tree is whole";
    ASSERT_LT(registry.size(), kMaxElementIds + kTree);
  }
  EXPECT_FALSE(registry.find(first).has_value());
  EXPECT_NE(registry.id_of({"first"}), first);
}

}  // namespace
}  // namespace da::actuator
