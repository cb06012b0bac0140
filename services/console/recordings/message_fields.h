// Reads fields of messages whose type is only known from a recording. Pure; any thread.
#pragma once

#include <google/protobuf/message.h>

#include <functional>
#include <string>
#include <vector>

namespace da::console {

// A text or bytes field; empty if the message has no such field.
std::string text_field(const google::protobuf::Message& message, const std::string& name);
// The text fields `name` of the messages in the repeated field `list`.
std::vector<std::string> text_fields(const google::protobuf::Message& message, const std::string& list,
                                     const std::string& name);

// Calls `take` with each bytes field of the message and of the messages in it.
void for_each_bytes(const google::protobuf::Message& message,
                    const std::function<void(const std::string& value)>& take);

}  // namespace da::console
