#include "services/planner/model/request_json.h"

#include <utility>

#include "services/planner/model/base64.h"

namespace da::planner::model {

HttpRequest post_json(std::string url, const RequestJson& body, Headers further) {
  HttpRequest request;
  request.url = std::move(url);
  request.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json"}};
  request.headers.insert(request.headers.end(), further.begin(), further.end());
  request.body = body.dump(-1, ' ', false, RequestJson::error_handler_t::replace);
  return request;
}

std::string data_url(const Image& image) { return "data:" + image.media_type + ";base64," + base64(image.data); }

std::string text_of(const Message& message) { return message.text.empty() ? "(no text)" : message.text; }

}  // namespace da::planner::model
