#include "services/console/deployment/deployment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "lib/identity/certificate_authority.h"
#include "lib/identity/permissions.h"
#include "lib/os/files/files.h"
#include "lib/service/config.h"
#include "services/console/commands/commands.h"
#include "services/console/deployment/host_config.h"
#include "tests/temp_dir.h"

namespace da::console {
namespace {

using namespace std::chrono_literals;
using identity::Role;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kFourMachines = {"planner=10.0.0.2", "policy,observer=10.0.0.3", "actuator=10.0.0.4",
                                                "console=10.0.0.5"};

class DeploymentTest : public testing::Test {
 protected:
  DeploymentTest() { EXPECT_TRUE(os::write_private_file(rules_, "# rules\n")); }
  Deployment create(const std::vector<std::string>& hosts, WallTime now, Existing existing = Existing::kKeep) {
    auto made = Deployment::create(place_, parse_layout(hosts, "x11", "/run/user/1000/desktopassist").value(), rules_,
                                   existing, now);
    EXPECT_TRUE(made) << made.error().message;
    return *std::move(made);
  }
  identity::Peers peers(const std::string& machine) const {
    auto loaded = identity::load_peers(place_ / machine / "peers/peers.toml");
    EXPECT_TRUE(loaded) << loaded.error().message;
    return *std::move(loaded);
  }
  identity::Identity load(const std::string& file) const {
    auto loaded = identity::load_identity(place_ / file);
    EXPECT_TRUE(loaded) << loaded.error().message;
    return *std::move(loaded);
  }
  std::set<std::string> names(const std::vector<Delivery>& deliveries) const {
    std::set<std::string> files;
    for (const auto& [machine, paths] : deliveries) {
      for (const auto& path : paths) files.insert(path.lexically_relative(place_).string());
    }
    return files;
  }
  // The content of every file of the deployment, to check that nothing changed.
  std::string all_content() const {
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place_)) files.insert(entry.path());
    std::string all;
    for (const auto& file : files) {
      all += file.string();
      if (std::filesystem::is_regular_file(file)) all += os::read_file(file).value();
    }
    return all;
  }

  const da::test::TempDir directory_;
  const std::filesystem::path place_ = directory_.path() / "deployment";
  const std::filesystem::path rules_ = directory_.path() / "shipped.toml";
  const WallTime now_ = system_clock().wall_now();
};

