//! testlib's standard checkers, which packages name without shipping them.

/// A standard checker of testlib, named like its source file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TestlibChecker {
    /// Two numbers, absolute error 1.5e-6.
    Acmp,
    /// Lines `Case N: INTEGER`.
    Caseicmp,
    /// Sections `Case N: INTEGER ...`.
    Casencmp,
    /// Sections `Case N: TOKEN ...`.
    Casewcmp,
    /// Two numbers, absolute or relative error 1e-6.
    Dcmp,
    /// The same lines.
    Fcmp,
    /// Two integers of any length.
    Hcmp,
    /// Two integers of 32 bits.
    Icmp,
    /// The same tokens in each line.
    Lcmp,
    /// The same integers of 64 bits.
    Ncmp,
    /// The same sequence of `yes` and `no`, in any letter case.
    Nyesno,
    /// The points are the difference of two numbers.
    Pointscmp,
    /// A remark about the difference of two numbers, instead of points.
    Pointsinfo,
    /// Two numbers, absolute error 1.5e-6.
    Rcmp,
    /// The same numbers, absolute or relative error 1e-4.
    Rcmp4,
    /// The same numbers, absolute or relative error 1e-6.
    Rcmp6,
    /// The same numbers, absolute or relative error 1e-9.
    Rcmp9,
    /// The same numbers, absolute error 1.5e-5.
    Rncmp,
    /// The same integers of 64 bits, in any order.
    Uncmp,
    /// The same tokens.
    Wcmp,
    /// `yes` or `no`, in any letter case.
    Yesno,
}

impl TestlibChecker {
    /// All of them, with their names.
    pub const ALL: [(&'static str, TestlibChecker); 21] = [
        ("acmp", TestlibChecker::Acmp),
        ("caseicmp", TestlibChecker::Caseicmp),
        ("casencmp", TestlibChecker::Casencmp),
        ("casewcmp", TestlibChecker::Casewcmp),
        ("dcmp", TestlibChecker::Dcmp),
        ("fcmp", TestlibChecker::Fcmp),
        ("hcmp", TestlibChecker::Hcmp),
        ("icmp", TestlibChecker::Icmp),
        ("lcmp", TestlibChecker::Lcmp),
        ("ncmp", TestlibChecker::Ncmp),
        ("nyesno", TestlibChecker::Nyesno),
        ("pointscmp", TestlibChecker::Pointscmp),
        ("pointsinfo", TestlibChecker::Pointsinfo),
        ("rcmp", TestlibChecker::Rcmp),
        ("rcmp4", TestlibChecker::Rcmp4),
        ("rcmp6", TestlibChecker::Rcmp6),
        ("rcmp9", TestlibChecker::Rcmp9),
        ("rncmp", TestlibChecker::Rncmp),
        ("uncmp", TestlibChecker::Uncmp),
        ("wcmp", TestlibChecker::Wcmp),
        ("yesno", TestlibChecker::Yesno),
    ];

    /// The checker with this name.
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, checker)| checker)
    }
}
