// The tokens of a task. The task token lets its bearer, the planner, submit steps; it names the goal that the policy
// opened the task for, so that a planner that is given another goal for it refuses. The observation token lets its
// bearer see the desktop through the observer while the task is open. It is a one-way hash of the task token, so the
// observer, which gets only this token, cannot submit steps. The policy sends its digest to the actuator, so that
// heartbeats carry no secret. Any thread.
#pragma once

#include <string>

namespace da::contract {

// "SECRET.DIGEST": the secret, which must have no dot, and the first 128 bits of BLAKE2b-256 over "da.v1.goal", a zero
// byte and the goal, hexadecimal.
std::string task_token(const std::string& secret, const std::string& goal);
// Whether the token was made for this goal.
bool is_for_goal(const std::string& task_token, const std::string& goal);

// Hexadecimal of BLAKE2b-256 over "da.v1.observation", a zero byte and the task token. Secret.
std::string observation_token(const std::string& task_token);

// BLAKE2b-256 of the observation token, raw.
std::string observation_digest(const std::string& observation_token);

}  // namespace da::contract
