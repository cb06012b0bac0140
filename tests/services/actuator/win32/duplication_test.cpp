#include "services/actuator/desktop/win32/screen/duplication/desktop_duplication.h"

#include <gtest/gtest.h>

#include "lib/base/clock.h"
#include "tests/services/actuator/win32/fake_dxgi.h"

namespace da::actuator {
namespace {

using fake_dxgi::Monitor;
using win32::CopiedPixels;
using win32::DesktopDuplication;
using win32::DxgiOutput;

class DuplicationTest : public testing::Test {
 protected:
  std::shared_ptr<Monitor> add_monitor(const Rect& place, DXGI_MODE_ROTATION rotation = DXGI_MODE_ROTATION_IDENTITY) {
    monitors_.push_back(std::make_shared<Monitor>(place, rotation));
    desktop_ = bounding(desktop_, place);
    return monitors_.back();
  }
  Result<FrameView> capture() { return duplication_.capture(desktop_, desktop_, frame_); }
  std::uint32_t at(const FrameView& view, int x, int y) {
    std::uint32_t value = 0;
    std::memcpy(&value,
                view.data + static_cast<std::size_t>(y - view.area.y) * view.stride +
                    static_cast<std::size_t>(x - view.area.x) * 4,
                4);
    return value;
  }
  // The pixel that the desktop shows now.
  std::uint32_t shown(int x, int y) {
    const auto view = capture();
    EXPECT_TRUE(view) << (view ? "" : view.error().message);
    return view ? at(*view, x, y) : 0xbad;
  }
  std::vector<Rect> changed_since(std::uint64_t generation) {
    const auto changed = duplication_.changed_since(desktop_, generation);
    EXPECT_TRUE(changed && changed->has_value());
    return changed && *changed ? **changed : std::vector<Rect>();
  }
  void TearDown() override {
    for (const auto& monitor : monitors_) EXPECT_EQ(monitor->violations, 0);
  }

  ManualClock clock_;
  std::vector<std::shared_ptr<Monitor>> monitors_;
  Rect desktop_;
  int listed_ = 0;
  std::optional<Error> no_list_;
  std::shared_ptr<fake_dxgi::Reader> reader_ = std::make_shared<fake_dxgi::Reader>();
  CopiedPixels frame_;
  DesktopDuplication duplication_{[this]() -> Result<std::vector<DxgiOutput>> {
                                    ++listed_;
                                    if (no_list_) return *no_list_;
                                    std::vector<DxgiOutput> outputs;
                                    for (const auto& monitor : monitors_) {
                                      win32::ComPtr<IDXGIOutput1> output(new fake_dxgi::Output(monitor));
                                      outputs.push_back({output, reader_});
                                    }
                                    return outputs;
                                  },
                                  clock_};
};

TEST_F(DuplicationTest, SeveralMonitorsMakeOneDesktopWithANegativeOrigin) {
  const auto main = add_monitor({0, 0, 320, 200});
  const auto left = add_monitor({-160, -50, 160, 120});
  main->draw({10, 20, 5, 5}, 0x111111);
  left->draw({0, 0, 3, 3}, 0x222222);
  const auto view = capture();
  ASSERT_TRUE(view);
  EXPECT_EQ(view->area, (Rect{-160, -50, 480, 250}));
  EXPECT_EQ(at(*view, 10, 20), 0x111111U);
  EXPECT_EQ(at(*view, -160, -50), 0x222222U);
  EXPECT_EQ(at(*view, -157, -50), 0U);
  EXPECT_EQ(at(*view, -100, 150), 0U) << "no monitor shows this";
}

TEST_F(DuplicationTest, OnlyChangedAreasAreReadFromTheGraphicsCardAndReported) {
  const auto monitor = add_monitor({-100, 0, 300, 200});
  const auto first = capture();
  ASSERT_TRUE(first);
  const auto generation = first->generation;
  EXPECT_EQ(monitor->pixels_read, 300U * 200U);
  EXPECT_TRUE(changed_since(generation).empty());
  monitor->draw({50, 60, 10, 4}, 0x333333);
  monitor->draw({0, 0, 2, 2}, 0x444444);
  EXPECT_EQ(changed_since(generation), (std::vector<Rect>{{-50, 60, 10, 4}, {-100, 0, 2, 2}}));
  EXPECT_EQ(monitor->pixels_read, 300U * 200U + 44U);
  EXPECT_EQ(shown(-50, 60), 0x333333U);
  EXPECT_EQ(shown(-99, 1), 0x444444U);
  EXPECT_EQ(shown(-40, 60), 0U);
}

TEST_F(DuplicationTest, MovedAreaCountsAsChangedAtItsDestination) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  monitor->draw({10, 10, 20, 20}, 0x555555);
  const auto generation = capture()->generation;
  monitor->move({10, 10, 20, 20}, {100, 150});
  EXPECT_EQ(changed_since(generation), (std::vector<Rect>{{100, 150, 20, 20}}));
  EXPECT_EQ(shown(119, 169), 0x555555U);
}

TEST_F(DuplicationTest, MovingCursorChangesNothing) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  const auto before = duplication_.generation(desktop_);
  ASSERT_TRUE(before);
  monitor->move_cursor();
  EXPECT_EQ(*duplication_.generation(desktop_), *before);
  monitor->move_cursor();
  monitor->draw({1, 1, 1, 1}, 0x666666);
  EXPECT_EQ(shown(1, 1), 0x666666U) << "the frame of the cursor must not hide that of the drawing";
  EXPECT_NE(*duplication_.generation(desktop_), *before);
}

