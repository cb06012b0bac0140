#include "services/observer/analyse/analyser.h"

#include <gmock/gmock.h>
#include <grpcpp/server_context.h>
#include <gtest/gtest.h>

#include "tests/services/observer/analyse/analyser_fixture.h"

namespace da::observer {
namespace {

TEST_F(AnalyserTest, AnswersEachQueryInPixelsOfTheRegion) {
  source_.fill({110, 60, 40, 30}, 0);  // Place on the desktop: 10,10.
  const auto wanted = template_of({105, 55, 30, 20});
  v1::AnalyzeRequest request;
  *request.add_templates() = wanted;
  auto& query = add_region(request, {0, 0, 100, 80});
  query.set_name("form");
  query.add_pixels()->set_x(12);
  query.mutable_pixels(0)->set_y(12);
  query.set_average_colour(true);
  query.set_dominant_colours(2);
  want(query, wanted);
  const auto answer = analyze_one(request);
  EXPECT_EQ(answer.name(), "form");
  EXPECT_EQ(answer.area().width(), 100u);
  EXPECT_EQ(answer.content().size(), 32u);
  ASSERT_EQ(answer.pixels_size(), 1);
  EXPECT_EQ(answer.pixels(0).colour().red(), 0u);
  EXPECT_FALSE(answer.pixels(0).has_error());
  EXPECT_TRUE(answer.has_average_colour());
  EXPECT_EQ(answer.dominant_colours_size(), 2);
  ASSERT_EQ(answer.templates_size(), 1);
  ASSERT_FALSE(answer.templates(0).matches().empty());
  EXPECT_EQ(answer.templates(0).matches(0).area().x(), 5);
  EXPECT_EQ(answer.templates(0).matches(0).area().y(), 5);
  EXPECT_TRUE(answer.templates(0).matches(0).exact());
  EXPECT_FALSE(answer.has_ocr());
}

TEST_F(AnalyserTest, ReplyNamesTheFrame) {
  const auto reply = analyze({});
  EXPECT_EQ(reply.frame_id(), frames_.store().known_frame_id());
  EXPECT_EQ(reply.desktop().x(), -100);
  EXPECT_EQ(reply.desktop().width(), 640u);
}

TEST_F(AnalyserTest, RegionThatIsPartlyOutsideIsAnalysedWhereItShows) {
  source_.fill({0, 0, 10, 10}, 77);
  v1::AnalyzeRequest request;
  auto& query = add_region(request, {-110, -60, 30, 30});
  query.add_pixels()->set_x(5);
  query.add_pixels()->set_x(12);
  query.mutable_pixels(1)->set_y(12);
  const auto answer = analyze_one(request);
  EXPECT_EQ(answer.area().x(), -110);
  EXPECT_EQ(answer.pixels(0).error().code(), ErrorCode::CODE_POINT_OUTSIDE_REGION);
  EXPECT_EQ(answer.pixels(1).colour().green(), 77u);
}

TEST_F(AnalyserTest, RegionOutsideTheDesktopIsAnErrorOfThatRegionAlone) {
  v1::AnalyzeRequest request;
  add_region(request, {5000, 0, 10, 10}).set_average_colour(true);
  add_region(request, {0, 0, 0, 10}).set_average_colour(true);
  add_region(request, {0, 0, 10, 10}).set_average_colour(true);
  const auto reply = analyze(request);
  EXPECT_EQ(reply.regions(0).error().code(), ErrorCode::CODE_OUTSIDE_DESKTOP);
  EXPECT_EQ(reply.regions(1).error().code(), ErrorCode::CODE_OUTSIDE_DESKTOP);
  EXPECT_TRUE(reply.regions(2).has_average_colour());
}

TEST_F(AnalyserTest, RegionFollowsItsWindow) {
  source_.windows = {window("Editor - draft", {20, 30, 300, 200}, true), window("editor", {0, 0, 50, 50}, false)};
  v1::AnalyzeRequest request;
  auto& query = *request.add_regions();
  query.mutable_window()->set_title_pattern("^editor");
  query.mutable_window()->mutable_area()->set_x(10);
  query.mutable_window()->mutable_area()->set_y(20);
  query.set_average_colour(true);
  auto answer = analyze_one(request);
  EXPECT_EQ(answer.window_title(), "Editor - draft");
  EXPECT_EQ(answer.area().x(), 30);
  EXPECT_EQ(answer.area().y(), 50);
  EXPECT_EQ(answer.area().width(), 290u) << "up to the window's edge";
  source_.windows[0].mutable_bounds()->set_x(100);
  answer = analyze_one(request);
  EXPECT_EQ(answer.area().x(), 110);
}

TEST_F(AnalyserTest, MissingMinimizedAndMalformedWindowsAreErrors) {
  source_.windows = {window("Editor", {20, 30, 300, 200}, true)};
  source_.windows[0].set_minimized(true);
  v1::AnalyzeRequest request;
  for (const char* pattern : {"editor", "browser", "(["}) {
    request.add_regions()->mutable_window()->set_title_pattern(pattern);
  }
  const auto reply = analyze(request);
  EXPECT_EQ(reply.regions(0).error().code(), ErrorCode::CODE_WINDOW_NOT_FOUND);
  EXPECT_THAT(reply.regions(0).error().message(), testing::HasSubstr("minimized"));
  EXPECT_EQ(reply.regions(1).error().code(), ErrorCode::CODE_WINDOW_NOT_FOUND);
  EXPECT_EQ(reply.regions(2).error().code(), ErrorCode::CODE_BAD_WINDOW_PATTERN);
}

TEST_F(AnalyserTest, KnownContentIsAnsweredAsUnchangedUntilItChanges) {
  v1::AnalyzeRequest request;
  auto& query = add_region(request, {0, 0, 100, 80});
  query.set_average_colour(true);
  query.set_known_content(analyze_one(request).content());
  auto answer = analyze_one(request);
  EXPECT_TRUE(answer.unchanged());
  EXPECT_FALSE(answer.has_average_colour());
  source_.fill({300, 300, 10, 10}, 1);  // Outside.
  EXPECT_TRUE(analyze_one(request).unchanged());
  source_.fill({110, 60, 1, 1}, 1);
  answer = analyze_one(request);
  EXPECT_FALSE(answer.unchanged());
  EXPECT_TRUE(answer.has_average_colour());
}

TEST_F(AnalyserTest, ContentThatMovesKeepsItsDigest) {
  const auto content_at = [&](int x) {
    v1::AnalyzeRequest request;
    add_region(request, {x, 0, 37, 41});
    return analyze_one(request).content();
  };
  Random random(6);
  const cv::Mat picture = photo_picture(random, {37, 41}, 20);
  show(picture, {100, 50});
  const std::string before = content_at(0);
  show(picture, {250, 50});
  EXPECT_EQ(content_at(150), before);
  EXPECT_NE(content_at(151), before);
}

TEST_F(AnalyserTest, TextOfARegionIsReadOnceWhileItsContentStays) {
  v1::AnalyzeRequest request;
  add_region(request, {-100, -50, 320, 200}).mutable_ocr();
  const auto first = analyze_one(request);
  ASSERT_TRUE(first.has_ocr());
  EXPECT_EQ(reads_, 1);
  EXPECT_EQ(analyze_one(request).ocr().SerializeAsString(), first.ocr().SerializeAsString());
  EXPECT_EQ(reads_, 1);
}

TEST_F(AnalyserTest, TextOfARegionIsThatOfItsPixels) {
  cv::Mat page(480, 640, CV_8UC4, cv::Scalar(245, 245, 245, 0));
  const auto write = [&](const char* text, cv::Point at) {
    cv::putText(page, text, at, cv::FONT_HERSHEY_SIMPLEX, 0.6, cv::Scalar(20, 20, 20, 0), 1, cv::LINE_AA);
  };
  write("Total amount", {60, 60});
  write("Cancel", {420, 240});
  write("Second line", {60, 100});
  show(page, {0, 0});
  v1::AnalyzeRequest request;
  add_region(request, {-70, -20, 300, 100}).mutable_ocr();  // Place in the frame: 30,30.
  const auto text = analyze_one(request).ocr();
  EXPECT_EQ(text.text(), "Total amount\nSecond line");
  ASSERT_EQ(text.words_size(), 4);
  EXPECT_NEAR(text.words(0).area().x(), 30, 6);
  EXPECT_NEAR(text.words(2).area().y(), 56, 8);
  double sum = 0;
  for (const auto& word : text.words()) sum += word.confidence_percent();
  EXPECT_NEAR(text.average_confidence_percent(), sum / 4, 1e-9);
  EXPECT_GT(text.average_confidence_percent(), 50);
  // The same words as a direct read of the same pixels has.
  const auto lines = Ocr().read(frames_.store().pixels(), {30, 30, 300, 100});
  ASSERT_TRUE(lines);
  ASSERT_EQ(lines->size(), 2u);
  EXPECT_EQ((*lines)[0].words[0].bounds.x - 30, text.words(0).area().x());
  EXPECT_EQ((*lines)[0].words[0].bounds.width, static_cast<int>(text.words(0).area().width()));
}

TEST_F(AnalyserTest, OnlyTheChangedLineOfARegionIsReadAgain) {
  cv::Mat page(480, 640, CV_8UC4, cv::Scalar(245, 245, 245, 0));
  const auto write = [&](const char* text, int y) {
    cv::rectangle(page, cv::Rect(60, y - 15, 400, 20), cv::Scalar(245, 245, 245, 0), cv::FILLED);
    cv::putText(page, text, {60, y}, cv::FONT_HERSHEY_SIMPLEX, 0.55, cv::Scalar(20, 20, 20, 0), 1, cv::LINE_AA);
  };
  write("Total amount", 60);
  write("Copied file Paper", 80);
  write("Second window", 100);
  show(page, {0, 0});
  v1::AnalyzeRequest request;
  add_region(request, {-70, -20, 400, 100}).mutable_ocr();  // Place in the frame: 30,30.
  EXPECT_EQ(analyze_one(request).ocr().text(), "Total amount\nCopied file Paper\nSecond window");
  write("Copied file Report", 80);
  show(page, {0, 0});
  EXPECT_EQ(analyze_one(request).ocr().text(), "Total amount\nCopied file Report\nSecond window");
  EXPECT_EQ(reads_, 2);
  EXPECT_LT(last_read_.height, 32);
  EXPECT_TRUE((Rect{30, 30, 400, 100}).contains(last_read_.center()));
  write("elsewhere", 300);
  show(page, {0, 0});
  analyze_one(request);
  EXPECT_EQ(reads_, 2);
}

TEST_F(AnalyserTest, MissingLanguageIsAnErrorOfTheText) {
  Ocr missing("xyz", "/nonexistent");
  Analyser analyser(frames_, [&](const auto&... part) { return missing.read(part...); });
  v1::AnalyzeRequest request;
  auto& query = add_region(request, {0, 0, 100, 100});
  query.mutable_ocr();
  query.set_average_colour(true);
  const auto reply = analyser.analyze(request, {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->regions(0).ocr().error().code(), ErrorCode::CODE_OCR_FAILED);
  EXPECT_TRUE(reply->regions(0).has_average_colour());
}

}  // namespace
}  // namespace da::observer
