// These tests show what a request for an analysis sends and may ask for: templates, limits, facts, pictures.
#include <gmock/gmock.h>
#include <grpcpp/server_context.h>
#include <gtest/gtest.h>

#include "tests/services/observer/analyse/analyser_fixture.h"

namespace da::observer {
namespace {

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
