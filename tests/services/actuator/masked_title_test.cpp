// Where the title of a masked window may leave the actuator.
#include <grpcpp/create_channel.h>
#include <grpcpp/support/channel_arguments.h>

#include "lib/identity/certificate_authority.h"
#include "lib/rpc/server.h"
#include "lib/rpc/tls.h"
#include "services/actuator/actuator_rpc.h"
#include "tests/addresses.h"
#include "tests/deployment.h"
#include "tests/services/actuator/executor_fixture.h"
#include "tests/services/actuator/open_tasks_of.h"
#include "tests/temp_dir.h"

namespace da::actuator {
namespace {

class MaskedTitleTest : public ExecutorTest {
 protected:
  MaskedTitleTest() : ExecutorTest(ScreenMask(*Masks::parse("[[mask]]\nprocess = '^bank$'", "m.toml"), {})) {
    bank_ = world_->open_window("Account 4711", "/usr/bin/bank", {700, 400, 300, 200});
    field_ = world_->add_element(bank_, {.role = "text", .name = "To", .bounds = {710, 410, 100, 20}});
    world_->change([&](auto& windows) { windows.front().focused_element = field_; });
    open_tasks(rpc_, {"task"});
  }
  // The titles that the observer gets.
  std::vector<std::string> titles_in_frame() {
    grpc::ChannelArguments arguments;
    arguments.SetSslTargetNameOverride(identity::dns_name(identity::Role::kActuator));
    const auto credentials = rpc::tls_to(identity::Role::kActuator, deployment_.of(identity::Role::kObserver));
    const auto stub = v1::Actuator::NewStub(grpc::CreateCustomChannel(address_, credentials, arguments));
    grpc::ClientContext context;
    v1::FramesRequest request;
    request.set_observation_token(observation_token_of("task"));
    const auto reader = stub->Frames(&context, request);
    std::vector<std::string> titles;
    for (v1::FrameChunk chunk; reader->Read(&chunk);)
      for (const auto& window : chunk.head().windows()) titles.push_back(window.title());
    EXPECT_TRUE(reader->Finish().ok());
    return titles;
  }
  static v1::Action focus_window(const std::string& title) {
    v1::Action action;
    action.mutable_focus_window()->set_title(title);
    return action;
  }

  std::string bank_;
  std::string field_;
  const da::test::Deployment deployment_;
  const test::TempDir directory_;
  const std::string address_ = test::rpc_address(directory_.path(), "actuator");
  ActuatorRpc rpc_{shared_, executor_, peers_, clock_};
  const std::unique_ptr<rpc::Server> server_ =
      *rpc::Server::listen(address_, {&rpc_}, deployment_.of(identity::Role::kActuator));
};

// Regression: each frame contained the title of a masked window, though its pixels were black.
TEST_F(MaskedTitleTest, FramesHideTitleButEvidenceKeepsIt) {
  EXPECT_EQ(titles_in_frame(), (std::vector<std::string>{"(masked)", "Untitled - Notes"}));
  EXPECT_EQ(prepare(write("x")).foreground().title(), "Account 4711");
  EXPECT_EQ(prepare(click(720, 420)).target_window().title(), "Account 4711");
}

TEST_F(MaskedTitleTest, MessagesDoNotContainTitle) {
  EXPECT_EQ(prepare(focus_window("nowhere")).problem(),
            "no window's title contains \"nowhere\"; open are: \"(masked)\", \"Untitled - Notes\"");
  const auto permission = grant(prepare(write("x")));
  world_->open_window("Account 4712", "/usr/bin/bank", {0, 0, 100, 100});
  const auto outcome = execute(write("x"), permission);
  EXPECT_EQ(outcome.message(), "the foreground window was one of bank and is now another one of bank");
  shared_.elements.enter_task("task");
  v1::Action action;
  action.mutable_ui_click()->set_element_id(shared_.elements.id_of({field_}));
  world_->change([&](auto& windows) {
    for (auto& window : windows)
      for (auto& element : window.elements) element.enabled = false;
  });
  EXPECT_EQ(prepare(action).problem(), "the element is not enabled");
}

TEST_F(MaskedTitleTest, WindowIsNotFoundByMaskedTitle) {
  EXPECT_EQ(prepare(focus_window("Account")).problem_code(), v1::Outcome::CODE_NOT_FOUND);
  const auto evidence = prepare(focus_window("(masked)"));
  EXPECT_EQ(evidence.problem(), "");
  EXPECT_EQ(evidence.target_window().title(), "Account 4711");
}

TEST_F(MaskedTitleTest, MessageAboutADialogNamesNeitherItsTitleNorItsButtons) {
  const auto problem_with = [&](const std::string& program) {
    const std::string dialog = world_->open_window("Transfer of 4711", program, {700, 0, 300, 200});
    world_->add_element(dialog, {.role = "push button", .name = "Pay 500", .bounds = {710, 10, 80, 20}});
    world_->change([&](auto& windows) {
      for (auto& window : windows)
        if (window.title.ends_with("Notes")) window.blocked_by = dialog;
    });
    return prepare(click(60, 400)).problem();
  };
  EXPECT_EQ(problem_with("/usr/bin/notes"),
            "the window \"Untitled - Notes\" is blocked by the dialog \"Transfer of 4711\" (buttons: \"Pay 500\"), "
            "which has to be answered first");
  EXPECT_EQ(problem_with("/usr/bin/bank"),
            "the window \"Untitled - Notes\" is blocked by the dialog \"(masked)\", which has to be answered first");
}

}  // namespace
}  // namespace da::actuator
