#include "services/console/session/embedded_config.h"

#include <gtest/gtest.h>

#include "lib/os/files/files.h"
#include "lib/service/config.h"
#include "tests/temp_dir.h"

namespace da::console {
namespace {

class EmbeddedConfigTest : public testing::Test {
 protected:
  EmbeddedConfigTest() {
    EXPECT_TRUE(write_embedded_config({directory_.path(), "x11:1", "x11", "/etc/\"odd\\name.toml"}));
  }
  service::Config load(const std::string& service) {
    auto config = service::Config::load(directory_.path() / (service + ".toml"));
    EXPECT_TRUE(config) << config.error().message;
    return *config;
  }
  const da::test::TempDir directory_;
};

TEST_F(EmbeddedConfigTest, ThePlannerHasNoWayToTheActuator) {
  const auto config = load("planner");
  EXPECT_TRUE(config.string("endpoints.policy"));
  EXPECT_TRUE(config.string("endpoints.observer"));
  EXPECT_FALSE(config.string("endpoints.actuator"));
}

TEST_F(EmbeddedConfigTest, TheSigningKeyAndTheServicesIdentitiesAreInNoFile) {
  const auto handed_over = write_embedded_config({directory_.path(), "x11:1", "x11", "/r"});
  ASSERT_TRUE(handed_over);
  ASSERT_EQ(handed_over->signing_key.size(), 128U);
  EXPECT_EQ(handed_over->identities.size(), identity::kRoles.size() - 1);  // The console's identity is not among them.
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory_.path())) {
    if (entry.is_directory()) continue;
    const auto text = os::read_file(entry.path());
    EXPECT_EQ(text->find(handed_over->signing_key.substr(0, 64)), std::string::npos) << entry.path();
    const bool secret = text->find("PRIVATE KEY") != std::string::npos;
    EXPECT_EQ(secret, entry.path().filename() == "console.identity.toml") << entry.path();
  }
}

TEST_F(EmbeddedConfigTest, PeersFileIsAloneInItsDirectory) {
  const auto peers = load("observer").path("peers.file").value();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(peers.parent_path()), {}), 1);
}

TEST_F(EmbeddedConfigTest, OnlyTheActuatorGetsSecretsAndMasks) {
  const da::test::TempDir run;
  ASSERT_TRUE(write_embedded_config({.directory = run.path(),
                                     .desktop = "x11:1",
                                     .backend = "x11",
                                     .rules = "/r",
                                     .secrets = "/s/secrets.toml",
                                     .masks = "/s/masks.toml"}));
  const auto actuator = service::Config::load(run.path() / "actuator.toml");
  EXPECT_EQ(actuator->string("actuator.secrets").value(), "/s/secrets.toml");
  EXPECT_EQ(actuator->string("actuator.masks").value(), "/s/masks.toml");
  for (const char* other : {"planner", "observer", "policy", "console"}) {
    EXPECT_EQ(os::read_file(run.path() / (std::string(other) + ".toml"))->find("/s/"), std::string::npos) << other;
  }
  EXPECT_FALSE(*load("actuator").find_string("actuator.secrets"));  // Where none are given.
}

TEST_F(EmbeddedConfigTest, EachRunHasAKeyOfItsOwn) {
  const da::test::TempDir other;
  const auto one = write_embedded_config({other.path(), "x11:1", "x11", "/r"});
  const auto another = write_embedded_config({other.path(), "x11:1", "x11", "/r"});
  EXPECT_NE(one->signing_key, another->signing_key);
}

TEST_F(EmbeddedConfigTest, QuotesPathsForToml) {
  EXPECT_EQ(load("policy").string("policy.rules").value(), "/etc/\"odd\\name.toml");
}

TEST_F(EmbeddedConfigTest, PlannerGetsTheQuestionExpiry) {
  const da::test::TempDir run;
  ASSERT_TRUE(write_embedded_config({.directory = run.path(),
                                     .desktop = "x11:1",
                                     .backend = "x11",
                                     .rules = "/r",
                                     .question_expiry = Milliseconds(1'500)}));
  const auto planner = service::Config::load(run.path() / "planner.toml");
  EXPECT_EQ(planner->find_integer("planner.question_expiry_ms").value(), 1'500);
  EXPECT_FALSE(load("planner").find_integer("planner.question_expiry_ms").value());
}

TEST_F(EmbeddedConfigTest, OnlyThePlannerGetsTheLinesOfThePlanner) {
  const da::test::TempDir run;
  ASSERT_TRUE(write_embedded_config({.directory = run.path(),
                                     .desktop = "x11:1",
                                     .backend = "x11",
                                     .rules = "/r",
                                     .planner = {{"max_turns", "30"}, {"prices", "[\"gpt-5 1.25 0.1 10\"]"}}}));
  const auto planner = service::Config::load(run.path() / "planner.toml");
  ASSERT_TRUE(planner) << planner.error().message;
  EXPECT_EQ(planner->find_integer("planner.max_turns").value(), 30);
  EXPECT_EQ(planner->strings("planner.prices").value(), std::vector<std::string>{"gpt-5 1.25 0.1 10"});
  EXPECT_FALSE(load("planner").find_integer("planner.max_turns").value());
  for (const char* other : {"actuator", "observer", "policy", "recorder", "console"}) {
    EXPECT_EQ(os::read_file(run.path() / (std::string(other) + ".toml"))->find("max_turns"), std::string::npos);
  }
}

TEST_F(EmbeddedConfigTest, EveryServiceGetsTheLogSettings) {
  const da::test::TempDir run;
  ASSERT_TRUE(write_embedded_config({.directory = run.path(),
                                     .desktop = "x11:1",
                                     .backend = "x11",
                                     .rules = "/r",
                                     .logs = {.level = "debug", .console = "info", .file = "/l/all.log"}}));
  for (const char* service : {"actuator", "observer", "planner", "policy", "recorder"}) {
    const auto config = service::Config::load(run.path() / (std::string(service) + ".toml"));
    ASSERT_TRUE(config) << service;
    EXPECT_EQ(config->string("log.level").value(), "debug");
    EXPECT_EQ(config->string("log.console").value(), "info");
    EXPECT_EQ(config->path("log.file").value(), "/l/all.log");
  }
}

}  // namespace
}  // namespace da::console
