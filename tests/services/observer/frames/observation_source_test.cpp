#include "services/observer/frames/observation_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "da/v1/history.pb.h"
#include "lib/base/id.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "services/observer/elements/ui_digest.h"
#include "services/observer/frames/wire.h"
#include "services/observer/observer_rpc.h"
#include "tests/services/observer/decode.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

class ObservationSourceTest : public testing::Test {
 protected:
  v1::ObserveRequest request(v1::ImageWish image = v1::IMAGE_WISH_UNSPECIFIED, bool settle = false) {
    v1::ObserveRequest out;
    out.set_task_id("t1");
    out.set_image(image);
    out.set_settle(settle);
    out.set_max_wait_ms(2'000);
    out.set_cause("c1");
    return out;
  }

  ManualClock clock_;
  FakeSource source_{{-100, -50, 640, 480}, clock_};
  FrameCache frames_{source_};
  ObservationSource observations_{frames_};
};

TEST_F(ObservationSourceTest, DescribesTheDesktop) {
  source_.cursor = {-90, 20};
  *source_.tree.add_nodes() = element("label", "Hello", {0, 0, 10, 10});
  const auto seen = observations_.observe(request());
  ASSERT_TRUE(seen);
  const auto& observation = seen->observation;
  EXPECT_EQ(observation.coordinates().desktop().x(), -100);
  EXPECT_EQ(observation.coordinates().image_width(), 640u);
  EXPECT_EQ(observation.cursor().x(), -90);
  EXPECT_EQ(observation.focused_window().window_id(), "w1");
  EXPECT_EQ(observation.windows_size(), 1);
  EXPECT_EQ(observation.ui_nodes(), 1u);
  EXPECT_EQ(observation.ui_digest().size(), 32u);
  EXPECT_EQ(observation.frame_hash().size(), 32u);
  EXPECT_FALSE(observation.settled()) << "the request did not ask to settle";
  EXPECT_FALSE(seen->image);
}

TEST_F(ObservationSourceTest, QuietTimeIsShorterThanACaretBlink) {
  const auto seen = observations_.observe(request(v1::IMAGE_WISH_UNSPECIFIED, true));
  ASSERT_TRUE(seen);
  EXPECT_TRUE(seen->observation.settled());
  EXPECT_EQ(source_.requests.back().quiet_ms(), 300u);
  EXPECT_EQ(source_.requests.back().max_wait_ms(), 2'000u);
  source_.settled = false;
  EXPECT_FALSE(observations_.observe(request(v1::IMAGE_WISH_UNSPECIFIED, true))->observation.settled());
}

TEST_F(ObservationSourceTest, ChangeSinceTheLastObservationIsInDesktopPixels) {
  ASSERT_TRUE(observations_.observe(request()));
  source_.fill({70, 70, 4, 4}, 50);
  ASSERT_TRUE(frames_.refresh({}));  // As a Locate call does.
  source_.fill({200, 10, 4, 4}, 50);
  const auto seen = observations_.observe(request());
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->observation.changed_tiles(), 2u);
  EXPECT_EQ(seen->observation.changed_area().x(), 64 - 100);
  EXPECT_EQ(seen->observation.changed_area().y(), 0 - 50);
  EXPECT_EQ(seen->observation.changed_area().width(), 192u);
  EXPECT_EQ(observations_.observe(request())->observation.changed_tiles(), 0u);
}

TEST_F(ObservationSourceTest, OneElementIsReadWithoutTheTree) {
  *source_.tree.add_nodes() = element("text", "Name", {0, 0, 10, 10});
  source_.tree.mutable_nodes(0)->set_element_id("field");
  v1::ReadUiRequest request;
  request.set_element_id("field");
  EXPECT_EQ(observations_.read_ui(request)->nodes(0).name(), "Name");
  request.set_element_id("gone");
  EXPECT_EQ(observations_.read_ui(request)->nodes_size(), 0);
  EXPECT_TRUE(source_.tree_requests.empty());
}

// The reader of an error would take the observer for lost.
TEST_F(ObservationSourceTest, ElementOfABusyApplicationIsMissingLikeInTheTree) {
  *source_.tree.add_nodes() = element("text", "Name", {0, 0, 10, 10});
  *source_.tree.add_nodes() = element("text", "Other", {0, 20, 10, 10});
  source_.tree.mutable_nodes(0)->set_element_id("field");
  source_.element_error = {Code::kDeadlineExceeded, "the application does not answer"};
  v1::ReadUiRequest request;
  request.set_element_id("field");
  const auto read = observations_.read_ui(request);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->nodes_size(), 1);
  EXPECT_EQ(read->nodes(0).name(), "Name");
  source_.tree.clear_nodes();
  EXPECT_EQ(observations_.read_ui(request)->nodes_size(), 0);
}

