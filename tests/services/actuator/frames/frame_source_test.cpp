#include "services/actuator/frames/frame_source.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <cstring>

namespace da::actuator {
namespace {

class FrameSourceTest : public testing::Test {
 protected:
  static constexpr int kWidth = 200;
  static constexpr int kHeight = 130;

  struct Received {
    v1::FrameChunk::Head head;
    std::vector<v1::FrameChunk::Tile> tiles;
    std::string pixels;
    bool last = false;
  };
  Received pull(const std::string& known, const FrameSource::Changed& changed = std::nullopt) {
    Received received;
    const FrameView view{pixels_.data(), {-100, 0, kWidth, kHeight}, kWidth * 4, ++generation_};
    EXPECT_TRUE(source_.emit(view, masked_, changed, known, {}, [&](v1::FrameChunk& chunk) -> Result<void> {
      if (chunk.has_head()) received.head = chunk.head();
      received.tiles.insert(received.tiles.end(), chunk.tiles().begin(), chunk.tiles().end());
      if (!chunk.pixels().empty()) {
        std::string raw(ZSTD_getFrameContentSize(chunk.pixels().data(), chunk.pixels().size()), '\0');
        ZSTD_decompress(raw.data(), raw.size(), chunk.pixels().data(), chunk.pixels().size());
        received.pixels += raw;
      }
      received.last = chunk.last();
      return ok();
    }));
    EXPECT_TRUE(received.last);
    return received;
  }

