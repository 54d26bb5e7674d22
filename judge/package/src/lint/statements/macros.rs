//! Finds macros that neither LaTeX nor the formats define, such as a misspelt one.

use super::{Statement, literal_length};
use crate::error::PackageError;
use crate::input::yaml::nearest;
use std::collections::BTreeSet;

/// The macros of LaTeX, of the usual packages for mathematics, and of the formats' statements.
const KNOWN: &str = "
    problemname constant problemyamlname illustration nextsample remainingsamples sampleinput sampleoutput includesample exmp
    begin end documentclass usepackage input include title author date maketitle section subsection subsubsection
    paragraph subparagraph chapter label ref pageref eqref cite footnote footnotetext footnotemark caption centering
    item emph text textbf textit texttt textsc textsf textrm textsl textup textnormal textmd textcolor underline
    textbackslash textasciitilde textasciicircum textbar textless textgreater textdollar textunderscore textbraceleft
    textbraceright textquotesingle textsuperscript textsubscript textregistered texttrademark textdegree textperiodcentered
    bf it tt sc sf rm sl em bfseries itshape ttfamily scshape sffamily rmfamily normalfont tiny scriptsize footnotesize
    small normalsize large Large LARGE huge Huge par newline linebreak nolinebreak pagebreak nopagebreak newpage clearpage
    noindent indent hfill vfill hspace vspace smallskip medskip bigskip quad qquad enspace thinspace phantom hphantom
    vphantom hskip vskip kern ldots dots cdots vdots ddots dotsb dotsc textellipsis url href verb includegraphics
    hline cline multicolumn multirow toprule midrule bottomrule cmidrule tabularnewline arraybackslash raggedright
    raggedleft linewidth textwidth columnwidth textheight paperwidth hsize baselineskip parskip parindent setlength
    addtolength newlength settowidth arraystretch renewcommand newcommand providecommand newenvironment renewenvironment
    def let newtheorem DeclareMathOperator mathrm mathbf mathit mathcal mathbb mathfrak mathsf mathtt mathscr boldsymbol
    bm pmb operatorname displaystyle textstyle scriptstyle frac dfrac tfrac cfrac sqrt binom dbinom tbinom choose atop over
    left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr sum prod int iint oint coprod bigcup
    bigcap bigoplus bigotimes bigvee bigwedge lim limsup liminf max min sup inf log ln lg exp sin cos tan cot sec csc arcsin
    arccos arctan sinh cosh tanh det dim gcd lcm hom ker deg arg Pr mod bmod pmod pod times cdot div pm mp ast star circ
    bullet oplus ominus otimes odot oslash wedge vee land lor lnot neg cap cup setminus sqcap sqcup uplus amalg wr dagger
    leq le geq ge lt gt neq ne equiv approx sim simeq cong propto ll gg leqslant geqslant lesssim gtrsim prec succ preceq
    succeq subset supset subseteq supseteq subsetneq supsetneq sqsubseteq in ni notin mid nmid parallel nparallel perp
    asymp doteq models vdash dashv bowtie triangleq coloneqq to gets mapsto longmapsto leftarrow rightarrow uparrow
    downarrow leftrightarrow updownarrow Leftarrow Rightarrow Uparrow Downarrow Leftrightarrow longleftarrow
    longrightarrow Longleftarrow Longrightarrow longleftrightarrow Longleftrightarrow implies iff impliedby
    hookrightarrow nearrow searrow swarrow nwarrow xrightarrow xleftarrow leadsto rightsquigarrow infty partial nabla
    forall exists nexists emptyset varnothing aleph hbar ell wp Re Im prime backslash angle triangle square blacksquare
    Box Diamond diamond clubsuit diamondsuit heartsuit spadesuit checkmark alpha beta gamma delta epsilon varepsilon zeta
    eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho sigma varsigma tau upsilon phi varphi chi psi omega
    Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega hat widehat tilde widetilde bar overline vec dot ddot acute
    grave breve check overrightarrow overleftarrow overbrace underbrace overset underset stackrel substack not lfloor rfloor
    lceil rceil langle rangle lbrace rbrace lbrack rbrack lvert rvert lVert rVert vert Vert Big color colorbox fbox
    framebox mbox hbox makebox parbox raisebox rule strut ensuremath textit nonumber notag tag limits nolimits
    S P dag ddag copyright pounds ss ae AE oe OE aa AA o O l L i j today LaTeX TeX tikz draw node fill foreach
    usetikzlibrary lstset lstinputlisting lstinline num SI si qty unit enquote textquotedbl glqq grqq flqq frqq
    leavevmode relax protect null newcounter setcounter addtocounter stepcounter arabic roman alph itemsep topsep
    subfloat subcaption minipage wrapfigure hyperref nolinkurl texorpdfstring pagestyle thispagestyle sloppy
    InputFile OutputFile Interaction Scoring Note Example Examples Explanation Hint Subtasks Input Output exmpfile
    bigskipamount medskipamount smallskipamount fi if else ifx csname endcsname expandafter string number space
    colon lbrace cdotp ldotp dotsm dotsi bigstar lhd rhd unlhd unrhd trianglelefteq therefore because complement
    mathop mathbin mathrel mathord mathopen mathclose mathpunct mathbin lnsim shortmid restriction upharpoonright
    c v H k r d b t sout epigraph centerline resizebox scalebox fcolorbox autoref cref Cref nameref hrule vrule euro
    texteuro textendash textemdash textbullet textcopyright captionsetup subfigure boxed cancel bcancel xcancel cancelto
    degree mathring smash dotso ddagger beth gimel daleth rightleftharpoons leftrightharpoons leftrightarrows rightleftarrows
    twoheadrightarrow rightarrowtail hookleftarrow longleftrightarrow swarrow searrow nearrow Uparrow Updownarrow iiint
    iiiint idotsint oiint bigsqcup biguplus bigodot cal Bbb sqsubset sqsupset nsubseteq nsupseteq supseteqq subseteqq
    lessgtr gtrless lesseqgtr blacktriangle blacktriangleright blacktriangleleft blacktriangledown blacklozenge lozenge
    circledast circledcirc circleddash circledS boxplus boxminus boxtimes boxdot lll ggg leqq geqq nless ngtr nleq ngeq nleqslant
    ngeqslant nprec nsucc ncong nsim nvdash nvDash precsim succsim preccurlyeq succcurlyeq approxeq thicksim thickapprox
    eqsim bumpeq Bumpeq doteqdot varpropto smile frown smallfrown between pitchfork multimap varGamma varDelta varTheta
    varLambda varXi varPi varSigma varUpsilon varPhi varPsi varOmega varkappa digamma hslash lq rq require displaylines mathchoice
    raise lower moveleft moveright mathinner mathstrut negthinspace medspace negmedspace thickspace negthickspace nobreakspace
    genfrac tbinom brace brack atopwithdelims overwithdelims root of buildrel skew llap rlap mathllap mathrlap mathclap
    varlimsup varliminf varinjlim varprojlim injlim projlim cases matrix pmatrix eqalign eqalignno cr hfil hss operatorname
    DeclareMathOperator shoveleft shoveright intertext shortintertext sideset dddot ddddot underleftarrow overleftrightarrow
    underleftrightarrow xleftrightarrow xmapsto xhookrightarrow Rsh Lsh dotplus ltimes rtimes leftthreetimes rightthreetimes
    curlywedge curlyvee barwedge veebar doublebarwedge Cap Cup smallsetminus centerdot divideontimes vartriangle triangledown
    bigtriangleup bigtriangledown triangleleft triangleright trianglerighteq ntriangleleft diagup diagdown backprime sphericalangle measuredangle
    nexists Finv Game yen maltese circledR lbrack rbrack lgroup rgroup lmoustache rmoustache ulcorner urcorner llcorner lrcorner
    bracevert arrowvert Arrowvert owns gets doublecap doublecup Vdash Vvdash vDash vartriangleleft vartriangleright
    bot top flat natural sharp surd imath jmath underbar underrightarrow intercal mho eth Bbbk
