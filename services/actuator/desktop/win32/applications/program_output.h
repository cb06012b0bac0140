// Keeps the last line that a program writes to its standard output and standard error.
//
// The program gets the writing end of a pipe. A thread reads the other end until the program and all its descendants
// have closed theirs, which may be after this object is gone: the thread then owns what it needs. So a program never
// waits for us. Any thread.
#pragma once

#include <memory>
#include <string>

#include "lib/base/result.h"
#include "services/actuator/desktop/win32/base/handles.h"

namespace da::actuator::win32 {

class ProgramOutput {
 public:
  static Result<ProgramOutput> open();

  // Inheritable; the caller closes it by close_writer() once the program has inherited it.
  HANDLE writer() const { return writer_.get(); }
  void close_writer() { writer_.reset(); }

  // The last line that is not empty; at most 300 bytes of it.
  std::string last_line() const;

 private:
  struct Shared;

  ProgramOutput(UniqueKernelHandle writer, std::shared_ptr<Shared> shared)
      : writer_(std::move(writer)), shared_(std::move(shared)) {}

  UniqueKernelHandle writer_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace da::actuator::win32
