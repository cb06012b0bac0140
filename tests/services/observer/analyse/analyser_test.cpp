#include "services/observer/analyse/analyser.h"

#include <gmock/gmock.h>
#include <grpcpp/server_context.h>
#include <gtest/gtest.h>

#include "da/v1/history.pb.h"
#include "lib/base/id.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "services/observer/image/annotate.h"
#include "services/observer/image/image_encoder.h"
#include "services/observer/observer_rpc.h"
#include "tests/services/observer/analyse/pictures.h"
#include "tests/services/observer/decode.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

using ErrorCode = v1::AnalysisError;

class AnalyserTest : public testing::Test {
 protected:
  AnalyserTest() {
    Random random(2);
    show(desktop_picture(random, {640, 480}), {0, 0});
  }

  // At a place of the frame.
  void show(const cv::Mat& picture, cv::Point at) {
    cv::Mat screen(source_.desktop.height, source_.desktop.width, CV_8UC4, source_.pixels.data());
    picture.copyTo(screen(cv::Rect(at, picture.size())));
  }

  static v1::RegionQuery& add_region(v1::AnalyzeRequest& request, const Rect& area) {
    auto& query = *request.add_regions();
    *query.mutable_area() = rect_to_wire(area);
    return query;
  }

  // Of a part of the frame, as a PNG.
  v1::Template template_of(const Rect& part) {
    const cv::Mat screen(source_.desktop.height, source_.desktop.width, CV_8UC4, source_.pixels.data());
    Canvas canvas;
    draw_plain(view_of(screen(cv::Rect(part.x, part.y, part.width, part.height)).clone()), canvas);
    ImageEncoder encoder;
    v1::Template result;
    result.set_image(encoder.encode(canvas, Formats::kPng).data);
    result.set_digest(to_hex(blake2b(result.image(), 16)));
    return result;
  }

  static void want(v1::RegionQuery& query, const v1::Template& wanted, double min_confidence = 0.8) {
    query.add_templates()->set_digest(wanted.digest());
    query.mutable_templates(query.templates_size() - 1)->set_min_confidence(min_confidence);
  }

  v1::AnalyzeReply analyze(const v1::AnalyzeRequest& request) {
    auto reply = analyser_.analyze(request, {});
    EXPECT_TRUE(reply) << reply.error().message;
    return reply ? *reply : v1::AnalyzeReply();
  }

  v1::RegionAnalysis analyze_one(const v1::AnalyzeRequest& request) {
    auto reply = analyze(request);
    return reply.regions_size() == 1 ? reply.regions(0) : v1::RegionAnalysis();
  }

  ManualClock clock_;
  FakeSource source_{{-100, -50, 640, 480}, clock_};
  FrameCache frames_{source_};
  Ocr ocr_;
  int reads_ = 0;
  Rect last_read_;
  Analyser analyser_{frames_, [this](const auto& frame, const Rect& area, const auto& hidden) {
                       ++reads_;
                       last_read_ = area;
                       return ocr_.read(frame, area, hidden);
                     }};
};

