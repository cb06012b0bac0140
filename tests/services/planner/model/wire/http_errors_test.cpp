#include "services/planner/model/wire/http_errors.h"

#include <gtest/gtest.h>

#include "services/planner/model/wire/answer_fields.h"

namespace da::planner::model {
namespace {

Error http_error(int status, std::string_view body) {
  const auto reply = read_http_error(status, body);
  return reply ? Error{Code::kUnknown, "a reply: " + reply->detail} : reply.error();
}

TEST(HttpErrors, EachStatusHasItsCode) {
  const std::pair<int, Code> expected[] = {
      {301, Code::kInvalidArgument},    {400, Code::kInvalidArgument},  {401, Code::kUnauthenticated},
      {402, Code::kFailedPrecondition}, {403, Code::kPermissionDenied}, {404, Code::kNotFound},
      {405, Code::kInvalidArgument},    {408, Code::kUnavailable},      {409, Code::kUnavailable},
      {413, Code::kInvalidArgument},    {422, Code::kInvalidArgument},  {429, Code::kResourceExhausted},
      {500, Code::kUnavailable},        {502, Code::kUnavailable},      {503, Code::kUnavailable},
      {504, Code::kUnavailable},        {529, Code::kUnavailable}};
  for (const auto& [status, code] : expected) {
    EXPECT_EQ(http_error(status, "").code, code) << status;
    EXPECT_NE(http_error(status, "").message.find(std::to_string(status)), std::string::npos);
  }
}

TEST(HttpErrors, QuotesTheProvidersMessage) {
  EXPECT_EQ(http_error(404, R"({"error":{"message":"The model 'gpt-9' does not exist","type":"invalid_request_error",
                              "param":null,"code":"model_not_found"}})")
                .message,
            "the provider answered HTTP 404, model_not_found: The model 'gpt-9' does not exist (check the name of the "
            "model and the base URL)");
}

// Vendors, Ollama's own API, older vLLM, and Gemini in a list.
TEST(HttpErrors, ReadsEachFormOfAnError) {
  for (const std::string_view body :
       {R"({"error":{"message":"no such thing","code":400,"type":"bad"}})", R"({"error":"no such thing"})",
        R"({"object":"error","message":"no such thing","type":"bad","code":400})",
        R"([{"error":{"message":"no such thing","status":"bad","code":400}}])"}) {
    const Error error = http_error(400, body);
    EXPECT_EQ(error.code, Code::kInvalidArgument) << body;
    EXPECT_NE(error.message.find(": no such thing"), std::string::npos) << error.message;
  }
}

TEST(HttpErrors, MissingQuotaIsNotRetryable) {
  const Error error = http_error(429, R"({"error":{"message":"You exceeded your current quota.",
                                        "type":"insufficient_quota","param":null,"code":"insufficient_quota"}})");
  EXPECT_EQ(error.code, Code::kFailedPrecondition);
  EXPECT_EQ(
      http_error(429, R"({"error":{"message":"Slow down.","type":"requests","code":"rate_limit_exceeded"}})").code,
      Code::kResourceExhausted);
}

TEST(HttpErrors, DailyQuotaIsNotRetryable) {
  const auto body = [](const std::string& quota) {
    return R"({"error":{"code":429,"message":"You exceeded your current quota.","status":"RESOURCE_EXHAUSTED","details":[
               {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":")" +
           quota + R"("}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.07s"}]}})";
  };
  const Error error = http_error(429, body("GenerateRequestsPerDayPerProjectPerModel"));
  EXPECT_EQ(error.code, Code::kFailedPrecondition);
  EXPECT_NE(error.message.find("PerDay"), std::string::npos) << error.message;
  EXPECT_EQ(http_error(429, body("GenerateRequestsPerMinutePerProjectPerModel")).code, Code::kResourceExhausted);
  EXPECT_EQ(retry_delay_of(body("any")), Milliseconds(34'070));
}

TEST(HttpErrors, InvalidDelayIsIgnored) {
  for (const std::string delay : {R"("")", R"("s")", R"("5")", R"("5m")", R"("-5s")", R"("nans")", R"("infs")",
                                  R"("1e30s")", "5", "null", "{}"}) {
    EXPECT_EQ(retry_delay_of(R"({"error":{"details":[{"retryDelay":)" + delay + "}]}}"), std::nullopt) << delay;
  }
  for (const std::string body : {"", "[]", "{}", R"({"error":5})", R"({"error":{"details":{}}})"}) {
    EXPECT_EQ(retry_delay_of(body), std::nullopt) << body;
  }
}

TEST(HttpErrors, FullContextIsAReply) {
  for (const std::string_view error :
       {R"({"message":"Your input is too long.","type":"invalid_request_error","code":"context_length_exceeded"})",
        R"({"code":400,"type":"exceed_context_size_error","message":"The request is too long.","n_ctx":8192})",
        R"({"message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400})",
        R"({"message":"However, the model's context length is only 1024 tokens.","type":"BadRequestError"})",
        R"("The number of tokens to keep from the initial prompt is greater than the context length.")"}) {
    const auto reply = read_http_error(400, R"({"error":)" + std::string(error) + "}");
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->finish, Finish::kContextFull);
    EXPECT_NE(reply->detail, "");
  }
}

