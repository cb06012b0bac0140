#include "services/planner/rules/engine/analysis_request.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/services/planner/rules/engine/facts.h"
#include "tests/services/planner/rules/profile_files.h"

namespace da::planner::rules {
namespace {

Profile three_regions() {
  return must_read(R"({"regions": [
    {"name": "a", "x": -5, "y": 6, "width": 70, "height": 80},
    {"name": "b", "window": "^Mail", "x": 1, "y": 2, "width": 0, "height": 0},
    {"name": "c", "x": 0, "y": 0, "width": 10, "height": 10}],
    "templates": [{"name": "t", "filename": "t.png"}, {"name": "same", "filename": "same.png"}], "rules": []})");
}
const std::vector<TemplateImage> kImages = {{"d1", "png"}, {"d1", "png"}};

TEST(AnalysisRequest, AsksForNeedsAndQuestionsOfEachRegion) {
  const Profile profile = three_regions();
  const auto requests =
      analyze_requests(profile, {{.average = true, .dominant = 3, .used = true}, {.ocr = true, .used = true}, {}},
                       {{QuestionKind::kPixel, 0, 3, 4},
                        {QuestionKind::kTemplate, 1, 0, 0, 0, 0.9},
                        {QuestionKind::kTemplate, 1, 0, 0, 0, 0.8},
                        {QuestionKind::kModel, 0, 0, 0, 0, 0, "prompt"},
                        {QuestionKind::kElement, std::nullopt, 0, 0, 0, 0, "OK"}},
                       kImages);
  ASSERT_EQ(requests.size(), 1U);
  ASSERT_EQ(requests[0].regions_size(), 2);
  EXPECT_EQ(requests[0].regions(0).ShortDebugString(),
            "name: \"0\" area { x: -5 y: 6 width: 70 height: 80 } pixels { x: 3 y: 4 } average_colour: true "
            "dominant_colours: 3");
  EXPECT_EQ(requests[0].regions(1).ShortDebugString(),
            "name: \"1\" window { title_pattern: \"^Mail\" area { x: 1 y: 2 } } templates { digest: \"d1\" "
            "min_confidence: 0.8 exact_suffices: true } ocr { }");
  ASSERT_EQ(requests[0].templates_size(), 1);
  EXPECT_EQ(requests[0].templates(0).image(), "png");
}

TEST(AnalysisRequest, LargeProfilesAreAskedInSeveralRequests) {
  Profile profile;
  std::vector<TemplateImage> images;
  std::vector<Question> questions;
  for (std::size_t i = 0; i < 300; ++i) profile.regions.push_back({"r" + std::to_string(i), {0, 0, 1, 1}, {}, {}});
  for (std::size_t i = 0; i < 200; ++i) {
    images.push_back({"d" + std::to_string(i), "png"});
    questions.push_back({QuestionKind::kTemplate, 7, 0, 0, i, 0.5});
  }
  for (int i = 0; i < 600; ++i) questions.push_back({QuestionKind::kPixel, 8, i, 0});
  const auto requests =
      analyze_requests(profile, std::vector<RegionNeeds>(300, {.ocr = true, .used = true}), questions, images);
  std::multiset<std::string> ocr;
  std::set<std::string> templates;
  int pixels = 0;
  for (const v1::AnalyzeRequest& request : requests) {
    EXPECT_LE(request.regions_size(), 256);
    EXPECT_LE(request.templates_size(), 64);
    for (const v1::RegionQuery& query : request.regions()) {
      EXPECT_LE(query.templates_size(), 64);
      EXPECT_LE(query.pixels_size(), 256);
      if (query.has_ocr()) ocr.insert(query.name());
      pixels += query.pixels_size();
      for (const auto& one : query.templates()) templates.insert(one.digest());
    }
  }
  EXPECT_EQ(ocr.size(), 300U);
  EXPECT_EQ(std::set<std::string>(ocr.begin(), ocr.end()).size(), 300U);
  EXPECT_EQ(templates.size(), 200U);
  EXPECT_EQ(pixels, 600);
}

