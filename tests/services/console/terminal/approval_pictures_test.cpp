#include "services/console/terminal/questions/approval_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "lib/os/files/files.h"
#include "tests/temp_dir.h"

namespace da::console {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

v1::ApprovalRequest approval_request(const std::string& id) {
  v1::ApprovalRequest request;
  request.set_approval_id(id);
  request.mutable_evidence()->set_picture_png("the picture of " + id);
  return request;
}

v1::ListPendingReply waiting(const std::vector<std::string>& ids) {
  v1::ListPendingReply reply;
  for (const std::string& id : ids) *reply.add_pending() = approval_request(id);
  return reply;
}

class ApprovalPicturesTest : public testing::Test {
 protected:
  ApprovalPicturesTest() { setenv("XDG_RUNTIME_DIR", parent_.path().c_str(), 1); }
  ~ApprovalPicturesTest() override { unsetenv("XDG_RUNTIME_DIR"); }
  const da::test::TempDir parent_;
  const ApprovalPictures pictures_{parent_.path() / "pictures"};
};

TEST_F(ApprovalPicturesTest, PictureFileIsPrivate) {
  const std::string file = pictures_.keep(approval_request("a1"));
  EXPECT_EQ(*os::read_file(file), "the picture of a1");
  struct stat info {};
  ASSERT_EQ(::stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  EXPECT_THAT(pictures_.kept(), ElementsAre("a1"));
}

TEST_F(ApprovalPicturesTest, IdCannotLeaveTheDirectory) {
  for (const char* id : {"../a1", "/tmp/a1", "", ".", "a/b", "A"}) {
    EXPECT_EQ(pictures_.keep(approval_request(id)), "") << id;
  }
  EXPECT_THAT(pictures_.kept(), IsEmpty());
}

// Bug: the pictures were never deleted.
TEST_F(ApprovalPicturesTest, PictureIsDeletedWhenItsApprovalEnds) {
  for (const char* id : {"a1", "a2", "a3"}) pictures_.keep(approval_request(id));
  pictures_.remove_all_but(waiting({"a2", "a4"}), pictures_.kept());
  EXPECT_THAT(pictures_.kept(), ElementsAre("a2"));
  pictures_.remove_all_but(waiting({}), pictures_.kept());
  EXPECT_THAT(pictures_.kept(), IsEmpty());
}

TEST_F(ApprovalPicturesTest, PictureOfANewerApprovalStays) {
  pictures_.keep(approval_request("a1"));
  const auto before = pictures_.kept();
  const auto listed = waiting({});
  pictures_.keep(approval_request("a2"));
  pictures_.remove_all_but(listed, before);
  EXPECT_THAT(pictures_.kept(), ElementsAre("a2"));
}

TEST_F(ApprovalPicturesTest, PicturesOfARunAreInItsDirectory) {
  const auto runs = os::runtime_directory();
  const std::filesystem::path of_run =
      ApprovalPictures::of(runs / "run-1-ab" / "console.toml").keep(approval_request("a1"));
  EXPECT_EQ(of_run, runs / "run-1-ab" / "approvals" / "a1.png");
  const auto one = ApprovalPictures::of("/etc/one/console.toml");
  const auto other = ApprovalPictures::of("/etc/other/console.toml");
  one.keep(approval_request("a1"));
  other.keep(approval_request("a2"));
  other.remove_all_but(waiting({}), other.kept());
  EXPECT_THAT(one.kept(), ElementsAre("a1"));
  EXPECT_THAT(other.kept(), IsEmpty());
}

}  // namespace
}  // namespace da::console
