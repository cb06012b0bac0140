// The one table of who may do what: which role may call which method, and whose facts it may read. What is not in the
// table, nobody may. Pure; any thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "lib/identity/role.h"

namespace da::identity {

// "/da.v1.Policy/Submit", as gRPC names it.
bool may_call(Role caller, std::string_view method);

// Whether it may subscribe to that writer's facts, or to its images.
bool may_subscribe(Role reader, Role writer, bool images);

// Whether there is anything that the caller may call at a service of the other role, but asking it how it is.
bool may_reach(Role caller, Role service);

// Whether two roles have anything to do with one another, in either direction: then they have to know each other's
// keys.
bool have_dealings(Role one, Role other);

// A set of roles.
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
// Every writer has a row for its facts, and one for its images.
std::span<const BusRow> bus_rows();

}  // namespace da::identity
