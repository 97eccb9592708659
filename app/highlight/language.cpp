#include "app/highlight/language.h"

#include <algorithm>
#include <string>

namespace perilune {

namespace {

const Enclosure kDouble{u"\"", u"\"", true, false};
const Enclosure kSingle{u"'", u"'", true, false};
const Enclosure kDoublePlain{u"\"", u"\"", false, false};
const Enclosure kSinglePlain{u"'", u"'", false, false};
const Enclosure kSingleLong{u"'", u"'", false, true};
const Enclosure kDoubleLong{u"\"", u"\"", true, true};
const Enclosure kBackquoted{u"`", u"`", true, true};
const Enclosure kSlashStar{u"/*", u"*/", false, true};
const Enclosure kTripleDouble{u"\"\"\"", u"\"\"\"", true, true};
const Enclosure kTripleSingle{u"'''", u"'''", true, true};
const Enclosure kHtmlComment{u"<!--", u"-->", false, true};

#define C_WORDS                                                                                              \
    u"break case const continue default do else enum extern for goto if inline register return sizeof "      \
    u"static "                                                                                               \
    u"struct switch typedef union volatile while"
#define C_TYPES                                                                                              \
    u"bool char double float int long short signed unsigned void size_t ssize_t int8_t int16_t int32_t "     \
    u"int64_t "                                                                                              \
    u"uint8_t uint16_t uint32_t uint64_t ptrdiff_t"
#define SCRIPT_WORDS                                                                                         \
    u"as async await break case catch class const continue debugger default delete do else export extends "  \
    u"finally for from function get if import in instanceof let new of return set static super switch this " \
    u"throw try typeof var void while with yield"
#define SCRIPT_TYPES                                                                                         \
    u"Array Boolean Date Error JSON Map Math Number Object Promise RegExp Set String Symbol console "        \
    u"document window"

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<Language> familyOfC()
{
    return {
        {.names = "c h",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDouble, kSingle},
         .keywords = C_WORDS u" restrict _Static_assert _Generic _Alignas",
         .types = C_TYPES u" FILE _Bool",
         .literals = u"NULL true false",
         .directives = true},
        {.names = "cpp c++ cc cxx hpp hxx",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDouble, kSingle},
         .keywords = C_WORDS u" alignas alignof and asm catch class co_await co_return co_yield concept "
                             u"consteval constexpr constinit "
                             u"const_cast decltype delete dynamic_cast explicit export final friend mutable "
                             u"namespace new noexcept not "
                             u"operator or override private protected public reinterpret_cast requires "
                             u"static_assert static_cast template "
                             u"this thread_local throw try typeid typename using virtual", .types =
             C_TYPES u" auto char8_t char16_t char32_t wchar_t string string_view vector map optional span",
         .literals = u"nullptr NULL true false",
         .directives = true},
        {.names = "glsl vert frag comp hlsl cuda cu opencl",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDouble},
         .keywords = C_WORDS u" layout uniform buffer in out inout shared readonly writeonly restrict "
                             u"coherent precision "
                             u"highp mediump lowp flat discard __global__ __device__ __shared__ __kernel", .types = C_TYPES u" vec2 vec3 vec4 ivec2 ivec3 ivec4 uvec2 uvec3 uvec4 mat2 mat3 mat4 uint "
                          u"sampler2D half", .literals = u"true false",
         .directives = true},
        {.names = "csharp cs c#",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kTripleDouble, kDouble, kSingle},
         .keywords =
             u"abstract as async await base break case catch checked class const continue default delegate "
             u"do else "
             u"enum event explicit extern finally fixed for foreach from get goto if implicit in init "
             u"interface "
             u"internal is lock namespace new operator out override params partial private protected public "
             u"readonly record ref required return sealed select set sizeof stackalloc static struct switch "
             u"this "
             u"throw try typeof unchecked unsafe using virtual void volatile when where while with yield", .types = u"bool byte char decimal double dynamic float int long object sbyte short string uint "
                  u"ulong ushort var "
                  u"List Dictionary Task IEnumerable Console", .literals = u"true false null",
         .directives = true},
        {.names = "java",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kTripleDouble, kDouble, kSingle},
         .keywords =
             u"abstract assert break case catch class const continue default do else enum extends final "
             u"finally for "
             u"goto if implements import instanceof interface native new non-sealed package permits private "
             u"protected public record return sealed static strictfp super switch synchronized this throw "
             u"throws "
             u"transient try var volatile while yield", .types = u"boolean byte char double float int long short void String Object Integer Long Double "
                  u"List Map Set", .literals = u"true false null",
         .mark = u'@'},
        {.names = "kotlin kt kts",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kTripleDouble, kDouble, kSingle},
         .keywords = u"as break by catch class companion constructor continue crossinline data do else enum "
                     u"expect final "
                     u"finally for fun if import in infix init inline inner interface internal is it "
                     u"lateinit noinline "
                     u"object open operator out override package private protected public reified return "
                     u"sealed suspend "
                     u"this throw try typealias val var vararg when where while", .types = u"Any Array Boolean Byte Char Double Float Int List Long Map Nothing Set Short String Unit",
         .literals = u"true false null",
         .mark = u'@'},
        {.names = "scala sc",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kTripleDouble, kDouble},
         .keywords = u"abstract case catch class def do else enum export extends final finally for forSome "
                     u"given if implicit "
                     u"import lazy match new object override package private protected return sealed super "
                     u"then this throw "
                     u"trait try type using val var while with yield", .types = u"Any Array Boolean Byte Char Double Float Int List Long Map Nothing Option Seq Set Short "
                  u"String Unit", .literals = u"true false null None Nil",
         .mark = u'@'},
        {.names = "dart",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kTripleDouble, kTripleSingle, kDouble, kSingle},
         .keywords = u"abstract as assert async await break case catch class const continue covariant "
                     u"default deferred do "
                     u"else enum export extends extension external factory final finally for get hide if "
                     u"implements import "
                     u"in interface is late library mixin new on operator part required rethrow return set "
                     u"show static "
                     u"super switch sync this throw try typedef var void while with yield", .types =
             u"bool double dynamic int num Future Iterable List Map Never Object Set Stream String Widget", .literals = u"true false null",
         .mark = u'@'},
        {.names = "swift",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kTripleDouble, kDouble},
         .keywords =
             u"actor any as associatedtype async await break case catch class continue default defer deinit "
             u"do else "
             u"enum extension fallthrough fileprivate final for func get guard if import in indirect init "
             u"inout "
             u"internal is lazy let mutating open operator override private protocol public repeat required "
             u"rethrows return self set some static struct subscript super switch throw throws try typealias "
             u"unowned var weak where while", .types = u"Any Array Bool Character Dictionary Double Float Int Optional Self Set String UInt Void",
         .literals = u"true false nil",
         .mark = u'@'},
        {.names = "go golang",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDouble, kSingle, {u"`", u"`", false, true}},
         .keywords = u"break case chan const continue default defer else fallthrough for func go goto if "
                     u"import interface map "
                     u"package range return select struct switch type var", .types = u"any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 "
                  u"int64 rune "
                  u"string uint uint8 uint16 uint32 uint64 uintptr append cap close copy delete len make new "
                  u"panic print "
                  u"println recover", .literals = u"true false nil iota"},
        {.names = "rust rs",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDoubleLong},
         .keywords = u"as async await break const continue crate dyn else enum extern fn for if impl in let "
                     u"loop match mod "
                     u"move mut pub ref return self static struct super trait type union unsafe use where "
                     u"while yield", .types = u"bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Box Option Rc "
                  u"Result Self "
                  u"String Vec HashMap", .literals = u"true false None Some Ok Err",
         .mark = u'#'},
        {.names = "javascript js jsx mjs cjs node",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDouble, kSingle, kBackquoted},
         .keywords = SCRIPT_WORDS,
         .types = SCRIPT_TYPES,
         .literals = u"true false null undefined NaN Infinity",
         .inWords = u"$",
         .mark = u'@'},
        {.names = "typescript ts tsx mts",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDouble, kSingle, kBackquoted},
         .keywords = SCRIPT_WORDS u" abstract asserts declare enum implements infer interface is keyof "
                                  u"module namespace "
                                  u"override private protected public readonly satisfies type unique", .types = SCRIPT_TYPES u" any bigint boolean never number object string symbol unknown Record "
                               u"Partial Readonly", .literals = u"true false null undefined NaN Infinity",
         .inWords = u"$",
         .mark = u'@'},
        {.names = "php",
         .lineComments = {u"//", u"#"},
         .blockComments = {kSlashStar},
         .strings = {kDoubleLong, {u"'", u"'", true, true}},
         .keywords =
             u"abstract and as break case catch class clone const continue declare default do echo else "
             u"elseif empty "
             u"enum extends final finally fn for foreach function global goto if implements include "
             u"include_once "
             u"instanceof interface isset list match namespace new or print private protected public "
             u"readonly "
             u"require require_once return static switch throw trait try unset use var while xor yield", .types = u"array bool callable float int iterable mixed object self string void",
         .literals = u"true false null",
         .variable = u'$',
         .anyCase = true},
    };
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<Language> scripts()
{
    return {
        {.names = "python py python3 py3 pyi ipython",
         .lineComments = {u"#"},
         .strings = {kTripleDouble, kTripleSingle, kDouble, kSingle},
         .keywords = u"and as assert async await break case class continue def del elif else except finally "
                     u"for from global "
                     u"if import in is lambda match nonlocal not or pass raise return try while with yield", .types = u"bool bytes complex dict enumerate float frozenset int len list map object open print "
                  u"range self set "
                  u"sorted str super tuple type zip", .literals = u"True False None",
         .mark = u'@'},
        {.names = "ruby rb",
         .lineComments = {u"#"},
         .blockComments = {{u"=begin", u"=end", false, true}},
         .strings = {kDoubleLong, kSingle},
         .keywords = u"alias and attr_accessor attr_reader begin break case class def defined? do else elsif "
                     u"end ensure for if "
                     u"in include module next not or private protected public puts raise redo require rescue "
                     u"retry return "
                     u"self super then undef unless until when while yield", .types = u"Array Float Hash Integer Object Proc String Struct Symbol",
         .literals = u"true false nil",
         .variable = u'@'},
        {.names = "perl pl pm",
         .lineComments = {u"#"},
         .strings = {kDoubleLong, kSingle},
         .keywords =
             u"and chomp cmp die do each else elsif eq for foreach ge gt if keys last le local lt my ne next "
             u"no not or "
             u"our package print push redo require return say shift sub unless until use values while xor", .literals = u"undef",
         .variable = u'$'},
        {.names = "lua",
         .lineComments = {u"--"},
         .blockComments = {{u"--[[", u"]]", false, true}},
         .strings = {{u"[[", u"]]", false, true}, kDouble, kSingle},
         .keywords = u"and break do else elseif end for function goto if in local not or repeat return then "
                     u"until while", .types =
             u"assert error ipairs math pairs pcall print require self string table tonumber tostring type", .literals = u"true false nil"},
        {.names = "r rscript",
         .lineComments = {u"#"},
         .strings = {kDoubleLong, kSingle},
         .keywords = u"break else for function if in next repeat return while library require",
         .types = u"c character data.frame factor list logical matrix numeric print vector",
         .literals = u"TRUE FALSE NULL NA NaN Inf",
         .inWords = u"."},
        {.names = "julia jl",
         .lineComments = {u"#"},
         .blockComments = {{u"#=", u"=#", false, true}},
         .strings = {kTripleDouble, kDouble},
         .keywords = u"abstract baremodule begin break catch const continue do else elseif end export "
                     u"finally for function "
                     u"global if import in let local macro module mutable primitive quote return struct try "
                     u"using where while", .types = u"Any Array Bool Complex Dict Float32 Float64 Int Int32 Int64 Matrix Number Set String "
                  u"Tuple Vector println", .literals = u"true false nothing missing Inf NaN",
         .inWords = u"!",
         .mark = u'@'},
        {.names = "matlab octave m",
         .lineComments = {u"%"},
         .blockComments = {{u"%{", u"%}", false, true}},
         .strings = {kDoublePlain},
         .keywords = u"break case catch classdef continue else elseif end endfunction endif for function "
                     u"global if otherwise "
                     u"parfor persistent return switch try while", .types = u"cell char double logical ones single struct zeros disp fprintf plot size",
         .literals = u"true false NaN Inf pi eps"},
        {.names = "haskell hs",
         .lineComments = {u"--"},
         .blockComments = {{u"{-", u"-}", false, true}},
         .strings = {kDouble},
         .keywords = u"case class data default deriving do else forall foreign hiding if import in infix "
                     u"infixl infixr "
                     u"instance let module newtype of qualified then type where", .types = u"Bool Char Double Either Float IO Int Integer Maybe Ord Show Eq String",
         .literals = u"True False Nothing Just Left Right",
         .inWords = u"'"},
        {.names = "elixir ex exs",
         .lineComments = {u"#"},
         .strings = {kTripleDouble, kDoubleLong, kSingle},
         .keywords = u"after alias and case catch cond def defimpl defmacro defmodule defp defprotocol "
                     u"defstruct do else end fn "
                     u"for if import in not or quote raise receive require rescue try unless use when with", .types = u"Agent Enum GenServer IO Kernel List Map String Stream Task",
         .literals = u"true false nil",
         .mark = u'@'},
        {.names = "bash sh shell zsh ksh fish",
         .lineComments = {u"#"},
         .strings = {kDoubleLong, kSingleLong},
         .keywords = u"case do done elif else esac export fi for function if in local readonly return select "
                     u"set shift source "
                     u"then trap unset until while", .types = u"alias apt awk cat cd chmod chown cp curl cut docker echo eval exec exit find git grep "
                  u"head kill ls make "
                  u"mkdir mv npm pip printf pwd python python3 read rm sed sort ssh sudo tail tar test touch "
                  u"tr uniq wc wget "
                  u"xargs", .literals = u"true false",
         .variable = u'$'},
        {.names = "console shellsession sh-session terminal",
         .shape = Shape::Console,
         .lineComments = {u"#"},
         .strings = {kDouble, kSinglePlain},
         .variable = u'$'},
        {.names = "powershell ps1 pwsh",
         .lineComments = {u"#"},
         .blockComments = {{u"<#", u"#>", false, true}},
         .strings = {kDoublePlain, kSinglePlain},
         .keywords = u"begin break catch class continue data do else elseif end exit filter finally for "
                     u"foreach from function "
                     u"if in param process return switch throw trap try until using while", .types =
             u"Get-ChildItem Get-Content Get-Item Get-Process New-Item Remove-Item Select-Object Set-Content "
             u"Set-Location Where-Object Write-Host Write-Output ForEach-Object", .inWords = u"-",
         .variable = u'$',
         .anyCase = true},
        {.names = "vim viml",
         .strings = {kDoublePlain, kSinglePlain},
         .keywords = u"autocmd call command else elseif endfor endfunction endif endwhile execute for "
                     u"function if let map "
                     u"nnoremap return set syntax while"},
        {.names = "sql mysql postgresql postgres sqlite plsql psql",
         .lineComments = {u"--"},
         .blockComments = {kSlashStar},
         .strings = {kSingleLong, kDoublePlain},
         .keywords = u"add all alter and as asc begin between by cascade case check column commit constraint "
                     u"create cross database "
                     u"default delete desc distinct drop else end except exists explain foreign from full "
                     u"grant group having if in "
                     u"index inner insert intersect into is join key left like limit not null offset on or "
                     u"order outer over "
                     u"partition primary references returning right rollback select set table then "
                     u"transaction trigger "
                     u"truncate union unique update using values view when where window with", .types = u"avg bigint blob boolean char coalesce count date decimal float int integer json jsonb "
                  u"max min numeric real "
                  u"serial smallint sum text time timestamp uuid varchar", .literals = u"true false null",
         .anyCase = true},
    };
}

