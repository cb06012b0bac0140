// The observation token of a task lets its bearer see the desktop through the observer while the task is open. It is a
// one-way hash of the task token, so the observer, which gets only this token, cannot submit steps. The policy sends
// its digest to the actuator, so that heartbeats carry no secret. Any thread.
#pragma once

#include <string>

namespace da::contract {

// Hexadecimal of BLAKE2b-256 over "da.v1.observation", a zero byte and the task token. Secret.
std::string observation_token(const std::string& task_token);

// BLAKE2b-256 of the observation token, raw.
std::string observation_digest(const std::string& observation_token);

}  // namespace da::contract
