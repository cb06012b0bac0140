// Fetches facts from their publishers by gRPC (ServiceInfo). A service that does not answer in time is skipped. One
// thread, except known().
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "da/v1/service_rpc.pb.h"
#include "lib/recording/fact_intake.h"
#include "lib/rpc/channel.h"

namespace da::recording {

class PublishedFactsRpc final : public PublishedFacts {
 public:
  struct Publisher {
    std::string name;
    rpc::Channel channel;
  };
  explicit PublishedFactsRpc(std::vector<Publisher> publishers);
  ~PublishedFactsRpc() override;

  std::vector<Latest> latest() override;
  bool fetch(const std::string& writer, const bus::Gap& gap,
             const std::function<void(std::string payload)>& take) override;

  // What each service answered last. Any thread.
  std::vector<v1::ServiceDescription> known() const;

 private:
  struct Client;
  std::vector<std::unique_ptr<Client>> clients_;
  mutable std::mutex mutex_;
  std::map<std::string, v1::ServiceDescription> known_;  // Keyed by service.
};

}  // namespace da::recording
