#include "services/planner/model/wire/base64.h"

#include <gtest/gtest.h>

namespace da::planner::model {
namespace {

TEST(Base64, GivesTheExamplesOfTheRfc) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, StandsAfterWhatGoesBefore) { EXPECT_EQ(base64("foob", "data:,"), "data:,Zm9vYg=="); }

TEST(Base64, TakesAnyByteAndUsesPlusAndSlash) {
  EXPECT_EQ(base64(std::string_view("\0\xff\xfe\xfb\xef\xbf", 6)), "AP/++++/");
}

}  // namespace
}  // namespace da::planner::model