// NOLINTNEXTLINE(readability-function-size): a table
std::vector<Language> dataAndMarkup()
{
    return {
        {.names = "json jsonc json5 jsonl ndjson",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDouble},
         .literals = u"true false null"},
        {.names = "yaml yml",
         .shape = Shape::Keys,
         .lineComments = {u"#"},
         .strings = {kDoubleLong, kSingleLong},
         .literals = u"true false null yes no on off",
         .variable = u'&',
         .mark = u'*'},
        {.names = "toml",
         .shape = Shape::Keys,
         .lineComments = {u"#"},
         .strings = {kTripleDouble, {u"'''", u"'''", false, true}, kDouble, kSinglePlain},
         .literals = u"true false"},
        {.names = "ini cfg conf properties desktop env dotenv",
         .shape = Shape::Keys,
         .lineComments = {u"#", u";"},
         .strings = {kDouble},
         .literals = u"true false yes no on off"},
        {.names = "html htm xml svg xhtml vue svelte qrc ui",
         .shape = Shape::Markup,
         .blockComments = {kHtmlComment},
         .strings = {{u"\"", u"\"", false, true}}},
        {.names = "css scss sass less",
         .shape = Shape::Rules,
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDouble, kSingle},
         .keywords = u"and from important not only to",
         .types = u"auto block flex grid inherit initial inline none px em rem solid",
         .inWords = u"-",
         .variable = u'$',
         .mark = u'@'},
        {.names = "qml",
         .shape = Shape::Rules,
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDouble, kSingle, kBackquoted},
         .keywords = SCRIPT_WORDS u" property readonly required signal alias component pragma id",
         .types = u"bool color double int real string url var list Item Rectangle Text Column Row QtObject",
         .literals = u"true false null undefined"},
        {.names = "markdown md mdx", .shape = Shape::Prose, .strings = {{u"`", u"`", false, false}}},
        {.names = "latex tex bibtex",
         .lineComments = {u"%"},
         .strings = {{u"$$", u"$$", true, true}, {u"$", u"$", true, false}},
         .mark = u'\\'},
        {.names = "diff patch", .shape = Shape::Changes},
        {.names = "cmake",
         .lineComments = {u"#"},
         .blockComments = {{u"#[[", u"]]", false, true}},
         .strings = {kDoubleLong},
         .keywords = u"else elseif endforeach endfunction endif endmacro endwhile foreach function if "
                     u"include macro option "
                     u"project return set while", .types = u"PRIVATE PUBLIC INTERFACE REQUIRED COMPONENTS STATIC SHARED",
         .literals = u"TRUE FALSE ON OFF",
         .variable = u'$',
         .anyCase = true},
        {.names = "makefile make mk",
         .lineComments = {u"#"},
         .strings = {kDouble, kSinglePlain},
         .keywords = u"define else endef endif export ifdef ifeq ifndef ifneq include override",
         .variable = u'$'},
        {.names = "dockerfile docker containerfile",
         .lineComments = {u"#"},
         .strings = {kDouble, kSinglePlain},
         .keywords = u"ADD ARG AS CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL ONBUILD RUN SHELL "
                     u"STOPSIGNAL USER "
                     u"VOLUME WORKDIR", .variable = u'$'},
        {.names = "nginx",
         .lineComments = {u"#"},
         .strings = {kDouble, kSingle},
         .keywords =
             u"events http if include location return rewrite root server set upstream listen proxy_pass", .literals = u"on off",
         .variable = u'$'},
        {.names = "graphql gql",
         .lineComments = {u"#"},
         .strings = {kTripleDouble, kDouble},
         .keywords = u"enum extend fragment implements input interface mutation on query scalar schema "
                     u"subscription type union", .types = u"Boolean Float ID Int String",
         .literals = u"true false null",
         .variable = u'$',
         .mark = u'@'},
        {.names = "protobuf proto",
         .lineComments = {u"//"},
         .blockComments = {kSlashStar},
         .strings = {kDouble},
         .keywords = u"enum extend import map message oneof option optional package repeated required "
                     u"reserved returns rpc "
                     u"service syntax", .types = u"bool bytes double fixed32 fixed64 float int32 int64 sint32 sint64 string uint32 uint64",
         .literals = u"true false"},
    };
}

std::vector<Language> allLanguages()
{
    std::vector<Language> all;
    for (std::vector<Language> some : {familyOfC(), scripts(), dataAndMarkup()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

/// `names`, between single spaces, has `name`.
bool hasName(std::string_view names, std::string_view name)
{
    const std::size_t at = (" " + std::string(names) + " ").find(" " + std::string(name) + " ");
    return !name.empty() && name.find(' ') == std::string_view::npos && at != std::string::npos;
}

} // namespace

const Language *findLanguage(std::string_view name)
{
    static const std::vector<Language> languages = allLanguages();
    std::string lower(name);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    const auto found = std::find_if(languages.begin(), languages.end(),
                                    [&](const Language &language) { return hasName(language.names, lower); });
    return found == languages.end() ? nullptr : &*found;
}

} // namespace perilune
