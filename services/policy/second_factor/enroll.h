// `da-policy enroll`, which `da-console enroll` starts: gives a person a second factor. Shows the secret as a QR code
// and as a URI, on the terminal alone, and takes the first code before anything is stored.
#pragma once

namespace da::policy {

bool is_enroll_command(int argc, char** argv);

// Exit code: 0 enrolled, 1 the code was wrong or nobody gave one, 2 bad usage.
int run_enroll(int argc, char** argv);

}  // namespace da::policy
