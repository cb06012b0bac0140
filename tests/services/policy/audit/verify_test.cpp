#include "services/policy/audit/verify.h"

#include "services/policy/audit/lines.h"
#include "tests/services/policy/audit/log_files.h"

namespace da::policy {
namespace {

using test::note;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = AuditFault::Kind;

// A log of 10 records, signed up to record 8, as lines that a test changes.
class AuditVerifyTest : public testing::Test, protected test::LogFiles {
 protected:
  AuditVerifyTest() {
    for (int i = 1; i <= 10; ++i) add("record " + std::to_string(i));
    sign(8);
  }

  // Continues the chain after the last of `records_`, as the policy or a forger would.
  void add(const std::string& text) {
    std::string line;
    append_record(line, end_, "boot", note(text));
    line.pop_back();
    records_.push_back(line);
  }
  // Replaces the records from `seq` on by as many others with correct hashes.
  void rewrite_from(std::size_t seq, const std::string& text) {
    const std::size_t length = records_.size();
    records_.resize(seq - 1);
    const auto link = read_link(records_.back());
    end_ = {link->seq, std::string(link->hash)};
    while (records_.size() < length) add(text);
  }
  void sign(std::uint64_t seq) {
    const auto link = read_link(records_[seq - 1]);
    const auto first = read_link(records_[0]);
    heads_.push_back(signed_head_line(
        {std::string(first->hash), seq, std::string(link->hash), "2026-11-21T09:30:00.000Z", "boot", ""}, signer()));
  }
  AuditReport verify(const std::set<std::string>& keys = {}) const {
    AuditVerifier verifier;
    for (const auto& line : records_) verifier.add_line(line);
    for (const auto& line : heads_) verifier.add_head(line);
    return verifier.finish(keys);
  }
  std::vector<std::pair<Kind, std::uint64_t>> faults() const {
    std::vector<std::pair<Kind, std::uint64_t>> found;
    for (const auto& fault : verify().faults) found.emplace_back(fault.kind, fault.seq);
    return found;
  }
  static std::pair<Kind, std::uint64_t> is(Kind kind, std::uint64_t seq) { return {kind, seq}; }

  ChainEnd end_;
  std::vector<std::string> records_;
  std::vector<std::string> heads_;
};

TEST_F(AuditVerifyTest, AnUntouchedLogIsIntact) {
  const auto report = verify({to_hex(key.public_bytes)});
  EXPECT_TRUE(report.intact());
  EXPECT_EQ(report.records, 10u);
  EXPECT_EQ(report.heads, 1u);
  EXPECT_EQ(report.signed_up_to, 8u);
  EXPECT_THAT(report.keys, ElementsAre(std::pair(to_hex(key.public_bytes), 1u)));
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("records 9 to 10 are not signed yet")));
}

TEST_F(AuditVerifyTest, AnyChangedRecordIsFound) {
  const auto untouched = records_;
  for (std::size_t i = 0; i < untouched.size(); ++i) {
    records_ = untouched;
    const auto at = records_[i].find("record ");
    records_[i].replace(at, 6, "rekord");
    ASSERT_THAT(faults(), ElementsAre(is(Kind::kChanged, i + 1)));
    EXPECT_EQ(verify().faults[0].line, i + 1);
  }
}

TEST_F(AuditVerifyTest, RecordChangedWithItsHashIsFoundByTheNextOne) {
  const auto link = read_link(records_[3]);
  ChainEnd before{3, std::string(link->prev)};
  std::string forged;
  append_record(forged, before, "boot", note("forged"));
  forged.pop_back();
  records_[3] = forged;
  ASSERT_THAT(faults(), ElementsAre(is(Kind::kChanged, 4)));
  EXPECT_THAT(verify().faults[0].what, HasSubstr("record 4 is not the predecessor of record 5"));
}

