// What the formats share when they write a request. Pure; any thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "services/planner/model/dialogue.h"
#include "services/planner/model/wire/wire_format.h"

namespace da::planner::model {

// Keys stand in the order in which they are set, so that equal requests are equal bytes.
using RequestJson = nlohmann::ordered_json;

// A request with this body. Bytes that are not UTF-8 become U+FFFD: text of the screen may hold any.
HttpRequest post_json(std::string url, const RequestJson& body, Headers further = {});

// "data:image/png;base64,..."
std::string data_url(const Image& image);

// A message without images in one text, its calls or results in words. A note where there is nothing, which no provider
// takes.
std::string in_words(const Message& message);

}  // namespace da::planner::model
