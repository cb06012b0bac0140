#include "services/policy/rule_book.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/temp_dir.h"

namespace da::policy {
namespace {

class RuleBookTest : public testing::Test {
 protected:
  void write(const std::string& toml) const { std::ofstream(file_) << toml; }
  static std::string rule(const std::string& name) {
    return "[[rule]]\nname = \"" + name + "\"\nverdict = \"ask\"\nreason = \"because\"\nmatch.tool = [\"write\"]\n";
  }
  da::test::TempDir directory_;
  const std::filesystem::path file_ = directory_.path() / "rules.toml";
};

TEST_F(RuleBookTest, AChangedFileIsPutInForceAndOldRulesStayReadable) {
  write(rule("one"));
  RuleBook book(*Rules::load(file_));
  const auto before = book.current();
  write(rule("two"));
  ASSERT_TRUE(book.reload());
  EXPECT_EQ(book.current()->all().front().name, "two");
  EXPECT_NE(book.current()->version(), before->version());
  EXPECT_EQ(before->all().front().name, "one");
  EXPECT_EQ(book.problem(), "");
}

TEST_F(RuleBookTest, ABrokenOrMissingFileIsTold) {
  write(rule("one"));
  RuleBook book(*Rules::load(file_));
  write("[[rule]]\nname = \"B\"\n");
  EXPECT_FALSE(book.reload());
  EXPECT_EQ(book.current()->all().front().name, "one");
  EXPECT_THAT(book.problem(), testing::HasSubstr("rules.toml:2:8"));
  std::filesystem::remove(file_);
  EXPECT_FALSE(book.reload());
  EXPECT_EQ(book.current()->all().size(), 1U);
  write(rule("three"));
  EXPECT_TRUE(book.reload());
  EXPECT_EQ(book.problem(), "");
}

}  // namespace
}  // namespace da::policy