TEST(HttpErrors, FlaggedPromptIsAReply) {
  for (const std::string code : {"content_filter", "invalid_prompt"}) {
    const auto reply = read_http_error(400, R"({"error":{"message":"It was flagged.","code":")" + code + R"("}})");
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->finish, Finish::kFiltered);
    EXPECT_EQ(reply->detail, "It was flagged.");
  }
}

// Anthropic has no code for this.
TEST(HttpErrors, BlockedAnswerIsAReply) {
  const auto reply = read_http_error(400, R"({"type":"error","error":{"type":"invalid_request_error",
                                              "message":"Output blocked by content filtering policy"}})");
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->finish, Finish::kFiltered);
  EXPECT_EQ(reply->detail, "Output blocked by content filtering policy");
}

// Some servers quote the key, or parts of it, in their message.
TEST(HttpErrors, MessageAboutAKeyIsOmitted) {
  const Error error = http_error(401, R"({"error":{"message":"Incorrect API key provided: sk-proj-1234abcd.",
                                        "type":"invalid_request_error","code":"invalid_api_key"}})");
  EXPECT_EQ(error.message, "the provider answered HTTP 401, invalid_api_key (check the key)");
  EXPECT_EQ(http_error(401, "no such key: sk-proj-1234abcd").message.find("sk-proj"), std::string::npos);
}

TEST(HttpErrors, ProviderTextIsEscapedAndCut) {
  const Error error = http_error(500, R"({"error":{"message":"\u001b[2J)" + std::string(5000, 'x') + R"("}})");
  EXPECT_NE(error.message.find("\\x1b[2J"), std::string::npos);
  EXPECT_LT(error.message.size(), 500u);
  const auto reply = read_http_error(400, "prompt is too long \xff\x1b" + std::string(5000, 'x'));
  ASSERT_TRUE(reply);
  EXPECT_NE(reply->detail.find("\\xff\\x1b"), std::string::npos);
  EXPECT_LT(reply->detail.size(), 500u);
}

TEST(HttpErrors, ProxyPageIsQuoted) {
  EXPECT_EQ(http_error(502, "<html>\r\n<title>502 Bad Gateway</title>").message,
            "the provider answered HTTP 502: <html>\\r\\n<title>502 Bad Gateway</title> (try again)");
}

TEST(HttpErrors, AnyBodyGivesAnErrorOfItsStatus) {
  const std::string bodies[] = {"",
                                "null",
                                "[]",
                                "[[]]",
                                "7",
                                R"({"error":null})",
                                R"({"error":7})",
                                R"({"error":[]})",
                                R"({"error":{}})",
                                R"({"error":{"message":{},"code":[],"type":null,"details":7}})",
                                R"({"error":{"details":[7,{"reason":{}},null]}})",
                                R"({"error":{"code":1e308}})",
                                R"({"error":{"code":1e999}})",
                                R"({"message":null})",
                                std::string(100'000, '['),
                                std::string(kMaxAnswerBytes + 1, ' '),
                                "\xff\xfe"};
  for (const std::string& body : bodies)
    EXPECT_EQ(http_error(503, body).code, Code::kUnavailable) << body.substr(0, 80);
}

}  // namespace
}  // namespace da::planner::model
