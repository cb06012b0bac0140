#include "lib/recording/embedded_types.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/stubs/logging.h>

#include <limits>

#include "lib/base/text.h"

namespace da::recording {
namespace {

using google::protobuf::Message;

constexpr std::size_t kMaxSchema = 16u << 20;
// protobuf builds types recursively, one level for each message that refers to the next one. Our own schema has 200.
constexpr std::size_t kMaxMessages = 2'000;
constexpr std::size_t kMaxFields = 50'000;

// protobuf would print the errors on stderr.
class FirstError final : public google::protobuf::DescriptorPool::ErrorCollector {
 public:
  void AddError(const std::string& file, const std::string& element, const Message*, ErrorLocation,
                const std::string& message) override {
    if (text.empty()) text = file + ": " + element + ": " + message;
  }
  std::string text;
};

struct SchemaSize {
  std::size_t messages = 0;
  std::size_t fields = 0;
};

// Recurses at most 100 levels deep, because protobuf parses no deeper message.
void measure(const google::protobuf::DescriptorProto& message, SchemaSize& size) {
  ++size.messages;
  size.fields += static_cast<std::size_t>(message.field_size());
  for (const auto& nested : message.nested_type()) measure(nested, size);
}

Error unusable(const McapSchema& schema, const std::string& why) {
  return {Code::kDataLoss, "the schema " + std::to_string(schema.id) + " (" + escape_foreign(schema.name, 120) +
                               ") is unusable: " + escape_foreign(why)};
}

}  // namespace

struct EmbeddedTypes::Type {
  google::protobuf::DescriptorPool pool;
  google::protobuf::DynamicMessageFactory factory;
  const Message* prototype = nullptr;
};

EmbeddedTypes::EmbeddedTypes() {
  // protobuf would print on stderr what is wrong with a foreign message.
  google::protobuf::SetLogHandler(nullptr);
}
EmbeddedTypes::~EmbeddedTypes() = default;

// Each schema has a pool of its own, because files of the same name may differ in recordings that were put together.
Result<std::unique_ptr<EmbeddedTypes::Type>> EmbeddedTypes::build(const McapSchema& schema) {
  if (schema.encoding != "protobuf") return unusable(schema, "its encoding is not protobuf");
  if (schema.data.size() > kMaxSchema) return unusable(schema, "it is larger than 16 MiB");
  google::protobuf::FileDescriptorSet files;
  if (!files.ParseFromString(schema.data)) return unusable(schema, "it is no FileDescriptorSet");
  SchemaSize size;
  for (const auto& file : files.file()) {
    for (const auto& message : file.message_type()) measure(message, size);
  }
  if (size.messages > kMaxMessages || size.fields > kMaxFields) {
    return unusable(schema, "it defines " + std::to_string(size.messages) + " messages with " +
                                std::to_string(size.fields) + " fields, and at most " + std::to_string(kMaxMessages) +
                                " and " + std::to_string(kMaxFields) + " are read");
  }
  auto type = std::make_unique<Type>();
  FirstError problem;
  for (const auto& file : files.file()) {
    if (type->pool.BuildFileCollectingErrors(file, &problem) == nullptr) return unusable(schema, problem.text);
  }
  const auto* descriptor = type->pool.FindMessageTypeByName(schema.name);
  if (descriptor == nullptr) return unusable(schema, "it does not define this type");
  type->prototype = type->factory.GetPrototype(descriptor);
  return type;
}

Result<std::unique_ptr<Message>> EmbeddedTypes::parse(const McapDefinitions& definitions, const McapMessage& message) {
  const McapSchema* schema = definitions.schema_of(message.channel_id);
  if (schema == nullptr) {
    return Error{Code::kDataLoss,
                 "channel " + std::to_string(message.channel_id) + " is not defined, or has no schema"};
  }
  auto type = types_.find(schema->id);
  if (type == types_.end()) type = types_.emplace(schema->id, build(*schema)).first;
  if (!type->second) return type->second.error();
  // Partial: a missing required field would be printed on stderr.
  std::unique_ptr<Message> parsed((*type->second)->prototype->New());
  const bool fits = message.data.size() <= std::numeric_limits<int>::max() &&
                    parsed->ParsePartialFromArray(message.data.data(), static_cast<int>(message.data.size()));
  if (!fits) return Error{Code::kDataLoss, "the message cannot be parsed as " + escape_foreign(schema->name, 120)};
  return parsed;
}

std::optional<v1::Header> header_of(const Message& message) {
  const auto* field = message.GetDescriptor()->FindFieldByNumber(1);
  if (field == nullptr || field->is_repeated() || field->message_type() == nullptr ||
      field->message_type()->full_name() != v1::Header::descriptor()->full_name()) {
    return std::nullopt;
  }
  // The header's type is another object than ours, and may be of another version.
  v1::Header header;
  if (!header.ParseFromString(message.GetReflection()->GetMessage(message, field).SerializePartialAsString())) {
    return std::nullopt;
  }
  return header;
}

}  // namespace da::recording
