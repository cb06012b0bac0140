#include "services/actuator/privacy/placeholder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace da::actuator {
namespace {

using testing::HasSubstr;
using testing::Not;

class PlaceholderTest : public testing::Test {
 protected:
  ResolvedText resolve(const std::string& text) {
    auto resolved = ResolvedText::resolve(text, secrets_);
    EXPECT_TRUE(resolved) << resolved.error().message;
    return *std::move(resolved);
  }
  const Secrets secrets_ = *Secrets::parse(
      "[[secret]]\nname = \"mail\"\nvalue = \"hünter2\"\n[[secret]]\nname = \"a.b-c_9\"\nvalue = \"x\"\n", "s");
};

TEST_F(PlaceholderTest, ValueReplacesItsPlaceholder) {
  EXPECT_EQ(resolve("{{secret:mail}}").characters(), U"hünter2");
  EXPECT_EQ(resolve("a {{secret:mail}}{{secret:a.b-c_9}} ß").characters(), U"a hünter2x ß");
}

TEST_F(PlaceholderTest, TextWithoutPlaceholdersIsTypedUnchanged) {
  for (const char* text : {"plain", "{{name}}", "{secret:mail}", "{{secrets}}", "{{ the secret: none }}", "}}{{"}) {
    EXPECT_FALSE(mentions_secret(text)) << text;
    EXPECT_EQ(resolve(text).characters().size(), std::string_view(text).size()) << text;
  }
}

TEST_F(PlaceholderTest, MalformedPlaceholdersAreRefused) {
  for (const char* text : {"{{secret:", "{{secret:mail", "{{secret:mail}", "{{secret:}}", "{{ secret:mail}}",
                           "{{secret :mail}}", "{{Secret:mail}}", "{{secret: mail}}", "{{secret:mail }}",
                           "{{secret:ma\nil}}", "ok {{secret:mail}} {{SECRET:mail}}", "{{secret:{{secret:mail}}}}"}) {
    EXPECT_TRUE(mentions_secret(text)) << text;
    EXPECT_EQ(ResolvedText::resolve(text, secrets_).error().code, Code::kInvalidArgument) << text;
  }
}

TEST_F(PlaceholderTest, AnUnknownNameIsAnError) {
  const auto resolved = ResolvedText::resolve("{{secret:Mail}}", secrets_);
  ASSERT_FALSE(resolved);
  EXPECT_EQ(resolved.error().code, Code::kNotFound);
}

TEST_F(PlaceholderTest, ProgressRevealsNeitherLengthNorPartOfASecret) {
  const auto resolved = resolve("ab{{secret:mail}}cd");
  const auto shown = [&](std::uint32_t done) { return resolved.conceal({done, 11, {}}).done; };
  EXPECT_EQ(resolved.conceal({0, 11, {}}).total, 19U);
  EXPECT_EQ(shown(1), 1U);
  for (const std::uint32_t within : {2, 5, 8}) EXPECT_EQ(shown(within), 2U);
  EXPECT_EQ(shown(9), 17U);
  EXPECT_EQ(shown(11), 19U);
}

TEST_F(PlaceholderTest, ErrorsNameNoTypedCharacter) {
  const Error about{Code::kInvalidArgument, "cannot type U+00FC"};
  EXPECT_THAT(resolve("{{secret:mail}}").conceal({0, 7, about}).stopped->message, Not(HasSubstr("U+")));
  EXPECT_THAT(resolve("ü").conceal({0, 1, about}).stopped->message, HasSubstr("U+00FC"));
  const Error moved{Code::kAborted, "the focus moved"};
  EXPECT_EQ(resolve("{{secret:mail}}").conceal({0, 7, moved}).stopped->message, "the focus moved");
}

}  // namespace
}  // namespace da::actuator
