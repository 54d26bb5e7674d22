//! Codes of countries: ISO 3166-1 alpha-3, as the Contest API requires, and their flags.

/// The codes that are assigned, in alphabetical order, each with its alpha-2 code.
const CODES: &str = "\
    ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG AUSAU AUTAT AZEAZ BDIBI \
    BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT \
    BVTBV BWABW CAFCF CANCA CCKCC CHECH CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU \
    CUWCW CXRCX CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES ESTEE ETHET \
    FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR \
    GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HMDHM HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR \
    IRQIQ ISLIS ISRIL ITAIT JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB \
    LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD MDGMG MDVMV MEXMX MHLMH \
    MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE \
    NFKNF NGANG NICNI NIUNU NLDNL NORNO NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL \
    PRIPR PRKKP PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SGSGS SHNSH SJMSJ \
    SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK SVNSI SWESE SWZSZ SXMSX SYCSC SYRSY TCATC \
    TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY \
    USAUS UZBUZ VATVA VCTVC VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW";

/// Whether a text is the code of a country.
pub fn is_country(text: &str) -> bool {
    text.len() == 3 && alpha_2(text).is_some()
}

/// Converts the three-letter code of a country to its two-letter code.
fn alpha_2(code: &str) -> Option<&'static str> {
    CODES
        .split_ascii_whitespace()
        .find_map(|both| both.strip_prefix(code).filter(|rest| rest.len() == 2))
}

/// The flag of the country with this code, as an emoji; `None`: there is no such country.
pub fn flag(code: &str) -> Option<String> {
    // Regional indicator symbols, from A to Z.
    let symbol = |letter: u8| char::from_u32(0x1F1E6 + u32::from(letter - b'A'));
    alpha_2(code)?.bytes().map(symbol).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_three_capital_letters() {
        let codes: Vec<&str> = CODES.split_ascii_whitespace().collect();
        assert_eq!(codes.len(), 249);
        assert!(codes.iter().all(|both| both.len() == 5), "{codes:?}");
        assert!(codes.is_sorted_by(|a, b| a < b));
        for code in ["DEU", "USA", "ZWE"] {
            assert!(is_country(code), "{code}");
        }
        for code in [
            "", "de", "DE", "deu", "Germany", "XXX", "ZZZ", "DEU USA", "EU ", "DEUDE",
        ] {
            assert!(!is_country(code), "{code}");
        }
    }

    #[test]
    fn flags_are_those_of_the_codes_of_two_letters() {
        assert_eq!(flag("DEU").as_deref(), Some("🇩🇪"));
        assert_eq!(flag("CHE").as_deref(), Some("🇨🇭"));
        assert_eq!(flag("XXX"), None);
    }
}
