#include "services/observer/text/screen_text.h"

#include <gtest/gtest.h>

#include "services/observer/elements/actionable.h"
#include "services/observer/text/text_match.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

OcrLine line(std::initializer_list<const char*> words, Point at) {
  OcrLine out;
  for (const char* word : words) {
    const Rect bounds{at.x, at.y, 40, 12};
    out.words.push_back({word, bounds, 0.95});
    out.bounds = bounding(out.bounds, bounds);
    at.x += 45;
  }
  return out;
}

class ScreenTextTest : public testing::Test {
 protected:
  void look() {
    for (const auto& chunk : source_.chunks(store_.known_frame_id())) ASSERT_TRUE(store_.take(chunk));
  }
  std::size_t read(const Rect& area) { return (*text_.lines(store_, area))->size(); }

  ManualClock clock_;
  FakeSource source_{{0, 0, 640, 480}, clock_};
  FrameStore store_;
  std::vector<Rect> reads_;
  std::vector<OcrLine> written_{line({"one"}, {10, 10}), line({"two", "words"}, {300, 300})};
  bool fails_ = false;
  ScreenText text_{
      [this](const frames::PixelView&, const Rect& area, std::span<const Rect>) -> Result<std::vector<OcrLine>> {
        if (fails_) return Error{Code::kInternal, "no"};
        reads_.push_back(area);
        std::vector<OcrLine> found;
        for (const auto& each : written_) {
          if (!intersection(each.bounds, area).empty()) found.push_back(each);
        }
        return found;
      }};
};

TEST_F(ScreenTextTest, UnchangedScreenIsNotReadAgain) {
  look();
  EXPECT_EQ(read({0, 0, 640, 480}), 2u);
  look();
  EXPECT_EQ(read({0, 0, 640, 480}), 2u);
  EXPECT_EQ(reads_.size(), 1u);
}

TEST_F(ScreenTextTest, OnlyChangedLinesAreReadAgain) {
  look();
  read({0, 0, 640, 480});
  source_.fill({350, 302, 90, 8}, 200);
  written_[1] = line({"three", "new", "words"}, {300, 300});
  look();
  EXPECT_EQ(read({0, 0, 640, 480}), 2u);
  ASSERT_EQ(reads_.size(), 2u);
  EXPECT_EQ(reads_[1], (Rect{296, 296, 148, 20})) << "the first word and the changed pixels, with a margin";
  EXPECT_EQ((*text_.lines(store_, {0, 0, 640, 480}))->back().words.size(), 3u);
}

TEST_F(ScreenTextTest, ChangeOutsideTheAreaIsNotRead) {
  look();
  read({0, 0, 100, 100});
  source_.fill({320, 304, 4, 4}, 200);
  look();
  read({0, 0, 100, 100});
  EXPECT_EQ(reads_.size(), 1u);
}

TEST_F(ScreenTextTest, FailedReadIsTriedAgainInFull) {
  look();
  fails_ = true;
  EXPECT_FALSE(text_.lines(store_, {0, 0, 640, 480}));
  fails_ = false;
  EXPECT_EQ(read({0, 0, 640, 480}), 2u);
  EXPECT_EQ(reads_[0], (Rect{0, 0, 640, 480}));
}

TEST(TextMatchTest, WordsInALineHaveTheirOwnBoundsInDesktopPixels) {
  const std::vector lines{line({"Please", "Save", "As", "now"}, {10, 20})};
  const auto found = match_text(lines, {-100, 50}, parse_target("save as"));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].bounds().x(), -45);
  EXPECT_EQ(found[0].bounds().y(), 70);
  EXPECT_EQ(found[0].bounds().width(), 85u);
  EXPECT_EQ(found[0].source(), v1::Candidate::SOURCE_OCR);
}

TEST(TextMatchTest, TextAloneOnItsLineBeatsTheSameWordInASentence) {
  const std::vector lines{line({"Do", "you", "Save", "often?"}, {10, 20}), line({"Save"}, {200, 200})};
  const auto found = match_text(lines, {0, 0}, parse_target("Save"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].bounds().y(), 200);
  EXPECT_LT(found[0].score(), 0.9 + 1e-9) << "recognised text is never as good as an element's name";
}

