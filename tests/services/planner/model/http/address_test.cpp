#include "services/planner/model/http/address.h"

#include <gtest/gtest.h>

namespace da::planner::model {
namespace {

TEST(CheckAddress, AcceptsHttpsAndThisMachine) {
  for (const std::string address : {"https://api.openai.com/v1", "https://10.0.0.7:8443", "http://127.0.0.1:11434/v1",
                                    "http://localhost:1234", "http://[::1]:8080", "http://127.8.8.8"}) {
    EXPECT_TRUE(check_address(address)) << address;
  }
}

TEST(CheckAddress, RefusesUnencryptedAddresses) {
  for (const std::string address : {"http://api.openai.com/v1", "http://10.0.0.7", "http://127.evil.example",
                                    "http://localhost.evil.example", "http://127.0.0.1.evil.example"}) {
    const auto checked = check_address(address);
    ASSERT_FALSE(checked) << address;
    EXPECT_EQ(checked.error().code, Code::kInvalidArgument);
    EXPECT_NE(checked.error().message.find("not encrypted"), std::string::npos) << checked.error().message;
  }
}

TEST(CheckAddress, RefusesInvalidAddresses) {
  for (const std::string address :
       {"", "api.openai.com", "file:///etc/passwd", "ftp://host/", "https://", "://", "https://user:secret@host/"}) {
    const auto checked = check_address(address);
    ASSERT_FALSE(checked) << address;
    EXPECT_EQ(checked.error().message.find("secret"), std::string::npos);
  }
}

}  // namespace
}  // namespace da::planner::model