TEST_F(DeploymentTest, EveryMachineGetsTheIdentitiesOfItsRolesAndNoOther) {
  create(kFourMachines, now_);
  const std::vector<std::pair<std::string, std::set<std::string>>> expected = {
      {"planner", {"peers/peers.toml", "planner.toml", "planner.identity.toml"}},
      {"policy-observer",
       {"peers/peers.toml", "policy.toml", "policy.identity.toml", "observer.toml", "observer.identity.toml",
        "policy.key", "rules.toml", "recorder.toml", "recorder.identity.toml"}},
      {"actuator", {"peers/peers.toml", "actuator.toml", "actuator.identity.toml"}},
      {"console", {"peers/peers.toml", "console.toml", "console.identity.toml"}},
      {"ca", {"authority.pem", "register.toml"}}};
  std::size_t machines = 0;
  for (const auto& entry : std::filesystem::directory_iterator(place_)) machines += entry.is_directory() ? 1U : 100U;
  EXPECT_EQ(machines, expected.size());
  for (const auto& [machine, files] : expected) {
    std::set<std::string> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(place_ / machine)) {
      if (entry.is_directory()) continue;
      found.insert(entry.path().lexically_relative(place_ / machine).string());
      EXPECT_EQ(entry.status().permissions(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    }
    EXPECT_EQ(found, files) << machine;
  }
  EXPECT_EQ(load("policy-observer/policy.identity.toml").name, "policy@policy-observer");
}

TEST_F(DeploymentTest, MachineKnowsOnlyPeersOfItsRoles) {
  create(kFourMachines, now_);
  const std::vector<std::pair<std::string, std::set<std::string>>> expected = {
      {"planner", {"policy", "observer", "console", "recorder"}},
      // The recorder reads the facts of all, also of those on its own machine.
      {"policy-observer", {"planner", "actuator", "console", "policy", "observer", "recorder"}},
      {"actuator", {"policy", "observer", "console", "recorder"}},
      {"console", {"planner", "policy", "observer", "actuator", "recorder"}}};
  for (const auto& [machine, roles] : expected) {
    std::set<std::string> found;
    for (const auto& peer : peers(machine).list) found.insert(std::string(to_string(peer.role)));
    EXPECT_EQ(found, roles) << machine;
  }
  for (const char* file : {"planner.toml", "peers/peers.toml", "planner.identity.toml"}) {
    const std::string text = os::read_file(place_ / "planner" / file).value();
    EXPECT_THAT(text, Not(HasSubstr("10.0.0.4"))) << file;
    EXPECT_THAT(text, Not(HasSubstr("actuator@"))) << file;
    EXPECT_THAT(text, Not(HasSubstr("7444"))) << file;
  }
}

TEST_F(DeploymentTest, EachPeerIsTheIdentityThatItsMachineHas) {
  create(kFourMachines, now_);
  for (const auto& [machine, role] : {std::pair("planner", "planner"),
                                      {"policy-observer", "policy"},
                                      {"policy-observer", "observer"},
                                      {"actuator", "actuator"}}) {
    const auto identity = load(std::string(machine) + "/" + role + ".identity.toml");
    const auto known = peers("console");
    const auto* peer = known.by_fingerprint(identity::fingerprint(identity.certificate_pem).value());
    ASSERT_NE(peer, nullptr) << role;
    EXPECT_EQ(peer->name, identity.name);
    EXPECT_EQ(peer->curve_public, identity.curve_public);
    EXPECT_TRUE(identity::verify_certificate(identity.certificate_pem, known.ca_pem, now_));
  }
}

TEST_F(DeploymentTest, AConfigurationNamesWhatItsRoleMayCallAndRead) {
  create(kFourMachines, now_);
  const auto layout = parse_layout(kFourMachines, "x11", "/s").value();
  for (const auto& machine : layout.machines) {
    for (const Role role : machine.roles) {
      const auto config = service::Config::load(place_ / machine.name / config_file(role));
      ASSERT_TRUE(config) << config.error().message;
      EXPECT_EQ(config->string("desktop").value(), "x11:actuator");
      EXPECT_EQ(config->path("identity.file").value(), place_ / machine.name / identity_file(role));
      EXPECT_TRUE(std::filesystem::exists(config->path("peers.file").value()));
      for (const Role other : identity::kRoles) {
        const std::string name(to_string(other));
        const bool own = role == other && other != Role::kConsole;
        EXPECT_EQ(config->string("endpoints." + name).has_value(), own || identity::may_reach(role, other)) << name;
        const bool publishes = other != Role::kConsole && other != Role::kRecorder;
        EXPECT_EQ(config->string("bus." + name + ".facts").has_value(),
                  publishes && (own || identity::may_subscribe(role, other, false)))
            << name;
      }
    }
  }
}

TEST_F(DeploymentTest, ThePolicySignsWithTheKeyThatTheActuatorKnows) {
  create(kFourMachines, now_);
  const auto policy = service::Config::load(place_ / "policy-observer/policy.toml");
  const auto actuator = service::Config::load(place_ / "actuator/actuator.toml");
  const std::string secret = os::read_private_file(policy->path("policy.signing_key").value()).value();
  ASSERT_EQ(secret.size(), 128U);
  EXPECT_EQ(secret.substr(64), actuator->string("actuator.policy_key").value());
  EXPECT_EQ(os::read_file(policy->path("policy.rules").value()).value(), "# rules\n");
}

TEST_F(DeploymentTest, NothingIsOverwrittenUnlessItIsForced) {
  create(kFourMachines, now_);
  const std::string before = all_content();
  const auto again = Deployment::create(place_, parse_layout({}, "x11", "/s").value(), rules_, Existing::kKeep, now_);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, Code::kAlreadyExists);
  EXPECT_EQ(all_content(), before);
  const std::string fingerprint = peers("planner").list[0].fingerprint;
  create(kFourMachines, now_, Existing::kOverwrite);
  EXPECT_EQ(peers("planner").by_fingerprint(fingerprint), nullptr);
}

TEST_F(DeploymentTest, ADirectoryThatOthersMayEnterIsRefused) {
  std::filesystem::create_directory(place_);
  std::filesystem::permissions(place_, std::filesystem::perms(0755));
  EXPECT_FALSE(Deployment::create(place_, parse_layout({}, "x11", "/s").value(), rules_, Existing::kKeep, now_));
  EXPECT_TRUE(std::filesystem::is_empty(place_));
}

