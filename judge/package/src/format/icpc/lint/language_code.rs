//! Codes of natural languages: `en`, `fil`, `pt-BR`.

/// The codes of ISO 639-1. A language that has one is not named by its three letters.
const TWO_LETTERS: &str = "
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka
    kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng
    nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su
    sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
";
/// Codes of countries that people write for those of languages, and the right ones.
const COUNTRIES: [(&str, &str); 10] = [
    ("cn", "zh"),
    ("cz", "cs"),
    ("dk", "da"),
    ("gr", "el"),
    ("ir", "fa"),
    ("jp", "ja"),
    ("rs", "sr"),
    ("ua", "uk"),
    ("us", "en"),
    ("vn", "vi"),
];

/// Why a code is none of a language; `None` if it is one.
pub fn complaint(code: &str) -> Option<String> {
    let (language, country) = code
        .split_once('-')
        .map_or((code, None), |(a, b)| (a, Some(b)));
    let is_formed = (2..=3).contains(&language.len())
        && language.bytes().all(|b| b.is_ascii_lowercase())
        && country.is_none_or(|c| c.len() == 2 && c.bytes().all(|b| b.is_ascii_uppercase()));
    let mut known = TWO_LETTERS.split_whitespace();
    if is_formed && (language.len() == 3 || known.any(|own| own == language)) {
        return None;
    }
    let mut countries = COUNTRIES.iter();
    Some(match countries.find(|(country, _)| *country == language) {
        Some((_, right)) => {
            format!("write `{right}`: a code of ISO 639-1 names the language, not the country")
        }
        None => "use two letters of ISO 639-1, like `en` or `pt-BR`".to_owned(),
    })
}
