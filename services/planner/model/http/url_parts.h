// URLs, parsed by libcurl, with RAII. Any thread.
#pragma once

#include <curl/curl.h>

#include <memory>
#include <string>

namespace da::planner::model {

using Url = std::unique_ptr<CURLU, decltype([](CURLU* url) { curl_url_cleanup(url); })>;

// Null if the text is not a URL. flags: CURLU_*.
inline Url parse_url(const std::string& text, unsigned int flags = 0) {
  Url url(curl_url());
  return curl_url_set(url.get(), CURLUPART_URL, text.c_str(), flags) == CURLUE_OK ? std::move(url) : nullptr;
}

// Empty if the URL has no such part.
inline std::string part_of(const Url& url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, 0) != CURLUE_OK) return "";
  std::string copy = text;
  curl_free(text);
  return copy;
}

}  // namespace da::planner::model
