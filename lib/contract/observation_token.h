// The observation token of a task: whoever presents it to the observer sees the desktop while the task is open. It is
// made of the task token, which cannot be found from it: the observer gets this one alone, and can submit nothing.
// The policy tells the actuator its digest, so that heartbeats carry no secret. Any thread.
#pragma once

#include <string>

namespace da::contract {

// Hexadecimal of BLAKE2b-256 over "da.v1.observation", a zero byte and the task token. Secret.
std::string observation_token(const std::string& task_token);

// BLAKE2b-256 of the observation token, raw.
std::string observation_digest(const std::string& observation_token);

}  // namespace da::contract
