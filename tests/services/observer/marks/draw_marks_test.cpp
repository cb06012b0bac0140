#include "services/observer/marks/draw_marks.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "services/observer/image/annotate.h"
#include "services/observer/marks/mark_labels.h"
#include "services/observer/text/ocr.h"
#include "tests/services/observer/mat_view.h"

namespace da::observer {
namespace {

constexpr Size kLabel{17, 13};

cv::Mat grey_screen(int width, int height) { return cv::Mat(height, width, CV_8UC4, cv::Scalar(200, 200, 200, 0)); }

void draw_text(cv::Mat& screen, const std::string& text, Point at) {
  cv::putText(screen, text, {at.x, at.y}, cv::FONT_HERSHEY_SIMPLEX, 0.45, cv::Scalar(0, 0, 0, 0), 1, cv::LINE_AA);
}

std::vector<Rect> labels_of(const cv::Mat& screen, const std::vector<Rect>& boxes, const std::vector<Rect>& clear = {},
                            const std::vector<Rect>& others = {}) {
  return place_labels({view_of(screen), boxes, others, clear}, std::vector<Size>(boxes.size(), kLabel));
}

TEST(MarkLabelsTest, LabelIsAboveTheUpperLeftCornerOnAnEmptyBackground) {
  EXPECT_EQ(labels_of(grey_screen(400, 300), {{100, 100, 80, 30}})[0], (Rect{100, 87, 17, 13}));
}

TEST(MarkLabelsTest, TextAboveAndInTheElementStaysReadable) {
  cv::Mat screen = grey_screen(400, 300);
  draw_text(screen, "Heading of it", {100, 97});
  draw_text(screen, "Save as", {105, 120});
  const Rect label = labels_of(screen, {{100, 100, 80, 30}})[0];
  EXPECT_EQ(detail_of(view_of(screen), label), 0);
}

TEST(MarkLabelsTest, WindowBordersDoNotCountAsText) {
  cv::Mat screen = grey_screen(400, 300);
  cv::line(screen, {0, 93}, {399, 93}, cv::Scalar(0, 0, 0, 0));
  EXPECT_EQ(labels_of(screen, {{100, 100, 80, 30}})[0], (Rect{100, 87, 17, 13}));
}

TEST(MarkLabelsTest, LabelsStayInsideTheImage) {
  const Rect image{0, 0, 400, 300};
  for (const Rect& box : {Rect{0, 0, 30, 20}, Rect{380, 0, 20, 20}, Rect{0, 280, 20, 20}, image}) {
    const Rect label = labels_of(grey_screen(400, 300), {box})[0];
    EXPECT_EQ(intersection(label, image), label);
    EXPECT_EQ(label.width, kLabel.width);
  }
}

TEST(MarkLabelsTest, LabelsAvoidDisabledNeighbours) {
  const Rect above{100, 70, 80, 30};
  const Rect label = labels_of(grey_screen(400, 300), {{100, 100, 80, 30}}, {}, {above})[0];
  EXPECT_TRUE(intersection(label, above).empty());
}

TEST(MarkLabelsTest, LabelsAvoidOtherAnnotations) {
  const Rect banner{90, 80, 100, 20};
  const Rect label = labels_of(grey_screen(400, 300), {{100, 100, 80, 30}}, {banner})[0];
  EXPECT_TRUE(intersection(label, banner).empty());
}

RC_GTEST_PROP(MarkLabelsProperty, LabelsTouchTheirBoxesAndOverlapOnlyWithoutRoom, ()) {
  const Rect image{0, 0, 1000, 700};
  std::vector<Rect> boxes;
  // A keypad, with gaps smaller than the labels.
  const int gap = *rc::gen::inRange(0, 12);
  const int width = *rc::gen::inRange(24, 90);
  const int height = *rc::gen::inRange(20, 50);
  for (int y = 5; y + height < 700 && boxes.size() < 99; y += height + gap) {
    for (int x = 5; x + width < 1000 && boxes.size() < 99; x += width + gap) boxes.push_back({x, y, width, height});
  }
  const auto labels = labels_of(grey_screen(1000, 700), boxes);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    RC_ASSERT(intersection(labels[i], image) == labels[i]);
    const Rect near{boxes[i].x - 1, boxes[i].y - 1, boxes[i].width + 2, boxes[i].height + 2};
    RC_ASSERT(!intersection(labels[i], near).empty());
    for (std::size_t j = 0; j < i; ++j) RC_ASSERT(intersection(labels[i], labels[j]).empty());
  }
}

RC_GTEST_PROP(DrawMarksProperty, AnySizeAndBoxesAreDrawnWithoutHarm, ()) {
  const cv::Mat screen = grey_screen(*rc::gen::inRange(1, 300), *rc::gen::inRange(1, 200));
  std::vector<Rect> boxes;
  for (int i = *rc::gen::inRange(0, 20); i > 0; --i) {
    boxes.push_back({*rc::gen::inRange(-50, 300), *rc::gen::inRange(-50, 200), *rc::gen::inRange(0, 100),
                     *rc::gen::inRange(0, 100)});
  }
  Canvas canvas;
  draw_plain(view_of(screen), canvas);
  draw_marks({view_of(screen), boxes, {}, {}}, canvas);
  for (int y = 0; y < canvas.height(); ++y) RC_ASSERT(canvas.pixel(0, y)[-1] == 0);  // The filter bytes.
}

class DrawnMarks : public testing::Test {
 protected:
  void draw(const std::vector<Rect>& boxes) {
    draw_plain(view_of(screen_), canvas_);
    draw_marks({view_of(screen_), boxes, {}, {}}, canvas_);
  }
  std::array<int, 3> at(int x, int y) const {
    const auto* pixel = canvas_.pixel(x, y);
    return {pixel[0], pixel[1], pixel[2]};
  }
  cv::Mat screen_ = grey_screen(1200, 600);
  Canvas canvas_;
};

TEST_F(DrawnMarks, BoxIsOnePixelThinAndItsInsideIsUnchanged) {
  draw({{100, 100, 80, 30}});
  const auto line = at(150, 100);
  EXPECT_NE(line, (std::array{200, 200, 200}));
  for (const Point point : {Point{100, 115}, Point{179, 115}, Point{150, 129}}) EXPECT_EQ(at(point.x, point.y), line);
  for (int y = 101; y < 129; ++y) {
    for (int x = 101; x < 179; ++x) ASSERT_EQ(at(x, y), (std::array{200, 200, 200})) << x << "," << y;
  }
  EXPECT_EQ(at(99, 115), (std::array{200, 200, 200}));
  EXPECT_EQ(at(100, 88), line) << "the label has the box's colour";
}

TEST_F(DrawnMarks, NeighboursHaveDifferentColours) {
  std::vector<Rect> boxes;
  for (int y = 50; y < 350; y += 60) {
    for (int x = 50; x < 600; x += 60) boxes.push_back({x, y, 50, 30});
  }
  draw(boxes);
  for (const Rect& a : boxes) {
    for (const Rect& b : boxes) {
      const bool beside = !(a == b) && std::abs(a.x - b.x) <= 60 && std::abs(a.y - b.y) <= 60;
      if (!beside) continue;
      EXPECT_NE(at(a.x, a.y + 15), at(b.x, b.y + 15)) << a.x << "," << a.y << " " << b.x << "," << b.y;
    }
  }
}

// The labels are copied side by side, black on white, because tesseract reads words in lines.
TEST_F(DrawnMarks, EveryNumberIsReadableByOcr) {
  std::vector<Rect> boxes;
  for (int i = 0; i < 99; ++i) boxes.push_back({30 + i % 11 * 100, 40 + i / 11 * 60, 60, 30});
  draw(boxes);
  Ocr ocr;
  for (int row = 0; row < 9; ++row) {
    cv::Mat line(32, 11 * 40 + 20, CV_8UC4, cv::Scalar(255, 255, 255, 0));
    std::string expected;
    for (int column = 0; column < 11; ++column) {
      const int number = row * 11 + column + 1;
      expected += (expected.empty() ? "" : " ") + std::to_string(number);
      const Rect& box = boxes[static_cast<std::size_t>(number - 1)];
      for (int y = 0; y < 13; ++y) {
        for (int x = 0; x < (number < 10 ? 10 : 17); ++x) {
          const bool white = at(box.x + x, box.y - 13 + y)[1] > 230;
          if (white) line.at<cv::Vec4b>(9 + y, 10 + column * 40 + x) = cv::Vec4b(0, 0, 0, 0);
        }
      }
    }
    cv::resize(line, line, {}, 3, 3, cv::INTER_LINEAR);
    const auto lines = ocr.read(view_of(line), {0, 0, line.cols, line.rows});
    ASSERT_TRUE(lines) << lines.error().message;
    std::string text;
    for (const auto& each : *lines) {
      for (const auto& word : each.words) text += (text.empty() ? "" : " ") + word.text;
    }
    // Tesseract may read a single 7 as a question mark. No digit may be read as another digit.
    std::ranges::replace(text, '?', '7');
    EXPECT_EQ(text, expected);
  }
}

}  // namespace
}  // namespace da::observer
