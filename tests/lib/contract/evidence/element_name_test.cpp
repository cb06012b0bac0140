#include "lib/contract/evidence/element_name.h"

#include <gtest/gtest.h>

namespace da::contract {
namespace {

std::string many(const std::string& character, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += character;
  return text;
}

TEST(ElementName, IsCutBetweenCharacters) {
  EXPECT_EQ(cut_name("Save"), "Save");
  for (const std::string character : {"a", "\u00e4", "\U0001F600"}) {
    EXPECT_EQ(cut_name(many(character, 5000)), many(character, kMaxNameCharacters));
    EXPECT_EQ(cut_name(many(character, kMaxNameCharacters)), many(character, kMaxNameCharacters));
  }
}

TEST(ElementName, NameOfMaximumLengthMayBeCut) {
  EXPECT_FALSE(may_be_cut(""));
  for (const std::string character : {"a", "\u00e4", "\U0001F600"}) {
    EXPECT_FALSE(may_be_cut(many(character, kMaxNameCharacters - 1)));
    EXPECT_TRUE(may_be_cut(cut_name(many(character, 5000))));
  }
}

}  // namespace
}  // namespace da::contract