TEST_F(DeploymentTest, RotateMakesNewKeysAndListsTheMachinesToUpdate) {
  create(kFourMachines, now_);
  const auto old = load("policy-observer/policy.identity.toml");
  auto deployment = Deployment::open(place_);
  ASSERT_TRUE(deployment) << deployment.error().message;
  const auto deliveries = deployment->rotate("policy@policy-observer", now_);
  ASSERT_TRUE(deliveries) << deliveries.error().message;
  EXPECT_EQ(names(*deliveries), (std::set<std::string>{"policy-observer/policy.identity.toml",
                                                       "policy-observer/peers/peers.toml", "planner/peers/peers.toml",
                                                       "actuator/peers/peers.toml", "console/peers/peers.toml"}));
  const auto renewed = load("policy-observer/policy.identity.toml");
  EXPECT_NE(renewed.curve_public, old.curve_public);
  EXPECT_NE(renewed.private_key_pem, old.private_key_pem);
  for (const char* machine : {"planner", "actuator", "console"}) {
    const auto known = peers(machine);
    EXPECT_EQ(known.by_curve_key(old.curve_public), nullptr) << machine;
    EXPECT_EQ(known.by_fingerprint(identity::fingerprint(old.certificate_pem).value()), nullptr) << machine;
    ASSERT_NE(known.by_curve_key(renewed.curve_public), nullptr) << machine;
    EXPECT_EQ(known.by_role(Role::kPolicy)->curve_public, renewed.curve_public) << machine;
  }
}

TEST_F(DeploymentTest, RevokedKeysStayInTheRegisterAndThePeers) {
  create(kFourMachines, now_);
  const auto old = load("console/console.identity.toml");
  auto deployment = Deployment::open(place_).value();
  const auto deliveries = deployment.revoke("console@console", now_);
  ASSERT_TRUE(deliveries) << deliveries.error().message;
  EXPECT_EQ(names(*deliveries), (std::set<std::string>{"planner/peers/peers.toml", "policy-observer/peers/peers.toml",
                                                       "actuator/peers/peers.toml"}));
  EXPECT_EQ(peers("actuator").by_curve_key(old.curve_public), nullptr);
  EXPECT_FALSE(std::filesystem::exists(place_ / "console/console.identity.toml"));
  auto reopened = Deployment::open(place_).value();
  EXPECT_TRUE(reopened.record().issued.back().revoked);
  EXPECT_EQ(reopened.revoke("console@console", now_).error().code, Code::kFailedPrecondition);
  EXPECT_TRUE(reopened.rotate("console@console", now_)) << "someone else comes in its place";
  EXPECT_NE(peers("actuator").by_curve_key(load("console/console.identity.toml").curve_public), nullptr);
}

TEST_F(DeploymentTest, RevokedKeysAreForgottenOnceTheirCertificatesHaveEnded) {
  create(kFourMachines, now_ - 400 * 24h);
  auto deployment = Deployment::open(place_).value();
  ASSERT_TRUE(deployment.rotate("policy@policy-observer", now_));
  EXPECT_EQ(peers("planner").list.size(), 4U);
  ASSERT_TRUE(deployment.rotate("policy@policy-observer", now_));
  EXPECT_EQ(peers("planner").list.size(), 5U) << "the one that still lasts is there as revoked";
}

TEST_F(DeploymentTest, UnknownNameErrorListsTheKnownNames) {
  create(kFourMachines, now_);
  auto deployment = Deployment::open(place_).value();
  const std::string before = all_content();
  for (const char* name : {"", "policy", "policy@planner", "../x", "policy@policy-observer "}) {
    const auto rotated = deployment.rotate(name, now_);
    ASSERT_FALSE(rotated) << name;
    EXPECT_THAT(rotated.error().message, HasSubstr("observer@policy-observer"));
    EXPECT_FALSE(deployment.revoke(name, now_)) << name;
  }
  EXPECT_EQ(all_content(), before);
}

