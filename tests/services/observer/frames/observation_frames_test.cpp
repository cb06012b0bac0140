// An observation asks the actuator for frames, publishes facts, and keeps images.
#include <gtest/gtest.h>
#include <unistd.h>
#include <fstream>

#include "tests/services/observer/frames/observation_fixture.h"

namespace da::observer {
namespace {

TEST_F(ObservationSourceTest, UnreadableUiTreeLeavesTheRestOfTheObservation) {
  source_.tree_error = {Code::kDeadlineExceeded, "slow"};
  const auto seen = observations_.observe(request());
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->observation.ui_digest(), "");
  auto asked = request(v1::IMAGE_WISH_PLAIN);
  asked.set_marks(true);
  const auto unmarked = observations_.observe(asked);
  ASSERT_TRUE(unmarked && unmarked->image);
  EXPECT_EQ(unmarked->observation.marked_size(), 0);
}

TEST_F(ObservationSourceTest, ActuatorRequestsCarryTheTaskAndTheToken) {
  auto asked = request();
  asked.set_observation_token("one");
  ASSERT_TRUE(observations_.observe(asked));
  EXPECT_EQ(source_.tree_requests.back().task_id(), "t1");
  EXPECT_EQ(source_.tree_requests.back().observation_token(), "one");
  EXPECT_EQ(source_.requests.back().observation_token(), "one");
  ASSERT_TRUE(observations_.observe({}));
  EXPECT_EQ(source_.tree_requests.back().task_id(), "");
  EXPECT_EQ(source_.tree_requests.back().observation_token(), "");
  EXPECT_EQ(source_.requests.back().observation_token(), "");
}

TEST_F(ObservationSourceTest, BrokenFrameIsRetriedAsKeyFrame) {
  ASSERT_TRUE(observations_.observe(request()));
  source_.fill({0, 0, 64, 64}, 77);
  int broken = 1;
  source_.tamper = [&](v1::FrameChunk& chunk) {
    if (broken-- > 0) chunk.set_pixels("junk");
  };
  const auto seen = observations_.observe(request());
  ASSERT_TRUE(seen);
  EXPECT_EQ(source_.requests.back().known_frame_id(), "");
  EXPECT_EQ(seen->observation.changed_tiles(), 1u);
}

TEST_F(ObservationSourceTest, RepeatedBrokenFramesAreAnError) {
  source_.tamper = [](v1::FrameChunk& chunk) { chunk.set_last(false); };
  const auto seen = observations_.observe(request());
  ASSERT_FALSE(seen);
  EXPECT_EQ(seen.error().code, Code::kDataLoss);
}

TEST_F(ObservationSourceTest, ObservationAndImageArePublished) {
  const auto bus = bus::MemoryBus::create();
  const auto reader = bus->source({bus::topic_name<v1::Observation>(), bus::topic_name<v1::ImageFact>()});
  bus::Publisher publisher(bus->sink(), {"observer", "fake:1"}, clock_);
  std::stop_source stop;
  Locator locator(frames_, {}, stop.get_token(), clock_);
  Analyser analyser(frames_, {});
  ObserverRpc rpc(observations_, locator, analyser, frames_, publisher);
  v1::Observation reply;
  const auto asked = request(v1::IMAGE_WISH_ANNOTATED);
  ASSERT_TRUE(rpc.Observe(nullptr, &asked, &reply).ok());

  const auto now = system_clock().now();
  auto first = reader->receive(now);
  auto second = reader->receive(now);
  ASSERT_TRUE(first && *first && second && *second);
  v1::ImageFact image;
  v1::Observation observation;
  ASSERT_TRUE(image.ParseFromString((*first)->payload));
  ASSERT_TRUE(observation.ParseFromString((*second)->payload));
  EXPECT_EQ(image.image_hash(), reply.image_hash());
  EXPECT_EQ(observation.header().task_id(), "t1");
  EXPECT_EQ(observation.header().cause(), "c1");
  EXPECT_EQ(observation.frame_id(), reply.frame_id());
}

TEST_F(ObservationSourceTest, RequestsAndAnswersArePublishedWithoutTokensAndImages) {
  const auto bus = bus::MemoryBus::create();
  bus::Subscriber reader(bus->source({bus::topic_name<v1::ObserverAnswer>()}));
  bus::Publisher publisher(bus->sink(), {"observer", "fake:1"}, clock_);
  std::stop_source stop;
  Locator locator(frames_, {}, stop.get_token(), clock_);
  Analyser analyser(frames_, {});
  ObserverRpc rpc(observations_, locator, analyser, frames_, publisher);
  v1::Observation seen;
  auto asked = request(v1::IMAGE_WISH_PLAIN);
  asked.set_observation_token("secret");
  asked.set_return_image(true);
  ASSERT_TRUE(rpc.Observe(nullptr, &asked, &seen).ok());
  EXPECT_EQ(seen.returned_image().image_hash(), seen.image_hash());
  EXPECT_EQ(decode_png(seen.returned_image().data()).height, 480);
  v1::ZoomRequest outside;
  outside.set_task_id("t1");
  outside.mutable_area()->set_x(100'000);
  outside.set_cause("c2");
  outside.set_observation_token("secret");
  v1::ImageFact image;
  EXPECT_FALSE(rpc.Zoom(nullptr, &outside, &image).ok());

  const auto observed = reader.next(system_clock().now());
  ASSERT_TRUE(observed && *observed);
  const auto& answer = *(*observed)->as<v1::ObserverAnswer>();
  EXPECT_EQ(answer.header().cause(), "c1");
  EXPECT_EQ(answer.observe().image(), v1::IMAGE_WISH_PLAIN);
  EXPECT_EQ(answer.observation().frame_id(), seen.frame_id());
  EXPECT_FALSE(answer.observation().has_returned_image());
  EXPECT_FALSE(answer.observation().has_header());
  EXPECT_EQ(answer.SerializeAsString().find("secret"), std::string::npos);
  const auto failed = reader.next(system_clock().now());
  ASSERT_TRUE(failed && *failed);
  EXPECT_EQ((*failed)->as<v1::ObserverAnswer>()->header().cause(), "c2");
  EXPECT_NE((*failed)->as<v1::ObserverAnswer>()->error(), "");
  EXPECT_EQ((*failed)->as<v1::ObserverAnswer>()->SerializeAsString().find("secret"), std::string::npos);
}

TEST_F(ObservationSourceTest, ReadImageReturnsPlainImages) {
  const auto bus = bus::MemoryBus::create();
  bus::Publisher publisher(bus->sink(), {"observer", "fake:1"}, clock_);
  std::stop_source stop;
  Locator locator(frames_, {}, stop.get_token(), clock_);
  Analyser analyser(frames_, {});
  ObserverRpc rpc(observations_, locator, analyser, frames_, publisher);
  v1::Observation seen;
  const auto asked = request(v1::IMAGE_WISH_PLAIN);
  ASSERT_TRUE(rpc.Observe(nullptr, &asked, &seen).ok());
  v1::ReadImageRequest wanted;
  wanted.set_image_hash(seen.image_hash());
  v1::ImageFact image;
  ASSERT_TRUE(rpc.ReadImage(nullptr, &wanted, &image).ok());
  EXPECT_EQ(decode_png(image.data()).height, 480);
}

TEST_F(ObservationSourceTest, ImageIsReadableOnlyWithItsOwnToken) {
  const auto bus = bus::MemoryBus::create();
  bus::Publisher publisher(bus->sink(), {"observer", "fake:1"}, clock_);
  std::stop_source stop;
  Locator locator(frames_, {}, stop.get_token(), clock_);
  Analyser analyser(frames_, {});
  ObserverRpc rpc(observations_, locator, analyser, frames_, publisher);
  v1::Observation seen;
  auto asked = request(v1::IMAGE_WISH_PLAIN);
  asked.set_observation_token("one");
  ASSERT_TRUE(rpc.Observe(nullptr, &asked, &seen).ok());
  v1::ReadImageRequest wanted;
  wanted.set_image_hash(seen.image_hash());
  v1::ImageFact image;
  for (const std::string token : {"", "two"}) {
    wanted.set_observation_token(token);
    EXPECT_EQ(rpc.ReadImage(nullptr, &wanted, &image).error_code(), grpc::StatusCode::NOT_FOUND);
  }
  wanted.set_observation_token("one");
  EXPECT_TRUE(rpc.ReadImage(nullptr, &wanted, &image).ok());
}

TEST(UiDigestTest, DependsOnVisibleContentButNotOnElementIds) {
  v1::UiTree tree;
  *tree.add_nodes() = element("push button", "Save", {1, 2, 3, 4}, {v1::UI_STATE_ENABLED});
  const auto digest = ui_digest(tree);
  tree.mutable_nodes(0)->set_element_id("other");
  EXPECT_EQ(ui_digest(tree), digest);
  tree.mutable_nodes(0)->add_states(v1::UI_STATE_FOCUSED);
  EXPECT_NE(ui_digest(tree), digest);
}

std::size_t resident_mb() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) >> 20;
}

TEST(ObserverMemoryTest, StaysFlatAndBoundedOver200FullHdObservations) {
  ManualClock clock;
  FakeSource source({0, 0, 1920, 1080}, clock);
  FrameCache frames(source);
  ObservationSource observations(frames);
  v1::ObserveRequest request;
  request.set_image(v1::IMAGE_WISH_ANNOTATED);
  [[maybe_unused]] std::size_t after_100 = 0;
  for (int i = 0; i < 200; ++i) {
    source.fill({i * 7, i * 4, 200, 100}, static_cast<std::uint8_t>(i));
    source.cursor = {i * 9, 500};
    source.requests.clear();
    source.tree_requests.clear();
    ASSERT_TRUE(observations.observe(request));
    if (i == 99) after_100 = resident_mb();
  }
  RecordProperty("resident_mb", static_cast<int>(resident_mb()));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(resident_mb(), 200u);
  EXPECT_LE(resident_mb(), after_100 + 4);
#endif
}

}  // namespace
}  // namespace da::observer
