#include "services/actuator/desktop/change_history.h"

#include <gmock/gmock.h>

namespace da::actuator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

constexpr Rect kA{0, 0, 10, 10};
constexpr Rect kB{50, 0, 10, 10};

TEST(ChangeHistory, NamesTheAreasThatChangedSinceAGeneration) {
  ChangeHistory history;
  const auto first = history.now();
  history.add(std::array{kA});
  const auto second = history.now();
  history.add(std::array{kB});
  EXPECT_THAT(history.since(first), Optional(ElementsAre(kA, kB)));
  EXPECT_THAT(history.since(second), Optional(ElementsAre(kB)));
  EXPECT_THAT(history.since(history.now()), Optional(IsEmpty()));
}

TEST(ChangeHistory, EmptyChangesBeginNoGeneration) {
  ChangeHistory history;
  const auto first = history.now();
  history.add({});
  history.add(std::array{Rect{5, 5, 0, 10}});
  EXPECT_EQ(history.now(), first);
}

TEST(ChangeHistory, GenerationsThatItHasNotGivenAreUnknown) {
  ChangeHistory history;
  EXPECT_EQ(history.since(0), std::nullopt);
  EXPECT_EQ(history.since(history.now() + 1), std::nullopt);
}

TEST(ChangeHistory, NothingIsKnownAcrossAChangeOfEverything) {
  ChangeHistory history;
  const auto before = history.now();
  history.add(std::array{kA});
  history.add_everything();
  EXPECT_EQ(history.since(before), std::nullopt);
  EXPECT_THAT(history.since(history.now()), Optional(IsEmpty()));
}

TEST(ChangeHistory, OldChangesAreForgottenAndThenUnknown) {
  ChangeHistory history;
  const auto begin = history.now();
  for (std::size_t i = 0; i < ChangeHistory::kMaxAreas; ++i) history.add(std::array{kA});
  EXPECT_EQ(history.since(begin)->size(), ChangeHistory::kMaxAreas);
  const auto last = history.now();
  history.add(std::array{kB});
  EXPECT_EQ(history.since(begin), std::nullopt);
  EXPECT_THAT(history.since(last), Optional(ElementsAre(kB)));
}

TEST(ChangeHistory, ManyAreasAtOnceBecomeOneAroundThem) {
  ChangeHistory history;
  const auto begin = history.now();
  std::vector<Rect> dots;
  for (int i = 0; i < 5'000; ++i) dots.push_back({i, i, 1, 1});
  history.add(dots);
  EXPECT_THAT(history.since(begin), Optional(ElementsAre(Rect{0, 0, 5'000, 5'000})));
}

}  // namespace
}  // namespace da::actuator
