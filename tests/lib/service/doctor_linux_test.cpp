#include "lib/service/doctor.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace da::service {
namespace {

bool tells_of_root() { return check_confinement().found.find("started by root") != std::string::npos; }

TEST(Doctor, TellsThatAServiceOfRootStaysRoot) {
  EXPECT_EQ(tells_of_root(), ::geteuid() == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::geteuid() == 0 && ::setuid(65'534) != 0) ::_exit(2);
    ::_exit(tells_of_root() ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "as another user";
}

}  // namespace
}  // namespace da::service
