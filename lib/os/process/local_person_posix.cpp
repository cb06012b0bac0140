#include "lib/os/process/local_person.h"

#include <pwd.h>
#include <unistd.h>

namespace da::os {

std::string local_person() {
  const passwd* entry = ::getpwuid(::geteuid());
  return (entry != nullptr ? std::string(entry->pw_name) : std::to_string(::geteuid())) + "@console";
}

}  // namespace da::os
