#include "services/planner/model/http/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "lib/base/text.h"

namespace da::planner::model {
namespace {

constexpr long kConnectTimeoutMs = 15'000;
// Limits a Retry-After with a distant date.
constexpr Milliseconds kLongestRetryAfter{24 * 3600 * 1000};

using Easy = std::unique_ptr<CURL, decltype([](CURL* easy) { curl_easy_cleanup(easy); })>;
using Multi = std::unique_ptr<CURLM, decltype([](CURLM* multi) { curl_multi_cleanup(multi); })>;
using List = std::unique_ptr<curl_slist, decltype([](curl_slist* list) { curl_slist_free_all(list); })>;

struct Received {
  std::string body;
  std::optional<Milliseconds> retry_after;
  bool too_large = false;
};

std::size_t receive_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto& received = *static_cast<Received*>(user);
  const std::size_t bytes = size * count;
  received.too_large = received.body.size() + bytes > kMaxReceivedBytes;
  if (received.too_large) return 0;  // Ends the transfer.
  received.body.append(data, bytes);
  return bytes;
}

void add_header(List& list, const std::string& name, const std::string& value) {
  list.reset(curl_slist_append(list.release(), (name + ": " + value).c_str()));
}

// `user` is the std::string_view of the bytes that are not sent yet.
std::size_t give_body(char* into, std::size_t size, std::size_t count, void* user) {
  auto& rest = *static_cast<std::string_view*>(user);
  const std::size_t bytes = std::min(size * count, rest.size());
  std::memcpy(into, rest.data(), bytes);
  rest.remove_prefix(bytes);
  return bytes;
}

// If a kept connection breaks before the answer, libcurl silently resends the request, which budget and bus would not
// count. The resend needs a rewind of the body; refusing it leaves the retry to the caller. Closing connections after
// each call would work too, but a new one costs two more round trips (TCP and TLS 1.3; three through a proxy) and 4 ms
// of CPU time with both ends on one machine, against 0.3 ms for a small call on a kept connection.
int refuse_to_rewind(void*, curl_off_t, int) { return CURL_SEEKFUNC_FAIL; }

template <class Value>
Value info_of(CURL* easy, CURLINFO name) {
  Value value = 0;
  curl_easy_getinfo(easy, name, &value);
  return value;
}

struct FailedCall {
  CURL* easy;
  const Received& received;
  const std::string& server;
  const Proxy& proxy;
  const std::string& ca_file;
  const char* detail;
};

Error error_of_proxy(const FailedCall& call, const std::string& answer, Code code) {
  const std::string advice = code == Code::kUnavailable ? "" : "; see " + call.proxy.why;
  return {code, "the proxy " + call.proxy.url + " does not connect to " + call.server + ": " + answer + advice};
}

Error error_of_timeout(const FailedCall& call) {
  const bool encrypted = call.server.starts_with("https://");
  const auto connected = encrypted ? CURLINFO_APPCONNECT_TIME_T : CURLINFO_CONNECT_TIME_T;
  const bool asked =
      info_of<curl_off_t>(call.easy, connected) > 0 || info_of<long>(call.easy, CURLINFO_NUM_CONNECTS) == 0;
  if (asked) return {Code::kDeadlineExceeded, call.server + " did not answer in time"};
  if (call.proxy.url.empty()) return {Code::kDeadlineExceeded, call.server + " did not accept a connection in time"};
  return {Code::kDeadlineExceeded, "the proxy " + call.proxy.url + " did not connect to " + call.server + " in time"};
}

Error error_of_curl(CURLcode code, const FailedCall& call) {
  const std::string& server = call.server;
  if (call.received.too_large) {
    return {Code::kDataLoss, server + " answered with more than " + std::to_string(kMaxReceivedBytes >> 20) + " MiB"};
  }
  const std::string why = escape_foreign(call.detail[0] != '\0' ? call.detail : curl_easy_strerror(code), 300);
  // The proxy answered CONNECT with an error.
  if (const long status = info_of<long>(call.easy, CURLINFO_HTTP_CONNECTCODE); status >= 300) {
    const bool passes = status >= 500 || status == 408 || status == 429;
    return error_of_proxy(call,
                          "HTTP " + std::to_string(status) +
                              (status != 407              ? ""
                               : call.proxy.login.empty() ? ", it wants a user and a password"
                                                          : ", it does not take the user and the password"),
                          passes ? Code::kUnavailable : Code::kFailedPrecondition);
  }
  switch (code) {
    case CURLE_OPERATION_TIMEDOUT: return error_of_timeout(call);
    case CURLE_SSL_CACERT_BADFILE:
      return {Code::kFailedPrecondition,
              "the authorities in " + escape_foreign(call.ca_file, 200) + " (planner.ca_file) cannot be used: " + why};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM: return {Code::kFailedPrecondition, server + " does not prove who it is: " + why};
    case CURLE_BAD_CONTENT_ENCODING: return {Code::kDataLoss, server + " sent corrupt compressed data: " + why};
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL: return {Code::kInvalidArgument, server + ": " + why};
    case CURLE_PARTIAL_FILE: return {Code::kUnavailable, server + " sent an incomplete answer"};
    case CURLE_SEND_FAIL_REWIND:
      return {Code::kUnavailable, server + " closed the connection without an answer; it may have taken the request"};
    case CURLE_COULDNT_RESOLVE_PROXY: return error_of_proxy(call, why, Code::kUnavailable);
    case CURLE_PROXY: {
      const auto answer = info_of<long>(call.easy, CURLINFO_PROXY_ERROR);
      const bool refused = answer == CURLPX_USER_REJECTED || answer == CURLPX_NO_AUTH ||
                           answer == CURLPX_REPLY_NOT_ALLOWED || answer == CURLPX_BAD_VERSION;
      return error_of_proxy(call, why, refused ? Code::kFailedPrecondition : Code::kUnavailable);
    }
    default:
      return {Code::kUnavailable, server + " cannot be reached" +
                                      (call.proxy.url.empty() ? "" : " through the proxy " + call.proxy.url) +
                                      ", or closed the connection: " + why};
  }
}

void use_proxy(CURL* easy, const HttpSettings& settings, const Proxy& proxy) {
  curl_easy_setopt(easy, CURLOPT_PROXY, proxy.url.c_str());  // Empty: no proxy, and libcurl ignores the environment.
  curl_easy_setopt(easy, CURLOPT_NOPROXY, "");
  if (!proxy.login.empty()) curl_easy_setopt(easy, CURLOPT_PROXYUSERPWD, proxy.login.c_str());
  if (!settings.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_PROXY_CAINFO, settings.ca_file.c_str());
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

HttpClient::HttpClient(HttpSettings settings, Environment environment)
    : settings_(std::move(settings)), environment_(std::move(environment)), curl_(std::make_unique<Curl>()) {}
HttpClient::~HttpClient() = default;

Result<HttpAnswer> HttpClient::send(Method method, const HttpRequest& request, const KeyHeader& key,
                                    Milliseconds timeout, std::stop_token stop) {
  RETURN_IF_ERROR(check_address(request.url));
  ASSIGN_OR_RETURN(const Proxy proxy, choose_proxy(settings_.proxy, environment_, request.url));
  const std::string server = server_of(request.url);
  CURL* easy = curl_->easy.get();
  curl_easy_reset(easy);
  List headers;
  for (const auto& [name, value] : request.headers) add_header(headers, name, value);
  if (!key.first.empty()) add_header(headers, key.first, key.second);
  add_header(headers, "Expect", "");  // Saves a round trip before a large body.
  Received received;
  std::string_view body = request.body;
  char detail[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(easy, CURLOPT_URL, request.url.c_str());
  curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "https,http");
  if (method == Method::kPost) {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, &give_body);
    curl_easy_setopt(easy, CURLOPT_READDATA, &body);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, &refuse_to_rewind);
  }
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(easy, CURLOPT_HEADEROPT, static_cast<long>(CURLHEADER_SEPARATE));  // Not for a proxy.
  curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
  const long timeout_ms = std::max<long>(1, timeout.count());  // 0 would mean no timeout.
  curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, std::min(kConnectTimeoutMs, timeout_ms));
  curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, timeout_ms);
  curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, detail);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &receive_body);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, &received);
  if (!settings_.ca_file.empty()) curl_easy_setopt(easy, CURLOPT_CAINFO, settings_.ca_file.c_str());
  use_proxy(easy, settings_, proxy);

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
  if (!ended) return Error{Code::kCancelled, "the call to " + server + " was cancelled"};
  if (code != CURLE_OK) return error_of_curl(code, {easy, received, server, proxy, settings_.ca_file, detail});

  HttpAnswer answer;
  answer.status = static_cast<int>(info_of<long>(easy, CURLINFO_RESPONSE_CODE));
  const char* type = nullptr;
  if (curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type) == CURLE_OK && type != nullptr) {
    answer.content_type = fold_case(trim(std::string_view(type).substr(0, std::string_view(type).find(';'))));
  }
  curl_off_t retry_after_s = 0;
  curl_header* header = nullptr;
  const bool said = curl_easy_header(easy, "Retry-After", 0, CURLH_HEADER, -1, &header) == CURLHE_OK;
  if (said && curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &retry_after_s) == CURLE_OK) {
    const std::chrono::seconds wait(retry_after_s);
    answer.retry_after =
        wait < kLongestRetryAfter ? std::chrono::duration_cast<Milliseconds>(wait) : kLongestRetryAfter;
  }
  answer.body = std::move(received.body);
  return answer;
}

}  // namespace da::planner::model
