//! The lexical syntax of languages, as far as it separates keywords, strings, comments and numbers.

/// The lexical syntax of a language.
pub(super) struct Syntax {
    /// The keywords, separated by spaces.
    pub(super) keywords: &'static str,
    /// The beginnings of comments that end with the line. `#` begins one only after white space.
    pub(super) comments: &'static [&'static str],
    /// Beginning and end of longer comments.
    pub(super) blocks: &'static [(&'static str, &'static str)],
    /// Beginning and end of strings. One that a single or double quote ends also ends with its line.
    pub(super) strings: &'static [(&'static str, &'static str)],
    /// A single quote begins a character, not a string.
    pub(super) has_characters: bool,
    /// Names may have single quotes after their first character.
    pub(super) has_primes: bool,
    /// `#` and a name are a keyword: directives of the preprocessor.
    pub(super) has_directives: bool,
    /// Keywords may have any case.
    pub(super) ignores_case: bool,
}

const DOUBLE: (&str, &str) = ("\"", "\"");
const SINGLE: (&str, &str) = ("'", "'");
const BACK: (&str, &str) = ("`", "`");
const THREE: (&str, &str) = ("\"\"\"", "\"\"\"");

/// The languages whose comments are those of C.
const C: Syntax = Syntax {
    keywords: "",
    comments: &["//"],
    blocks: &[("/*", "*/")],
    strings: &[DOUBLE],
    has_characters: true,
    has_primes: false,
    has_directives: false,
    ignores_case: false,
};

/// The languages whose comments begin with `#`.
const HASH: Syntax = Syntax {
    comments: &["#"],
    blocks: &[],
    strings: &[DOUBLE, SINGLE],
    has_characters: false,
    ..C
};

