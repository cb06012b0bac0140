#include "services/planner/model/http_client.h"

#include <arpa/inet.h>
#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <mutex>

#include "lib/base/text.h"

namespace da::planner::model {
namespace {

constexpr long kConnectTimeoutMs = 15'000;
// Retry-After may name a date far away; whoever waits has a budget of its own.
constexpr Milliseconds kLongestRetryAfter{24 * 3600 * 1000};
constexpr std::size_t kShownAddress = 200;

using Url = std::unique_ptr<CURLU, decltype([](CURLU* url) { curl_url_cleanup(url); })>;
using Easy = std::unique_ptr<CURL, decltype([](CURL* easy) { curl_easy_cleanup(easy); })>;
using Multi = std::unique_ptr<CURLM, decltype([](CURLM* multi) { curl_multi_cleanup(multi); })>;
using List = std::unique_ptr<curl_slist, decltype([](curl_slist* list) { curl_slist_free_all(list); })>;

std::string part_of(CURLU* url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url, part, &text, 0) != CURLUE_OK) return "";
  std::string copy = text;
  curl_free(text);
  return copy;
}

// "https://api.example.com", for people: an address may hold a password.
std::string server_of(const std::string& address) {
  const Url url(curl_url());
  if (curl_url_set(url.get(), CURLUPART_URL, address.c_str(), 0) != CURLUE_OK) return "the model's server";
  const std::string port = part_of(url.get(), CURLUPART_PORT);
  return escape_foreign(part_of(url.get(), CURLUPART_SCHEME) + "://" + part_of(url.get(), CURLUPART_HOST) +
                            (port.empty() ? "" : ":" + port),
                        kShownAddress);
}

struct Received {
  std::string body;
  std::optional<Milliseconds> retry_after;
  bool too_large = false;
};

std::size_t receive_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto& received = *static_cast<Received*>(user);
  const std::size_t bytes = size * count;
  received.too_large = received.body.size() + bytes > kMaxAnswerBytes;
  if (received.too_large) return 0;  // Ends the transfer.
  received.body.append(data, bytes);
  return bytes;
}

void add_header(List& list, const std::string& name, const std::string& value) {
  list.reset(curl_slist_append(list.release(), (name + ": " + value).c_str()));
}

Error error_of(CURLcode code, const Received& received, const std::string& server, const char* detail) {
  if (received.too_large) {
    return {Code::kDataLoss, server + " answered with more than " + std::to_string(kMaxAnswerBytes >> 20) + " MiB"};
  }
  const std::string why = escape_foreign(detail[0] != '\0' ? detail : curl_easy_strerror(code), 300);
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT: return {Code::kDeadlineExceeded, server + " did not answer in time"};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM: return {Code::kFailedPrecondition, server + " does not prove who it is: " + why};
    case CURLE_BAD_CONTENT_ENCODING: return {Code::kDataLoss, server + " sent what cannot be decompressed: " + why};
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return {Code::kInvalidArgument, server + ": " + why};
    case CURLE_PARTIAL_FILE: return {Code::kUnavailable, server + " sent half of an answer"};
    default: return {Code::kUnavailable, server + " cannot be reached, or went away: " + why};
  }
}

}  // namespace

struct HttpClient::Curl {
  Curl() {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    multi.reset(curl_multi_init());
    easy.reset(curl_easy_init());
  }
  Multi multi;
  Easy easy;
};

HttpClient::HttpClient(HttpSettings settings) : settings_(std::move(settings)), curl_(std::make_unique<Curl>()) {}
HttpClient::~HttpClient() = default;

Result<HttpAnswer> HttpClient::post(const HttpRequest& request, const std::pair<std::string, std::string>& key_header,
                                    Milliseconds timeout, std::stop_token stop) {
  RETURN_IF_ERROR(check_address(request.url));
  const std::string server = server_of(request.url);
  CURL* easy = curl_->easy.get();
  curl_easy_reset(easy);
  List headers;
  for (const auto& [name, value] : request.headers) add_header(headers, name, value);
  if (!key_header.first.empty()) add_header(headers, key_header.first, key_header.second);
  add_header(headers, "Expect", "");  // No extra round trip before a large body.
  Received received;
  char detail[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https,http");
  curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request.body.data());
  curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, std::min<long>(kConnectTimeoutMs, timeout.count()));
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, static_cast<long>(timeout.count()));
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, detail);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &receive_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &received);
  if (!settings_.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, settings_.ca_file.c_str());
  if (!settings_.proxy.empty()) curl_easy_setopt(easy, CURLOPT_PROXY, settings_.proxy.c_str());

  CURLM* multi = curl_->multi.get();
  const std::stop_callback wake(stop, [multi] { curl_multi_wakeup(multi); });
  curl_multi_add_handle(multi, easy);
  CURLcode code = CURLE_OK;
  int running = 1;
  while (running > 0 && !stop.stop_requested()) {
    if (curl_multi_perform(multi, &running) != CURLM_OK) break;
    if (running > 0) curl_multi_poll(multi, nullptr, 0, 1000, nullptr);
  }
  const bool ended = running == 0;
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
    if (message->msg == CURLMSG_DONE) code = message->data.result;
  }
  curl_multi_remove_handle(multi, easy);
  if (!ended) return Error{Code::kCancelled, "the call to " + server + " was broken off"};
  if (code != CURLE_OK) return error_of(code, received, server, detail);

  HttpAnswer answer;
  long status = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  answer.status = static_cast<int>(status);
  const char* type = nullptr;
  if (curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type != nullptr) {
    answer.content_type = fold_case(trim(std::string_view(type).substr(0, std::string_view(type).find(';'))));
  }
  curl_off_t retry_after_s = 0;
  curl_header* header = nullptr;
  const bool said = curl_easy_header(easy, "Retry-After", 0, CURLH_HEADER, -1, &header) == CURLHE_OK;
  if (said && curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after_s) == CURLE_OK) {
    answer.retry_after = std::min(Milliseconds(retry_after_s * 1000), kLongestRetryAfter);
  }
  answer.body = std::move(received.body);
  return answer;
}

Result<void> check_address(const std::string& address) {
  const Url url(curl_url());
  const std::string shown = "\"" + server_of(address) + "\"";
  if (curl_url_set(url.get(), CURLUPART_URL, address.c_str(), 0) != CURLUE_OK) {
    return Error{Code::kInvalidArgument, "the model's address is no URL; it begins with https://"};
  }
  if (!part_of(url.get(), CURLUPART_USER).empty() || !part_of(url.get(), CURLUPART_PASSWORD).empty()) {
    return Error{Code::kInvalidArgument, "the model's address " + shown + " has a user or password in it; use a key"};
  }
  const std::string scheme = part_of(url.get(), CURLUPART_SCHEME);
  if (scheme == "https") return ok();
  const std::string host = part_of(url.get(), CURLUPART_HOST);
  in_addr address_of_host{};
  const bool loopback = inet_pton(AF_INET, host.c_str(), &address_of_host) == 1 && host.starts_with("127.");
  const bool here = loopback || host == "localhost" || host == "[::1]";
  if (scheme == "http" && here) return ok();
  return Error{Code::kInvalidArgument,
               "the model's address " + shown + " is not encrypted: use https://, or http:// on this machine alone"};
}

}  // namespace da::planner::model
