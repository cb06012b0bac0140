#include "services/actuator/desktop/files/file_number_win32.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

using Id = std::array<std::uint64_t, 2>;
constexpr std::uint64_t kOnes = ~std::uint64_t{0};

TEST(FileNumberTest, BothHalvesOfTheIdCount) {
  EXPECT_EQ(file_number(Id{7, 0}, 1), 7U);
  EXPECT_NE(file_number(Id{7, 1}, 1), file_number(Id{7, 2}, 1));
  EXPECT_NE(file_number(Id{1, 2}, 1), file_number(Id{2, 1}, 1));
}

TEST(FileNumberTest, TheIndexCountsWhereThereIsNoId) {
  for (const auto& none : {std::optional<Id>(), std::optional(Id{0, 0}), std::optional(Id{kOnes, kOnes})}) {
    EXPECT_EQ(file_number(none, 5), 5U);
    EXPECT_FALSE(file_number(none, 0));
    EXPECT_FALSE(file_number(none, kOnes));
  }
}

}  // namespace
}  // namespace da::actuator
