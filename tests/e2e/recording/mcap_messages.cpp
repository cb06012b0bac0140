// Prints what our reader finds in an MCAP file, as one JSON object: {"problem", "messages": [{"topic", "sequence",
// "log_ns", "publish_ns", "size", "sha256"}], "attachments": [{"name", "size"}], "metadata": [NAME]}.
// Exit code 1 with the reader's error if the file cannot be read to its end.
#include <sodium.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "lib/base/id.h"
#include "lib/recording/mcap/mcap_reader.h"

namespace da::recording {
namespace {

std::string sha256(std::string_view bytes) {
  std::string digest(crypto_hash_sha256_BYTES, '\0');
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(digest.data()),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return to_hex(digest);
}

Result<nlohmann::json> contents(const std::filesystem::path& file) {
  ASSIGN_OR_RETURN(const auto reader, McapReader::open(file));
  nlohmann::json messages = nlohmann::json::array();
  RETURN_IF_ERROR(reader->read({}, [&](const McapMessage& message) -> Result<void> {
    messages.push_back({{"topic", reader->channels().at(message.channel_id).topic},
                        {"sequence", message.sequence},
                        {"log_ns", std::to_string(message.log_time_ns)},
                        {"publish_ns", std::to_string(message.publish_time_ns)},
                        {"size", message.data.size()},
                        {"sha256", sha256(message.data)}});
    return ok();
  }));
  ASSIGN_OR_RETURN(const auto attachments, reader->attachments());
  ASSIGN_OR_RETURN(const auto metadata, reader->metadata());
  nlohmann::json result = {{"problem", reader->problem()}, {"messages", std::move(messages)}};
  result["attachments"] = nlohmann::json::array();
  result["metadata"] = nlohmann::json::array();
  for (const auto& each : attachments) {
    result["attachments"].push_back({{"name", each.name}, {"size", each.data.size()}});
  }
  for (const auto& each : metadata) result["metadata"].push_back(each.name);
  return result;
}

}  // namespace
}  // namespace da::recording

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: mcap_messages FILE\n";
    return 2;
  }
  const auto contents = da::recording::contents(argv[1]);
  if (!contents) {
    std::cerr << "mcap_messages: " << contents.error().message << "\n";
    return 1;
  }
  std::cout << contents->dump() << "\n";
}