// Bug: of two equal buttons, the one that was read with more confidence was clicked.
TEST(TextMatchTest, EqualTextsAreAmbiguousHoweverWellTheyWereRead) {
  std::vector lines{line({"Delete"}, {10, 20}), line({"Delete"}, {200, 200})};
  lines[1].words[0].confidence = 0.6;
  EXPECT_TRUE(is_ambiguous(match_text(lines, {0, 0}, parse_target("Delete"))));
}

TEST(TextMatchTest, CheckBoxThatIsReadAsALetterIsNoPartOfTheText) {
  const auto score = [](std::initializer_list<const char*> words, const char* wanted, int width_of_first = 14) {
    std::vector lines{line(words, {10, 20})};
    lines[0].words[0].bounds = {50 - width_of_first, 20, width_of_first, 12};
    return match_text(lines, {0, 0}, parse_target(wanted))[0].score();
  };
  const double whole = score({"Send", "now"}, "Send now");
  EXPECT_EQ(score({"O", "Send", "now"}, "Send now"), whole);
  EXPECT_EQ(score({"fi", "Send", "now"}, "Send now"), whole);
  EXPECT_EQ(score({"[_]", "Send", "now", ">"}, "Send now"), whole);
  EXPECT_LT(score({"My", "Send", "now"}, "Send now", 24), whole);
  EXPECT_LT(score({"Send", "now"}, "Send"), whole);
  EXPECT_LT(score({"7", "Send"}, "Send"), whole) << "a number may tell it from others";
  EXPECT_LT(score({"Please", "Send"}, "Send"), whole);
}

// Bug: a tooltip covered a part of the window, and the items of its menu bar counted as parts of one text.
TEST(TextMatchTest, WordsThatStandFurtherApartThanASpaceAreTextsOfTheirOwn) {
  const auto score = [](int gap) {
    OcrLine menu_bar;
    menu_bar.words = {{"View", {10, 20, 33, 10}, 0.9},
                      {"Image", {43 + gap, 20, 44, 13}, 0.9},
                      {"Layer", {87 + 2 * gap, 20, 39, 13}, 0.9}};
    menu_bar.bounds = {10, 20, 116 + 2 * gap, 13};
    return match_text(std::vector{menu_bar}, {0, 0}, parse_target("Image"))[0].score();
  };
  EXPECT_GT(score(12), score(5));
  EXPECT_EQ(score(12), score(100)) << "as a text alone";
}

TEST(TextMatchTest, ExactTextBeatsALongerOneThatWasReadBetter) {
  std::vector lines{line({"Save", "As"}, {10, 20}), line({"Save"}, {200, 200})};
  lines[1].words[0].confidence = 0.5;
  const auto found = match_text(lines, {0, 0}, parse_target("Save"));
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found[0].bounds().y(), 200);
  EXPECT_FALSE(is_ambiguous(found));
}

// A reader that has only English data knows no umlauts.
TEST(TextMatchTest, ANameIsFoundWithoutItsAccents) {
  const auto count = [](const char* read, const char* wanted) {
    const std::vector lines{line({read}, {10, 20})};
    return match_text(lines, {0, 0}, parse_target(wanted)).size();
  };
  EXPECT_EQ(count("Ubernehmen", "Übernehmen"), 1u);
  EXPECT_EQ(count("ubernehmen", "Übernehmen"), 1u);
  EXPECT_EQ(count("Übernehmen", "Ubernehmen"), 0u);
  EXPECT_EQ(count("Résume", "Résumé"), 0u);
  EXPECT_EQ(count("Uberneh", "Übernehmen"), 0u);
  const std::vector both{line({"Resume"}, {10, 20}), line({"Résumé"}, {200, 200})};
  EXPECT_TRUE(is_ambiguous(match_text(both, {0, 0}, parse_target("Résumé"))));
}

TEST(TextMatchTest, RoleWordsAreIgnoredInPixels) {
  const std::vector lines{line({"Save"}, {200, 200})};
  EXPECT_EQ(match_text(lines, {0, 0}, parse_target("Save button")).size(), 1u);
  EXPECT_TRUE(match_text(lines, {0, 0}, parse_target("Cancel")).empty());
  EXPECT_TRUE(match_text(lines, {0, 0}, parse_target("button")).empty());
}

}  // namespace
}  // namespace da::observer
