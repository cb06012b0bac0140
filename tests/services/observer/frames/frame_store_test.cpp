#include "services/observer/frames/frame_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "services/observer/frames/change.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

using testing::HasSubstr;

class FrameStoreTest : public testing::Test {
 protected:
  Result<FrameStore::Progress> take_all(const std::vector<v1::FrameChunk>& chunks) {
    Result<FrameStore::Progress> progress = FrameStore::Progress::kMore;
    for (const auto& chunk : chunks) {
      progress = store_.take(chunk);
      if (!progress) break;
    }
    return progress;
  }
  std::vector<std::uint8_t> held() const {
    const auto view = store_.pixels();
    return {view.data, view.data + view.stride * static_cast<std::size_t>(view.height)};
  }
  void expect_refused(std::vector<v1::FrameChunk> chunks, const std::string& why) {
    const auto progress = take_all(chunks);
    ASSERT_FALSE(progress);
    EXPECT_EQ(progress.error().code, Code::kDataLoss);
    EXPECT_THAT(progress.error().message, HasSubstr(why));
    EXPECT_TRUE(store_.known_frame_id().empty()) << "the next request must bring a key frame";
  }

  ManualClock clock_;
  FakeSource source_{{-10, 5, 200, 130}, clock_};
  FrameStore store_;
};

TEST_F(FrameStoreTest, KeyFrameIsRebuiltExactly) {
  for (std::size_t i = 0; i < source_.pixels.size(); ++i) {
    source_.pixels[i] = i % 4 == 3 ? std::uint8_t{0} : static_cast<std::uint8_t>(i * 7);
  }
  ASSERT_EQ(*take_all(source_.chunks("")), FrameStore::Progress::kComplete);
  EXPECT_EQ(held(), source_.pixels);
  EXPECT_EQ(store_.desktop(), (Rect{-10, 5, 200, 130}));
}

TEST_F(FrameStoreTest, HashDependsOnPixelsAloneAndNotOnThePaddingByte) {
  ASSERT_TRUE(take_all(source_.chunks("")));
  const auto before = store_.frame_hash();
  source_.pixels[3] = 0xff;
  ASSERT_TRUE(take_all(source_.chunks(store_.known_frame_id())));
  EXPECT_EQ(store_.frame_hash(), before);
  source_.pixels[2] = 1;
  ASSERT_TRUE(take_all(source_.chunks(store_.known_frame_id())));
  EXPECT_NE(store_.frame_hash(), before);
  EXPECT_EQ(before.size(), 32u);
}

TEST_F(FrameStoreTest, TileOffTheGridIsRefused) {
  for (const auto& [field, value] : {std::pair{0, 1u}, {0, 4096u}, {1, 0xffffffffu}, {2, 63u}, {3, 0u}}) {
    auto chunks = source_.chunks("");
    auto* tile = chunks[0].mutable_tiles(0);
    if (field == 0) tile->set_x(value);
    if (field == 1) tile->set_y(value);
    if (field == 2) tile->set_width(value);
    if (field == 3) tile->set_height(value);
    expect_refused(chunks, "tile");
  }
}

TEST_F(FrameStoreTest, SameTileTwiceIsRefused) {
  auto chunks = source_.chunks("");
  *chunks[0].mutable_tiles(1) = chunks[0].tiles(0);
  expect_refused(chunks, "came twice");
}

TEST_F(FrameStoreTest, ZipBombIsRefusedWithoutUnpackingIt) {
  auto chunks = source_.chunks("");
  chunks[0].set_pixels(packed(std::vector<std::uint8_t>(64 << 20, 0)));
  expect_refused(chunks, "do not unpack");
}

TEST_F(FrameStoreTest, TooFewPixelsAreRefused) {
  auto chunks = source_.chunks("");
  chunks[0].set_pixels(packed(std::vector<std::uint8_t>(100, 0)));
  expect_refused(chunks, "100 bytes");
}

TEST_F(FrameStoreTest, BrokenPixelsAreRefused) {
  auto chunks = source_.chunks("");
  chunks[0].set_pixels("not zstd");
  expect_refused(chunks, "do not unpack");
}

TEST_F(FrameStoreTest, DesktopOfAbsurdSizeIsRefused) {
  for (const std::uint32_t side : {0u, 20000u, 0xffffffffu}) {
    auto chunks = source_.chunks("");
    chunks[0].mutable_head()->mutable_desktop()->set_width(side);
    expect_refused(chunks, "a desktop of");
  }
}

TEST_F(FrameStoreTest, ChangesToAnUnknownFrameAreRefused) {
  auto chunks = source_.chunks("");
  chunks[0].mutable_head()->set_key_frame(false);
  expect_refused(chunks, "a frame that the observer does not have");
}

TEST_F(FrameStoreTest, ChangesToAFrameOfAnotherSizeAreRefused) {
  ASSERT_TRUE(take_all(source_.chunks("")));
  auto chunks = source_.chunks(store_.known_frame_id());
  chunks[0].mutable_head()->mutable_desktop()->set_width(100);
  expect_refused(chunks, "a frame that the observer does not have");
}

