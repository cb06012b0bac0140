#include <windows.h>

#include <cmath>
#include <random>

#include "lib/base/text.h"
#include "lib/contract/coordinates.h"
#include "services/actuator/desktop/win32/input/input_chunk.h"
#include "services/actuator/desktop/win32/windows/window_facts.h"
#include "tests/services/actuator/win32/stage.h"

namespace da::actuator {
namespace {

using Events = std::vector<std::string>;

std::string place(Point at) { return "@" + std::to_string(at.x) + "," + std::to_string(at.y); }

// Windows' own conversion: it rounds down.
int pixel_of(LONG normalized, int from, int size) {
  return from + static_cast<int>(std::int64_t{normalized} * size / 65'536);
}

TEST(InputChunk, EveryPixelIsHitOnDesktopsWithNegativeOrigins) {
  for (const Rect& desktop : {Rect{0, 0, 1280, 800}, Rect{-1920, -300, 4480, 1740}, Rect{-3840, 0, 11'520, 2160}}) {
    for (int x = desktop.x; x < desktop.right(); ++x) {
      ASSERT_EQ(pixel_of(win32::normalized({x, 0}, desktop).x, desktop.x, desktop.width), x);
    }
    for (int y = desktop.y; y < desktop.bottom(); ++y) {
      ASSERT_EQ(pixel_of(win32::normalized({0, y}, desktop).y, desktop.y, desktop.height), y);
    }
  }
}

TEST(InputChunk, PixelsOutsideTheDesktopBecomeTheNearestOneInside) {
  const Rect desktop{-100, 0, 300, 200};
  EXPECT_EQ(win32::normalized({-500, 900}, desktop).x, win32::normalized({-100, 199}, desktop).x);
  EXPECT_EQ(win32::normalized({-500, 900}, desktop).y, win32::normalized({-100, 199}, desktop).y);
}

class Win32InputTest : public ::testing::Test {
 protected:
  Stage stage_;
  WindowInfo window_ = stage_.start_target("input");
  Input& input_ = stage_.desktop().input();
  // The client area as a capture shows it: the target paints it in pure red, green, blue and yellow.
  Rect inside_ = painted_area();
  Point middle_ = inside_.center();

  Rect painted_area() {
    const auto frame = stage_.desktop().screen().capture();
    EXPECT_TRUE(frame) << frame.error().message;
    Rect area;
    for (int y = 0; frame && y < frame->area.height; ++y) {
      for (int x = 0; x < frame->area.width; ++x) {
        const std::uint8_t* pixel =
            frame->data + static_cast<std::size_t>(y) * frame->stride + 4 * static_cast<std::size_t>(x);
        const std::uint32_t colour = (std::uint32_t{pixel[2]} << 16) | (std::uint32_t{pixel[1]} << 8) | pixel[0];
        const bool is_target = colour == 0xff0000 || colour == 0x00ff00 || colour == 0x0000ff || colour == 0xffff00;
        if (is_target) area = bounding(area, {frame->area.x + x, frame->area.y + y, 1, 1});
      }
    }
    EXPECT_GT(area.area(), 400'000);
    return area;
  }

  // Waits until the target has received this many events.
  Events wait_for(std::string_view letters, std::size_t count) {
    EXPECT_TRUE(stage_.eventually([&] { return stage_.events(letters).size() >= count; })) << count;
    return stage_.events(letters);
  }
};

TEST_F(Win32InputTest, FiveHundredClicksAtRandomPlacesLandWhereTheFrameShowed) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> x(inside_.x, inside_.right() - 1);
  std::uniform_int_distribution<int> y(inside_.y, inside_.bottom() - 1);
  Events expected;
  for (int i = 0; i < 500; ++i) {
    const Point at{x(random), y(random)};
    const Progress progress = input_.click(at, Button::kLeft, 1, Milliseconds(0), go_on);
    ASSERT_FALSE(progress.stopped) << progress.stopped->message;
    expected.push_back("d1" + place(at));
    expected.push_back("u1" + place(at));
  }
  EXPECT_EQ(wait_for("du", 1000), expected);
}

// The image begins left of the desktop's pixel 0,0 and is smaller than what it shows, as for a model.
TEST_F(Win32InputTest, FiveHundredClicksOnAScaledImageWithAShiftedOriginLandInTheBlockThatWasClicked) {
  std::mt19937 random(7);
  Events expected;
  for (int i = 0; i < 500; ++i) {
    const Rect shown{-1 - i % 97, -1 - i % 61, inside_.right() + 200, inside_.bottom() + 200};
    const int divisor = 2 + i % 3;  // Not exact: most sizes leave a remainder.
    v1::CoordinateContract contract;
    *contract.mutable_desktop() = contract::to_proto(shown);
    contract.set_image_width(static_cast<std::uint32_t>(shown.width / divisor));
    contract.set_image_height(static_cast<std::uint32_t>(shown.height / divisor));
    const double across = double(shown.width) / contract.image_width();
    const double down = double(shown.height) / contract.image_height();
    const auto pick = [&](int from, int until, int origin, double scale) {
      // Only pixels whose whole block is inside.
      const auto first = static_cast<int>(std::ceil((from - origin) / scale));
      const auto last = static_cast<int>(std::floor((until - origin) / scale)) - 1;
      return std::uniform_int_distribution<int>(first, last)(random);
    };
    const Point image{pick(inside_.x, inside_.right(), shown.x, across),
                      pick(inside_.y, inside_.bottom(), shown.y, down)};
    const auto at = contract::map_to_desktop(contract, image);
    ASSERT_TRUE(at) << at.error().message;
    EXPECT_NEAR(at->x, shown.x + (image.x + 0.5) * across, across / 2);
    EXPECT_NEAR(at->y, shown.y + (image.y + 0.5) * down, down / 2);
    const Progress progress = input_.click(*at, Button::kLeft, 1, Milliseconds(0), go_on);
    ASSERT_FALSE(progress.stopped) << progress.stopped->message;
    expected.push_back("d1" + place(*at));
    expected.push_back("u1" + place(*at));
  }
  EXPECT_EQ(wait_for("du", 1000), expected);
}

TEST_F(Win32InputTest, ClicksTheRequestedTimesWithTheRequestedButton) {
  EXPECT_EQ(input_.click(middle_, Button::kRight, 2, Milliseconds(10), go_on).done, 2U);
  const std::string at = place(middle_);
  EXPECT_EQ(wait_for("du", 4), (Events{"d2" + at, "u2" + at, "d2" + at, "u2" + at}));
}

TEST_F(Win32InputTest, AClickOfItsOwnWaitsForTheDoubleClickTimeAtTheSamePlaceOnly) {
  EXPECT_EQ(input_.click(middle_, Button::kLeft, 1, Milliseconds(0), go_on).done, 1U);
  const MonoTime clicked = system_clock().now();
  EXPECT_TRUE(input_.await_own_click({middle_.x + 100, middle_.y}, Button::kLeft, go_on));
  EXPECT_LT(system_clock().now() - clicked, Milliseconds(::GetDoubleClickTime()));
  EXPECT_TRUE(input_.await_own_click(middle_, Button::kLeft, go_on));
  EXPECT_GE(system_clock().now() - clicked, Milliseconds(::GetDoubleClickTime()) - Milliseconds(5));
}

TEST_F(Win32InputTest, ScrollsDownAndToTheRight) {
  EXPECT_EQ(input_.scroll(middle_, 1, 2, go_on).done, 3U);
  EXPECT_EQ(wait_for("w", 2), (Events{"w-120", "w-120"}));
  EXPECT_EQ(wait_for("h", 1), (Events{"h120"}));
}

TEST_F(Win32InputTest, DragsAlongThePathWithTheButtonHeld) {
  const Point end{middle_.x + 80, middle_.y + 40};
  const std::vector<Point> path{middle_, {middle_.x + 80, middle_.y}, end};
  EXPECT_EQ(input_.drag(path, "", Button::kLeft, go_on).done, 3U);
  const Events buttons = wait_for("du", 2);
  EXPECT_EQ(buttons, (Events{"d1" + place(middle_), "u1" + place(end)}));
  EXPECT_GT(stage_.events("m").size(), 8U);
}

TEST_F(Win32InputTest, AStoppedDragIsReleasedWhereItStarted) {
  int asked = 0;
  const auto stop = [&]() -> Result<void> { return ++asked < 12 ? ok() : Error{Code::kCancelled, "stop"}; };
  const std::vector<Point> path{middle_, {middle_.x + 80, middle_.y}};
  EXPECT_TRUE(input_.drag(path, "", Button::kLeft, stop).stopped);
  EXPECT_EQ(wait_for("du", 2), (Events{"d1" + place(middle_), "u1" + place(middle_)}));
}

TEST_F(Win32InputTest, ReleaseAllReleasesTheButtonWhereItWasPressed) {
  EXPECT_FALSE(input_.button_held());
  ASSERT_OK(input_.button_down(middle_, Button::kLeft));
  ASSERT_OK(input_.move({middle_.x + 30, middle_.y}));
  EXPECT_EQ(input_.button_held(), middle_);
  EXPECT_TRUE(input_.release_all());
  EXPECT_EQ(wait_for("du", 2), (Events{"d1" + place(middle_), "u1" + place(middle_)}));
  EXPECT_FALSE(input_.button_held());
  EXPECT_FALSE(input_.release_all());
}

TEST_F(Win32InputTest, ChordPressesAllKeysBeforeReleasingAny) {
  const std::vector<std::string> keys{"ctrl", "shift", "t"};
  ASSERT_OK(input_.chord(keys, go_on));
  EXPECT_EQ(wait_for("kr", 6), (Events{"k17", "k16", "k84", "r84", "r16", "r17"}));
}

TEST_F(Win32InputTest, TapsNamedKeysAndCharacters) {
  const std::vector<std::string> keys{"f5", "pageup", "plus", "é", "😀", "enter"};
  const Progress progress = input_.tap(keys, go_on);
  ASSERT_FALSE(progress.stopped) << progress.stopped->message;
  EXPECT_EQ(wait_for("c", 4), (Events{"c2B", "cE9", "c1F600", "cD"}));
}

TEST_F(Win32InputTest, AnUnknownKeyIsRefused) {
  const std::vector<std::string> unknown{"hyperspace"};
  EXPECT_EQ(input_.tap(unknown, go_on).stopped->code, Code::kInvalidArgument);
  EXPECT_EQ(input_.chord(unknown, go_on).error().code, Code::kInvalidArgument);
}

TEST_F(Win32InputTest, ControlCharactersAreRefusedBeforeAnythingIsTyped) {
  const Progress progress = input_.type(U"ab\x1b", Milliseconds(0), go_on);
  ASSERT_TRUE(progress.stopped);
  EXPECT_EQ(progress.stopped->code, Code::kInvalidArgument);
  EXPECT_EQ(progress.done, 0U);
}

TEST_F(Win32InputTest, NothingIsSentAfterShut) {
  ASSERT_OK(input_.button_down(middle_, Button::kLeft));
  input_.shut();
  EXPECT_EQ(wait_for("du", 2).back(), "u1" + place(middle_));
  EXPECT_EQ(input_.move(middle_).error().code, Code::kFailedPrecondition);
}

TEST_F(Win32InputTest, TypingStopsAtTheCheckpoint) {
  int asked = 0;
  const auto stop = [&]() -> Result<void> { return ++asked < 4 ? ok() : Error{Code::kCancelled, "stop"}; };
  const Progress progress = input_.type(std::u32string(1000, U'x'), Milliseconds(0), stop);
  ASSERT_TRUE(progress.stopped);
  EXPECT_LT(progress.done, 1000U);
}

TEST_F(Win32InputTest, ASlowApplicationFallsBehindByFourCharactersAtMost) {
  stage_.start_target("slow");
  const auto read = [&] { return stage_.events("c").size(); };
  const auto stop = [&]() -> Result<void> { return read() < 20 ? ok() : Error{Code::kCancelled, "stop"}; };
  const Progress progress = input_.type(std::u32string(1000, U'x'), Milliseconds(0), stop);
  const std::size_t arrived = read();
  ASSERT_TRUE(progress.stopped);
  EXPECT_LE(progress.done, arrived + 4);
}

TEST_F(Win32InputTest, AnApplicationThatIsBusyAtFirstIsWaitedForLater) {
  ASSERT_TRUE(::PostMessageW(*win32::window_of_id(window_.id), WM_APP, 400, 0));
  const Progress progress = input_.type(std::u32string(100, U'x'), Milliseconds(0), go_on);
  ASSERT_FALSE(progress.stopped) << progress.stopped->message;
  EXPECT_TRUE(progress.read);
  EXPECT_EQ(stage_.events("c").size(), 100U);
}

TEST_F(Win32InputTest, TextForAHungApplicationIsHandedOverAndNotRead) {
  stage_.start_hung_target();
  const Progress progress = input_.type(U"abc", Milliseconds(0), go_on);
  EXPECT_FALSE(progress.stopped) << progress.stopped->message;
  EXPECT_EQ(progress.done, 3U);
  EXPECT_FALSE(progress.read);
}

// 2,000 characters: letters, accents, CJK, emoji, newlines and tabs.
std::u32string long_text() {
  constexpr std::u32string_view kPart = U"The quick é ß 漢字 😀 fox, 12;\t\"x\" €\n";
  std::u32string text;
  while (text.size() < 2000) text += kPart;
  text.resize(2000);
  return text;
}

TEST_F(Win32InputTest, TwoThousandCharactersArriveComplete) {
  const std::u32string text = long_text();
  const Progress progress = input_.type(text, Milliseconds(0), go_on);
  ASSERT_FALSE(progress.stopped) << progress.stopped->message;
  EXPECT_EQ(progress.done, 2000U);
  // type() returns when the target has read everything.
  const Events characters = stage_.events("c");
  ASSERT_EQ(characters.size(), text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    char expected[16];
    std::snprintf(expected, sizeof expected, "c%X", static_cast<unsigned>(text[i] == U'\n' ? U'\r' : text[i]));
    ASSERT_EQ(characters[i], expected) << i;
  }
}

std::string utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) append_utf8(out, c);
  return out;
}

TEST(Win32Typing, NotepadSavesAllOfTwoThousandCharacters) {
  Stage stage;
  Desktop& desktop = stage.desktop();
  const auto path = stage.file("typed.txt");
  // The file's encoding decides how Notepad saves it: UTF-8 with a byte order mark.
  std::FILE* file = ::_wfopen(path.c_str(), L"wb");
  std::fputs("\xef\xbb\xbf", file);
  std::fclose(file);
  const auto name = path.u8string();
  stage.start("notepad \"" + std::string(name.begin(), name.end()) + "\"", "typed");
  const std::u32string text = long_text();
  const Progress progress = desktop.input().type(text, Milliseconds(0), go_on);
  ASSERT_FALSE(progress.stopped) << progress.stopped->message;
  const std::vector<std::string> save{"ctrl", "s"};
  ASSERT_OK(desktop.input().chord(save, go_on));
  std::string expected = "\xef\xbb\xbf";
  for (const char c : utf8(text)) expected += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_TRUE(stage.eventually([&] { return read_file(path) == expected; })) << read_file(path).size();
}

}  // namespace
}  // namespace da::actuator
