#include "services/actuator/actuator_rpc.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>

#include <future>

#include "lib/identity/certificate_authority.h"
#include "lib/rpc/server.h"
#include "lib/rpc/tls.h"
#include "tests/addresses.h"
#include "tests/deployment.h"
#include "tests/services/actuator/executor_fixture.h"
#include "tests/services/actuator/open_tasks_of.h"
#include "tests/temp_dir.h"

namespace da::actuator {
namespace {

class TextPlacesTest : public ExecutorTest {
 protected:
  TextPlacesTest() { open_tasks(rpc_, {"task", "other"}); }
  // The id of the field "Text" in that task.
  std::string field(const std::string& task) {
    world_->change([](auto& windows) { windows.front().elements.front().text = "one two"; });
    v1::UiTreeRequest request;
    request.set_task_id(task);
    request.set_observation_token(observation_token_of(task));
    v1::UiTree tree;
    EXPECT_TRUE(rpc_.ReadUiTree(nullptr, &request, &tree).ok());
    for (const v1::UiNode& node : tree.nodes()) {
      if (node.name() == "Text") return node.element_id();
    }
    ADD_FAILURE() << "no field";
    return "";
  }
  grpc::Status ask(const std::string& task, const std::string& element, int ranges) {
    v1::TextPlacesRequest request;
    request.set_task_id(task);
    request.set_observation_token(observation_token_of(task));
    request.set_element_id(element);
    for (int i = 0; i < ranges; ++i) request.add_ranges()->set_count(3);
    return rpc_.ReadTextPlaces(nullptr, &request, &reply_);
  }

