#include "services/observer/text/text_occurrences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace da::observer {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::vector<std::pair<std::uint32_t, std::uint32_t>> found(std::string_view text, std::string_view wanted) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  for (const v1::TextRange& range : occurrences(text, wanted)) places.emplace_back(range.first(), range.count());
  return places;
}

TEST(TextOccurrences, ArePositionsInCharactersIgnoringCase) {
  EXPECT_THAT(found("Grüße € SAVE save", "save"), ElementsAre(Pair(8, 4), Pair(13, 4)));
  EXPECT_THAT(found("\U0001f600 Grüße", "GRÜSSE"), ElementsAre(Pair(2, 5)));
  EXPECT_THAT(found("\U0001f600 Grüße", "grÜße"), ElementsAre(Pair(2, 5)));
}

TEST(TextOccurrences, AreWholeWords) {
  EXPECT_THAT(found("disagree, agreed, agree.", "agree"), ElementsAre(Pair(18, 5)));
  EXPECT_THAT(found("\u6f22\u5b57\u5165\u529b", "\u5b57\u5165"), ElementsAre(Pair(1, 2)));
}

TEST(TextOccurrences, MayContinueOnTheNextLine) {
  EXPECT_THAT(found("the last \n\t words", "last words"), ElementsAre(Pair(4, 13)));
}

TEST(TextOccurrences, AreEmptyForAnEmptyTargetOrInvalidUtf8) {
  EXPECT_THAT(found("alpha", ""), IsEmpty());
  EXPECT_THAT(found("", "alpha"), IsEmpty());
  EXPECT_THAT(found("alpha \xff", "alpha"), IsEmpty());
}

TEST(TextOccurrences, AreBounded) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "a ";
  EXPECT_EQ(occurrences(text, "a").size(), kMaxOccurrences);
}

}  // namespace
}  // namespace da::observer