/// Extensions of files, separated by spaces, and the syntax of these files.
const SYNTAXES: &[(&str, Syntax)] = &[
    (
        "c h",
        Syntax {
            keywords: "auto bool break case char const continue default do double else enum extern false float for goto if \
                inline int long register restrict return short signed sizeof static struct switch true typedef union \
                unsigned void volatile while",
            has_directives: true,
            ..C
        },
    ),
    (
        "cc cpp cxx c++ C hpp",
        Syntax {
            keywords: "alignas alignof auto bool break case catch char class co_await co_return co_yield concept const \
                const_cast consteval constexpr constinit continue decltype default delete do double dynamic_cast else enum \
                explicit export extern false float for friend goto if inline int long mutable namespace new noexcept nullptr \
                operator private protected public register reinterpret_cast requires return short signed sizeof static \
                static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename \
                union unsigned using virtual void volatile wchar_t while",
            strings: &[("R\"(", ")\""), DOUBLE],
            has_directives: true,
            ..C
        },
    ),
    (
        "rs",
        Syntax {
            keywords: "as async await bool break char const continue crate dyn else enum extern f32 f64 false fn for i128 i16 \
                i32 i64 i8 if impl in isize let loop match mod move mut pub ref return self Self static str struct super \
                trait true type u128 u16 u32 u64 u8 union unsafe use usize where while",
            strings: &[("r#\"", "\"#"), DOUBLE],
            ..C
        },
    ),
    (
        "py py2 py3 cpy",
        Syntax {
            keywords: "False None True and as assert async await break case class continue def del elif else except finally \
                for from global if import in is lambda match nonlocal not or pass raise return try while with yield",
            strings: &[THREE, ("'''", "'''"), DOUBLE, SINGLE],
            ..HASH
        },
    ),
    (
        "java",
        Syntax {
            keywords: "abstract assert boolean break byte case catch char class const continue default do double else enum \
                extends false final finally float for if implements import instanceof int interface long native new null \
                package permits private protected public record return sealed short static strictfp super switch \
                synchronized this throw throws transient true try var void volatile while yield",
            strings: &[THREE, DOUBLE],
            ..C
        },
    ),
    (
        "kt scala sc",
        Syntax {
            keywords: "abstract as break by case catch class companion const constructor continue data def do else enum extends \
                extension false final finally for fun given if implicit import in init inline inner interface internal is \
                lateinit lazy match new null object open operator out override package private protected public reified \
                return sealed super suspend then this throw trait true try type typealias using val var vararg when where \
                while with yield",
            strings: &[THREE, DOUBLE],
            ..C
        },
    ),
    (
        "go",
        Syntax {
            keywords: "bool break byte case chan const continue default defer else error fallthrough false float32 float64 for \
                func go goto if import int int32 int64 interface map nil package range return rune select string struct \
                switch true type uint uint32 uint64 var",
            strings: &[DOUBLE, BACK],
            ..C
        },
    ),
    (
        "js mjs cjs ts",
        Syntax {
            keywords: "abstract any as async await boolean break case catch class const continue debugger default delete do \
                else enum export extends false finally for from function if implements import in instanceof interface let \
                new null number of private protected public readonly return static string super switch this throw true try \
                type typeof undefined var void while with yield",
            strings: &[DOUBLE, SINGLE, BACK],
            has_characters: false,
            ..C
        },
    ),
    (
        "cs",
        Syntax {
            keywords: "abstract as async await base bool break byte case catch char class const continue decimal default \
                delegate do double else enum event extern false finally float for foreach if in int interface internal is \
                long namespace new null object operator out override params private protected public readonly record ref \
                return sbyte sealed short sizeof static string struct switch this throw true try typeof uint ulong using \
                var virtual void while yield",
            ..C
        },
    ),
    (
        "d dart swift zig",
        Syntax {
            keywords: "abstract and as assert async auto await bool break case catch class comptime const continue default \
                defer delegate do double else enum errdefer export extends extension false final finally float fn for \
                foreach func function guard if immutable implements import in init int interface inout is late let long \
                mixin module mutating new nil null or orelse override private protocol pub public ref required return scope \
                self static string struct super switch template this throw throws true try undefined union var version void \
                where while with",
            strings: &[THREE, DOUBLE, BACK],
            ..C
        },
    ),
    (
        "php",
        Syntax {
            keywords: "abstract and array as break case catch class const continue declare default do echo else elseif extends \
                false final finally fn for foreach function global if implements instanceof interface match namespace new \
                null or print private protected public return static switch this throw trait true try use var while yield",
            comments: &["//", "#"],
            strings: &[DOUBLE, SINGLE],
            has_characters: false,
            ..C
        },
    ),
    (
        "hs",
        Syntax {
            keywords: "case class data default deriving do else forall foreign if import in infix infixl infixr instance let \
                module newtype of qualified then type where",
            comments: &["--"],
            blocks: &[("{-", "-}")],
            has_primes: true,
            ..C
        },
    ),
    (
        "ml fs",
        Syntax {
            keywords: "abstract and as assert begin class constraint do done downto elif else end exception external false for \
                fun function functor if in include inherit initializer lazy let match member method module mutable \
                namespace new object of open or private rec return sig struct then to true try type use val virtual when \
                while with yield",
            blocks: &[("(*", "*)")],
            has_primes: true,
            ..C
        },
    ),
    (
        "pas",
        Syntax {
            keywords: "and array begin boolean break case char class const constructor continue destructor div do downto else \
                end exit false file finally for function goto if implementation in inherited int64 integer interface label \
                longint mod nil not object of operator or procedure program raise real record repeat set shl shr string \
                then to true try type unit until uses var while with xor",
            blocks: &[("{", "}"), ("(*", "*)")],
            strings: &[SINGLE],
            has_characters: false,
            ignores_case: true,
            ..C
        },
    ),
    (
        "rb cr ex exs jl nim",
        Syntax {
            keywords: "abstract alias and begin break case catch class cond const def defmodule defp discard do echo elif else \
                elseif elsif end ensure export false fn for func function global if import in include iterator let local \
                loop macro method mod module mutable next nil not of or proc puts quote raise redo rescue retry return self \
                struct super then true try type undef unless until using var when where while with yield",
            blocks: &[("#[", "]#"), ("#=", "=#"), ("=begin", "=end")],
            strings: &[THREE, DOUBLE, SINGLE],
            ..HASH
        },
    ),
    (
        "lua",
        Syntax {
            keywords: "and break do else elseif end false for function goto if in local nil not or repeat return then true \
                until while",
            comments: &["--"],
            blocks: &[("--[[", "]]")],
            strings: &[("[[", "]]"), DOUBLE, SINGLE],
            ..HASH
        },
    ),
    (
        "sh bash awk pl pm",
        Syntax {
            keywords: "BEGIN END break case continue declare die do done echo elif else elsif esac exit export fi for foreach \
                function getline if in last local my next our package print printf read return sub then unless until use \
                while",
            ..HASH
        },
    ),
    (
        "r R",
        Syntax {
            keywords: "FALSE NA NULL TRUE break else for function if in next repeat return while",
            ..HASH
        },
    ),
    (
        "m",
        Syntax {
            keywords: "break case catch continue do else elseif end endfor endfunction endif endwhile false for function \
                global if otherwise persistent return switch true try until while",
            comments: &["%", "#"],
            blocks: &[("%{", "%}")],
            strings: &[DOUBLE],
            ..HASH
        },
    ),
    (
        "lisp cl rkt",
        Syntax {
            keywords: "and begin case cond define defmacro defparameter defstruct defun defvar do dolist dotimes else for \
                format if labels lambda let letrec loop module nil not or progn provide quote require return setf setq \
                struct t unless when",
            comments: &[";"],
            blocks: &[("#|", "|#")],
            strings: &[DOUBLE],
            ..HASH
        },
    ),
    (
        "f90",
        Syntax {
            keywords: "allocatable allocate call case character close contains continue cycle deallocate dimension do else \
                elseif end exit false function if implicit integer intent kind logical module none only open parameter \
                print program read real recursive result return select stop subroutine then true type use while write",
            comments: &["!"],
            ignores_case: true,
            ..HASH
        },
    ),
    (
        "adb ads",
        Syntax {
            keywords: "abs all and array begin body case constant declare do else elsif end exception exit false for function \
                generic if in is loop mod new not null of or others out package pragma private procedure raise range record \
                rem return reverse subtype then true type use when while with xor",
            comments: &["--"],
            blocks: &[],
            ignores_case: true,
            ..C
        },
    ),
    (
        "cob",
        Syntax {
            keywords: "accept add by call close compute data delimited display divide division else end environment evaluate \
                exit file from giving go identification if input into linkage move multiply not of open output perform pic \
                procedure program read run section stop storage string subtract to unstring until value varying when \
                working write",
            comments: &["*>"],
            ignores_case: true,
            ..HASH
        },
    ),
];

/// The syntax of the files with this extension.
pub(super) fn syntax_of(extension: &str) -> Option<&'static Syntax> {
    let is_of = |all: &str| all.split(' ').any(|own| own == extension);
    let found = SYNTAXES.iter().find(|(extensions, _)| is_of(extensions));
    found.map(|(_, syntax)| syntax)
}
