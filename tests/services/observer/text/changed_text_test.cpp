// After any edits, the text of the screen is that of a full reading.
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <map>
#include <opencv2/imgproc.hpp>
#include <optional>

#include "services/observer/text/screen_text.h"
#include "tests/services/observer/analyse/pictures.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

// Words that tesseract reads without doubt in this font.
constexpr std::array kWords{"Copied", "file",   "Report", "Open",  "print", "Total",  "amount", "Cancel",
                            "Second", "window", "Paper",  "happy", "Query", "graphs", "Budget", "journey"};
constexpr Rect kScreen{0, 0, 520, 300};
constexpr int kTop = 26;    // The first baseline.
constexpr int kSlots = 13;  // Lines.

enum class Colours { kLight, kDark };

struct Written {
  std::string text;
  Rect bounds;
};

// A page of text with a copy in words. Each slot holds one line.
class Page {
 public:
  // `pitch`: rows from one line to the next.
  Page(std::vector<std::uint8_t>& pixels, int pitch, Colours colours)
      : screen_(kScreen.height, kScreen.width, CV_8UC4, pixels.data()),
        pitch_(pitch),
        paper_(colours == Colours::kDark ? cv::Scalar(48, 40, 36, 0) : cv::Scalar(245, 245, 245, 0)),
        ink_(colours == Colours::kDark ? cv::Scalar(220, 220, 220, 0) : cv::Scalar(20, 20, 20, 0)) {
    screen_.setTo(paper_);
  }

  void clear(int slot) {
    screen_(cv::Rect(0, top_of(slot), kScreen.width, pitch_)).setTo(paper_);
    words_[slot].clear();
  }

  void append(Random& random, int slot) {
    auto& line = words_[slot];
    const int left = line.empty() ? 12 : line.back().bounds.right() + 9;
    const std::string word = kWords[random() % kWords.size()];
    const int width = cv::getTextSize(word, cv::FONT_HERSHEY_SIMPLEX, kSize, 1, nullptr).width;
    if (left + width + 40 > kScreen.width) return;
    const cv::Point at(left, kTop + slot * pitch_);
    cv::putText(screen_, word, at, cv::FONT_HERSHEY_SIMPLEX, kSize, ink_, 1, cv::LINE_AA);
    line.push_back({word, {left, at.y - 14, width, 19}});
  }

  // Draws the line again with another word at a random place.
  void replace(Random& random, int slot) {
    const std::size_t count = words_[slot].size();
    if (count == 0) return;
    const std::size_t kept = random() % count;
    const Rect first = words_[slot][kept].bounds;
    screen_(cv::Rect(first.x, top_of(slot), kScreen.width - first.x, pitch_)).setTo(paper_);
    words_[slot].resize(kept);
    while (words_[slot].size() < count) {
      const std::size_t before = words_[slot].size();
      append(random, slot);
      if (words_[slot].size() == before) break;
    }
  }

  // Draws or removes a caret beside the text.
  void blink_caret(int slot) {
    const int x = words_[slot].empty() ? 12 : words_[slot].back().bounds.right() + 14;
    const cv::Rect caret(x, top_of(slot) + 4, 1, 15);
    caret_ = !caret_;
    screen_(caret).setTo(caret_ ? ink_ : paper_);
    if (caret_at_ && !(*caret_at_ == caret)) screen_(*caret_at_).setTo(paper_);
    caret_at_ = caret;
  }

  void scroll() {
    screen_(cv::Rect(0, top_of(1), kScreen.width, pitch_ * (kSlots - 1)))
        .copyTo(screen_(cv::Rect(0, top_of(0), kScreen.width, pitch_ * (kSlots - 1))));
    for (int slot = 0; slot + 1 < kSlots; ++slot) {
      words_[slot] = words_[slot + 1];
      for (Written& word : words_[slot]) word.bounds.y -= pitch_;
    }
    clear(kSlots - 1);
  }

  std::vector<Written> words() const {
    std::vector<Written> all;
    for (const auto& [slot, line] : words_) all.insert(all.end(), line.begin(), line.end());
    return all;
  }

 private:
  static constexpr double kSize = 0.55;
  int top_of(int slot) const { return kTop + slot * pitch_ - 14; }

  cv::Mat screen_;
  const int pitch_;
  const cv::Scalar paper_;
  const cv::Scalar ink_;
  std::map<int, std::vector<Written>> words_;
  bool caret_ = false;
  std::optional<cv::Rect> caret_at_;
};

