// What a text says to a person who reads it: "Pаy" with a Cyrillic letter, "Pay" with an invisible one in it, "Ｐａｙ"
// in full width and "De1ete" with a digit are read as "pay" and "delete", and a rule means what is read.
//
// By Unicode: compatibility forms are decomposed (NFKD), what is not shown and marks on letters are dropped, a letter
// that is confusable with a Latin one (UTS 39) becomes that, and the case is folded. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace da::policy {

// In lower case. nullopt where the text reads as it stands. Bytes that are no UTF-8 are read as U+FFFD.
std::optional<std::string> as_it_reads(std::string_view text);

}  // namespace da::policy
