// `da-policy enroll`, which `da-console enroll` starts: gives a person a second factor. It shows the secret as a QR
// code and as a URI, only on the terminal, and stores nothing before it has checked a first code.
#pragma once

namespace da::policy {

// Exit code: 0 enrolled, 1 not enrolled (such as a wrong or missing code), 2 bad usage.
int run_enroll(int argc, char** argv);

}  // namespace da::policy