  std::vector<std::uint8_t> pixels_ = std::vector<std::uint8_t>(kWidth * kHeight * 4, 7);
  std::uint64_t generation_ = 0;
  std::vector<MaskedArea> masked_;
  FrameSource source_;
};

TEST_F(FrameSourceTest, TheFirstFrameIsAKeyFrameWithAllTiles) {
  const auto frame = pull("");
  EXPECT_TRUE(frame.head.key_frame());
  EXPECT_EQ(frame.tiles.size(), 12U);
  EXPECT_EQ(frame.pixels.size(), pixels_.size());
  EXPECT_EQ(frame.head.desktop().x(), -100);
}

TEST_F(FrameSourceTest, OnlyTheChangedTileIsSent) {
  const std::string known = pull("").head.frame_id();
  pixels_[(70 * kWidth + 195) * 4] = 99;
  const auto frame = pull(known);
  EXPECT_FALSE(frame.head.key_frame());
  EXPECT_NE(frame.head.frame_id(), known);
  ASSERT_EQ(frame.tiles.size(), 1U);
  EXPECT_EQ(frame.tiles[0].x(), 192U);
  EXPECT_EQ(frame.tiles[0].y(), 64U);
  EXPECT_EQ(frame.tiles[0].width(), 8U);
  EXPECT_EQ(frame.tiles[0].height(), 64U);
  EXPECT_EQ(static_cast<std::uint8_t>(frame.pixels[(6 * 8 + 3) * 4]), 99);
}

TEST_F(FrameSourceTest, AnUnchangedFrameKeepsItsId) {
  const std::string known = pull("").head.frame_id();
  const auto frame = pull(known);
  EXPECT_EQ(frame.head.frame_id(), known);
  EXPECT_TRUE(frame.tiles.empty());
}

TEST_F(FrameSourceTest, TellsHowAnAreaOfTheRememberedFrameLooked) {
  pixels_[(10 * kWidth + 21) * 4] = 99;  // Blue of the point -79,10.
  const std::string id = pull("").head.frame_id();
  const auto look = source_.look(id, {-80, 10, 3, 2});
  ASSERT_TRUE(look);
  ASSERT_EQ(look->size(), 6U);
  EXPECT_EQ((*look)[0], 7);
  EXPECT_GT((*look)[1], 7);
  EXPECT_EQ((*look)[4], 7);
  EXPECT_FALSE(source_.look("another", {-80, 10, 3, 2}));
  EXPECT_FALSE(source_.look("", {-80, 10, 3, 2}));
  EXPECT_FALSE(source_.look(id, {-110, 10, 30, 2})) << "not all of it is on the desktop";
  masked_ = {{{-79, 11, 1, 1}}};
  EXPECT_FALSE(source_.look(pull(id).head.frame_id(), {-80, 10, 3, 2})) << "a part of it is masked";
}

TEST_F(FrameSourceTest, OnlyMaskedAreasAreBlackened) {
  masked_ = {{{-90, 60, 20, 10}}};  // Across two tiles; the frame starts at -100,0.
  const auto frame = pull("");
  ASSERT_EQ(frame.tiles.size(), 12U);
  std::size_t at = 0;
  for (const auto& tile : frame.tiles) {
    for (std::uint32_t y = tile.y(); y < tile.y() + tile.height(); ++y) {
      for (std::uint32_t x = tile.x(); x < tile.x() + tile.width(); ++x, at += 4) {
        const bool masked = x >= 10 && x < 30 && y >= 60 && y < 70;
        ASSERT_EQ(frame.pixels.substr(at, 4), std::string(4, masked ? '\0' : '\7')) << x << "," << y;
      }
    }
  }
}

TEST_F(FrameSourceTest, ChangeUnderAMaskIsNotReported) {
  masked_ = {{{-90, 60, 20, 10}}};
  const std::string known = pull("").head.frame_id();
  pixels_[(65 * kWidth + 15) * 4] = 99;
  const auto frame = pull(known);
  EXPECT_EQ(frame.head.frame_id(), known);
  EXPECT_TRUE(frame.tiles.empty());
}

TEST_F(FrameSourceTest, CallerWithAnotherFrameGetsAKeyFrame) {
  pull("");
  const auto frame = pull("something else");
  EXPECT_TRUE(frame.head.key_frame());
  EXPECT_EQ(frame.tiles.size(), 12U);
}

TEST_F(FrameSourceTest, OnlyTilesThatMayHaveChangedAreCompared) {
  const std::string known = pull("").head.frame_id();
  EXPECT_EQ(source_.generation(), 1U);
  for (const int x : {10, 100, 195}) pixels_[static_cast<std::size_t>((70 * kWidth + x) * 4)] = 99;
  // Of the areas, one has its last pixel in the second tile and one lies outside of the frame.
  const auto frame = pull(known, std::vector<Rect>{{-10, 60, 30, 5}, {500, 70, 10, 10}});
  ASSERT_EQ(frame.tiles.size(), 1U);
  EXPECT_EQ(frame.tiles[0].x(), 64U);
  EXPECT_EQ(frame.tiles[0].y(), 64U);
  EXPECT_EQ(source_.generation(), 2U);
}

TEST_F(FrameSourceTest, MasksThatComeAndGoAreSentWhereTheScreenHasNotChanged) {
  const std::vector<Rect> nothing;
  std::string known = pull("").head.frame_id();
  masked_ = {{{-90, 60, 20, 10}}};
  const auto covered = pull(known, nothing);
  EXPECT_EQ(covered.tiles.size(), 2U);
  masked_.clear();
  const auto bare = pull(covered.head.frame_id(), nothing);
  ASSERT_EQ(bare.tiles.size(), 2U);
  EXPECT_EQ(bare.pixels, std::string(bare.pixels.size(), '\7'));
}

TEST_F(FrameSourceTest, ForgottenFrameIsSentAgainAsAWhole) {
  const std::string known = pull("").head.frame_id();
  source_.forget();
  EXPECT_EQ(source_.generation(), 0U);
  const auto frame = pull(known, std::vector<Rect>());
  EXPECT_TRUE(frame.head.key_frame());
  EXPECT_EQ(frame.pixels.size(), pixels_.size());
  EXPECT_EQ(frame.pixels.find('\0'), std::string::npos);
}

TEST_F(FrameSourceTest, KeyFrameComparesEverything) {
  pull("");
  pixels_[(70 * kWidth + 195) * 4] = 99;
  const auto frame = pull("", std::vector<Rect>());
  EXPECT_EQ(frame.tiles.size(), 12U);
  EXPECT_NE(frame.pixels.find(static_cast<char>(99)), std::string::npos);
}

}  // namespace
}  // namespace da::actuator