TEST(AnalysisRequest, TemplateThatTheObserverCouldNotKeepHasAnErrorWithAdvice) {
  const Profile profile = three_regions();
  const auto requests = analyze_requests(profile, {}, {{QuestionKind::kTemplate, 0, 0, 0, 1, 0.9}}, kImages);
  v1::AnalyzeReply reply;
  v1::TemplateResult& result = *reply.add_regions()->add_templates();
  result.set_digest(kImages[1].digest);
  result.mutable_error()->set_code(v1::AnalysisError::CODE_TEMPLATE_MISSING);
  result.mutable_error()->set_message("the observer has no template with this digest: send it again");
  Analyses analyses{std::vector<RegionAnalyses>(3), {}};
  ASSERT_TRUE(add_reply(requests[0], reply, kImages, analyses));
  const auto* error = std::get_if<Error>(&analyses.regions[0].templates.at(1));
  ASSERT_NE(error, nullptr);
  EXPECT_NE(error->message.find("cut out smaller pictures"), std::string::npos) << error->message;
}

TEST(AnalysisRequest, TheReplyAnswersTheQuestions) {
  const Profile profile = three_regions();
  const auto requests = analyze_requests(
      profile, {{.average = true, .ocr = true, .dominant = 2, .used = true}, {.used = true}, {.used = true}},
      {{QuestionKind::kPixel, 0, 3, 4}, {QuestionKind::kPixel, 0, 99, 4}, {QuestionKind::kTemplate, 0, 0, 0, 1, 0.9}},
      kImages);
  v1::AnalyzeReply reply;
  v1::RegionAnalysis& a = *reply.add_regions();
  a.mutable_area()->set_x(-5);
  a.mutable_area()->set_width(70);
  a.mutable_average_colour()->set_red(1);
  a.mutable_average_colour()->set_blue(3);
  v1::PixelColour& pixel = *a.add_pixels();
  pixel.mutable_at()->set_x(3);
  pixel.mutable_at()->set_y(4);
  pixel.mutable_colour()->set_green(2);
  v1::PixelColour& outside = *a.add_pixels();
  outside.mutable_at()->set_x(99);
  outside.mutable_at()->set_y(4);
  outside.mutable_error()->set_message("outside of the region");
  a.add_dominant_colours()->set_percent(75);
  v1::TemplateResult& match = *a.add_templates();
  match.set_digest("d1");
  match.mutable_best()->set_confidence(0.7);
  match.mutable_best()->mutable_area()->set_x(9);
  match.set_ambiguous(true);
  a.mutable_ocr()->set_text("hello");
  a.mutable_ocr()->set_average_confidence_percent(81);
  a.mutable_ocr()->add_words()->set_text("hello");
  v1::AnalysisError& gone = *reply.add_regions()->mutable_error();
  gone.set_code(v1::AnalysisError::CODE_WINDOW_NOT_FOUND);
  gone.set_message("no window has the title");
  reply.add_regions()->mutable_error()->set_code(v1::AnalysisError::CODE_OUTSIDE_DESKTOP);

  Analyses analyses = no_analyses(profile);
  ASSERT_TRUE(add_reply(requests.at(0), reply, kImages, analyses));
  const RegionAnalyses& region = analyses.regions[0];
  EXPECT_EQ(std::get<Rect>(*region.area), (Rect{-5, 0, 70, 0}));
  EXPECT_EQ(std::get<Bgr>(*region.average), (Bgr{3, 0, 1}));
  EXPECT_EQ(std::get<Bgr>(region.pixels.at({3, 4})), (Bgr{0, 2, 0}));
  EXPECT_EQ(std::get<Error>(region.pixels.at({99, 4})).message, "outside of the region");
  EXPECT_EQ(std::get<std::vector<ColourShare>>(*region.dominant).at(0).percent, 75);
  // Both templates have this picture.
  for (const std::size_t image : {0U, 1U}) {
    EXPECT_EQ(std::get<TemplateSeen>(region.templates.at(image)).confidence, 0.7);
    EXPECT_TRUE(std::get<TemplateSeen>(region.templates.at(image)).ambiguous);
  }
  EXPECT_EQ(std::get<OcrSeen>(*region.ocr).words.at(0).text, "hello");
  EXPECT_EQ(std::get<Unavailable>(*analyses.regions[1].area).reason, "no window has the title");
  EXPECT_TRUE(std::holds_alternative<Error>(*analyses.regions[2].area));
  reply.mutable_regions()->RemoveLast();
  EXPECT_FALSE(add_reply(requests.at(0), reply, kImages, analyses));
}

}  // namespace
}  // namespace da::planner::rules
