#include "lib/contract/keys.h"

#include <gtest/gtest.h>

namespace da::contract {
namespace {

TEST(CanonicalKey, KnowsAliasesInAnyCase) {
  EXPECT_EQ(canonical_key("Return"), "enter");
  EXPECT_EQ(canonical_key("CONTROL"), "ctrl");
  EXPECT_EQ(canonical_key("F12"), "f12");
  EXPECT_EQ(canonical_key("Windows"), "win");
}

TEST(CanonicalKey, AnyPrintableCharacterIsAKey) {
  EXPECT_EQ(canonical_key("A"), "a");
  EXPECT_EQ(canonical_key("ß"), "ß");
  EXPECT_EQ(canonical_key("+"), "plus");
  EXPECT_EQ(canonical_key("7"), "7");
}

TEST(CanonicalKey, RefusesUnknownNames) {
  EXPECT_FALSE(canonical_key("").has_value());
  EXPECT_FALSE(canonical_key("\n").has_value());
  EXPECT_FALSE(canonical_key("f25").has_value());
  EXPECT_FALSE(canonical_key("ctrl+s").has_value());
}

TEST(NamedKeys, AreTheirOwnCanonicalNames) {
  for (const auto key : named_keys()) EXPECT_EQ(canonical_key(key), std::string(key));
}

}  // namespace
}  // namespace da::contract
