// AwaitChange of the actuator, on the fake desktop and the real clock.
#include <gtest/gtest.h>

#include <future>

#include "lib/rpc/server.h"
#include "services/actuator/actuator_rpc.h"
#include "tests/addresses.h"
#include "tests/deployment.h"
#include "tests/services/actuator/executor_fixture.h"
#include "tests/services/actuator/open_tasks_of.h"
#include "tests/temp_dir.h"

namespace da::actuator {
namespace {

class AwaitChangeTest : public ExecutorTest {
 protected:
  AwaitChangeTest() {
    open_tasks(rpc_, {"task"});
    request_.set_observation_token(observation_token_of("task"));
    request_.set_max_wait_ms(20'000);
    *request_.add_areas() = area({0, 0, 1280, 800});
  }

  static v1::Rect area(const Rect& rect) {
    v1::Rect wire;
    wire.set_x(rect.x);
    wire.set_y(rect.y);
    wire.set_width(static_cast<std::uint32_t>(rect.width));
    wire.set_height(static_cast<std::uint32_t>(rect.height));
    return wire;
  }

  // The head of the next frame. Afterwards, the wait is for the end of this frame.
  v1::FrameChunk::Head read_frame() {
    v1::FramesRequest request;
    request.set_observation_token(request_.observation_token());
    request.set_known_frame_id(request_.known_frame_id());
    grpc::ClientContext context;
    const auto reader = stub_->Frames(&context, request);
    v1::FrameChunk::Head head;
    for (v1::FrameChunk chunk; reader->Read(&chunk);) {
      if (chunk.has_head()) head = chunk.head();
    }
    EXPECT_TRUE(reader->Finish().ok());
    request_.set_known_frame_id(head.frame_id());
    return head;
  }

  grpc::Status wait() {
    grpc::ClientContext context;
    return stub_->AwaitChange(&context, request_, &reply_);
  }

  void type(const std::string& text) {
    world_->change([&](std::list<fake::FakeWindow>& windows) { windows.front().elements.front().text = text; });
  }

  v1::AwaitChangeRequest request_;
  v1::AwaitChangeReply reply_;
  const da::test::Deployment deployment_;
  const test::TempDir directory_of_server_;
  const std::string address_ = test::rpc_address(directory_of_server_.path(), "actuator");
  ActuatorRpc rpc_{shared_, executor_, peers_, system_clock()};
  const std::unique_ptr<rpc::Server> server_ =
      *rpc::Server::listen(address_, {&rpc_}, deployment_.of(identity::Role::kActuator));
  const std::unique_ptr<v1::Actuator::Stub> stub_ = v1::Actuator::NewStub(
      rpc::Channel(identity::Role::kActuator, address_, deployment_.of(identity::Role::kObserver)).grpc());
};

TEST_F(AwaitChangeTest, FrameOfAnUnchangedScreenIsTheSameWithoutTiles) {
  const auto first = read_frame();
  const auto second = read_frame();
  EXPECT_TRUE(first.key_frame());
  EXPECT_TRUE(first.changes_reported());
  EXPECT_TRUE(second.changes_reported());
  EXPECT_EQ(second.frame_id(), first.frame_id());
  EXPECT_EQ(second.changed_tiles(), 0U);
  EXPECT_EQ(second.windows_size(), first.windows_size());
  EXPECT_EQ(second.windows_digest(), first.windows_digest());
  type("changed");
  const auto third = read_frame();
  EXPECT_NE(third.frame_id(), first.frame_id());
  EXPECT_GT(third.changed_tiles(), 0U);
}

TEST_F(AwaitChangeTest, ChangeBeforeTheCallEndsItAtOnce) {
  read_frame();
  type("changed");
  ASSERT_TRUE(wait().ok());
  EXPECT_TRUE(reply_.changed());
}

TEST_F(AwaitChangeTest, ChangeDuringTheCallEndsIt) {
  read_frame();
  auto waited = std::async(std::launch::async, [this] { return wait(); });
  EXPECT_EQ(waited.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  type("changed");
  ASSERT_TRUE(waited.get().ok());
  EXPECT_TRUE(reply_.changed());
}

TEST_F(AwaitChangeTest, FrameThatTheActuatorHasReplacedEndsItAtOnce) {
  request_.set_known_frame_id(read_frame().frame_id());
  const std::string old = request_.known_frame_id();
  type("changed");
  read_frame();
  request_.set_known_frame_id(old);
  ASSERT_TRUE(wait().ok());
  EXPECT_TRUE(reply_.changed());
}

TEST_F(AwaitChangeTest, NothingChangesOutsideOfTheAreasUntilTheEnd) {
  read_frame();
  request_.clear_areas();
  *request_.add_areas() = area({0, 700, 1280, 100});
  request_.set_max_wait_ms(100);
  type("changed");
  ASSERT_TRUE(wait().ok());
  EXPECT_FALSE(reply_.changed());
}

TEST_F(AwaitChangeTest, TitleOfAWindowCountsIfAskedFor) {
  const auto head = read_frame();
  request_.set_max_wait_ms(50);
  world_->change([](std::list<fake::FakeWindow>& windows) { windows.front().title = "Another title"; });
  request_.clear_areas();
  ASSERT_TRUE(wait().ok());
  EXPECT_FALSE(reply_.changed());
  request_.set_known_windows(head.windows_digest());
  ASSERT_TRUE(wait().ok());
  EXPECT_TRUE(reply_.changed());
}

TEST_F(AwaitChangeTest, MaskedScreenMayHaveChangedAtTheEnd) {
  shared_.mask = ScreenMask(*Masks::parse("[[mask]]\nrect = [0, 0, 10, 10]", "m.toml"), {});
  EXPECT_FALSE(read_frame().changes_reported());
  request_.set_max_wait_ms(50);
  ASSERT_TRUE(wait().ok());
  EXPECT_TRUE(reply_.changed());
}

TEST_F(AwaitChangeTest, HaltedDesktopMayHaveChangedAtTheEnd) {
  read_frame();
  executor_.halt("a test");
  request_.set_max_wait_ms(50);
  ASSERT_TRUE(wait().ok());
  EXPECT_TRUE(reply_.changed()) << "frames are black now";
}

TEST_F(AwaitChangeTest, NeedsTheTokenOfAnOpenTaskUntilItsEnd) {
  read_frame();
  auto waited = std::async(std::launch::async, [this] { return wait(); });
  EXPECT_EQ(waited.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
  open_tasks(rpc_, {});
  type("changed");
  EXPECT_EQ(waited.get().error_code(), grpc::StatusCode::UNAUTHENTICATED);
}

TEST_F(AwaitChangeTest, MoreThan512AreasAreRefused) {
  for (int i = 0; i < 512; ++i) *request_.add_areas() = area({0, 0, 1, 1});
  EXPECT_EQ(wait().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(AwaitChangeTest, CallerThatGoesAwayLeavesNoWait) {
  read_frame();
  for (int i = 0; i < 2 * ChangeWaits::kMostWaits; ++i) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(20));
    // Refused when the actuator has not noticed yet that the callers before have gone.
    EXPECT_THAT(stub_->AwaitChange(&context, request_, &reply_).error_code(),
                testing::AnyOf(grpc::StatusCode::DEADLINE_EXCEEDED, grpc::StatusCode::RESOURCE_EXHAUSTED));
  }
  request_.set_max_wait_ms(1);
  grpc::Status status;
  const MonoTime until = system_clock().now() + Milliseconds(10'000);
  do {
    status = wait();
  } while (!status.ok() && system_clock().now() < until);
  EXPECT_TRUE(status.ok()) << status.error_message();
}

}  // namespace
}  // namespace da::actuator