TEST_F(FrameStoreTest, KeyFrameWithAMissingTileIsRefused) {
  auto chunks = source_.chunks("");
  const auto last = chunks[0].tiles_size() - 1;
  const auto bytes = static_cast<std::size_t>(chunks[0].tiles(last).width() * chunks[0].tiles(last).height() * 4);
  chunks[0].mutable_tiles()->RemoveLast();
  chunks[0].set_pixels(packed(std::vector<std::uint8_t>(source_.pixels.size() - bytes, 0)));
  expect_refused(chunks, "announced");
}

TEST_F(FrameStoreTest, MessageWithoutHeadOrOutOfOrderIsRefused) {
  auto chunks = source_.chunks("");
  auto no_head = chunks;
  no_head[0].clear_head();
  expect_refused(no_head, "does not begin with its head");
  auto twice = chunks;
  twice[0].set_last(false);
  twice.push_back(chunks[0]);
  expect_refused(twice, "before the last one ended");
  v1::FrameChunk nothing;
  auto idle = chunks;
  idle[0].set_last(false);
  idle.push_back(nothing);
  expect_refused(idle, "an empty message");
}

TEST_F(FrameStoreTest, RecoversWithAKeyFrameAfterARefusal) {
  auto broken = source_.chunks("");
  broken[0].set_pixels("x");
  expect_refused(broken, "");
  ASSERT_TRUE(take_all(source_.chunks(store_.known_frame_id())));
  EXPECT_EQ(held(), source_.pixels);
}

TEST_F(FrameStoreTest, SmallerDesktopReplacesALargerOne) {
  ASSERT_TRUE(take_all(source_.chunks("")));
  FakeSource smaller({0, 0, 70, 40}, clock_);
  smaller.fill({0, 0, 70, 40}, 9);
  ASSERT_TRUE(take_all(smaller.chunks("")));
  EXPECT_EQ(held(), smaller.pixels);
  EXPECT_EQ(store_.tile_hashes().size(), 2u);
}

RC_GTEST_PROP(FrameStoreProperty, AnySequenceOfChangesIsFollowedAndReported, ()) {
  ManualClock clock;
  const int width = *rc::gen::inRange(1, 300);
  const int height = *rc::gen::inRange(1, 200);
  FakeSource source({0, 0, width, height}, clock);
  FrameStore store;
  FrameSummary before;
  for (int round = 0; round < 4; ++round) {
    const int x = *rc::gen::inRange(0, width);
    const int y = *rc::gen::inRange(0, height);
    const Rect changed{x, y, *rc::gen::inRange(1, width - x + 1), *rc::gen::inRange(1, height - y + 1)};
    source.fill(changed, static_cast<std::uint8_t>(round + 1));
    for (const auto& chunk : source.chunks(store.known_frame_id())) RC_ASSERT(store.take(chunk).has_value());
    const auto view = store.pixels();
    RC_ASSERT(std::equal(source.pixels.begin(), source.pixels.end(), view.data));
    const Change change = compare(before, store.grid(), store.tile_hashes());
    RC_ASSERT(intersection(change.area, changed) == changed);
    before = {store.grid(), store.tile_hashes()};
    RC_ASSERT(compare(before, store.grid(), store.tile_hashes()).tiles == 0u);
  }
}

RC_GTEST_PROP(FrameStoreProperty, NoMessageCrashesIt, ()) {
  ManualClock clock;
  FakeSource source({0, 0, 150, 100}, clock);
  FrameStore store;
  auto chunks = source.chunks("");
  std::string wire = chunks[0].SerializeAsString();
  const int edits = *rc::gen::inRange(1, 6);
  for (int i = 0; i < edits; ++i) {
    wire[*rc::gen::inRange<std::size_t>(0, wire.size())] = static_cast<char>(*rc::gen::inRange(0, 256));
  }
  v1::FrameChunk chunk;
  if (!chunk.ParseFromString(wire)) return;
  const auto taken = store.take(chunk);
  RC_ASSERT(taken.has_value() || store.known_frame_id().empty());
}

TEST(ChangeTest, BoundingAreaContainsTheChangedTilesWithinTheArea) {
  const frames::TileGrid grid{200, 130};
  const TileHashes tiles(grid.count(), std::string(16, 'a'));
  FrameSummary before{grid, tiles};
  before.tiles[0] = std::string(16, 'b');
  before.tiles[11] = std::string(16, 'b');  // The lower right corner, 8 pixels wide and 2 high.
  const Change change = compare(before, grid, tiles);
  EXPECT_EQ(change.tiles, 2u);
  EXPECT_EQ(change.area, (Rect{0, 0, 200, 130}));
  EXPECT_EQ(compare(before, grid, tiles, {190, 100, 10, 30}).area, (Rect{192, 128, 8, 2}));
  EXPECT_EQ(compare(before, grid, tiles, {70, 0, 20, 20}).tiles, 0u);
}

TEST(ChangeTest, EverythingChangesIfTheSizeDiffers) {
  const frames::TileGrid grid{200, 130};
  EXPECT_EQ(compare({}, grid, TileHashes(grid.count(), "x")).tiles, grid.count());
}

}  // namespace
}  // namespace da::observer
