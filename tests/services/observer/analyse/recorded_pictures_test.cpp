#include "services/observer/analyse/recorded_pictures.h"

#include <grpcpp/server_context.h>
#include <gtest/gtest.h>

#include "da/v1/history.pb.h"
#include "lib/bus/memory_transport.h"
#include "lib/bus/subscriber.h"
#include "lib/bus/topics.h"
#include "services/observer/observer_rpc.h"
#include "tests/services/observer/decode.h"
#include "tests/services/observer/fake_source.h"

namespace da::observer {
namespace {

v1::RegionPicture picture_of(std::size_t bytes) {
  v1::RegionPicture picture;
  picture.mutable_image()->set_image_hash("hash");
  picture.mutable_image()->set_data(std::string(bytes, 'x'));
  return picture;
}

TEST(RecordedPictures, AreRememberedForTheirTaskWithoutData) {
  RecordedPictures pictures;
  pictures.add("t1", "content", picture_of(10));
  const auto* found = pictures.find("t1", "content");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->image().image_hash(), "hash");
  EXPECT_TRUE(found->image().data().empty());
  EXPECT_EQ(pictures.find("t2", "content"), nullptr);
  EXPECT_EQ(pictures.find("t1", "another"), nullptr);
  for (int i = 0; i < 64; ++i) pictures.add("t1", std::to_string(i), picture_of(1));
  EXPECT_EQ(pictures.find("t1", "content"), nullptr);
}

TEST(RecordedPictures, BytesAreBounded) {
  RecordedPictures pictures;
  MonoTime now{std::chrono::hours(1)};
  constexpr std::size_t kSize = 1 << 20;
  const auto take = [&] {
    int taken = 0;
    for (; pictures.has_room(now) && taken < 1000; ++taken) pictures.add("t", std::to_string(taken), picture_of(kSize));
    return taken;
  };
  EXPECT_EQ(take(), 16);
  now += std::chrono::seconds(40);
  EXPECT_EQ(take(), 10);
  now += std::chrono::hours(24);
  EXPECT_EQ(take(), 16);
  // After one that is much too large, there is room again when its bytes are paid for.
  now += std::chrono::hours(1);
  EXPECT_TRUE(pictures.has_room(now));
  pictures.add("t", "large", picture_of(26 * kSize));
  now += std::chrono::seconds(39);
  EXPECT_FALSE(pictures.has_room(now));
  now += std::chrono::seconds(2);
  EXPECT_TRUE(pictures.has_room(now));
}

class PicturesOfRegions : public testing::Test {
 protected:
  v1::AnalyzeReply analyze(const std::string& known_content, bool for_recording) {
    v1::AnalyzeRequest request;
    request.set_task_id("t1");
    v1::RegionQuery& query = *request.add_regions();
    *query.mutable_area() = rect_to_wire({-120, -50, 60, 40});  // A third of it is left of the desktop.
    query.set_known_content(known_content);
    query.mutable_picture()->set_for_recording(for_recording);
    grpc::ServerContext context;
    v1::AnalyzeReply reply;
    EXPECT_TRUE(rpc_.Analyze(&context, &request, &reply).ok());
    return reply;
  }

  std::vector<v1::ImageFact> published_images() {
    std::vector<v1::ImageFact> images;
    while (true) {
      const auto fact = facts_.next(system_clock().now());
      if (!fact || !*fact) return images;
      if (const auto* image = (*fact)->as<v1::ImageFact>()) images.push_back(*image);
      if (const auto* answer = (*fact)->as<v1::ObserverAnswer>()) {
        for (const auto& region : answer->analysis().regions()) EXPECT_TRUE(region.picture().image().data().empty());
      }
    }
  }

  ManualClock clock_;
  FakeSource source_{{-100, -50, 640, 480}, clock_};
  FrameCache frames_{source_};
  Ocr ocr_;
  Analyser analyser_{
      frames_, [this](const auto& frame, const Rect& area, auto hidden) { return ocr_.read(frame, area, hidden); }};
  std::shared_ptr<bus::MemoryBus> bus_ = bus::MemoryBus::create();
  bus::Subscriber facts_{bus_->source({bus::topic_name<v1::ObserverAnswer>(), bus::topic_name<v1::ImageFact>()})};
  bus::Publisher publisher_{bus_->sink(), {"observer", "fake:1"}, clock_};
  std::stop_source stop_;
  Locator locator_{frames_, {}, stop_.get_token(), clock_};
  ObservationSource observations_{frames_};
  ObserverRpc rpc_{observations_, locator_, analyser_, frames_, publisher_};
};

TEST_F(PicturesOfRegions, PicturesForTheRecordingArePublishedOnceAndNotReturned) {
  const auto reply = analyze("", true);
  const v1::RegionPicture& picture = reply.regions(0).picture();
  EXPECT_TRUE(picture.image().data().empty());
  EXPECT_EQ(rect_from_wire(picture.part()), (Rect{20, 0, 40, 40}));
  const auto images = published_images();
  ASSERT_EQ(images.size(), 1U);
  EXPECT_EQ(images[0].image_hash(), picture.image().image_hash());
  EXPECT_EQ(images[0].header().task_id(), "t1");
  const Decoded decoded = decode_png(images[0].data());
  EXPECT_EQ(decoded.width, 40);
  EXPECT_EQ(decoded.height, 40);
  // The same again: an unchanged region has none, and one that shows what it showed before names the published one.
  EXPECT_FALSE(analyze(reply.regions(0).content(), true).regions(0).has_picture());
  EXPECT_EQ(analyze("", true).regions(0).picture().image().image_hash(), images[0].image_hash());
  EXPECT_TRUE(published_images().empty());
}

TEST_F(PicturesOfRegions, OthersAreReturned) {
  const auto reply = analyze("", false);
  EXPECT_EQ(decode_png(reply.regions(0).picture().image().data()).width, 40);
  EXPECT_EQ(published_images().size(), 1U);
}

}  // namespace
}  // namespace da::observer
