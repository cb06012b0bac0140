#include "services/actuator/desktop/x11/windows/press_surface.h"

#include <gtest/gtest.h>

namespace da::actuator::x11 {
namespace {

TEST(PressSurface, TextIsReadBack) {
  for (const bool grabbed : {false, true}) {
    const auto read = PressSurface::parse(PressSurface{4'194'310, 8'388'615, grabbed}.text());
    ASSERT_TRUE(read);
    EXPECT_EQ(read->window, 4'194'310U);
    EXPECT_EQ(read->client, 8'388'615U);
    EXPECT_EQ(read->grabbed, grabbed);
  }
}

TEST(PressSurface, OtherTextsAreNone) {
  for (const char* text :
       {"", "12", "12 of", "12 of x", "of 12", "12 of 13 grabbed", "12 of 13,", "-1 of 2", "99999999999 of 1"}) {
    EXPECT_FALSE(PressSurface::parse(text)) << text;
  }
}

TEST(PressSurface, WindowsOfOneConnectionAreOfOneProgram) {
  constexpr std::uint32_t kMask = 0x1fffff;
  const PressSurface surface{.window = 0x600123, .client = 0x1a00007, .grabbed = false};
  EXPECT_TRUE(surface.is_of_same_program(0x1a00100, kMask));
  EXPECT_FALSE(surface.is_of_same_program(0x600123, kMask)) << "the frame is the window manager's";
  EXPECT_FALSE(surface.is_of_same_program(0x1c00007, kMask));
}

}  // namespace
}  // namespace da::actuator::x11
