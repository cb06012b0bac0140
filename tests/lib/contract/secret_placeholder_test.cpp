#include "lib/contract/secret_placeholder.h"

#include <gtest/gtest.h>

namespace da::contract {
namespace {

TEST(SecretPlaceholder, EveryMarkerCountsAlsoInAWrongForm) {
  const std::pair<const char*, std::size_t> cases[] = {
      {"", 0},
      {"{{name}}", 0},
      {"{{secrets}}", 0},
      {"{secret:mail}", 0},
      {"{{secret:mail}}", 1},
      {"{{{secret:mail}}}", 1},
      {"{{ \t\nSECRET\r :", 1},
      {"{{secret:a}}{{secret:b}} {{secret:", 3},
      {"{{secret:{{secret:a}}}}", 2},
  };
  for (const auto& [text, count] : cases) EXPECT_EQ(count_secrets(text), count) << text;
}

TEST(SecretPlaceholder, ManyBracesAreCountedInOneGo) {
  EXPECT_EQ(count_secrets(std::string(1'000'000, '{') + "secret:"), 1U);
}

TEST(SecretPlaceholder, PiecesJoinToTheText) {
  const std::string text = "a {{secret:mail}}{{secret:b.c-d_1}} {{x}}";
  const auto pieces = split_placeholders(text);
  ASSERT_TRUE(pieces);
  std::string joined;
  for (const TextPiece& piece : *pieces) joined += piece.text;
  EXPECT_EQ(joined, text);
  EXPECT_EQ(pieces->at(1).secret, "mail");
  EXPECT_FALSE(split_placeholders("{{secret:" + std::string(65, 'x') + "}}"));
}

}  // namespace
}  // namespace da::contract
