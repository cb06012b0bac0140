// The open tasks in the policy's heartbeat, for tests that read the desktop through the actuator's calls.
#pragma once

#include <initializer_list>
#include <string>

#include "lib/contract/task_token.h"
#include "services/actuator/actuator_rpc.h"

namespace da::actuator {

inline std::string observation_token_of(const std::string& task) { return "sees for " + task; }

inline v1::HeartbeatRequest heartbeat_of(std::initializer_list<std::string> tasks) {
  v1::HeartbeatRequest heartbeat;
  for (const std::string& id : tasks) {
    v1::OpenTask& task = *heartbeat.add_open_tasks();
    task.set_task_id(id);
    task.set_observation_digest(contract::observation_digest(observation_token_of(id)));
  }
  return heartbeat;
}

inline void open_tasks(ActuatorRpc& rpc, std::initializer_list<std::string> tasks) {
  const v1::HeartbeatRequest heartbeat = heartbeat_of(tasks);
  v1::HeartbeatReply reply;
  (void)rpc.Heartbeat(nullptr, &heartbeat, &reply);
}

}  // namespace da::actuator
