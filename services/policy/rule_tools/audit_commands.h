// `da-policy audit show|verify|export`, which `da-console audit` starts: shows and verifies the policy's decisions. It
// reads the log and its heads, and needs no service and only public keys.
#pragma once

namespace da::policy {

// Exit code: 0 done (verify: intact), 1 the log is not intact, 2 bad usage or an unreadable file.
int run_audit(int argc, char** argv);

}  // namespace da::policy
