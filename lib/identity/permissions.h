// The only access table: which role may call which method and read whose facts. It denies the rest. Pure; any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "lib/identity/role.h"

namespace da::identity {

// method: gRPC's path, such as "/da.v1.Policy/Submit".
bool may_call(Role caller, std::string_view method);

// Whether the reader may subscribe to the writer's facts, or to its images.
bool may_subscribe(Role reader, Role writer, bool images);

// Whether the caller may call any method of that service, other than ServiceInfo/Describe, or fetch its facts.
bool may_reach(Role caller, Role service);

// Whether either role may call or subscribe to the other, so that both need each other's keys.
bool may_communicate(Role one, Role other);

class Roles {
 public:
  constexpr Roles(std::initializer_list<Role> roles) {
    for (const Role role : roles) bits_ |= bit(role);
  }
  constexpr bool has(Role role) const { return (bits_ & bit(role)) != 0; }

 private:
  static constexpr std::uint32_t bit(Role role) { return 1u << static_cast<unsigned>(role); }
  std::uint32_t bits_ = 0;
};

struct MethodRow {
  std::string_view method;
  Roles callers;
};
std::span<const MethodRow> method_rows();

struct BusRow {
  Role writer;
  bool images;
  Roles readers;
};
// Every writer has one row for facts and one for images.
std::span<const BusRow> bus_rows();

}  // namespace da::identity
