# Writes the prompt files into a C++ file, so that the program does not read them at run time:
#   cmake -DOUTPUT=FILE -DINPUTS=a.md;b.md -P embed.cmake
set(text "// Made from services/planner/prompts/*.md.\n#include \"services/planner/model/prompt_files.h\"\n\nnamespace da::planner::model {\n")
foreach(input ${INPUTS})
  get_filename_component(name ${input} NAME_WE)
  file(READ ${input} content)
  string(REPLACE "_" ";" words ${name})
  set(constant "")
  foreach(word ${words})  # computer_repair -> ComputerRepair
    string(SUBSTRING ${word} 0 1 first)
    string(TOUPPER ${first} first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(APPEND constant ${first}${rest})
  endforeach()
  string(APPEND text "\nextern const char k${constant}Prompt[] = R\"prompt(${content})prompt\";\n")
endforeach()
file(WRITE ${OUTPUT} "${text}\n}  // namespace da::planner::model\n")
