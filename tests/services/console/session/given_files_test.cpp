#include "services/console/session/given_files.h"

#include <gtest/gtest.h>

namespace da::console {
namespace {

TEST(RulePlaces, AreInThePrefixOfEachDirectoryAndNamedOnce) {
  const auto places = rule_places({"/opt/da/bin", "/usr/local/bin", "/opt/da/bin"});
  EXPECT_EQ(places.front(), "/opt/da/share/desktopassist/policy.toml");
  EXPECT_EQ(places.at(1), "/usr/local/share/desktopassist/policy.toml");
  EXPECT_EQ(places.size(), 5U);
  EXPECT_EQ(rule_places({"/usr/libexec/desktopassist"}).at(1), "/usr/share/desktopassist/policy.toml");
  EXPECT_EQ(rule_places({"/src/build/release/bin"}).back(), "/src/deploy/config/policy.toml");
}

}  // namespace
}  // namespace da::console
