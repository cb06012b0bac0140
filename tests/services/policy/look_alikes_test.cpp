#include "services/policy/look_alikes.h"

#include <gtest/gtest.h>

#include "lib/base/text.h"

namespace da::policy {
namespace {

TEST(LookAlikes, TextThatReadsAsItStandsIsLeftAlone) {
  for (const char* text :
       {"", "Delete", "rm -rf ~", "Save 10 files", "v1.0", "löschen?", "삭제", "削除", "发送", "12|34"}) {
    const auto read = as_it_reads(text);
    EXPECT_TRUE(!read || *read == "loschen?" || fold_case(text) == *read) << text << " became " << *read;
  }
  EXPECT_FALSE(as_it_reads("Delete"));
  EXPECT_FALSE(as_it_reads("삭제"));
}

TEST(LookAlikes, LettersThatLookLatinAreReadAsLatin) {
  const std::pair<const char*, const char*> cases[] = {
      {"Dеlеtе", "delete"},              // Cyrillic ie
      {"РАУ", "pay"},                    // Cyrillic capitals
      {"Ѕеnd", "send"},                  // Cyrillic dze
      {"Βuy", "buy"},                    // Greek capital beta
      {"ВUY", "buy"},                    // Cyrillic capital ve
      {"Іnstall", "install"},            // Ukrainian capital i
      {"ｄｅｌｅｔｅ", "delete"},        // full width
      {"𝐝𝐞𝐥𝐞𝐭𝐞", "delete"},              // mathematical bold
      {"D\u0332e\u0332lete", "delete"},  // underlined by marks
      {"De\u200blete", "delete"},        // zero width space
      {"P\u00aday", "pay"},              // soft hyphen
      {"\u202ePay\u202c", "pay"},        // bidirectional marks
      {"De1ete", "delete"},              // digit
      {"f0rmat", "format"},
      {"삭\u200b제", "삭제"},
      {"ﬁnish", "finish"},  // ligature
  };
  for (const auto& [text, reads] : cases) {
    EXPECT_EQ(as_it_reads(text).value_or(text), reads) << text;
  }
}

TEST(LookAlikes, BrokenUtf8IsRead) {
  EXPECT_EQ(as_it_reads("pay\xff").value_or(""), "pay\xef\xbf\xbd");
  EXPECT_TRUE(as_it_reads(std::string("\xc3", 1)));
}

}  // namespace
}  // namespace da::policy
