// Messages of any type as JSON: the names of the proto file, enums by name, 64-bit numbers as strings, unset fields
// left out. Pure; any thread.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "lib/recording/mcap/mcap_format.h"
#include "services/console/recordings/commands.h"

namespace da::console {

// Longer bytes, such as images, are printed as {"bytes":N,"blake2b":"..."} unless Base64 is asked for. blake2b is that
// of ImageFact.image_hash.
inline constexpr std::size_t kMaxBase64 = 64;

nlohmann::ordered_json message_to_json(const google::protobuf::Message& message, Bytes bytes);

// {"topic","log_time","log_time_ns","type","message"}, as `recording cat` prints it.
nlohmann::ordered_json line_to_json(const std::string& topic, std::uint64_t log_time_ns,
                                    const google::protobuf::Message& message, Bytes bytes);

// The same without a type, for a message of another program that is JSON itself: the parsed message. For other messages
// that no schema in the file explains: "problem" in place of "message".
nlohmann::ordered_json foreign_line_to_json(const recording::McapChannel& channel,
                                            const recording::McapMessage& message, const std::string& problem);

}  // namespace da::console
