#include "services/actuator/desktop/overlay_layout.h"

#include <gmock/gmock.h>

namespace da::actuator {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<MonitorInfo> kTwo = {{"left", {0, 0, 1000, 800}, 1.0}, {"right", {1000, 100, 2000, 1200}, 2.0}};

TEST(OverlayLayout, BannerIsAtTheTopOfTheMarkersMonitor) {
  EXPECT_EQ(place_banner({400, 50}, kTwo, std::nullopt), (Rect{300, 4, 400, 50}));
  EXPECT_EQ(place_banner({400, 50}, kTwo, Rect{1500, 700, 20, 20}), (Rect{1800, 104, 400, 50}));
  EXPECT_EQ(banner_scale(kTwo, std::nullopt), 1.0);
  EXPECT_EQ(banner_scale(kTwo, Rect{1500, 700, 20, 20}), 2.0);
  EXPECT_EQ(place_banner({400, 50}, kTwo, Rect{-500, -500, 20, 20}), (Rect{300, 4, 400, 50}));
}

TEST(OverlayLayout, BannerLeavesTheMarkerFreeWhereItCan) {
  const Rect at_bottom{300, 746, 400, 50};
  EXPECT_EQ(place_banner({400, 50}, kTwo, Rect{450, 20, 80, 30}), at_bottom);
  EXPECT_EQ(place_banner({400, 50}, kTwo, Rect{450, 57, 80, 30}), at_bottom) << "the outline counts too";
  EXPECT_EQ(place_banner({400, 50}, kTwo, Rect{0, 0, 1000, 800}), (Rect{300, 4, 400, 50}));
}

TEST(OverlayLayout, BannerIsCutToTheMonitor) {
  EXPECT_EQ(place_banner({4000, 50}, kTwo, std::nullopt), (Rect{0, 4, 1000, 50}));
  EXPECT_TRUE(place_banner({400, 50}, {}, std::nullopt).empty());
}

TEST(OverlayLayout, BarsSurroundTheMarkerWithinTheDesktop) {
  const Rect desktop{0, 0, 1000, 800};
  EXPECT_THAT(marker_bars({100, 100, 50, 20}, desktop),
              ElementsAre(Rect{95, 95, 60, 3}, Rect{95, 122, 60, 3}, Rect{95, 98, 3, 24}, Rect{152, 98, 3, 24}));
  for (const Rect& bar : marker_bars({100, 100, 50, 20}, desktop)) {
    EXPECT_TRUE(intersection(bar, {100, 100, 50, 20}).empty());
  }
  EXPECT_THAT(marker_bars(desktop, desktop), IsEmpty());
  EXPECT_THAT(marker_bars({-500, -500, 20, 20}, desktop), IsEmpty());
  for (const Rect& bar : marker_bars({990, -5, 50, 20}, desktop)) EXPECT_EQ(intersection(bar, desktop), bar);
}

TEST(OverlayLayout, LinesNameWhatIsKnown) {
  const auto texts = [](const OverlayContent& content) {
    std::vector<std::string> all;
    for (const OverlayLine& line : overlay_lines(content)) all.push_back(line.text);
    return all;
  };
  OverlayContent content{
      .driver = "D", .stop_chord = "S", .justification = "", .question = "", .approval_words = "", .marker = {}};
  EXPECT_THAT(texts(content), ElementsAre("D  \u00b7  S"));
  content.justification = "because";
  content.question = "delete /tmp/a";
  content.approval_words = "a b c d";
  EXPECT_THAT(texts(content), ElementsAre("D  \u00b7  S", "waits for approval: delete /tmp/a", "its words: a b c d",
                                          "proposer says: \u00abbecause\u00bb"));
}

}  // namespace
}  // namespace da::actuator