TEST_F(ObservationSourceTest, ImageIsNamedByItsHash) {
  const auto seen = observations_.observe(request(v1::IMAGE_WISH_ANNOTATED));
  ASSERT_TRUE(seen && seen->image);
  EXPECT_EQ(seen->image->media_type(), "image/png");
  EXPECT_EQ(seen->image->data().substr(1, 3), "PNG");
  EXPECT_EQ(seen->image->image_hash(), to_hex(blake2b(seen->image->data(), 16)));
  EXPECT_EQ(seen->observation.image_hash(), seen->image->image_hash());
}

TEST_F(ObservationSourceTest, PlainImageIsTheUnannotatedScreenWithinTheLimits) {
  source_.fill({10, 20, 300, 200}, 90);
  source_.cursor = {100, 100};
  const auto seen = observations_.observe(request(v1::IMAGE_WISH_PLAIN));
  ASSERT_TRUE(seen && seen->image);
  const Decoded decoded = decode_png(seen->image->data());
  ASSERT_EQ(decoded.width, 640);
  ASSERT_EQ(decoded.height, 480);
  for (std::size_t i = 0; i < std::size_t{640} * 480; ++i) {
    for (std::size_t c = 0; c < 3; ++c) ASSERT_EQ(decoded.rgb[i * 3 + c], source_.pixels[i * 4 + 2 - c]) << i;
  }
  auto smaller = request(v1::IMAGE_WISH_PLAIN);
  smaller.mutable_image_limits()->set_long_edge(320);
  const auto scaled = observations_.observe(smaller);
  ASSERT_TRUE(scaled && scaled->image);
  EXPECT_EQ(decode_png(scaled->image->data()).width, 320);
  EXPECT_EQ(scaled->observation.coordinates().image_width(), 320u);
}

TEST_F(ObservationSourceTest, MarkedElementsAreInTheObservationAndTheirBoxesInTheImage) {
  source_.fill({0, 0, 640, 480}, 200);
  // The desktop begins at -100,-50: pixel 200,100 of the image, and 100,50 at half the size.
  *source_.tree.add_nodes() = element("push button", "Save", {100, 50, 80, 40}, {v1::UI_STATE_ENABLED});
  source_.tree.mutable_nodes(0)->set_text("a text");
  *source_.tree.add_nodes() = element("label", "Nothing to click", {100, 150, 80, 40}, {v1::UI_STATE_ENABLED});
  auto asked = request(v1::IMAGE_WISH_PLAIN);
  asked.set_marks(true);
  asked.mutable_image_limits()->set_long_edge(320);
  const auto seen = observations_.observe(asked);
  ASSERT_TRUE(seen && seen->image);
  ASSERT_EQ(seen->observation.marked_size(), 1);
  EXPECT_EQ(seen->observation.marked(0).element_id(), "push button/Save");
  EXPECT_EQ(seen->observation.marked(0).text(), "");
  EXPECT_EQ(seen->observation.ui_nodes(), 2u);
  EXPECT_EQ(source_.tree_requests.size(), 1u) << "read once, for digest and marks";
  const Decoded decoded = decode_png(seen->image->data());
  const auto red = [&](int x, int y) { return decoded.rgb[static_cast<std::size_t>(y * 320 + x) * 3]; };
  const std::uint8_t line = red(120, 50);
  EXPECT_NE(line, 200);
  EXPECT_EQ(red(100, 60), line);
  EXPECT_EQ(red(139, 60), line);
  EXPECT_EQ(red(120, 69), line);
  EXPECT_EQ(red(120, 60), 200);
  EXPECT_EQ(red(140, 60), 200);
  EXPECT_EQ(red(101, 38), line) << "its label";
}