TEST_F(AnalyserTest, AnswersEachQueryInPixelsOfTheRegion) {
  source_.fill({110, 60, 40, 30}, 0);  // On the desktop: 10,10.
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
  add_region(request, {-70, -20, 300, 100}).mutable_ocr();  // In the frame: 30,30.
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
  add_region(request, {-70, -20, 400, 100}).mutable_ocr();  // In the frame: 30,30.
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

TEST_F(AnalyserTest, TemplateIsSentOnceAndIsMissingBefore) {
  const auto wanted = template_of({200, 100, 60, 40});
  v1::AnalyzeRequest request;
  want(add_region(request, {-100, -50, 640, 480}), wanted);
  EXPECT_EQ(analyze_one(request).templates(0).error().code(), ErrorCode::CODE_TEMPLATE_MISSING);
  v1::AnalyzeRequest only_template;
  *only_template.add_templates() = wanted;
  analyze(only_template);
  EXPECT_FALSE(analyze_one(request).templates(0).has_error());
}

TEST_F(AnalyserTest, HostileTemplatesAreErrorsOfTheirQueries) {
  v1::AnalyzeRequest request;
  auto& query = add_region(request, {0, 0, 100, 80});
  const auto add = [&](const std::string& image, const std::string& digest) {
    auto& sent = *request.add_templates();
    sent.set_image(image);
    sent.set_digest(digest.empty() ? to_hex(blake2b(image, 16)) : digest);
    want(query, sent);
  };
  add("not an image", "");
  add(template_of({0, 0, 20, 20}).image(), std::string(32, 'a'));
  add(std::string(kMaxTemplateBytes + 1, 'x'), "");
  const auto large = template_of({0, 0, 300, 200});
  *request.add_templates() = large;
  want(query, large);
  const auto answer = analyze_one(request);
  ASSERT_EQ(answer.templates_size(), 4);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(answer.templates(i).error().code(), ErrorCode::CODE_BAD_TEMPLATE) << i;
  EXPECT_EQ(answer.templates(3).error().code(), ErrorCode::CODE_TEMPLATE_TOO_LARGE);
}

TEST_F(AnalyserTest, OldTemplatesAreEvicted) {
  TemplateStore store;
  std::vector<v1::Template> sent;
  for (int i = 0; i < 300; ++i) {
    source_.fill({0, 0, 4, 4}, static_cast<std::uint8_t>(i));
    source_.fill({4, 0, 4, 4}, static_cast<std::uint8_t>(i / 256));
    sent.push_back(template_of({0, 0, 8, 8}));
    ASSERT_TRUE(store.add(sent.back().digest(), sent.back().image()));
    ASSERT_NE(store.find(sent.front().digest()), nullptr) << "it was used just now";
  }
  EXPECT_EQ(store.find(sent[1].digest()), nullptr);
  EXPECT_NE(store.find(sent[299].digest()), nullptr);
}

TEST_F(AnalyserTest, QueriesBeyondTheLimitsAreRefused) {
  const auto code_of = [&](const std::function<void(v1::AnalyzeRequest&)>& change) {
    v1::AnalyzeRequest request;
    add_region(request, {0, 0, 10, 10});
    change(request);
    const auto reply = analyser_.analyze(request, {});
    return reply ? Code::kUnknown : reply.error().code;
  };
  const auto with_template = [](double confidence, double scale) {
    return [=](v1::AnalyzeRequest& request) {
      auto& query = *request.mutable_regions(0)->add_templates();
      query.set_min_confidence(confidence);
      query.add_scales(scale);
    };
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(code_of([](auto& r) { r.mutable_regions(0)->set_dominant_colours(17); }), Code::kInvalidArgument);
  EXPECT_EQ(code_of([](auto& r) { r.add_regions(); }), Code::kInvalidArgument) << "no place";
  EXPECT_EQ(code_of([](auto& r) {
              for (int i = 0; i < 300; ++i) r.mutable_regions(0)->add_pixels();
            }),
            Code::kInvalidArgument);
  EXPECT_EQ(code_of([](auto& r) {
              for (int i = 0; i < 300; ++i) *r.add_regions() = r.regions(0);
            }),
            Code::kInvalidArgument);
  EXPECT_EQ(code_of(with_template(0, 1)), Code::kInvalidArgument);
  EXPECT_EQ(code_of(with_template(1.5, 1)), Code::kInvalidArgument);
  EXPECT_EQ(code_of(with_template(nan, 1)), Code::kInvalidArgument);
  EXPECT_EQ(code_of(with_template(0.8, 0.01)), Code::kInvalidArgument);
  EXPECT_EQ(code_of(with_template(0.8, nan)), Code::kInvalidArgument);
  EXPECT_EQ(code_of(with_template(0.8, 1)), Code::kUnknown);
}

TEST_F(AnalyserTest, CancelledCallEnds) {
  std::stop_source stop;
  stop.request_stop();
  v1::AnalyzeRequest request;
  add_region(request, {0, 0, 10, 10});
  const auto reply = analyser_.analyze(request, stop.get_token());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, Code::kCancelled);
}

TEST_F(AnalyserTest, RequestAndAnswerArePublishedWithoutTokenAndTemplates) {
  const auto bus = bus::MemoryBus::create();
  bus::Subscriber reader(bus->source({bus::topic_name<v1::ObserverAnswer>()}));
  bus::Publisher publisher(bus->sink(), {"observer", "fake:1"}, clock_);
  std::stop_source stop;
  Locator locator(frames_, {}, stop.get_token(), clock_);
  ObservationSource observations(frames_);
  ObserverRpc rpc(observations, locator, analyser_, frames_, publisher);
  v1::AnalyzeRequest request;
  request.set_task_id("t1");
  request.set_cause("c1");
  request.set_observation_token("secret");
  const auto wanted = template_of({200, 100, 60, 40});
  *request.add_templates() = wanted;
  want(add_region(request, {-100, -50, 640, 480}), wanted);
  grpc::ServerContext context;
  v1::AnalyzeReply reply;
  ASSERT_TRUE(rpc.Analyze(&context, &request, &reply).ok());
  const auto published = reader.next(system_clock().now());
  ASSERT_TRUE(published && *published);
  const auto& answer = *(*published)->as<v1::ObserverAnswer>();
  EXPECT_EQ(answer.header().cause(), "c1");
  EXPECT_EQ(answer.analyze().templates(0).digest(), wanted.digest());
  EXPECT_TRUE(answer.analyze().templates(0).image().empty());
  EXPECT_EQ(answer.analysis().SerializeAsString(), reply.SerializeAsString());
  EXPECT_EQ(answer.SerializeAsString().find("secret"), std::string::npos);
}

TEST_F(AnalyserTest, PictureShowsThePartOfTheRegionThatIsOnTheDesktop) {
  source_.fill({0, 0, 40, 30}, 0);  // The top left corner of the desktop, which is at -100,-50.
  v1::AnalyzeRequest request;
  add_region(request, {-120, -60, 100, 80}).mutable_picture();
  const auto answer = analyze_one(request);
  EXPECT_EQ(rect_from_wire(answer.picture().part()), (Rect{20, 10, 80, 70}));
  EXPECT_EQ(answer.picture().image().media_type(), "image/png");
  EXPECT_EQ(answer.picture().image().image_hash(), to_hex(blake2b(answer.picture().image().data(), 16)));
  const Decoded shown = decode_png(answer.picture().image().data());
  ASSERT_EQ(shown.width, 80);
  ASSERT_EQ(shown.height, 70);
  EXPECT_EQ(shown.rgb[0] + shown.rgb[1] + shown.rgb[2], 0) << "black, as it was filled";
  EXPECT_EQ(answer.picture().width(), 80u);
  EXPECT_EQ(answer.picture().height(), 70u);
}

TEST_F(AnalyserTest, PictureIsMadeSmallerToFitTheLimits) {
  v1::AnalyzeRequest request;
  auto& query = add_region(request, {-100, -50, 640, 480});
  query.mutable_picture()->mutable_limits()->set_long_edge(160);
  query.mutable_picture()->mutable_limits()->set_jpeg(true);
  const auto answer = analyze_one(request);
  EXPECT_EQ(answer.picture().width(), 160u);
  EXPECT_EQ(answer.picture().height(), 120u);
  EXPECT_EQ(rect_from_wire(answer.picture().part()), (Rect{0, 0, 640, 480}));
  EXPECT_FALSE(answer.picture().image().data().empty());
}

TEST_F(AnalyserTest, UnchangedRegionHasNoPictureAndMoreThanFourAreRefused) {
  v1::AnalyzeRequest request;
  auto& query = add_region(request, {0, 0, 100, 80});
  query.mutable_picture();
  query.set_known_content(analyze_one(request).content());
  EXPECT_FALSE(analyze_one(request).has_picture());
  for (int i = 0; i < 4; ++i) add_region(request, {0, 0, 9, 9}).mutable_picture();
  const auto refused = analyser_.analyze(request, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Code::kInvalidArgument);
}

TEST_F(AnalyserTest, PictureIsPublishedAsAnImageAndTheAnswerNamesIt) {
  const auto bus = bus::MemoryBus::create();
  bus::Subscriber reader(bus->source({bus::topic_name<v1::ObserverAnswer>(), bus::topic_name<v1::ImageFact>()}));
  bus::Publisher publisher(bus->sink(), {"observer", "fake:1"}, clock_);
  std::stop_source stop;
  Locator locator(frames_, {}, stop.get_token(), clock_);
  ObservationSource observations(frames_);
  ObserverRpc rpc(observations, locator, analyser_, frames_, publisher);
  v1::AnalyzeRequest request;
  add_region(request, {0, 0, 100, 80}).mutable_picture();
  grpc::ServerContext context;
  v1::AnalyzeReply reply;
  ASSERT_TRUE(rpc.Analyze(&context, &request, &reply).ok());
  const v1::ImageFact& returned = reply.regions(0).picture().image();
  const auto image = reader.next(system_clock().now());
  ASSERT_TRUE(image && *image && (*image)->as<v1::ImageFact>());
  EXPECT_EQ((*image)->as<v1::ImageFact>()->data(), returned.data());
  const auto answer = reader.next(system_clock().now());
  ASSERT_TRUE(answer && *answer && (*answer)->as<v1::ObserverAnswer>());
  const v1::ImageFact& named = (*answer)->as<v1::ObserverAnswer>()->analysis().regions(0).picture().image();
  EXPECT_EQ(named.image_hash(), returned.image_hash());
  EXPECT_TRUE(named.data().empty());
}

}  // namespace
}  // namespace da::observer
