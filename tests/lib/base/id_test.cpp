#include "lib/base/id.h"

#include <gtest/gtest.h>

#include <set>

namespace da {
namespace {

TEST(RandomUuid, IsVersionFourAndUnique) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string id = random_uuid();
    ASSERT_EQ(id.size(), 36U);
    EXPECT_EQ(id[14], '4');
    EXPECT_NE(std::string("89ab").find(id[19]), std::string::npos);
    EXPECT_TRUE(seen.insert(id).second);
  }
}

// RFC 7693, appendix A gives BLAKE2b-512; this is the 256-bit value that b2sum -l 256 prints for "abc".
TEST(Blake2b, MatchesTheReferenceTool) {
  EXPECT_EQ(to_hex(blake2b("abc")), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
}

TEST(RandomShortId, HasNoConfusableLetters) {
  for (int i = 0; i < 200; ++i) {
    const std::string id = random_short_id();
    EXPECT_EQ(id.size(), 5U);
    EXPECT_EQ(id.find_first_of("aeiou01ly"), std::string::npos) << id;
  }
}

}  // namespace
}  // namespace da
