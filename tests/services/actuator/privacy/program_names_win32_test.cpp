// Masks and secrets name programs; Windows has two separators and ignores case.
#include <gtest/gtest.h>

#include "services/actuator/privacy/masks.h"
#include "services/actuator/privacy/secrets.h"

namespace da::actuator {
namespace {

constexpr const char* kThunderbird[] = {R"(C:\Program Files\Mozilla Thunderbird\thunderbird.exe)",
                                        R"(C:\PROGRA~1\Mozilla\THUNDERBIRD.EXE)", "C:/tools/Thunderbird.exe",
                                        R"(\\server\share\thunderbird.exe)", "thunderbird"};
constexpr const char* kOthers[] = {R"(C:\thunderbird\notepad.exe)", "C:/thunderbird.exe/notepad.exe",
                                   R"(C:\tools\thunderbird.exe.exe)"};

WindowInfo window_of(const std::string& executable) {
  WindowInfo window;
  window.pid = 1;
  window.executable = executable;
  return window;
}

TEST(ProgramNamesOnWindows, MaskCoversItsProgramUnderBothSeparators) {
  const auto masks = Masks::parse("[[mask]]\nprocess = '^thunderbird$'\n", "m.toml");
  ASSERT_TRUE(masks) << masks.error().message;
  const Mask& mask = masks->all().at(0);
  for (const char* executable : kThunderbird) EXPECT_TRUE(mask.covers(window_of(executable))) << executable;
  for (const char* executable : kOthers) EXPECT_FALSE(mask.covers(window_of(executable))) << executable;
}

TEST(ProgramNamesOnWindows, SecretGoesIntoItsProgramUnderBothSeparators) {
  Element password;
  password.states = {ElementState::kPassword};
  SecretScope scope;
  scope.executables = {"Thunderbird"};
  for (const char* executable : kThunderbird) {
    EXPECT_EQ(scope.objection(window_of(executable), password), std::nullopt) << executable;
  }
  for (const char* executable : kOthers) {
    EXPECT_NE(scope.objection(window_of(executable), password), std::nullopt) << executable;
  }
  scope.executables = {"c:/program files/mozilla thunderbird/THUNDERBIRD.exe"};
  EXPECT_EQ(scope.objection(window_of(kThunderbird[0]), password), std::nullopt);
  EXPECT_NE(scope.objection(window_of(kThunderbird[2]), password), std::nullopt) << "the same name at another place";
}

}  // namespace
}  // namespace da::actuator
