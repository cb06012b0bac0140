// Shared code of the wire formats for writing requests. Pure; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "services/planner/model/dialogue.h"
#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

// Keeps keys in the order in which they were set, so that equal requests have equal bytes.
using RequestJson = nlohmann::ordered_json;

// A POST with this body. Bytes that are not UTF-8 become U+FFFD, because text from the screen may contain any bytes.
HttpRequest post_json(std::string url, const RequestJson& body, Headers further = {});

// "data:image/png;base64,..."
std::string data_url(const Image& image);

// {"role":"user" or "assistant","content":...}
RequestJson role_message(const Message& message, RequestJson content);

// The message as one text, with its calls and results described in words, without images. Never empty, because
// providers refuse empty messages.
std::string in_words(const Message& message);

}  // namespace da::planner::model
