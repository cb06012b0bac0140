// Result<T>: a value or an Error. Fallible construction is `static Result<T> open(...)`; what exists is valid.
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "lib/base/error.h"

namespace da {

template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using tl::expected<T, Error>::expected;
  Result(Error error) : tl::expected<T, Error>(tl::unexpect, std::move(error)) {}
};

template <>
class [[nodiscard]] Result<void> : public tl::expected<void, Error> {
 public:
  using tl::expected<void, Error>::expected;
  Result(Error error) : tl::expected<void, Error>(tl::unexpect, std::move(error)) {}
};

inline Result<void> ok() { return {}; }

}  // namespace da

#define DA_CONCAT_INNER(a, b) a##b
#define DA_CONCAT(a, b) DA_CONCAT_INNER(a, b)

// ASSIGN_OR_RETURN(auto file, open(path)); returns an error to the caller.
#define ASSIGN_OR_RETURN(target, expression) ASSIGN_OR_RETURN_INNER(DA_CONCAT(result_, __LINE__), target, expression)
#define ASSIGN_OR_RETURN_INNER(result, target, expression) \
  auto result = (expression);                              \
  if (!result) return std::move(result).error();           \
  target = *std::move(result)

#define RETURN_IF_ERROR(expression)                                                  \
  do {                                                                               \
    if (auto outcome_ = (expression); !outcome_) return std::move(outcome_).error(); \
  } while (false)