";

/// A warning for each unknown macro, at its first use. Where a statement reads further files, they may
/// define it.
pub fn check(statement: &Statement<'_>) -> Vec<PackageError> {
    let text = statement.text;
    let reads_more = ["\\usepackage", "\\input{", "\\include{", "\\RequirePackage"];
    if reads_more.iter().any(|command| text.contains(command)) {
        return Vec::new();
    }
    let mut known: BTreeSet<&str> = KNOWN.split_whitespace().collect();
    known.extend(definitions(text));
    let names: Vec<&str> = known.iter().copied().collect();
    let mut findings = Vec::new();
    for (at, name) in used(statement) {
        if known.insert(name) {
            let remedy = match nearest(name, &names) {
                Some(near) => format!("did you mean `\\{near}`?"),
                None => "define it with `\\newcommand`, or write it without the macro".to_owned(),
            };
            let what = format!("uses the unknown macro `\\{name}`");
            findings.push(statement.at(at, what).remedy(remedy));
        }
    }
    findings
}

/// The macros that the text itself defines.
fn definitions(text: &str) -> impl Iterator<Item = &str> {
    let commands = [
        "\\newcommand",
        "\\renewcommand",
        "\\providecommand",
        "\\def",
        "\\let",
        "\\DeclareMathOperator",
        "\\newlength",
    ];
    commands.into_iter().flat_map(move |command| {
        text.match_indices(command).filter_map(move |(at, _)| {
            let rest = text[at + command.len()..].trim_start_matches(['*', '{', ' ']);
            Some(word(rest.strip_prefix('\\')?))
        })
    })
}

