#include "services/console/recordings/message_json.h"

#include <gtest/gtest.h>

#include "da/v1/observation.pb.h"
#include "da/v1/plan.pb.h"
#include "da/v1/verdict.pb.h"
#include "lib/base/id.h"

namespace da::console {
namespace {

TEST(MessageJson, HasTheNamesOfTheProtoFile) {
  v1::Verdict verdict;
  verdict.mutable_header()->set_sequence(7);
  verdict.set_step_id("s");
  verdict.set_decision(v1::Verdict::DECISION_ASK);
  verdict.set_dry_run(true);
  EXPECT_EQ(message_to_json(verdict, Bytes::kHash).dump(),
            R"({"header":{"sequence":"7"},"step_id":"s","decision":"DECISION_ASK","dry_run":true})");
}

TEST(MessageJson, AnUnknownEnumValueIsItsNumber) {
  v1::Verdict verdict;
  verdict.set_decision(static_cast<v1::Verdict::Decision>(77));
  EXPECT_EQ(message_to_json(verdict, Bytes::kHash).dump(), R"({"decision":77})");
}

TEST(MessageJson, ImagesAreSizeAndHashUnlessBytesAreAskedFor) {
  v1::ImageFact image;
  image.set_data(std::string(100, 'x'));
  const auto hash = to_hex(blake2b(image.data(), 16));
  EXPECT_EQ(message_to_json(image, Bytes::kHash).dump(), R"({"data":{"bytes":100,"blake2b":")" + hash + R"("}})");
  image.set_data("abcd");
  EXPECT_EQ(message_to_json(image, Bytes::kHash)["data"], "YWJjZA==");
  image.set_data(std::string(66, '\0'));
  EXPECT_EQ(message_to_json(image, Bytes::kBase64)["data"], std::string(88, 'A'));
}

TEST(MessageJson, ListsAndNumbersThatJsonDoesNotKnow) {
  v1::Candidate candidate;
  candidate.set_score(std::numeric_limits<double>::quiet_NaN());
  candidate.mutable_node()->add_states(v1::UI_STATE_SHOWING);
  candidate.mutable_node()->add_states(v1::UI_STATE_ENABLED);
  EXPECT_EQ(message_to_json(candidate, Bytes::kHash).dump(),
            R"({"score":"NaN","node":{"states":["UI_STATE_SHOWING","UI_STATE_ENABLED"]}})");
}

}  // namespace
}  // namespace da::console