// Leaves out the dot that a stroke of the line below may give at the edge of what is read.
std::vector<OcrWord> words_of(const std::vector<OcrLine>& lines) {
  std::vector<OcrWord> words;
  for (const OcrLine& line : lines) {
    for (OcrWord word : line.words) {
      if (word.text.size() > 1 && word.text.ends_with('.')) word.text.pop_back();
      words.push_back(std::move(word));
    }
  }
  return words;
}

std::size_t count_of(const std::vector<OcrWord>& words, const Written& wanted) {
  return static_cast<std::size_t>(std::ranges::count_if(words, [&](const OcrWord& word) {
    return word.text == wanted.text && wanted.bounds.contains(word.bounds.center());
  }));
}

std::string text_of(const std::vector<OcrWord>& words) {
  std::string text;
  for (const OcrWord& word : words)
    text += word.text + "@" + std::to_string(word.bounds.x) + "," + std::to_string(word.bounds.y) + " ";
  return text;
}

class ChangedText {
 public:
  ChangedText(unsigned seed, int pitch, Colours colours) : random_(seed), page_(source_.pixels, pitch, colours) {
    for (int slot = 0; slot < kSlots; slot += 1 + slot % 2) {
      for (int word = 0; word < 4; ++word) page_.append(random_, slot);
    }
  }

  // Compares the kept text with a full reading.
  void compare() {
    for (const auto& chunk : source_.chunks(store_.known_frame_id())) ASSERT_TRUE(store_.take(chunk));
    const auto lines = text_.lines(store_, kScreen);
    ASSERT_TRUE(lines);
    const std::vector<OcrWord> ours = words_of(**lines);
    const std::vector<OcrWord> whole = words_of(*ocr_.read(store_.pixels(), kScreen));
    for (const Written& word : page_.words()) {
      ++all_words_;
      if (count_of(whole, word) != 1) continue;
      ++clear_words_;
      EXPECT_EQ(count_of(ours, word), 1u) << word.text << " at " << word.bounds.x << "," << word.bounds.y;
    }
    for (const OcrWord& word : ours) EXPECT_TRUE(is_there(word, whole)) << word.text << " is not there";
    if (testing::Test::HasFailure()) ADD_FAILURE() << "ours  " << text_of(ours) << "\nwhole " << text_of(whole);
  }

  void edit() {
    const int slot = number(random_, 0, kSlots - 1);
    switch (random_() % 8) {
      case 0: return page_.clear(slot);
      case 1:
      case 2: return page_.append(random_, slot);
      case 3:
      case 4: return page_.replace(random_, slot);
      case 5: return page_.blink_caret(slot);
      case 6: return page_.scroll();
      default: page_.replace(random_, slot); return page_.append(random_, (slot + 2) % kSlots);
    }
  }

  int clear_words() const { return clear_words_; }
  int all_words() const { return all_words_; }

 private:
  // Written on the page, or in the full reading. The caret may be read as a letter, and a part of a letter that reaches
  // into the next line as a quotation mark.
  bool is_there(const OcrWord& word, const std::vector<OcrWord>& whole) const {
    return word.text.size() == 1 ||
           std::ranges::none_of(word.text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)); }) ||
           std::ranges::any_of(page_.words(), [&](const Written& each) { return count_of({word}, each) == 1; }) ||
           std::ranges::any_of(whole, [&](const OcrWord& each) {
             return each.text == word.text && intersection(each.bounds, word.bounds).area() * 2 > word.bounds.area();
           });
  }

  Random random_;
  ManualClock clock_;
  FakeSource source_{kScreen, clock_};
  Page page_;
  FrameStore store_;
  Ocr ocr_;
  ScreenText text_{[this](const auto&... part) { return ocr_.read(part...); }};
  int clear_words_ = 0;
  int all_words_ = 0;
};

void compare_after_edits(unsigned seed, int pitch, Colours colours) {
  ChangedText text(seed, pitch, colours);
  for (int step = 0; step < 30 && !testing::Test::HasFailure(); ++step) {
    SCOPED_TRACE("step " + std::to_string(step));
    text.compare();
    text.edit();
  }
  EXPECT_GT(text.clear_words(), text.all_words() * 4 / 5) << "of " << text.all_words();
}

TEST(ChangedTextTest, TextAfterRandomEditsIsThatOfAFullReading) {
  for (unsigned seed = 1; seed <= 2; ++seed) compare_after_edits(seed, 20, Colours::kLight);
}

TEST(ChangedTextTest, DarkTextAfterRandomEditsIsThatOfAFullReading) { compare_after_edits(4, 20, Colours::kDark); }

// Letters of one line reach into the rows of the next.
TEST(ChangedTextTest, LinesThatTouchAreReadApart) { compare_after_edits(5, 17, Colours::kLight); }

}  // namespace
}  // namespace da::observer
