#include "services/observer/text/ocr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <opencv2/imgproc.hpp>

#include "services/observer/text/text_match.h"
#include "tests/services/observer/mat_view.h"

namespace da::observer {
namespace {

cv::Mat page() {
  cv::Mat image(300, 640, CV_8UC4, cv::Scalar(245, 245, 245, 0));
  const auto write = [&](const char* text, cv::Point at) {
    cv::putText(image, text, at, cv::FONT_HERSHEY_SIMPLEX, 0.6, cv::Scalar(20, 20, 20, 0), 1, cv::LINE_AA);
  };
  write("Open the report", {40, 60});
  write("Cancel", {420, 240});
  return image;
}

TEST(OcrTest, WordsAreReadWithBoundsAndGroupedIntoLines) {
  const cv::Mat image = page();
  Ocr ocr;
  const auto lines = ocr.read(view_of(image), {0, 0, 640, 300});
  ASSERT_TRUE(lines) << lines.error().message;
  const auto cancel = match_text(*lines, {0, 0}, parse_target("Cancel"));
  ASSERT_FALSE(cancel.empty());
  EXPECT_NEAR(cancel[0].bounds().x(), 420, 6);
  EXPECT_NEAR(cancel[0].bounds().y(), 226, 8);
  EXPECT_NEAR(cancel[0].bounds().width(), 68, 14);
  EXPECT_FALSE(match_text(*lines, {0, 0}, parse_target("the report")).empty());
}

TEST(OcrTest, OnlyTheAreaIsReadWithBoundsInTheFrame) {
  const cv::Mat image = page();
  Ocr ocr;
  const auto lines = ocr.read(view_of(image), {400, 210, 200, 60});
  ASSERT_TRUE(lines) << lines.error().message;
  ASSERT_EQ(lines->size(), 1u);
  EXPECT_EQ(lines->front().words.front().text, "Cancel");
  EXPECT_NEAR(lines->front().bounds.x, 420, 6);
}

// Regression: "Yes" was not read on a button of Tk that had the keyboard focus.
TEST(OcrTest, TextInADottedFocusFrameIsRead) {
  cv::Mat image(60, 160, CV_8UC4, cv::Scalar(217, 217, 217, 0));
  cv::putText(image, "Yes", {64, 37}, cv::FONT_HERSHEY_SIMPLEX, 0.5, cv::Scalar(0, 0, 0, 0), 1, cv::LINE_AA);
  const cv::Rect frame(20, 14, 119, 35);
  for (int x = frame.x; x < frame.br().x; x += 2) {
    for (const int y : {frame.y, frame.br().y - 1}) image.at<cv::Vec4b>(y, x) = {};
  }
  for (int y = frame.y; y < frame.br().y; y += 2) {
    for (const int x : {frame.x, frame.br().x - 1}) image.at<cv::Vec4b>(y, x) = {};
  }
  Ocr ocr;
  const auto lines = ocr.read(view_of(image), {0, 0, 160, 60});
  ASSERT_TRUE(lines) << lines.error().message;
  ASSERT_EQ(lines->size(), 1U);
  EXPECT_EQ(lines->front().words.front().text, "Yes");
}

// A dark sidebar, a light page with faint text, and a coloured button.
TEST(OcrTest, LightAndDarkTextInOnePictureIsRead) {
  cv::Mat image(300, 640, CV_8UC4, cv::Scalar(250, 250, 250, 0));
  cv::rectangle(image, cv::Rect(0, 0, 200, 300), cv::Scalar(48, 40, 36, 0), cv::FILLED);
  cv::rectangle(image, cv::Rect(420, 220, 140, 40), cv::Scalar(200, 110, 30, 0), cv::FILLED);
  const auto write = [&](const char* text, cv::Point at, int shade) {
    cv::putText(image, text, at, cv::FONT_HERSHEY_SIMPLEX, 0.6, cv::Scalar(shade, shade, shade, 0), 1, cv::LINE_AA);
  };
  write("Inbox", {30, 60}, 230);
  write("Archive", {30, 110}, 150);
  write("Dear customer", {240, 60}, 20);
  write("optional", {240, 110}, 150);
  write("Send", {460, 246}, 255);
  Ocr ocr;
  const auto lines = ocr.read(view_of(image), {0, 0, 640, 300});
  ASSERT_TRUE(lines) << lines.error().message;
  std::vector<std::string> words;
  for (const OcrLine& line : *lines) {
    for (const auto& word : line.words) words.push_back(word.text);
  }
  EXPECT_THAT(words, testing::UnorderedElementsAre("Inbox", "Archive", "Dear", "customer", "optional", "Send"));
}

TEST(OcrTest, EmptyOrOutsideAreaReadsNothing) {
  const cv::Mat image = page();
  Ocr ocr;
  EXPECT_TRUE(ocr.read(view_of(image), {900, 900, 50, 50})->empty());
  EXPECT_TRUE(ocr.read(view_of(image), {10, 100, 300, 80})->empty());
}

TEST(OcrTest, WordsSideBySideFormALineButColumnsDoNot) {
  const auto lines = group_lines({{"As", {60, 11, 20, 12}, 1},
                                  {"Save", {10, 10, 40, 12}, 1},
                                  {"Size", {300, 10, 40, 12}, 1},
                                  {"below", {10, 30, 40, 12}, 1}});
  ASSERT_EQ(lines.size(), 3u);
  ASSERT_EQ(lines[0].words.size(), 2u);
  EXPECT_EQ(lines[0].words[1].text, "As");
  EXPECT_EQ(lines[0].bounds, (Rect{10, 10, 70, 13}));
  EXPECT_EQ(lines[1].words[0].text, "Size");
}

TEST(OcrTest, MissingLanguageDataNamesThePackageToInstall) {
  const cv::Mat image = page();
  Ocr ocr("xyz", "/nonexistent");
  const auto lines = ocr.read(view_of(image), {0, 0, 640, 300});
  ASSERT_FALSE(lines);
  EXPECT_EQ(lines.error().code, Code::kFailedPrecondition);
  EXPECT_THAT(lines.error().message, testing::HasSubstr("tesseract-ocr-xyz"));
}

}  // namespace
}  // namespace da::observer
