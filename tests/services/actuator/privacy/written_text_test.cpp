#include "services/actuator/privacy/written_text.h"

#include <gtest/gtest.h>

namespace da::actuator {
namespace {

class WrittenTextTest : public ::testing::Test {
 protected:
  static v1::Action typing(const std::string& text) {
    v1::Action action;
    action.mutable_keyboard_type()->set_text(text);
    return action;
  }
  std::size_t known() const {
    const auto found = written_.known().find("a");
    return found == written_.known().end() ? 0 : found->second;
  }

  Secrets secrets_ = *Secrets::parse("[[secret]]\nname = \"a\"\nvalue = \"hunter2hunter3\"", "s");
  WrittenText written_;
};

TEST_F(WrittenTextTest, AValueIsFoundInEachKindOfText) {
  v1::Action paste;
  paste.mutable_paste()->set_text("my hunter2hunter3 guess");
  written_.add(paste, secrets_);
  EXPECT_EQ(known(), 14U);
}

TEST_F(WrittenTextTest, AValueThatIsTypedInPartsIsFound) {
  written_.add(typing("hunter2"), secrets_);
  EXPECT_EQ(known(), 7U);
  written_.add(typing("hun"), secrets_);
  v1::Action write;
  write.mutable_write()->set_text("ter3");
  written_.add(write, secrets_);
  EXPECT_EQ(known(), 14U);
}

TEST_F(WrittenTextTest, PartsAreFoundBehindLongTexts) {
  written_.add(typing(std::string(3 * kMaxSecretBytes, 'x') + "hunter2"), secrets_);
  written_.add(typing("hunter3"), secrets_);
  EXPECT_EQ(known(), 14U);
}

TEST_F(WrittenTextTest, ASecretThatIsTypedByItsNameStaysUnknown) {
  written_.add(typing("{{secret:a}}"), secrets_);
  EXPECT_EQ(known(), 0U);
}

}  // namespace
}  // namespace da::actuator
