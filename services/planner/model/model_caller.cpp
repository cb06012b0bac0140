#include "services/planner/model/model_caller.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "lib/base/id.h"
#include "lib/base/text.h"
#include "services/planner/model/dialogue_json.h"

namespace da::planner::model {
namespace {

const Price* find_price(const PriceTable& prices, const std::string& model) {
  const auto found = prices.find(model);
  return found == prices.end() ? nullptr : &found->second;
}

double random_fraction() {
  thread_local std::minstd_rand random(std::random_device{}());
  return std::uniform_real_distribution<double>(0, 1)(random);
}

Milliseconds since(const Clock& clock, MonoTime begun) {
  return std::chrono::duration_cast<Milliseconds>(clock.now() - begun);
}

void log_call(const v1::ModelCall& call, const Result<Reply>& reply) {
  const auto& usage = call.usage();
  spdlog::info("model call {}: {}, {}: {} ms, tries: {}, tokens: {} in, {} out{}", call.call_id(),
               escape_foreign(call.provider()), escape_foreign(call.model()), call.latency_ms(), call.tries(),
               usage.input_tokens(), usage.output_tokens(),
               reply ? "" : ", failed: " + escape_foreign(reply.error().message));
}

}  // namespace

ModelCaller::ModelCaller(Model& model, CallRules rules, Budget& budget, const PriceTable& prices, const Clock& clock,
                         TaskCancel& cancel, Report report)
    : model_(model),
      rules_(rules),
      price_(find_price(prices, model.name())),
      counts_money_(budget.limits().money > 0 && model.is_paid()),
      clock_(clock),
      cancel_(cancel),
      report_(std::move(report)),
      budget_(budget) {}

Result<Reply> ModelCaller::ask(const Request& request) {
  if (counts_money_ && price_ == nullptr) {
    return Error{Code::kFailedPrecondition,
                 "planner.budget_money needs a price for " + quote_foreign(model_.name()) + " in planner.prices"};
  }
  RETURN_IF_ERROR(budget_.check());
  const nlohmann::json told = to_json(request);
  v1::ModelCall call;
  call.set_call_id(random_uuid());
  call.set_provider(model_.provider());
  call.set_model(model_.name());
  call.set_request_digest(digest_of(told));
  call.set_request(told.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  const MonoTime begun = clock_.now();
  const auto left = budget_.time_left();
  auto reply = try_until_answered(request, left ? std::min(rules_.until, begun + *left) : rules_.until, call);
  const Milliseconds latency = since(clock_, begun);
  call.set_latency_ms(static_cast<std::uint32_t>(latency.count()));
  Usage usage;
  if (reply) {
    usage = reply->usage;
    call.set_reply(reply->text);
    if (!reply->calls.empty()) {
      call.set_tool_calls(to_json(reply->calls).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    }
    call.set_finish(finish_text(reply->finish));
    call.set_detail(reply->detail);
    call.set_answered_by(reply->model);
    call.mutable_usage()->set_input_tokens(usage.input_tokens);
    call.mutable_usage()->set_cached_input_tokens(usage.cached_input_tokens);
    call.mutable_usage()->set_output_tokens(usage.output_tokens);
  } else {
    call.set_detail(reply.error().message);
  }
  call.set_cost(price_ == nullptr ? 0 : cost_of(usage, *price_));
  budget_.add(usage, call.cost(), latency);
  log_call(call, reply);
  report_(std::move(call));
  if (!reply && reply.error().code != Code::kCancelled) RETURN_IF_ERROR(budget_.check());
  return reply;
}

Result<Reply> ModelCaller::try_until_answered(const Request& request, MonoTime until, v1::ModelCall& call) {
  const MonoTime begun = clock_.now();
  for (int tries = 1;; ++tries) {
    if (clock_.now() >= until) return Error{Code::kAborted, "no time is left to ask " + model_.provider()};
    call.set_tries(static_cast<std::uint32_t>(tries));
    // Add 1 ms, so that a call cut off by the limit is reported as a timeout.
    const Milliseconds left = std::chrono::ceil<Milliseconds>(until - clock_.now()) + Milliseconds(1);
    auto reply = model_.answer(request, std::min(rules_.timeout, left), cancel_.work());
    if (reply) return *std::move(reply);
    const Failure& failure = reply.error();
    const bool lost = failure.error.code == Code::kUnavailable || failure.error.code == Code::kDeadlineExceeded;
    const Error error{lost ? Code::kAborted : failure.error.code,
                      model_.provider() + " (" + model_.name() + "): " + failure.error.message +
                          (tries > 1 ? ", tried " + std::to_string(tries) + " times" : "")};
    const FailedTry failed{tries, since(clock_, begun), failure.error, failure.retry_after};
    const auto wait = wait_before_retry(rules_.retry, failed, random_fraction());
    if (!wait || clock_.now() + *wait >= until) return error;
    if (cancel_.pause_until(clock_, clock_.now() + *wait) == TaskCancel::Pause::kCancelled) {
      return Error{Code::kCancelled, "stopped while waiting to ask " + model_.provider() + " again"};
    }
  }
}

ModelCaller::Report publish_calls(bus::Publisher& bus, const std::string& task_id, const TaskView& view) {
  return [&bus, task_id, &view](v1::ModelCall&& call) { bus.publish(std::move(call), task_id, view.cause()); };
}

}  // namespace da::planner::model
