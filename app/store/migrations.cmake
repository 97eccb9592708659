# Writes OUTPUT, a C++ source with the text of every file of FOLDER, in the order of their names.
# cmake -DFOLDER=… -DOUTPUT=… -P migrations.cmake
file(GLOB files ${FOLDER}/*.sql)
list(SORT files)
set(literals "")
foreach(file IN LISTS files)
    file(READ ${file} text)
    string(APPEND literals "    R\"sql(${text})sql\",\n")
endforeach()
file(WRITE ${OUTPUT}
"#include \"app/store/schema.h\"

namespace perilune {

namespace {

constexpr std::string_view kMigrations[] = {
${literals}};

} // namespace

std::span<const std::string_view> migrations()
{
    return kMigrations;
}

} // namespace perilune
")
