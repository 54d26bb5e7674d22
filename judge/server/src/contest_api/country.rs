//! Codes of countries: ISO 3166-1 alpha-3, as the Contest API requires.

/// The codes that are assigned, in alphabetical order.
const CODES: &str = "\
    ABW AFG AGO AIA ALA ALB AND ARE ARG ARM ASM ATA ATF ATG AUS AUT AZE BDI BEL BEN BES BFA BGD BGR BHR BHS BIH BLM \
    BLR BLZ BMU BOL BRA BRB BRN BTN BVT BWA CAF CAN CCK CHE CHL CHN CIV CMR COD COG COK COL COM CPV CRI CUB CUW CXR \
    CYM CYP CZE DEU DJI DMA DNK DOM DZA ECU EGY ERI ESH ESP EST ETH FIN FJI FLK FRA FRO FSM GAB GBR GEO GGY GHA GIB \
    GIN GLP GMB GNB GNQ GRC GRD GRL GTM GUF GUM GUY HKG HMD HND HRV HTI HUN IDN IMN IND IOT IRL IRN IRQ ISL ISR ITA \
    JAM JEY JOR JPN KAZ KEN KGZ KHM KIR KNA KOR KWT LAO LBN LBR LBY LCA LIE LKA LSO LTU LUX LVA MAC MAF MAR MCO MDA \
    MDG MDV MEX MHL MKD MLI MLT MMR MNE MNG MNP MOZ MRT MSR MTQ MUS MWI MYS MYT NAM NCL NER NFK NGA NIC NIU NLD NOR \
    NPL NRU NZL OMN PAK PAN PCN PER PHL PLW PNG POL PRI PRK PRT PRY PSE PYF QAT REU ROU RUS RWA SAU SDN SEN SGP SGS \
    SHN SJM SLB SLE SLV SMR SOM SPM SRB SSD STP SUR SVK SVN SWE SWZ SXM SYC SYR TCA TCD TGO THA TJK TKL TKM TLS TON \
    TTO TUN TUR TUV TWN TZA UGA UKR UMI URY USA UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM ZAF ZMB ZWE";

/// Whether a text is the code of a country.
pub fn is_country(text: &str) -> bool {
    text.len() == 3 && CODES.split_ascii_whitespace().any(|code| code == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_three_capital_letters() {
        let codes: Vec<&str> = CODES.split_ascii_whitespace().collect();
        assert_eq!(codes.len(), 249);
        assert!(codes.is_sorted_by(|a, b| a < b));
        for code in ["DEU", "USA", "ZWE"] {
            assert!(is_country(code), "{code}");
        }
        for code in [
            "", "de", "DE", "deu", "Germany", "XXX", "ZZZ", "DEU USA", "EU ",
        ] {
            assert!(!is_country(code), "{code}");
        }
    }
}
