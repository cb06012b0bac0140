#include "services/actuator/desktop/x11/clipboard/kept_clipboard.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace da::actuator::x11 {
namespace {

constexpr xcb_window_t kWindow = 0x600001;

SelectionContent content() {
  return {{310, 310, 8, selection_bytes(std::string("with a \0 in it", 14))},
          {311, XCB_ATOM_ATOM, 32, selection_bytes(std::string(40, 'x'))},
          {312, 312, 16, selection_bytes({})},
          {313, 313, 8, selection_bytes(std::string(3'000'000, 'y'))}};
}

// Reads as a process that inherited the descriptor does.
std::optional<KeptClipboard::Kept> read_by_another(const KeptClipboard& kept) {
  return KeptClipboard::of(os::UniqueFd(::dup(kept.descriptor()))).read();
}

TEST(KeptClipboard, IsEmptyAfterCreation) {
  const auto kept = *KeptClipboard::create();
  EXPECT_TRUE(kept.empty());
  EXPECT_FALSE(read_by_another(kept));
}

TEST(KeptClipboard, AnotherProcessReadsTheSameBytes) {
  auto kept = *KeptClipboard::create();
  ASSERT_TRUE(kept.assign(kWindow, content()));
  EXPECT_FALSE(kept.empty());
  const auto read = read_by_another(kept);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->taken_by, kWindow);
  const auto written = content();
  ASSERT_EQ(read->content.size(), written.size());
  for (std::size_t n = 0; n < written.size(); ++n) {
    EXPECT_EQ(read->content[n].target, written[n].target);
    EXPECT_EQ(read->content[n].type, written[n].type);
    EXPECT_EQ(read->content[n].format, written[n].format);
    EXPECT_EQ(*read->content[n].bytes, *written[n].bytes);
  }
}

TEST(KeptClipboard, NewContentReplacesOldContent) {
  auto kept = *KeptClipboard::create();
  ASSERT_TRUE(kept.assign(kWindow, content()));
  ASSERT_TRUE(kept.assign(kWindow + 1, {{310, 310, 8, selection_bytes("next")}}));
  const auto read = read_by_another(kept);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->taken_by, kWindow + 1);
  ASSERT_EQ(read->content.size(), 1U);
  EXPECT_EQ(*read->content[0].bytes, "next");
  kept.clear();
  EXPECT_FALSE(read_by_another(kept));
  ASSERT_TRUE(kept.assign(kWindow, {}));
  EXPECT_FALSE(read_by_another(kept)) << "empty content counts as nothing kept";
}

TEST(KeptClipboard, OurTextIsReadWhileItIsChosen) {
  auto kept = *KeptClipboard::create();
  ASSERT_TRUE(kept.assign(kWindow, content(), {{310, 310, 8, selection_bytes("ours")}}));
  ASSERT_EQ(read_by_another(kept)->content.size(), content().size());
  ASSERT_TRUE(kept.choose(KeptClipboard::Offer::kOurs));
  ASSERT_EQ(read_by_another(kept)->content.size(), 1U);
  EXPECT_EQ(*read_by_another(kept)->content[0].bytes, "ours");
  ASSERT_TRUE(kept.choose(KeptClipboard::Offer::kPrevious));
  EXPECT_EQ(read_by_another(kept)->content.size(), content().size());
}

TEST(KeptClipboard, IncompleteContentIsIgnored) {
  auto kept = *KeptClipboard::create();
  ASSERT_TRUE(kept.assign(kWindow, content()));
  const off_t whole = ::lseek(kept.descriptor(), 0, SEEK_END);
  for (const off_t cut : {off_t{1}, off_t{1'000'000}, whole - 8, whole - 1}) {
    ASSERT_EQ(::ftruncate(kept.descriptor(), whole - cut), 0);
    EXPECT_FALSE(read_by_another(kept)) << cut;
    ASSERT_TRUE(kept.assign(kWindow, content()));
  }
  // A writer that dies before the last write leaves the count at 0.
  constexpr std::uint32_t kUnfinished = 0;
  ASSERT_EQ(::pwrite(kept.descriptor(), &kUnfinished, sizeof(kUnfinished), 0), 4);
  EXPECT_FALSE(read_by_another(kept));
}

TEST(KeptClipboard, InvalidSizesAreIgnored) {
  const auto kept = *KeptClipboard::create();
  const std::uint32_t bytes[] = {1, 0, kWindow, 0, 310, 310, 8, 0, 0xffffffff, 0xffffffff};
  ASSERT_EQ(::pwrite(kept.descriptor(), bytes, sizeof(bytes), 0), static_cast<ssize_t>(sizeof(bytes)));
  EXPECT_FALSE(read_by_another(kept));
}

}  // namespace
}  // namespace da::actuator::x11