// Each monitor shows a mark in the top left corner of its panel, two pixels wide and one high.
TEST_F(DuplicationTest, RotatedMonitorsAreTurnedUpright) {
  const auto quarter = add_monitor({0, 0, 60, 100}, DXGI_MODE_ROTATION_ROTATE90);
  const auto half = add_monitor({60, 0, 100, 60}, DXGI_MODE_ROTATION_ROTATE180);
  const auto three = add_monitor({160, 0, 60, 100}, DXGI_MODE_ROTATION_ROTATE270);
  const auto generation = capture()->generation;
  for (const auto& monitor : {quarter, half, three}) {
    monitor->draw({0, 0, 2, 1}, 0x700001);
    monitor->draw({0, 0, 1, 1}, 0x700000);
  }
  EXPECT_EQ(shown(59, 0), 0x700000U);
  EXPECT_EQ(shown(59, 1), 0x700001U);
  EXPECT_EQ(shown(159, 59), 0x700000U);
  EXPECT_EQ(shown(158, 59), 0x700001U);
  EXPECT_EQ(shown(160, 99), 0x700000U);
  EXPECT_EQ(shown(160, 98), 0x700001U);
  const auto changed = changed_since(generation);
  for (const Rect& area : {Rect{59, 0, 1, 2}, Rect{158, 59, 2, 1}, Rect{160, 98, 1, 2}}) {
    EXPECT_NE(std::ranges::find(changed, area), changed.end()) << area.x << "," << area.y;
  }
}

TEST_F(DuplicationTest, LostDuplicationIsOpenedAgainAndOldGenerationsAreUnknown) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  monitor->draw({5, 5, 1, 1}, 0x123456);
  const auto generation = capture()->generation;
  monitor->lose();
  EXPECT_EQ(capture().error().code, Code::kUnavailable) << "this one capture is for GDI";
  EXPECT_EQ(shown(5, 5), 0x123456U);
  EXPECT_EQ(monitor->duplications, 2);
  const auto changed = duplication_.changed_since(desktop_, generation);
  ASSERT_TRUE(changed);
  EXPECT_FALSE(changed->has_value());
}

TEST_F(DuplicationTest, ModeChangeIsFollowedWithItsNewSize) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  ASSERT_TRUE(capture());
  *monitor = Monitor({0, 0, 400, 100});
  monitor->losses = 1;
  monitor->draw({399, 99, 1, 1}, 0x888888);
  desktop_ = {0, 0, 400, 100};
  EXPECT_EQ(capture()->area, desktop_);
  EXPECT_EQ(shown(399, 99), 0x888888U);
}

TEST_F(DuplicationTest, SecureDesktopIsTriedAgainOnlyNowAndThen) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  ASSERT_TRUE(capture());
  monitor->lose();
  monitor->refuses = E_ACCESSDENIED;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(capture().error().code, Code::kUnavailable);
  EXPECT_EQ(listed_, 2);
  monitor->refuses = S_OK;
  EXPECT_FALSE(capture());
  clock_.advance(DesktopDuplication::kBetweenTries);
  EXPECT_TRUE(capture());
  EXPECT_EQ(listed_, 3);
}

TEST_F(DuplicationTest, SystemWithoutDuplicationIsAskedOncePerLayout) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  monitor->refuses = DXGI_ERROR_UNSUPPORTED;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(capture().error().code, Code::kUnimplemented);
    clock_.advance(DesktopDuplication::kBetweenTries);
  }
  EXPECT_EQ(listed_, 1);
  desktop_.width += 100;
  EXPECT_FALSE(capture());
  EXPECT_EQ(listed_, 2);
}

