#include "services/policy/rule_file/accepted_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/temp_dir.h"

namespace da::policy {
namespace {

using testing::HasSubstr;

class AcceptedRulesTest : public testing::Test {
 protected:
  AcceptedRulesTest() { write(rule("one")); }

  void write(const std::string& toml) const { std::ofstream(file_) << toml; }
  static std::string rule(const std::string& name) {
    return "[[rule]]\nname = \"" + name + "\"\nverdict = \"ask\"\nreason = \"because\"\nmatch.tool = [\"write\"]\n";
  }
  static std::string name_of(const Rules& rules) { return rules.all().front().name; }

  da::test::TempDir directory_;
  const std::filesystem::path file_ = directory_.path() / "rules.toml";
  const AcceptedRules accepted_{directory_.path() / "state", file_};
};

TEST_F(AcceptedRulesTest, FirstFileIsAcceptedAndAChangedOneIsNot) {
  auto first = find_rules_in_force(accepted_);
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->unaccepted_version, "");
  write(rule("two"));
  const auto changed = find_rules_in_force(accepted_);
  ASSERT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(name_of(changed->rules), "one");
  EXPECT_EQ(changed->rules.version(), first->rules.version());
  EXPECT_EQ(changed->unaccepted_version, Rules::load(file_)->version());
  ASSERT_TRUE(accepted_.accept(rule("two")));
  EXPECT_EQ(name_of(find_rules_in_force(accepted_)->rules), "two");
}

// Or a person would be asked again after an editor has written the same file.
TEST_F(AcceptedRulesTest, FileThatIsAsItWasNeedsNoNewAcceptance) {
  ASSERT_TRUE(find_rules_in_force(accepted_));
  write(rule("two"));
  write(rule("one"));
  EXPECT_EQ(find_rules_in_force(accepted_)->unaccepted_version, "");
}

TEST_F(AcceptedRulesTest, EachRuleFileHasItsOwnRecord) {
  ASSERT_TRUE(find_rules_in_force(accepted_));
  const AcceptedRules other(directory_.path() / "state", directory_.path() / "other.toml");
  EXPECT_NE(other.record(), accepted_.record());
  std::ofstream(other.rule_file()) << rule("two");
  EXPECT_EQ(find_rules_in_force(other)->unaccepted_version, "");
  const AcceptedRules same(directory_.path() / "state", directory_.path() / "state/../rules.toml");
  EXPECT_EQ(same.record(), accepted_.record()) << "another path of the same file";
}

TEST_F(AcceptedRulesTest, RecordThatOthersMayWriteIsNotUsed) {
  ASSERT_TRUE(find_rules_in_force(accepted_));
  ASSERT_EQ(::chmod(accepted_.record().c_str(), 0666), 0);
  const auto found = find_rules_in_force(accepted_);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Code::kPermissionDenied);
}

TEST_F(AcceptedRulesTest, BrokenRecordIsAnErrorThatNamesTheCommand) {
  ASSERT_TRUE(accepted_.accept("[[rule]]\nname = 1\n"));
  const auto found = find_rules_in_force(accepted_);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().message, HasSubstr("da-console policy accept " + file_.string()));
}

TEST_F(AcceptedRulesTest, FilesOfOtherUsersAreOutOfReach) {
  const bool is_root = ::geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(::seteuid(65'534), 0);
  }
  const bool system_file = is_within_reach("/etc/passwd");
  const bool directory_of_all = is_within_reach("/tmp");
  if (is_root) {
    ASSERT_EQ(::seteuid(0), 0);
  }
  EXPECT_FALSE(system_file);
  EXPECT_TRUE(directory_of_all);
  EXPECT_TRUE(is_within_reach(file_));
  EXPECT_TRUE(is_within_reach(directory_.path() / "absent"));
}

TEST_F(AcceptedRulesTest, ReloadPutsAcceptedRulesInForceAndOldOnesStayReadable) {
  RuleBook book(*Rules::load(file_), accepted_);
  const auto before = book.current();
  write(rule("two"));
  ASSERT_TRUE(book.reload());
  EXPECT_EQ(name_of(*book.current()), "one") << "nobody has accepted the change, nor any text before";
  EXPECT_EQ(book.unaccepted_version(), Rules::load(file_)->version());
  ASSERT_TRUE(accepted_.accept(rule("two")));
  ASSERT_TRUE(book.reload());
  EXPECT_EQ(name_of(*book.current()), "two");
  EXPECT_EQ(book.unaccepted_version(), "");
  EXPECT_EQ(name_of(*before), "one");
}

TEST_F(AcceptedRulesTest, RemovedRecordPutsNothingInForce) {
  RuleBook book(find_rules_in_force(accepted_)->rules, accepted_);
  write(rule("two"));
  std::filesystem::remove(accepted_.record());
  ASSERT_TRUE(book.reload());
  EXPECT_EQ(name_of(*book.current()), "one");
}

TEST_F(AcceptedRulesTest, BrokenOrMissingFileIsAProblem) {
  RuleBook book(find_rules_in_force(accepted_)->rules, accepted_);
  write("[[rule]]\nname = \"B\"\n");
  EXPECT_FALSE(book.reload());
  EXPECT_EQ(name_of(*book.current()), "one");
  EXPECT_THAT(book.problem(), HasSubstr("rules.toml:2:8"));
  std::filesystem::remove(file_);
  EXPECT_FALSE(book.reload());
  write(rule("one"));
  EXPECT_TRUE(book.reload());
  EXPECT_EQ(book.problem(), "");
}

}  // namespace
}  // namespace da::policy