  ActuatorRpc rpc_{shared_, executor_, peers_, clock_};
  v1::TextPlacesReply reply_;
};

TEST_F(TextPlacesTest, EachRangeGetsItsPlace) {
  const grpc::Status status = ask("task", field("task"), 64);
  ASSERT_TRUE(status.ok()) << status.error_message();
  ASSERT_EQ(reply_.places_size(), 64);
  EXPECT_GT(reply_.places(63).width(), 0);
}

TEST_F(TextPlacesTest, MoreThan64RangesAreRefused) {
  EXPECT_EQ(ask("task", field("task"), 65).error_code(), grpc::StatusCode::INVALID_ARGUMENT);
}

TEST_F(TextPlacesTest, AnElementOfAnotherTaskIsNotKnown) {
  EXPECT_EQ(ask("other", field("task"), 1).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(TextPlacesTest, PlacesOfMaskedTextAreRefused) {
  const std::string element = field("task");
  shared_.mask = ScreenMask(*Masks::parse("[[mask]]\nelement = '^Text$'", "m.toml"), {});
  EXPECT_EQ(ask("task", element, 1).error_code(), grpc::StatusCode::UNIMPLEMENTED);
  EXPECT_EQ(reply_.places_size(), 0);
}

TEST_F(TextPlacesTest, ElementsAreForgottenWhenNoTaskIsOpenAnyMore) {
  const std::string element = field("task");
  open_tasks(rpc_, {"task"});
  EXPECT_EQ(world_->forgotten(), 0);
  open_tasks(rpc_, {});
  EXPECT_EQ(world_->forgotten(), 1);
  open_tasks(rpc_, {});
  EXPECT_EQ(world_->forgotten(), 1) << "there is nothing more to forget";
  open_tasks(rpc_, {"task"});
  EXPECT_EQ(ask("task", element, 1).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_TRUE(ask("task", field("task"), 1).ok());
}

TEST_F(TextPlacesTest, ForgettingWaitsForADesktopInUseWithoutDelayingTheHeartbeat) {
  {
    const std::lock_guard step(shared_.mutex);
    open_tasks(rpc_, {});
    EXPECT_EQ(world_->forgotten(), 0);
  }
  open_tasks(rpc_, {});
  EXPECT_EQ(world_->forgotten(), 1);
}

TEST_F(TextPlacesTest, FieldWithASecretStaysFoundAfterItsTask) {
  const auto window = desktop_->windows().list()->front();
  const auto tree = desktop_->ui_tree().read(window, {.deadline = clock_.now() + Milliseconds(1'000)});
  ASSERT_TRUE(shared_.mask.fields().add(tree->elements.front(), window));
  open_tasks(rpc_, {});
  EXPECT_EQ(world_->forgotten(), 0);
}

class ReadElementTest : public ExecutorTest {
 protected:
  ReadElementTest() { open_tasks(rpc_, {"task", "other"}); }
  std::string field(const std::string& task) {
    v1::UiTreeRequest request;
    request.set_task_id(task);
    request.set_observation_token(observation_token_of(task));
    v1::UiTree tree;
    EXPECT_TRUE(rpc_.ReadUiTree(nullptr, &request, &tree).ok());
    const auto found = std::ranges::find(tree.nodes(), "Text", &v1::UiNode::name);
    EXPECT_NE(found, tree.nodes().end());
    whole_ = *found;
    return found->element_id();
  }
  grpc::Status ask(const std::string& task, const std::string& element) {
    v1::ElementRequest request;
    request.set_task_id(task);
    request.set_observation_token(observation_token_of(task));
    request.set_element_id(element);
    return rpc_.ReadElement(nullptr, &request, &node_);
  }

  ActuatorRpc rpc_{shared_, executor_, peers_, clock_};
  v1::UiNode whole_;
  v1::UiNode node_;
};

TEST_F(ReadElementTest, ElementReadAloneEqualsTheOneInTheTree) {
  const std::string element = field("task");
  ASSERT_TRUE(ask("task", element).ok());
  EXPECT_EQ(node_.SerializeAsString(), whole_.SerializeAsString());
}

TEST_F(ReadElementTest, AnElementOfAnotherTaskIsNotKnown) {
  EXPECT_EQ(ask("other", field("task")).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(ReadElementTest, TheTextOfAMaskedElementIsHidden) {
  const std::string element = field("task");
  world_->change([](auto& windows) { windows.front().elements.front().text = "secret words"; });
  shared_.mask = ScreenMask(*Masks::parse("[[mask]]\nelement = '^Text$'", "m.toml"), {});
  ASSERT_TRUE(ask("task", element).ok());
  EXPECT_EQ(node_.text().find("secret"), std::string::npos);
}

// A desktop that a person has stopped must not be observed either.
TEST_F(ReadElementTest, ElementsNeedTheTokenOfTheirTask) {
  const std::string element = field("task");
  v1::ElementRequest request;
  request.set_element_id(element);
  EXPECT_EQ(rpc_.ReadElement(nullptr, &request, &node_).error_code(), grpc::StatusCode::UNAUTHENTICATED);
  request.set_observation_token(observation_token_of("other"));
  EXPECT_EQ(rpc_.ReadElement(nullptr, &request, &node_).error_code(), grpc::StatusCode::NOT_FOUND);
  request.set_task_id("task");
  EXPECT_EQ(rpc_.ReadElement(nullptr, &request, &node_).error_code(), grpc::StatusCode::PERMISSION_DENIED);
  v1::UiTree tree;
  EXPECT_EQ(rpc_.ReadUiTree(nullptr, &v1::UiTreeRequest::default_instance(), &tree).error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
  v1::TextPlacesReply places;
  EXPECT_EQ(rpc_.ReadTextPlaces(nullptr, &v1::TextPlacesRequest::default_instance(), &places).error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
}

class HiddenDesktopTest : public ReadElementTest {
 protected:
  std::string tree() {
    v1::UiTreeRequest request;
    request.set_task_id("task");
    request.set_observation_token(observation_token_of("task"));
    v1::UiTree tree;
    EXPECT_TRUE(rpc_.ReadUiTree(nullptr, &request, &tree).ok());
    return tree.nodes().empty() ? tree.note() : "shown";
  }
};

TEST_F(HiddenDesktopTest, NoElementIsShownWhileHaltedOrLocked) {
  const std::string element = field("task");
  EXPECT_EQ(tree(), "shown");
  executor_.halt("a test");
  EXPECT_EQ(tree(), "nothing is shown while the desktop is halted");
  EXPECT_EQ(ask("task", element).error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  ASSERT_TRUE(executor_.resume());
  EXPECT_EQ(tree(), "shown");
  executor_.pause(v1::Pause::CAUSE_PERSON, "a person");
  EXPECT_EQ(tree(), "shown");
  executor_.pause(v1::Pause::CAUSE_SESSION_LOCKED, "locked");
  EXPECT_EQ(tree(), "nothing is shown while the session is locked");
}

// Regression: consoles that only observed evicted the ids of the elements that the next step named.
TEST_F(HiddenDesktopTest, IdsOfAnOpenTaskSurviveManyObservingTasks) {
  const std::string element = field("task");
  for (int look = 0; look < 20; ++look) {
    const std::string name = "look " + std::to_string(look);
    open_tasks(rpc_, {"task", name});
    field(name);
  }
  open_tasks(rpc_, {"task"});
  EXPECT_TRUE(ask("task", element).ok());
}

class StalledReadersTest : public ExecutorTest {
 protected:
  StalledReadersTest() {
    open_tasks(rpc_, {"task"});
    request_.set_observation_token(observation_token_of("task"));
  }
  // A reader with a receive window smaller than a frame, which reads nothing.
  void stall() {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 64);
    arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetSslTargetNameOverride(identity::dns_name(identity::Role::kActuator));
    const auto credentials = rpc::tls_to(identity::Role::kActuator, deployment_.of(identity::Role::kObserver));
    stubs_.push_back(v1::Actuator::NewStub(grpc::CreateCustomChannel(address_, credentials, arguments)));
    contexts_.push_back(std::make_unique<grpc::ClientContext>());
    readers_.push_back(stubs_.back()->Frames(contexts_.back().get(), request_));
    readers_.back()->WaitForInitialMetadata();
  }
  ~StalledReadersTest() override {
    for (const auto& context : contexts_) context->TryCancel();
  }

  v1::FramesRequest request_;
  const da::test::Deployment deployment_;
  const test::TempDir directory_;
  const std::string address_ = test::rpc_address(directory_.path(), "actuator");
  ActuatorRpc rpc_{shared_, executor_, peers_, clock_};
  const std::unique_ptr<rpc::Server> server_ =
      *rpc::Server::listen(address_, {&rpc_}, deployment_.of(identity::Role::kActuator));
  std::vector<std::unique_ptr<v1::Actuator::Stub>> stubs_;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts_;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::FrameChunk>>> readers_;
};

// Uses its own stub, because only the client of a call sees what the server writes.
TEST_F(StalledReadersTest, AFrameIsBlackAndEmptyWhileTheDesktopIsHalted) {
  const auto read_frame = [this] {
    const auto stub = v1::Actuator::NewStub(
        rpc::Channel(identity::Role::kActuator, address_, deployment_.of(identity::Role::kObserver)).grpc());
    grpc::ClientContext context;
    const auto reader = stub->Frames(&context, request_);
    std::pair<int, std::size_t> windows_and_bytes;
    for (v1::FrameChunk chunk; reader->Read(&chunk);) {
      windows_and_bytes.first += chunk.head().windows_size();
      windows_and_bytes.second += chunk.pixels().size();
    }
    EXPECT_TRUE(reader->Finish().ok());
    return windows_and_bytes;
  };
  const auto [windows, bytes] = read_frame();
  EXPECT_GT(windows, 0);
  executor_.halt("a test");
  const auto [hidden_windows, hidden_bytes] = read_frame();
  EXPECT_EQ(hidden_windows, 0);
  EXPECT_LT(hidden_bytes, bytes);
}

TEST_F(StalledReadersTest, AFrameNeedsTheTokenOfAnOpenTask) {
  const auto stub = v1::Actuator::NewStub(
      rpc::Channel(identity::Role::kActuator, address_, deployment_.of(identity::Role::kObserver)).grpc());
  for (const bool open : {true, false}) {
    if (!open) open_tasks(rpc_, {});
    grpc::ClientContext context;
    const auto reader = stub->Frames(&context, request_);
    v1::FrameChunk chunk;
    int chunks = 0;
    while (reader->Read(&chunk)) ++chunks;
    EXPECT_EQ(reader->Finish().error_code(), open ? grpc::StatusCode::OK : grpc::StatusCode::UNAUTHENTICATED);
    EXPECT_EQ(chunks > 0, open);
  }
}

TEST_F(StalledReadersTest, DoNotDelayOtherCalls) {
  for (int i = 0; i < 8; ++i) stall();
  auto prepared = std::async(std::launch::async, [this] { return prepare(click(300, 200)); });
  const auto ended = prepared.wait_for(std::chrono::seconds(5));
  for (const auto& context : contexts_) context->TryCancel();
  EXPECT_EQ(ended, std::future_status::ready);
}

}  // namespace
}  // namespace da::actuator
