#include "lib/recording/published_facts_rpc.h"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "da/v1/service_rpc.grpc.pb.h"
#include "lib/rpc/call.h"

namespace da::recording {
namespace {

constexpr Milliseconds kDescribeTimeout{500};
constexpr Milliseconds kFetchTimeout{5'000};

}  // namespace

struct PublishedFactsRpc::Client {
  explicit Client(Publisher publisher) : name(std::move(publisher.name)), rpc(std::move(publisher.channel)) {}

  const std::string name;
  const rpc::Client<v1::ServiceInfo> rpc;
};

PublishedFactsRpc::PublishedFactsRpc(std::vector<Publisher> publishers) {
  for (Publisher& publisher : publishers) clients_.push_back(std::make_unique<Client>(std::move(publisher)));
}

PublishedFactsRpc::~PublishedFactsRpc() = default;

std::vector<v1::ServiceDescription> PublishedFactsRpc::known() const {
  const std::lock_guard hold(mutex_);
  std::vector<v1::ServiceDescription> all;
  for (const auto& [service, description] : known_) all.push_back(description);
  return all;
}

std::vector<PublishedFacts::Latest> PublishedFactsRpc::latest() {
  std::vector<Latest> all;
  for (const auto& client : clients_) {
    auto described =
        client->rpc.call("Describe", &v1::ServiceInfo::Stub::Describe, v1::DescribeRequest(), kDescribeTimeout);
    if (!described || described->service() != client->name) continue;
    Latest latest{.writer = client->name, .instance = described->instance()};
    for (const auto& published : described->published()) latest.sequences[published.topic()] = published.sequence();
    all.push_back(std::move(latest));
    const std::lock_guard hold(mutex_);
    known_[client->name] = *std::move(described);
  }
  return all;
}

bool PublishedFactsRpc::fetch(const std::string& writer, const bus::Gap& gap,
                              const std::function<void(std::string payload)>& take) {
  const auto client = std::ranges::find(clients_, writer, &Client::name);
  if (client == clients_.end()) return false;
  v1::FetchFactsRequest request;
  request.set_instance(gap.instance);
  request.set_topic(gap.topic);
  request.set_from(gap.from);
  request.set_to(gap.to);
  const auto fetched = (*client)->rpc.stream<v1::FetchFactsRequest, v1::FetchedFact>(
      "FetchFacts", &v1::ServiceInfo::Stub::FetchFacts, request, kFetchTimeout, [&](v1::FetchedFact& fact) {
        take(std::move(*fact.mutable_payload()));
        return ok();
      });
  if (!fetched) spdlog::warn("facts of {} cannot be fetched: {}", gap.topic, fetched.error().message);
  return fetched.has_value();
}

}  // namespace da::recording
