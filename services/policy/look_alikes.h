// What a text says to a person who reads it: "Pаy" with a Cyrillic letter, "Pay" with an invisible one in it, "Ｐａｙ"
// in full width, "De1ete" with a digit, "DeIete" with a capital i and "eteleD" after a mark that turns the direction
// are read as "pay" and "delete", and a rule means what is read.
//
// By Unicode: compatibility forms are decomposed (NFKD), what is not shown and marks on letters are dropped, a letter
// that is confusable with a Latin one (UTS 39) becomes that, and the case is folded. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace da::policy {

// In lower case, the likeliest first; several where a sign may be an i or an l. Empty where the text reads as it
// stands. Bytes that are no UTF-8 are read as U+FFFD.
std::vector<std::string> readings_of(std::string_view text);

}  // namespace da::policy