TEST_F(DuplicationTest, FailureToListIsReported) {
  no_list_ = Error{Code::kUnimplemented, "no Direct3D"};
  add_monitor({0, 0, 300, 200});
  EXPECT_EQ(capture().error().message, "no Direct3D");
  EXPECT_EQ(duplication_.changed_since(desktop_, 1).error().code, Code::kUnimplemented);
}

TEST_F(DuplicationTest, MonitorThatDxgiDoesNotListIsNotShownBlack) {
  add_monitor({0, 0, 300, 200});
  desktop_ = {-200, 0, 500, 200};
  EXPECT_EQ(capture().error().code, Code::kUnavailable);
}

TEST_F(DuplicationTest, NoFrameIsShownBeforeTheFirstImage) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  monitor->without_image = true;
  EXPECT_EQ(capture().error().code, Code::kUnavailable);
  EXPECT_EQ(capture().error().code, Code::kUnavailable);
  EXPECT_EQ(monitor->duplications, 1);
  monitor->without_image = false;
  EXPECT_TRUE(capture());
}

TEST_F(DuplicationTest, FrameWithoutMetadataCountsAsChangedEverywhere) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  const auto generation = capture()->generation;
  monitor->without_metadata = true;
  monitor->draw({7, 7, 1, 1}, 0x999999);
  EXPECT_EQ(changed_since(generation), (std::vector<Rect>{{0, 0, 300, 200}}));
  EXPECT_EQ(shown(7, 7), 0x999999U);
}

TEST_F(DuplicationTest, RectanglesOutsideTheImageAreCutOff) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  const auto generation = capture()->generation;
  monitor->dirty = {{-50, -50, 10, 10}, {290, 190, 100'000, 100'000}, {50, 50, 40, 40}};
  EXPECT_EQ(changed_since(generation), (std::vector<Rect>{{0, 0, 10, 10}, {290, 190, 10, 10}}));
}

TEST_F(DuplicationTest, ThousandsOfRectanglesAreReadAsOne) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  const auto generation = capture()->generation;
  for (int i = 0; i < 5'000; ++i) monitor->dirty.push_back({i % 300, i % 200, i % 300 + 1, i % 200 + 1});
  EXPECT_EQ(changed_since(generation), (std::vector<Rect>{{0, 0, 300, 200}}));
}

TEST_F(DuplicationTest, FailureOfTheMetadataEndsTheDuplication) {
  const auto monitor = add_monitor({0, 0, 300, 200});
  ASSERT_TRUE(capture());
  monitor->metadata = DXGI_ERROR_MORE_DATA;
  monitor->draw({7, 7, 1, 1}, 0xaaaaaa);
  EXPECT_EQ(capture().error().code, Code::kUnavailable);
  monitor->metadata = S_OK;
  EXPECT_EQ(shown(7, 7), 0xaaaaaaU);
}

TEST_F(DuplicationTest, PartIsCopiedAndLaterCapturesDoNotTouchIt) {
  const auto monitor = add_monitor({-100, 0, 300, 200});
  monitor->draw({90, 20, 40, 40}, 0xbbbbbb);
  CopiedPixels part;
  const auto view = duplication_.capture(desktop_, {-5, 25, 20, 10}, part);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->area, (Rect{-5, 25, 20, 10}));
  EXPECT_EQ(at(*view, -5, 25), 0xbbbbbbU);
  monitor->draw({90, 20, 40, 40}, 0xcccccc);
  EXPECT_EQ(shown(-5, 25), 0xccccccU);
  EXPECT_EQ(at(*view, -5, 25), 0xbbbbbbU);
}

TEST_F(DuplicationTest, AllObjectsAreReleased) {
  const int before = fake_dxgi::Object<IDXGIOutputDuplication>::alive;
  {
    const auto monitor = std::make_shared<Monitor>(Rect{0, 0, 30, 20});
    DesktopDuplication duplication(
        [&]() -> Result<std::vector<DxgiOutput>> {
          return std::vector<DxgiOutput>{
              {win32::ComPtr<IDXGIOutput1>(new fake_dxgi::Output(monitor)), std::make_shared<fake_dxgi::Reader>()}};
        },
        clock_);
    CopiedPixels copy;
    EXPECT_TRUE(duplication.capture({0, 0, 30, 20}, {0, 0, 30, 20}, copy));
    monitor->lose();
    EXPECT_FALSE(duplication.capture({0, 0, 30, 20}, {0, 0, 30, 20}, copy));
  }
  EXPECT_EQ(fake_dxgi::Object<IDXGIOutputDuplication>::alive, before);
  EXPECT_EQ(fake_dxgi::Object<IDXGIOutput1>::alive, 0);
  EXPECT_EQ(fake_dxgi::Object<IDXGIResource>::alive, 0);
}

}  // namespace
}  // namespace da::actuator
