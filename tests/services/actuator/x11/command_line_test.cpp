#include <gtest/gtest.h>

#include "services/actuator/desktop/x11/atspi/atspi_windows.h"
#include "services/actuator/desktop/x11/input/keyboard/key_names.h"

namespace da::actuator::x11 {
namespace {

TEST(KeyNames, KnowsCharactersAndNamedKeys) {
  EXPECT_EQ(keysym_of_character(U'\n'), 0xff0dU);
  EXPECT_EQ(keysym_of_character(U'é'), 0xe9U);
  EXPECT_EQ(keysym_of_character(U'漢'), 0x01006f22U);
  EXPECT_EQ(keysym_of_character(U'\x7f'), std::nullopt);
  EXPECT_EQ(keysym_of_key("f24"), 0xffd5U);
  EXPECT_EQ(keysym_of_key("f25"), std::nullopt);
  EXPECT_EQ(keysym_of_key("f"), Keysym{'f'});
  EXPECT_EQ(keysym_of_key("plus"), Keysym{'+'});
}

DescribedWindow window(const char* id, std::uint32_t pid, const char* title, const Rect& client) {
  DescribedWindow described;
  described.client = client;
  described.info.id = id;
  described.info.pid = pid;
  described.info.title = title;
  described.info.bounds = {client.x - 1, client.y - 20, client.width + 2, client.height + 21};
  return described;
}

TEST(AccessibleFrames, AreMatchedByProcessTitleAndSize) {
  const std::vector<DescribedWindow> windows{window("0x1", 7, "One", {100, 100, 300, 200}),
                                             window("0x2", 7, "Two", {50, 60, 300, 200}),
                                             window("0x3", 8, "One", {0, 0, 300, 200})};
  const auto found = match_frames({{7, "Two", {50, 60, 300, 200}}, {7, "", {0, 0, 300, 200}}, {9, "One", {}}}, windows);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].window_id, "0x2");
  EXPECT_EQ(found[0].map, (PlaceMap{0, 0, 1}));
  EXPECT_EQ(found[1].window_id, "0x1");
  EXPECT_EQ(found[1].map, (PlaceMap{100, 100, 1}));
  EXPECT_EQ(found[2].window_id, "");
}

}  // namespace
}  // namespace da::actuator::x11