TEST_F(ObservationSourceTest, MarksNeedARequestAndAnImageAndMayBeOnAnAnnotatedOne) {
  *source_.tree.add_nodes() = element("push button", "Save", {100, 50, 80, 40}, {v1::UI_STATE_ENABLED});
  auto asked = request(v1::IMAGE_WISH_ANNOTATED);
  EXPECT_EQ(observations_.observe(asked)->observation.marked_size(), 0);
  const auto without = observations_.observe(asked);
  asked.set_marks(true);
  const auto with = observations_.observe(asked);
  EXPECT_EQ(with->observation.marked_size(), 1);
  EXPECT_NE(with->image->image_hash(), without->image->image_hash());
  asked.set_image(v1::IMAGE_WISH_UNSPECIFIED);
  EXPECT_EQ(observations_.observe(asked)->observation.marked_size(), 0);
}

// Bug: without marks, annotations covered elements.
TEST_F(ObservationSourceTest, AnnotationsDoNotCoverElementsWithoutMarks) {
  source_.cursor = {300, 400};
  // Below the number 200 at the upper edge.
  *source_.tree.add_nodes() = element("push button", "Save", {95, -50, 60, 30}, {v1::UI_STATE_ENABLED});
  const auto with = observations_.observe(request(v1::IMAGE_WISH_ANNOTATED));
  source_.tree.mutable_nodes(0)->clear_states();
  const auto without = observations_.observe(request(v1::IMAGE_WISH_ANNOTATED));
  ASSERT_TRUE(with && with->image && without && without->image);
  const auto number = [](const v1::ImageFact& image) {
    const Decoded decoded = decode_png(image.data());
    int changed = 0;
    for (int y = 1; y < 12; ++y) {
      for (int x = 203; x < 225; ++x) {
        changed += decoded.rgb[static_cast<std::size_t>(y * decoded.width + x) * 3] != decoded.rgb[15 * 3] ? 1 : 0;
      }
    }
    return changed;
  };
  EXPECT_EQ(number(*with->image), 0);
  EXPECT_GT(number(*without->image), 50);
}

TEST_F(ObservationSourceTest, PhotographIsJpegOnlyForClientsThatAcceptJpeg) {
  std::uint32_t seed = 1;
  for (auto& byte : source_.pixels) {
    seed = seed * 1664525u + 1013904223u;
    byte = static_cast<std::uint8_t>(100 + (seed >> 28));
  }
  auto asked = request(v1::IMAGE_WISH_PLAIN);
  EXPECT_EQ(observations_.observe(asked)->image->media_type(), "image/png");
  asked.mutable_image_limits()->set_jpeg(true);
  const auto seen = observations_.observe(asked);
  EXPECT_EQ(seen->image->media_type(), "image/jpeg");
  EXPECT_EQ(seen->observation.image_hash(), to_hex(blake2b(seen->image->data(), 16)));
  EXPECT_EQ(decode_by_pil(seen->image->data(), "JPEG").width, 640);

  v1::ZoomRequest zoom;
  *zoom.mutable_area() = rect_to_wire({0, 0, 200, 100});
  EXPECT_EQ(observations_.zoom(zoom)->media_type(), "image/png");
  zoom.mutable_image_limits()->set_jpeg(true);
  const auto closer = observations_.zoom(zoom);
  ASSERT_EQ(closer->media_type(), "image/jpeg");
  EXPECT_EQ(decode_by_pil(closer->data(), "JPEG").width, 800);
}

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
