#include "services/planner/model/http/proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/services/planner/model/settings/test_settings.h"

// tests/e2e/models/models_network_test.py tests calls through proxies.
namespace da::planner::model {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kServer = "https://api.example.com/v1/messages";

TEST(ChooseProxy, UsesNoProxyByDefault) {
  const auto proxy = choose_proxy({}, environment_with({{"http_proxy", "http://a:1"}}), kServer);
  ASSERT_TRUE(proxy);
  EXPECT_EQ(proxy->url, "");
}

TEST(ChooseProxy, ConfigurationOverridesTheEnvironment) {
  const auto proxy = choose_proxy({"http://configured:3128", ""},
                                  environment_with({{"https_proxy", "http://a:1"}, {"no_proxy", "*"}}), kServer);
  EXPECT_EQ(proxy->url, "http://configured:3128");
  EXPECT_EQ(proxy->why, "planner.proxy");
}

TEST(ChooseProxy, LoginIsNotPartOfTheUrl) {
  const auto proxy = choose_proxy({}, environment_with({{"HTTPS_PROXY", "me:p%40ss@a:1"}}), kServer);
  EXPECT_EQ(proxy->url, "http://a:1");
  EXPECT_EQ(proxy->login, "me:p%40ss");
  EXPECT_EQ(proxy->why, "HTTPS_PROXY");
}

TEST(ChooseProxy, ThisMachineIsReachedDirectly) {
  for (const std::string server : {"http://127.0.0.1:11434/v1", "https://localhost/", "http://[::1]:8080/v1"}) {
    EXPECT_EQ(
        choose_proxy({"http://configured:3128", ""}, environment_with({{"all_proxy", "http://a:1"}}), server)->url, "");
  }
}

TEST(ChooseProxy, InvalidAddressIsAnErrorWithoutThePassword) {
  for (const std::string address : {"ftp://me:secret@a", "http://me:secret@[", "://me:secret@a"}) {
    const auto proxy = choose_proxy({}, environment_with({{"https_proxy", address}}), kServer);
    ASSERT_FALSE(proxy) << address;
    EXPECT_EQ(proxy.error().code, Code::kInvalidArgument);
    EXPECT_THAT(proxy.error().message, HasSubstr("https_proxy is not a proxy address"));
    EXPECT_THAT(proxy.error().message, Not(HasSubstr("secret")));
  }
}

TEST(CheckProxy, PasswordInTheUrlIsRefused) {
  EXPECT_TRUE(check_proxy("http://a:3128"));
  EXPECT_TRUE(check_proxy("socks5h://a"));
  const auto checked = check_proxy("http://me:secret@a:3128");
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, HasSubstr("proxy_login_file"));
  EXPECT_THAT(checked.error().message, Not(HasSubstr("secret")));
}

TEST(IsExempt, NameCoversSubdomains) {
  EXPECT_TRUE(is_exempt("example.com", "api.example.com"));
  EXPECT_TRUE(is_exempt("other, .Example.com", "api.EXAMPLE.com"));
  EXPECT_TRUE(is_exempt("other example.com", "example.com."));
  EXPECT_TRUE(is_exempt("*", "anything"));
  EXPECT_FALSE(is_exempt("example.com", "badexample.com"));
  EXPECT_FALSE(is_exempt("api.example.com", "example.com"));
  EXPECT_FALSE(is_exempt("", "example.com"));
  EXPECT_FALSE(is_exempt(" ,, .", "example.com"));
}

TEST(IsExempt, MatchesAddressesAndNetworks) {
  EXPECT_TRUE(is_exempt("10.1.2.3", "10.1.2.3"));
  EXPECT_TRUE(is_exempt("10.0.0.0/8", "10.1.2.3"));
  EXPECT_TRUE(is_exempt("0.0.0.0/0", "10.1.2.3"));
  EXPECT_TRUE(is_exempt("fd00::1", "[fd00::1]"));
  EXPECT_FALSE(is_exempt("10.0.0.0/8", "11.1.2.3"));
  EXPECT_FALSE(is_exempt("2.3", "10.1.2.3"));
  EXPECT_FALSE(is_exempt("10.0.0.0/33", "10.0.0.0"));
  EXPECT_FALSE(is_exempt("10.0.0.0/", "10.0.0.0"));
  EXPECT_FALSE(is_exempt("10.0.0.0/8", "ten.example.com"));
}

}  // namespace
}  // namespace da::planner::model