TEST_F(AuditVerifyTest, LineThatIsNotARecordIsFound) {
  records_[3] = "nothing to see here";
  EXPECT_THAT(faults(), ElementsAre(is(Kind::kChanged, 4)));
  records_[3].clear();
  EXPECT_THAT(faults(), ElementsAre(is(Kind::kChanged, 4)));
}

TEST_F(AuditVerifyTest, AnyRemovedRecordIsFound) {
  const auto untouched = records_;
  for (std::size_t i = 0; i + 1 < untouched.size(); ++i) {
    records_ = untouched;
    records_.erase(records_.begin() + static_cast<std::ptrdiff_t>(i));
    ASSERT_THAT(faults(), ElementsAre(is(Kind::kRemoved, i + 1)));
    EXPECT_EQ(verify().faults[0].line, i + 1);
  }
}

TEST_F(AuditVerifyTest, SeveralRemovedRecordsAreOneFault) {
  records_.erase(records_.begin() + 2, records_.begin() + 6);
  ASSERT_THAT(faults(), ElementsAre(is(Kind::kRemoved, 3)));
  EXPECT_THAT(verify().faults[0].what, HasSubstr("records 3 to 6 are missing before record 7"));
}

TEST_F(AuditVerifyTest, AnAddedCopyIsFound) {
  records_.insert(records_.begin() + 7, records_[2]);
  ASSERT_THAT(faults(), ElementsAre(is(Kind::kAdded, 3)));
  EXPECT_EQ(verify().faults[0].line, 8u);
}

TEST_F(AuditVerifyTest, AddedRecordWithoutAPredecessorIsFound) {
  ChainEnd elsewhere{4, std::string(64, 'a')};
  std::string forged;
  append_record(forged, elsewhere, "boot", note("forged"));
  forged.pop_back();
  records_.insert(records_.begin() + 7, forged);
  EXPECT_THAT(faults(), ElementsAre(is(Kind::kAdded, 5)));
}

TEST_F(AuditVerifyTest, TwoRecordsAfterTheSameOneAreAFork) {
  const auto link = read_link(records_[4]);
  ChainEnd fourth{4, std::string(link->prev)};
  std::string forged;
  append_record(forged, fourth, "boot", note("forged"));
  forged.pop_back();
  records_.insert(records_.begin() + 4, forged);
  ASSERT_THAT(faults(), ElementsAre(is(Kind::kForked, 5)));
  EXPECT_THAT(verify().faults[0].what, HasSubstr("two records follow record 4: lines 5 and 6"));
}

TEST_F(AuditVerifyTest, ReorderedRecordsAreFound) {
  std::swap(records_[3], records_[4]);
  ASSERT_THAT(faults(), ElementsAre(is(Kind::kReordered, 4)));
  EXPECT_EQ(verify().faults[0].line, 4u);
  std::swap(records_[3], records_[4]);
  std::rotate(records_.begin() + 1, records_.begin() + 2, records_.begin() + 8);
  EXPECT_THAT(faults(), ElementsAre(is(Kind::kReordered, 2)));
}

TEST_F(AuditVerifyTest, TruncationOfSignedRecordsIsFound) {
  records_.resize(8);
  EXPECT_THAT(faults(), IsEmpty());
  records_.resize(7);
  ASSERT_THAT(faults(), ElementsAre(is(Kind::kCutOff, 8)));
  EXPECT_THAT(verify().faults[0].what, HasSubstr("signs record 8, but the log ends with record 7"));
  records_.clear();
  EXPECT_THAT(faults(), ElementsAre(is(Kind::kCutOff, 1)));
}

TEST_F(AuditVerifyTest, RewrittenLogIsFoundByItsHeads) {
  rewrite_from(6, "forged");
  EXPECT_THAT(faults(), ElementsAre(is(Kind::kForked, 8)));
}