/// The letters at the start of a text.
fn word(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphabetic());
    &text[..end.unwrap_or(text.len())]
}

/// The macros with their places: those of the whole TeX text, or of the formulas of a Markdown text.
fn used<'t>(statement: &Statement<'t>) -> Vec<(usize, &'t str)> {
    let text = statement.text;
    let mut found = Vec::new();
    let (mut at, mut in_formula) = (0, statement.is_tex());
    while let Some(step) = text[at..].find(['\\', '%', '$', '`']) {
        at += step;
        let rest = &text[at..];
        match rest.as_bytes()[0] {
            b'\\' if literal_length(rest).is_some() => {
                at += literal_length(rest).unwrap_or_default();
            }
            b'%' if statement.is_tex() => at += rest.find('\n').unwrap_or(rest.len()),
            b'$' if !statement.is_tex() => {
                let length = if rest.starts_with("$$") { 2 } else { 1 };
                in_formula = !in_formula;
                at += length;
            }
            b'`' if !statement.is_tex() => {
                // Code, up to as many backticks.
                let ticks = rest.len() - rest.trim_start_matches('`').len();
                let end = rest[ticks..].find(&rest[..ticks]);
                at += end.map_or(ticks, |end| end + 2 * ticks);
            }
            b'\\' => {
                let name = word(&rest[1..]);
                let verbatim = ["verbatim}", "lstlisting}"];
                let begins = rest.strip_prefix("\\begin{").unwrap_or_default();
                if let Some(environment) = verbatim.iter().find(|name| begins.starts_with(**name)) {
                    let end = rest.find(&format!("\\end{{{environment}"));
                    at += end.map_or(rest.len(), |end| end + "\\end".len());
                } else if name.is_empty() {
                    at += 1 + rest[1..].chars().next().map_or(0, char::len_utf8);
                } else {
                    if in_formula {
                        found.push((at, name));
                    }
                    at += 1 + name.len();
                }
            }
            _ => at += 1,
        }
    }
    found
}
