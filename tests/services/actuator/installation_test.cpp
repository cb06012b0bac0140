#include <gtest/gtest.h>

#include <algorithm>

#include "services/actuator/installation/install_plan.h"

namespace da::actuator {
namespace {

Result<Listening> listening(const std::string& toml) {
  const auto config = service::Config::parse(toml, "test");
  return listening_of(*config);
}

InstallPlan example() {
  return {.executable = R"(C:\Program Files\DesktopAssist\da-actuator.exe)",
          .config_file = R"(C:\Users\Jörg & Co\actuator.toml)",
          .user = R"(VM\Jörg <漢>)",
          .listening = {"10.0.0.4", {7444, 7454}}};
}

TEST(Installation, ReadsAddressAndPortsFromTheConfiguration) {
  const auto found = listening(
      "[endpoints]\nactuator = \"ipv4:10.0.0.4:7444\"\n[bus.actuator]\n"
      "facts = \"tcp://10.0.0.4:7454\"\nimages = \"tcp://10.0.0.4:7464\"\n");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->address, "10.0.0.4");
  EXPECT_EQ(found->ports, (std::vector<std::uint16_t>{7444, 7454, 7464}));
}

TEST(Installation, ReadsAnAddressOfIpVersion6) {
  const auto found = listening("[endpoints]\nactuator = \"ipv6:[fd00::4]:7444\"\n");
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->address, "fd00::4");
}

TEST(Installation, RefusesAddressesThatNoFirewallRuleCanName) {
  for (const std::string address : {"ipv4:0.0.0.0:7444", "ipv6:[::]:7444", "actuator.example:7444", "ipv4:10.0.0.4",
                                    "ipv4:10.0.0.4:0", "ipv4:10.0.0.4:70000", "unix:/run/x.sock", "ipv4::7444"}) {
    const auto found = listening("[endpoints]\nactuator = \"" + address + "\"\n");
    ASSERT_FALSE(found) << address;
    EXPECT_EQ(found.error().code, Code::kInvalidArgument) << address;
  }
  EXPECT_FALSE(listening(""));
  EXPECT_FALSE(
      listening("[endpoints]\nactuator = \"ipv4:10.0.0.4:1\"\n[bus.actuator]\nfacts = \"tcp://10.0.0.5:2\"\n"));
}

TEST(Installation, TheFirewallRuleNamesProgramAddressAndPortsOnly) {
  const auto commands = install_commands(example(), R"(C:\t.xml)");
  std::vector<std::string> protocols;
  for (const SystemCommand& command : commands) {
    const auto has = [&](const std::string& word) { return std::ranges::count(command.words, word) == 1; };
    if (!has("add")) continue;
    EXPECT_TRUE(has("localip=10.0.0.4"));
    EXPECT_TRUE(has("localport=7444,7454"));
    EXPECT_TRUE(has("program=C:\\Program Files\\DesktopAssist\\da-actuator.exe"));
    EXPECT_FALSE(command.may_fail);
    protocols.push_back(command.words[8]);
  }
  EXPECT_EQ(protocols, (std::vector<std::string>{"protocol=TCP", "protocol=UDP"}));
}

TEST(Installation, ATaskStartsTheProgramForItsUserAndEscapesItsText) {
  const std::string xml = task_xml(example());
  EXPECT_NE(xml.find("<UserId>VM\\Jörg &lt;漢&gt;</UserId>"), std::string::npos) << xml;
  EXPECT_NE(xml.find("<Arguments>--config \"C:\\Users\\Jörg &amp; Co\\actuator.toml\"</Arguments>"), std::string::npos);
  EXPECT_NE(xml.find("<RunLevel>LeastPrivilege</RunLevel>"), std::string::npos);
  auto plan = example();
  plan.rights = Rights::kHighest;
  EXPECT_NE(task_xml(plan).find("<RunLevel>HighestAvailable</RunLevel>"), std::string::npos);
}

// After the kill switch, only a person or the next logon may start it again.
TEST(Installation, ATaskDoesNotStartAStoppedActuatorAgain) {
  EXPECT_EQ(task_xml(example()).find("Restart"), std::string::npos);
}

TEST(Installation, UninstallRemovesTaskAndRule) {
  const auto commands = uninstall_commands();
  ASSERT_EQ(commands.size(), 3U);
  EXPECT_EQ(commands[1].words[1], "/Delete");
  EXPECT_EQ(commands[2].words[3], "delete");
}

}  // namespace
}  // namespace da::actuator