TEST_F(AuditVerifyTest, HeadsOfTwoHistoriesAreAFork) {
  const auto untouched = records_;
  rewrite_from(6, "forged");
  sign(9);
  records_ = untouched;
  EXPECT_THAT(faults(), ElementsAre(is(Kind::kForked, 9)));
}

TEST_F(AuditVerifyTest, ReplacementByAnotherLogIsFound) {
  records_.clear();
  end_ = {};
  for (int i = 1; i <= 10; ++i) add("another " + std::to_string(i));
  EXPECT_THAT(faults(), ElementsAre(is(Kind::kReplaced, 1)));
}

TEST_F(AuditVerifyTest, AHeadThatWasChangedIsFound) {
  const auto at = heads_[0].find("\"seq\":8");
  heads_[0].replace(at, 7, "\"seq\":7");
  EXPECT_THAT(faults(), ElementsAre(is(Kind::kForgedHead, 7)));
}

// A forger can sign heads with a key of his own: only a known key proves anything.
TEST_F(AuditVerifyTest, HeadsOfAForgerAreIgnoredIfAKeyIsNamed) {
  const std::string known = to_hex(key.public_bytes);
  rewrite_from(6, "forged");
  heads_.clear();
  key = test::TestKey();
  sign(8);
  EXPECT_TRUE(verify().intact());
  const auto report = verify({known});
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].what, HasSubstr("no head is signed with a key that --key names"));
}

TEST_F(AuditVerifyTest, HeadsOfAForgerAreNoFaultIfAKeyIsNamed) {
  const std::string known = to_hex(key.public_bytes);
  const auto untouched = records_;
  rewrite_from(6, "forged");
  key = test::TestKey();
  sign(8);
  records_ = untouched;
  EXPECT_FALSE(verify().intact());
  EXPECT_TRUE(verify({known}).intact());
}

TEST_F(AuditVerifyTest, ATornHeadIsANoteAndTheOthersCount) {
  heads_.push_back(heads_[0].substr(0, 100));
  const auto report = verify();
  EXPECT_TRUE(report.intact());
  EXPECT_EQ(report.heads, 1u);
  EXPECT_THAT(report.notes[0], HasSubstr("is not a head, which a crash may cause"));
}

TEST_F(AuditVerifyTest, ATornEndIsFound) {
  AuditVerifier verifier;
  for (const auto& line : records_) verifier.add_line(line);
  verifier.add_line(records_[0].substr(0, 20), false);
  const auto report = verifier.finish({});
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].kind, Kind::kTorn);
  EXPECT_EQ(report.faults[0].line, 11u);
}

TEST_F(AuditVerifyTest, AnExportIsOneFileOfHeadsAndRecords) {
  records_.insert(records_.begin(), heads_[0]);
  heads_.clear();
  const auto report = verify({to_hex(key.public_bytes)});
  EXPECT_TRUE(report.intact());
  EXPECT_EQ(report.signed_up_to, 8u);
  EXPECT_EQ(report.records, 10u);
}

TEST_F(AuditVerifyTest, ManyFaultsAreCountedAndTheFirstAreKept) {
  for (int i = 0; i < 1'000; ++i) records_.push_back("no record");
  const auto report = verify();
  EXPECT_EQ(report.fault_count, 1'000u);
  EXPECT_THAT(report.faults, SizeIs(100));
}

TEST_F(AuditVerifyTest, LinesAreReadWhateverTheirLength) {
  const std::string long_line(3 << 20, 'x');
  replace("a\n\n" + long_line + "\nb\n" + long_line);
  auto reader = *LineReader::open(file);
  std::vector<std::pair<std::size_t, bool>> found;
  while (const auto line = reader.next()) found.emplace_back(line->text.size(), line->ended);
  EXPECT_THAT(found, ElementsAre(std::pair(1u, true), std::pair(0u, true), std::pair(kMaxRecordBytes + 1, true),
                                 std::pair(1u, true), std::pair(kMaxRecordBytes + 1, false)));
}

}  // namespace
}  // namespace da::policy