TEST_F(DeploymentTest, TheListWarnsThirtyDaysBeforeTheEnd) {
  create(kFourMachines, now_ - kIdentityLasts + 24h * 31);
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  EXPECT_EQ(list_keys(place_, Format::kLines), 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::GetCapturedStdout();

  create(kFourMachines, now_ - kIdentityLasts + 24h * 29, Existing::kOverwrite);
  testing::internal::CaptureStderr();
  testing::internal::CaptureStdout();
  EXPECT_EQ(list_keys(place_, Format::kLines), 0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("keys rotate " + place_.string() + " actuator@actuator"));
  EXPECT_THAT(testing::internal::GetCapturedStdout(), HasSubstr("28 days"));
}

TEST_F(DeploymentTest, ARegisterThatWasTamperedWithIsRefused) {
  create(kFourMachines, now_);
  const auto file = place_ / "ca/register.toml";
  const std::string text = os::read_file(file).value();
  for (const std::string& content :
       {std::string(), text + "more = 1\n", text.substr(0, text.size() / 2), "[[machine]]\nname = \"../x\"\n" + text,
        "machine = 3\n" + text, std::string("[[#")}) {
    ASSERT_TRUE(os::write_private_file(file, content));
    EXPECT_FALSE(Deployment::open(place_));
  }
  ASSERT_TRUE(os::write_private_file(file, text));
  EXPECT_TRUE(Deployment::open(place_));
}

TEST(Layout, WithoutHostsEverythingIsOnUnixSocketsOfThisMachine) {
  const auto layout = parse_layout({}, "fake", "/run/s");
  ASSERT_EQ(layout->machines.size(), 1U);
  EXPECT_EQ(layout->desktop_id(), "fake:host");
  EXPECT_EQ(rpc_endpoint(*layout, Role::kPolicy, Side::kOwn), "unix:/run/s/policy/calls.sock");
  EXPECT_EQ(facts_endpoint(*layout, Role::kPolicy, Side::kOthers), "ipc:///run/s/policy/facts.ipc");
  EXPECT_EQ(images_endpoint(*layout, Role::kObserver, Side::kOthers), "ipc:///run/s/observer/images.ipc");
  EXPECT_EQ(images_endpoint(*layout, Role::kPolicy, Side::kOthers), "");
}

TEST(Layout, AServiceWithADnsNameListensEverywhereAndIsFoundByItsName) {
  const auto layout =
      parse_layout({"planner,policy,observer,console=brain.example.org", "actuator=desk-1"}, "x11", "/run/s");
  ASSERT_TRUE(layout) << layout.error().message;
  EXPECT_EQ(rpc_endpoint(*layout, Role::kActuator, Side::kOthers), "dns:///desk-1:7444");
  EXPECT_EQ(rpc_endpoint(*layout, Role::kActuator, Side::kOwn), "ipv4:0.0.0.0:7444");
  EXPECT_EQ(facts_endpoint(*layout, Role::kPolicy, Side::kOthers), "tcp://brain.example.org:7453");
  EXPECT_EQ(facts_endpoint(*layout, Role::kPolicy, Side::kOwn), "tcp://0.0.0.0:7453");
}

TEST(Layout, SeveralConsolesGetDifferentNames) {
  auto hosts = kFourMachines;
  hosts.push_back("console=10.0.0.6");
  const auto layout = parse_layout(hosts, "x11", "/run/s");
  ASSERT_TRUE(layout) << layout.error().message;
  EXPECT_EQ(layout->machines[3].name, "console");
  EXPECT_EQ(layout->machines[4].name, "console-2");
}

TEST(Layout, MissingDuplicateAndInvalidHostsAreRefused) {
  const std::string rest = "policy,observer,actuator,console=10.0.0.3";
  EXPECT_TRUE(parse_layout({"planner=10.0.0.2", rest}, "x11", "/s"));
  for (const std::string& host :
       {std::string(""), std::string("planner"), std::string("planner="), std::string("=10.0.0.2"),
        std::string("planer=10.0.0.2"), std::string("planner,=10.0.0.2"), std::string("planner,policy=10.0.0.2"),
        std::string("planner,planner=10.0.0.2"), std::string("planner,console,console=10.0.0.2"),
        std::string("planner=10.0.0.3"), std::string("planner=10.0.0.2:7442"), std::string("planner=10.0.0"),
        std::string("planner=fd00::1"), std::string("planner=0.0.0.0"), std::string("planner=a/b"),
        std::string("planner=a\"b"), std::string("planner=a b"), std::string("planner=-a"),
        "planner=" + std::string(300, 'a')}) {
    const auto layout = parse_layout({host, rest}, "x11", "/s");
    ASSERT_FALSE(layout) << host;
    EXPECT_EQ(layout.error().code, Code::kInvalidArgument) << host;
  }
  EXPECT_FALSE(parse_layout({rest}, "x11", "/s")) << "no planner";
}

TEST(Layout, OnlyTheActuatorMayBeOnAWindowsMachine) {
  EXPECT_TRUE(parse_layout({"actuator=10.0.0.9", "planner,policy,observer,console=10.0.0.2"}, "win32", "/s"));
  for (const std::vector<std::string>& hosts : {std::vector<std::string>{},
                                                {"planner,policy,observer,actuator,console=10.0.0.2"},
                                                {"actuator,observer=10.0.0.9", "planner,policy,console=10.0.0.2"}}) {
    const auto layout = parse_layout(hosts, "win32", "/s");
    ASSERT_FALSE(layout);
    EXPECT_THAT(layout.error().message, testing::HasSubstr("a machine of its own"));
  }
}

}  // namespace
}  // namespace da::console
