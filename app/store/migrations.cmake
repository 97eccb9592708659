# Writes OUTPUT, a C++ source with the text of every file of FOLDER, in the order of their names.
# cmake -DFOLDER=… -DOUTPUT=… -P migrations.cmake
file(GLOB files ${FOLDER}/*.sql)
list(SORT files)
set(literals "")
set(version 0)
foreach(file IN LISTS files)
    # The number of files is the version: a number that is there twice, or missing, would make two kinds of it.
    math(EXPR version "${version} + 1")
    cmake_path(GET file FILENAME name)
    if(NOT name MATCHES "^0*${version}_")
        message(FATAL_ERROR "${name} is migration ${version} by its place, and should be named so")
    endif()
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
