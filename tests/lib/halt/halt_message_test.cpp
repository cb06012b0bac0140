#include "lib/halt/halt_message.h"

#include <gtest/gtest.h>

#include "tests/deployment.h"

namespace da::halt {
namespace {

using identity::Role;

class HaltMessage : public testing::Test {
 protected:
  SharedKey between(Role own, Role peer) const {
    return *SharedKey::of(*deployment_.of(own).own, deployment_.of(peer).own->curve_public);
  }

  test::Deployment deployment_;
  const SharedKey console_ = between(Role::kConsole, Role::kPolicy);
  const SharedKey policy_ = between(Role::kPolicy, Role::kConsole);
  const Message message_{.kind = Message::Kind::kHalt,
                         .call = std::string(kCallBytes, 'c'),
                         .challenge = std::string(kChallengeBytes, 'x'),
                         .done = true,
                         .by = "ada",
                         .text = "smoke"};
};

TEST_F(HaltMessage, PeerReadsWhatWasSealed) {
  const auto read = policy_.open(console_.seal(message_));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kind, message_.kind);
  EXPECT_EQ(read->call, message_.call);
  EXPECT_EQ(read->challenge, message_.challenge);
  EXPECT_TRUE(read->done);
  EXPECT_EQ(read->by, "ada");
  EXPECT_EQ(read->text, "smoke");
}

TEST_F(HaltMessage, SenderIsClaimedInTheClear) {
  EXPECT_EQ(claimed_sender(console_.seal(message_)), deployment_.of(Role::kConsole).own->curve_public);
  EXPECT_FALSE(claimed_sender(""));
  EXPECT_FALSE(claimed_sender(std::string(300, 'x')));
}

TEST_F(HaltMessage, ChangedOrCutDatagramIsNone) {
  const std::string datagram = console_.seal(message_);
  for (std::size_t i = 0; i < datagram.size(); ++i) {
    std::string changed = datagram;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    // The magic itself is checked by claimed_sender().
    EXPECT_FALSE(policy_.open(changed)) << i;
    EXPECT_FALSE(policy_.open(datagram.substr(0, i))) << i;
  }
}

TEST_F(HaltMessage, OthersCannotReadIt) {
  EXPECT_FALSE(between(Role::kPlanner, Role::kConsole).open(console_.seal(message_)));
  EXPECT_FALSE(between(Role::kActuator, Role::kConsole).open(console_.seal(message_)));
}

TEST_F(HaltMessage, LongTextsAreCutAndFitOneDatagram) {
  Message longer = message_;
  longer.by = std::string(5'000, 'b');
  longer.text = std::string(5'000, 't');
  const std::string datagram = console_.seal(longer);
  EXPECT_LE(datagram.size(), kLargestDatagram);
  const auto read = policy_.open(datagram);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->by, std::string(100, 'b'));
  EXPECT_EQ(read->text, std::string(500, 't'));
}

TEST_F(HaltMessage, KeyThatIsNoneIsRefused) {
  const auto& own = *deployment_.of(Role::kConsole).own;
  for (const std::string& key : {std::string(), std::string("short"), std::string(40, '0')}) {
    EXPECT_FALSE(SharedKey::of(own, key)) << key;
  }
}

}  // namespace
}  // namespace da::halt
