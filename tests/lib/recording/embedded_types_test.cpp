// The schemas of a recording are hostile.
#include "lib/recording/embedded_types.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.pb.h>
#include <gtest/gtest.h>

namespace da::recording {
namespace {

using testing::HasSubstr;
using testing::Not;

// Each message has a field of the next one's type.
std::string chain_of(int length) {
  google::protobuf::FileDescriptorSet files;
  auto* file = files.add_file();
  file->set_name("chain.proto");
  for (int number = 0; number < length; ++number) {
    auto* message = file->add_message_type();
    message->set_name("M" + std::to_string(number));
    if (number + 1 == length) continue;
    auto* field = message->add_field();
    field->set_name("next");
    field->set_number(1);
    field->set_label(google::protobuf::FieldDescriptorProto::LABEL_OPTIONAL);
    field->set_type(google::protobuf::FieldDescriptorProto::TYPE_MESSAGE);
    field->set_type_name(".M" + std::to_string(number + 1));
  }
  return files.SerializeAsString();
}

std::string error_of(McapSchema schema) {
  schema.id = 1;
  McapDefinitions definitions;
  definitions.schemas.emplace(1, std::move(schema));
  definitions.channels.emplace(1, McapChannel{.id = 1, .schema_id = 1, .topic = "t", .message_encoding = "protobuf"});
  McapMessage message;
  message.channel_id = 1;
  EmbeddedTypes types;  // The parsed message must not outlive it.
  const auto parsed = types.parse(definitions, message);
  return parsed ? "" : parsed.error().message;
}

// Bug: protobuf builds types recursively, and a schema of 831 KB overflowed the stack.
TEST(EmbeddedTypes, LongChainOfMessagesIsRefused) {
  EXPECT_THAT(error_of({.name = "M0", .encoding = "protobuf", .data = chain_of(20'000)}),
              HasSubstr("it defines 20000 messages with 19999 fields, and at most 2000"));
  EXPECT_EQ(error_of({.name = "M0", .encoding = "protobuf", .data = chain_of(2'000)}), "");
}

TEST(EmbeddedTypes, ErrorsHaveNoControlCharacters) {
  for (const std::string& data : {std::string("\xff"), chain_of(2)}) {
    const std::string error = error_of({.name = "\x1b[31mred", .encoding = "protobuf", .data = data});
    EXPECT_THAT(error, HasSubstr("\\x1b[31mred"));
    EXPECT_THAT(error, Not(HasSubstr("\x1b")));
  }
}

TEST(McapDefinitions, AreLimitedTogether) {
  McapDefinitions definitions;
  int added = 0;
  const auto schema = [](std::uint16_t id) {
    return McapEncoder().u16(id).text("type").text("protobuf").text(std::string(1u << 20, 'x')).bytes;
  };
  for (std::uint16_t id = 1; id <= 40; ++id) added += definitions.add(McapOp::kSchema, schema(id)) ? 1 : 0;
  EXPECT_EQ(added, 31);
  EXPECT_LE(definitions.bytes, McapDefinitions::kMaxBytes);
  EXPECT_TRUE(definitions.add(McapOp::kSchema, schema(1))) << "it is known already";
  EXPECT_TRUE(definitions.add(
      McapOp::kChannel,
      McapEncoder().u16(1).u16(1).text("t").text("protobuf").map(std::map<std::string, std::string>()).bytes));
}

TEST(McapDefinitions, AreAddedTogetherOrNotAtAll) {
  McapDefinitions known;
  known.schemas.emplace(1, McapSchema{.id = 1, .name = "a"});
  McapDefinitions more;
  more.schemas.emplace(1, McapSchema{.id = 1, .name = "b"});
  more.schemas.emplace(2, McapSchema{.id = 2, .name = "c"});
  EXPECT_FALSE(known.add(more));
  EXPECT_EQ(known.schemas.size(), 1u);
  more.schemas.at(1).name = "a";
  EXPECT_TRUE(known.add(more));
  EXPECT_EQ(known.schemas.size(), 2u);
}

}  // namespace
}  // namespace da::recording
