#include "lib/identity/z85.h"

#include <gtest/gtest.h>
#include <zmq.h>

#include <array>

#include "lib/identity/identity.h"

namespace da::identity {
namespace {

TEST(Z85, EncodesSpecificationsTestVector) {
  EXPECT_EQ(z85_encode("\x86\x4F\xD2\x6F\xB5\x59\xF7\x5B"), "HelloWorld");
  EXPECT_EQ(z85_decode("HelloWorld"), "\x86\x4F\xD2\x6F\xB5\x59\xF7\x5B");
}

TEST(Z85, RefusesInvalidText) {
  for (const char* text : {"Hell", "Hell\"", "Hell ", "#####", "%nSc1", "HelloWorl\n"}) EXPECT_FALSE(z85_decode(text));
  EXPECT_EQ(z85_decode("%nSc0"), "\xff\xff\xff\xff");
  EXPECT_EQ(z85_decode(""), "");
}

TEST(CurveKeys, AreKeyPairForZeroMq) {
  const CurveKeys keys = make_curve_keys();
  std::array<char, 41> derived{};
  ASSERT_EQ(zmq_curve_public(derived.data(), keys.secret_key.c_str()), 0);
  EXPECT_EQ(keys.public_key, derived.data());
  EXPECT_NE(make_curve_keys().public_key, keys.public_key);
}

}  // namespace
}  // namespace da::identity
