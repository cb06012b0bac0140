#include "services/actuator/privacy/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "lib/os/process/environment.h"
#include "tests/file_access.h"
#include "tests/temp_dir.h"

namespace da::actuator {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kValue = "correct horse";

std::string secret_table(const std::string& lines) { return "[[secret]]\nname = \"mail\"\n" + lines; }
std::string with_value(const std::string& lines = {}) {
  return secret_table("value = \"" + std::string(kValue) + "\"\n" + lines);
}

Secrets parsed(const std::string& toml) {
  auto secrets = Secrets::parse(toml, "s.toml");
  EXPECT_TRUE(secrets) << secrets.error().message;
  return *std::move(secrets);
}

WindowInfo window_running(const std::string& executable, const std::string& title) {
  WindowInfo info;
  info.executable = executable;
  info.title = title;
  return info;
}
Element element(const std::string& role, const std::string& name, std::vector<ElementState> states = {}) {
  Element found;
  found.role = role;
  found.name = name;
  found.states = std::move(states);
  return found;
}
const Element kPasswordField = element("password text", "Password", {ElementState::kPassword});
const Element kTextField = element("text", "Token");

bool fits(const std::string& scope, const WindowInfo& at, const Element& into) {
  return !parsed(with_value(scope)).find("mail")->scope.objection(at, into);
}

class SecretsFileTest : public testing::Test {
 protected:
  void write(const std::string& content, test::Access access) {
    std::ofstream(file_) << content;
    test::set_access(file_, access);
  }
  const test::TempDir directory_;
  const std::filesystem::path file_ = directory_.path() / "secrets.toml";
};

TEST_F(SecretsFileTest, IsReadIfOnlyItsOwnerMayReadIt) {
  write(with_value(), test::Access::kOwnerOnly);
  const auto secrets = Secrets::load(file_);
  ASSERT_TRUE(secrets) << secrets.error().message;
  EXPECT_EQ(secrets->size(), 1U);
  EXPECT_EQ(secrets->find("mail")->value.view(), kValue);
}

TEST_F(SecretsFileTest, IsRefusedIfOthersMayReadIt) {
  for (const test::Access access : {test::Access::kOthersMayRead, test::Access::kOthersMayWrite}) {
    write(with_value(), access);
    const auto secrets = Secrets::load(file_);
    ASSERT_FALSE(secrets);
    EXPECT_EQ(secrets.error().code, Code::kPermissionDenied);
  }
}

TEST(Secrets, NoErrorShowsAValue) {
  const std::string value = "hunter2hunter2";
  const std::string quoted = '"' + value + '"';
  for (const std::string& broken :
       {"[[secret]]\nname = " + quoted + "\nvalue = " + value, "[[secret]]\nvalue = " + quoted + "\n" + value,
        "[[secret]]\n" + value + " = 1\nname = \"a\"\nvalue = " + quoted, value + " = 1",
        "[[" + value + "]]\nname = \"a\"", "[[secret]]\nname = \"" + value + " \"\nvalue = " + quoted,
        secret_table("value = [" + quoted + "]"), secret_table("value = \"" + value + "\\n\""),
        secret_table("value = " + quoted + "\nenv = " + quoted), secret_table("env = " + quoted),
        with_value() + with_value(), "[[secret]]\nvalue = " + quoted, secret_table("value = \"" + value)}) {
    const auto secrets = Secrets::parse(broken, "s.toml");
    ASSERT_FALSE(secrets) << broken;
    EXPECT_EQ(secrets.error().code, Code::kInvalidArgument);
    EXPECT_THAT(secrets.error().message, HasSubstr("s.toml:"));
    EXPECT_THAT(secrets.error().message, Not(HasSubstr("hunter")));
  }
}

TEST(Secrets, AValueIsOneLineOfTypeableCharacters) {
  for (const char* value : {"a\\nb", "a\\tb", "\\u001b[0m", "\\u0085", ""}) {
    EXPECT_FALSE(Secrets::parse(secret_table("value = \"" + std::string(value) + "\""), "s.toml")) << value;
  }
  EXPECT_EQ(parsed(secret_table("value = \"Grüße 漢字 €\"")).find("mail")->value.view(), "Grüße 漢字 €");
}

TEST(Secrets, VariableIsRemovedFromTheEnvironment) {
  os::set_environment_variable("DA_SECRET_TEST", "from the environment");
  const auto secrets = parsed(secret_table("env = \"DA_SECRET_TEST\""));
  EXPECT_EQ(secrets.find("mail")->value.view(), "from the environment");
  EXPECT_EQ(std::getenv("DA_SECRET_TEST"), nullptr);
}

TEST(Secrets, OnlyVariablesWithTheSecretPrefixAreRead) {
  os::set_environment_variable("OTHER_VARIABLE", "x");
  EXPECT_FALSE(Secrets::parse(secret_table("env = \"OTHER_VARIABLE\""), "s.toml"));
  EXPECT_FALSE(Secrets::parse(secret_table("env = \"DA_SECRET_NOT_THERE\""), "s.toml"));
  EXPECT_STREQ(std::getenv("OTHER_VARIABLE"), "x");
}

TEST(Secrets, AllSecretVariablesAreRemovedFromTheEnvironment) {
  os::set_environment_variable("DA_SECRET_UNUSED", "x");
  os::set_environment_variable("DA_SECRET_EMPTY", "");
  os::set_environment_variable("OTHER_VARIABLE", "x");
  clear_secret_variables();
  EXPECT_EQ(std::getenv("DA_SECRET_UNUSED"), nullptr);
  EXPECT_EQ(std::getenv("DA_SECRET_EMPTY"), nullptr);
  EXPECT_STREQ(std::getenv("OTHER_VARIABLE"), "x");
}

TEST(SecretScope, WithoutElementsOnlyPasswordFieldsMatch) {
  const WindowInfo mail = window_running("/usr/bin/thunderbird", "Log in - Mail");
  EXPECT_TRUE(fits("", mail, kPasswordField));
  EXPECT_FALSE(fits("", mail, kTextField));
  EXPECT_FALSE(fits("windows = 'Log in'", mail, kTextField));
}

TEST(SecretScope, AllGivenKeysMustMatch) {
  const WindowInfo mail = window_running("/usr/bin/thunderbird", "Log in - Mail");
  const WindowInfo editor = window_running("/usr/bin/mousepad", "Log in - Mousepad");
  EXPECT_TRUE(fits("executables = \"thunderbird\"", mail, kPasswordField));
  EXPECT_FALSE(fits("executables = \"thunderbird\"", editor, kPasswordField));
  EXPECT_FALSE(fits("executables = \"thunder\"", mail, kPasswordField));
  EXPECT_TRUE(fits("executables = [\"firefox\", \"/usr/bin/thunderbird\"]", mail, kPasswordField));
  EXPECT_FALSE(fits("executables = \"/opt/thunderbird\"", mail, kPasswordField));
  EXPECT_FALSE(fits("executables = \"thunderbird\"", window_running("", "Log in"), kPasswordField));
  EXPECT_TRUE(fits("elements = '^Token$'", mail, kTextField));
  EXPECT_FALSE(fits("elements = '^Token$'", mail, kPasswordField));
  EXPECT_TRUE(fits("roles = \"text\"", mail, kTextField));
  EXPECT_FALSE(fits("roles = \"text\"\nelements = 'Name'", mail, kTextField));
  EXPECT_FALSE(fits("roles = \"text\"\nwindows = 'Settings'", mail, kTextField));
}

TEST(Secrets, RedactsLongValuesAndKeepsShortOnes) {
  const auto secrets = parsed(with_value() + "[[secret]]\nname = \"pin\"\nvalue = \"1234567\"\n");
  std::string text = "correct horse, 1234567, correct horse";
  secrets.redact(text, {});
  EXPECT_EQ(text, "correct horse, 1234567, correct horse");
  secrets.redact(text, secrets.names());
  EXPECT_EQ(text, "{{secret:mail}}, 1234567, {{secret:mail}}");
}

}  // namespace
}  // namespace da::actuator
