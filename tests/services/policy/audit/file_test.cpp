#include "services/policy/audit/file.h"

#include <signal.h>
#include <sys/resource.h>

#include "tests/services/policy/audit/log_files.h"

namespace da::policy {
namespace {

using test::note;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class AuditFileTest : public testing::Test, protected test::LogFiles {
 protected:
  Result<AuditFile> open_file(const std::string& boot = "boot") { return AuditFile::open(file, boot, clock); }
  static Result<void> append(AuditFile& to, const std::string& text) {
    const AuditRecord records[] = {note(text)};
    return to.append(records, Reach::kDisk);
  }
  std::vector<std::filesystem::path> torn() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
      if (entry.path().string().find(".torn-") != std::string::npos) found.push_back(entry.path());
    }
    return found;
  }
};

TEST_F(AuditFileTest, ChainContinuesAcrossStarts) {
  {
    auto one = *open_file();
    ASSERT_TRUE(append(one, "a"));
    ASSERT_TRUE(append(one, "b"));
  }
  auto two = *open_file();
  ASSERT_TRUE(append(two, "c"));
  const auto report = verify();
  EXPECT_TRUE(report.intact());
  EXPECT_EQ(report.records, 3u);
  EXPECT_EQ(two.end().seq, 3u);
  EXPECT_THAT(torn(), IsEmpty());
}

TEST_F(AuditFileTest, FileIsPrivateAndRefusedIfOthersMayReadIt) {
  ASSERT_TRUE(open_file());
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::permissions(file, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
  EXPECT_EQ(open_file().error().code, Code::kPermissionDenied);
}

TEST_F(AuditFileTest, SymbolicLinkIsNotFollowed) {
  std::filesystem::create_symlink(dir.path() / "elsewhere", file);
  EXPECT_FALSE(open_file());
}

TEST_F(AuditFileTest, TwoProcessesShareOneChain) {
  auto one = *open_file("one");
  auto two = *open_file("two");
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(append(i % 3 == 0 ? one : two, std::to_string(i)));
  const auto report = verify();
  EXPECT_TRUE(report.intact());
  EXPECT_EQ(report.records, 10u);
  EXPECT_EQ(one.log_id(), two.log_id());
  EXPECT_FALSE(one.log_id().empty());
}

// A crash may cut a record after any number of bytes.
TEST_F(AuditFileTest, TornRecordIsMovedAsideAndRecorded) {
  std::string whole;
  {
    auto one = *open_file();
    ASSERT_TRUE(append(one, "a"));
    whole = content();
    ASSERT_TRUE(append(one, "b"));
  }
  const std::string both = content();
  for (std::size_t size = whole.size() + 1; size < both.size(); size += 9) {
    replace(both.substr(0, size));
    auto again = *open_file();
    ASSERT_TRUE(append(again, "c"));
    const auto report = verify();
    EXPECT_TRUE(report.intact()) << size;
    EXPECT_EQ(report.records, 3u);
    ASSERT_EQ(torn().size(), 1u);
    EXPECT_EQ(*os::read_file(torn()[0]), both.substr(whole.size(), size - whole.size()));
    EXPECT_THAT(lines()[1], HasSubstr("\"kind\":\"recovered\",\"problem\":\"an incomplete record of "));
    EXPECT_THAT(report.notes[0], HasSubstr("record 2 reports a recovery"));
    std::filesystem::remove(torn()[0]);
  }
}

TEST_F(AuditFileTest, InvalidLineAtTheEndIsLeftInPlace) {
  {
    auto one = *open_file();
    ASSERT_TRUE(append(one, "a"));
    ASSERT_TRUE(append(one, "b"));
  }
  std::string changed = content();
  changed[changed.size() - 100] ^= 1;
  replace(changed);
  auto again = *open_file();
  ASSERT_TRUE(append(again, "c"));
  EXPECT_THAT(content(), testing::StartsWith(changed));
  EXPECT_THAT(lines()[2], HasSubstr("after record 1 are not records; they were left in place"));
  const auto report = verify();
  EXPECT_EQ(report.faults[0].kind, AuditFault::Kind::kChanged);
  EXPECT_EQ(report.faults[0].line, 2u);
}

TEST_F(AuditFileTest, FileThatIsNotAnAuditLogIsNotTouched) {
  replace("dear diary\nnothing happened today\n");
  std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  auto one = *open_file();
  EXPECT_EQ(append(one, "a").error().code, Code::kDataLoss);
  EXPECT_THAT(lines(), ElementsAre("dear diary", "nothing happened today"));
}

TEST_F(AuditFileTest, MissingReplacedOrTruncatedFileIsAnErrorUntilItIsBack) {
  auto one = *open_file();
  ASSERT_TRUE(append(one, "a"));
  ASSERT_TRUE(append(one, "b"));
  const auto elsewhere = dir.path() / "elsewhere";
  std::filesystem::rename(file, elsewhere);
  EXPECT_THAT(append(one, "c").error().message, HasSubstr("is gone"));
  std::filesystem::copy(elsewhere, file);
  EXPECT_THAT(append(one, "c").error().message, HasSubstr("was replaced"));
  std::filesystem::rename(elsewhere, file);
  ASSERT_TRUE(append(one, "c"));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_THAT(append(one, "d").error().message, HasSubstr("was cut"));
}

// A file size limit simulates a full disk: only a part is written.
TEST_F(AuditFileTest, FailedAppendIsRolledBackAndWritingContinuesLater) {
  auto one = *open_file();
  ASSERT_TRUE(append(one, "a"));
  const std::string before = content();
  signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const rlimit tight{before.size() + 100, old.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &tight), 0);
  const auto refused = append(one, "b");
  const std::string meanwhile = content();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &old), 0);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("write the audit log"));
  EXPECT_EQ(meanwhile, before);
  ASSERT_TRUE(append(one, "b"));
  EXPECT_TRUE(verify().intact());
  EXPECT_EQ(verify().records, 2u);
}

}  // namespace
}  // namespace da::policy
