//! Addresses of Penpa+, as Penpa+ 3.2 itself makes them.

use crate::sudoku;

pub fn address(query: &str) -> String {
    format!("https://swaroopg92.github.io/penpa-edit/{query}\n")
}

/// The puzzle of the table of forms, to be edited and to be solved.
pub const EDITED_AND_SOLVED: [&str; 2] = [
    "#m=edit&p=7VZtb+I4EP7eX3Hy17W0sUOcF2k/0LeVqrZXru31WoSqFEKhDWQ3QFul6n/fZwZzOIHuvUgn9cMpYIbH9vPMjIcxs8WgeFzIGI8fSU8qPH7k8Ttq0cuzz8V4nmfJL7K9mI+KEoaUvx4eymGazzJ5dP2wu//Yfj5o//E5uPH9y9Php4f9zuXD4Op31fHGn0vvNI+mJ2f7u/mnr9XNyaj9lB1k5mxW9Ed5lg7S6ubq6CWfHkb3o6HaOxrtRcN06s2+Rxfx027ny5edrnWkt/NaxUnVkdXXpCuUkELjrURPVp3ktTpJxDImIatzLBBS9aSYLPL5uF/kRSlWWHW83K5hHqzNK54na28JKg/2qbVhXsPsj8t+nt0eL5GzpFtdSEEe7PJuMsWkeMpIjDyk7/1icjcm4C6dI5Oz0fibkD4mrLsrhTdZtTmO6vxvRgCSVQRkLiMga0sEFNh/G0Hce3vDEf2GGG6TLoVzuTajtXmevGI8TV6FjmhrAFeW5yh0TIC/BnxNQLgGWooA4wCtVQJXQEBA7ACmoRI0VwS8IloDpqliwsaKsLkiZFLH9cgjoOUAfoMj2tjC+XBiiXmLE37MfqDuV4Dymo4oj9e4iOIsurtU0xeleY3jrtK8xvFGac61kzilWcvJrfKbuVQ+H6oThGpxav7kQTUorolrHi9QJrLyedzn0eMx4PGY1xygelRkpIpBrsESx1JTmLDxKbVGbsnWgdQ+0ko2+pwOkC6yAyW1QThkm5bUIQIhOwyljuEe2TG6oYckEH8Efs/ye+BXll+Bn8qYtcBP9Ul2C/yB5Q/ATwXEWuCnyiAbnVbTCbOWDy2kjnnIf4trH7bl0eBx49Kr9Qa25dfgd/2hXxTb8N+3uj50feunoTzYuAx0jdU10HXzY6yuga6xuga6blzG6hroGqtroBuSLg7tio9uj8cWj4aPNKS+8I86x7+rmL90oYuM0T3oPsHHQno7XdyDYlbkt7NFOUz72W32kvbnIlnex+5MDZsuJncZrhAHyoviWz6ebmNYTdXA8f20KLOtUwRmg/v3qGhqC9VdUQ4aPj2neV6P5fsiLeubl1dYDZqXuJ+c72lZFs81ZJLORzXAuctqTNm0kcx5WncxfUwbapN1Ot52xIvgdxe/IFyS//9p+fh/Wui4vI/QgD6CC1zRRfmT9rKebMJbmgzQn/QZZ3Yb/k5LcWab+Eb/IGc3WwjQLV0EaLORANrsJQA32gmwdzoKsTabCnnV7CsktdFaSMrtLt3ezg8=",
    "#m=solve&p=zVZtb+I4F/3Or1j561ia2CEmiTQf6NtI1bRbtu12W4SqFEKhDWQmQFul6vz2OffGDE6gs8+z0kqrEHM4ts99sa/NYjXKH1cywuOH0pMKjx96/IZt+nj2uZguszT+TXZXy0leAEj5+9GRHCfZIpXH1w97B4/d58PuXx+DG9+/PB1/eDjoXT6Mrv5UPW/6sfBOs3B+cnawl334XN6cTLpP6WFqzhb5cJKlySgpb66OX7L5UXg/Gav948l+OE7m3uJbeBE97fU+fWr1rSODVl8oIYXGq8Tge3n+vS+EVIPWa/lH/Frexv3BmywvNzDcwPP4Fe1p/Cp0KOK+CDCRZaAXEeFvCF8T0dkQbUWEcYg2EXDmJxEQETmEaVgJmiMCHhFuCNO0YjqNEZ3miA6LOq6HHhFth/AbGuHWFM6HE0vEU5zwI/YDaV8Tyms6ojwe4zKKs+jOUk1flOYxjrtK8xjHG6U5107ilGZbTm6V38yl8nlRnSBUm1PzUwe7QfGeuOb2AttElj63B9x63AbcfuExh9g9KjRSRRDXUIkiqSlMYHxLrZFbwjqQ2kdaCaO4dIB0EQ6U1AbhEDZtqTsIhHCnI3UE9whHKEEPSSD9EPqe1fegr6y+gj5tY7YFfdqfhNvQD6x+AH3aQGwL+rQzCKO8Na0w2/JhC6ljHfLf8toHtjoaOm5cej3eAFt9DX3XH6ooxvDft3Z92PWtn4byYOMysGusXQO7bn6MtWtg11i7BnbduIy1a2DXWLsGdjtkF4t2xUu3z22bW8NL2qFzodXqw186+twn+G8xOPdwxIlFnt0uVsU4Gaa36UsyXIq4OoLdnho3X83u0qJGZXn+NZvOdymsu2rk9H6eF+nOLiLT0f17UtS1Q+ouL0YNn56TLKvH8m2VFPXJw2kxzOrUspjWfidFkT/XmFmynNSIu2SJq2wxmX6tK6XzRjKXSd3F5DFpWJtt0vHWEi+C3z72r/TpPorisifLz9VRtr6xZNnDhXQSi+ruFXQrVTeYFLNVtpwO8yyHYcvh1OHpGvBwA6+4n9C+PSk94FOLAa8Bq3zdfqmYs7hfXkhBHuzxbIJilj8hhMpD+j3MZ3cIsi+cNCEaxFu5u7aAEupyHOX5/xgBRNYREKwiILQjAgrs340gGrxVS+b9X38c/tmF8bcn0Ist7bz4RXVvOpv0jhoH+4syd3p38e9UtNPb5LfKl5zdrmCwO4oYbLOOQW2XMsitagb3TkGTarOmyatmWZOprcomU25x4/Bl9AM=",
];

/// Of side 4: a thermometer, an arrow, two cages with a sum and one without.
const RULES: &str = "#m=edit&p=7VRdT+M6EH3vr1j5FUvkqzSJxEO/QELQSy9luxBFlZu6NODWkA9AqfrfmXHKNklTpL3SSjxcuXGOz9TjmYnnxC8pizi1YJg21aiOw4E3PI6OP207RmEiuPuDttNkISMAlP5zdkbnTMScXtw9dnpP7bd++9dx8940bwfzo8fe8PZxNv6pD7XwONIGwl5dXfc64ug8u79atF95n59cxzJYCM5mLLsfX7yL1Zn9sJjr3YtF156zlRa/2CPntTM8PW1420D8xjpz3GxIs3PXIzqhxIBHJz7Nhu46u3KzG5rdgIlQ3adkmYokDKSQEfnksst8owGwv4NjZUfUzUldAzzYYoB3AIMwCgSfXObMtetlI0rw7I7ajZAs5SvHwzA2XAdyOQ2RmLIEahgvwmdCTTDE6Uw+pdu/6v6GZu0/ywCcfGaAMM8AUU0GmNjfzcDxNxv4OP9CDhPXw3Rud9DewRt3DfNAzbq7JqZjoIdmnq5l2LgytxW5U38buZ6n23ArqaH5EKsJawMWNjVauO6BZ5ppam6q+VLt64P7VpPaJnENSmyHOlqOTLjaCql7niO47hAIIoM6+Q7knBw5UM0WQPA6Vr67arbUfALxmNBEUGTPPKFWE96WSS0Lg2th2v+hMMXs85y/zvRQZL9DUCVUo1n/9hsetBeJpZjEaTRnAZ/wdxYkxM3bvGgpcat0OeVwPwuUkPJZhKs6D5+mEhk+rGTEa01I8tnDIVdoqnE1ldGsEtMbE6Kci5K/EpX3R4lKIrj8hTWLIvlWYpYsWZSIQqOUPPFVpZgJK4fInljltOWuHJsGeSfq8UxqQAf+r4XfWQvxQ2nfofG/QwjqLsvoC2HZGat0jbwA+4XCFKx1/AExKVir/J5yYLD74gFsjX4AW5UQoPZVBMg9IQHugJag16qcYFRVRcGj9kQFjyrqiuc3PgA=";
/// Of side 4: four givens, and thick lines around other regions than the boxes.
const REGIONS: &str = "#m=edit&p=7VRdT+M6EH3vr1j5FUvESSlJJB76BRKCXnop26VRVLmpSwJuDPkAlKr/nbHT0iQNrFhpJR5WbiYnZ+zxjN058VNKI4abMAwTa5jIYcEbHovIn7YZoyDhzP6B22niiwgAxv+dnuIF5THD57f3nd5D+6Xf/nV4NDGMm8Hi4L43vLmfj3+SoRYcRtqAm+HlVa/DD86yyaXffmZ91rqKhedzRuc0m4zPX3l4at75C9I997vmgoZa/GSOrOfO8OSk4WwScRurzLKzIc7ObAcRhJEOD0Euzob2Kru0s2ucXYMLYeJitEx5EniCiwhtuewiX6gD7O/gWPkl6uYk0QAPNhjgLUAviDzOphc5c2U72QgjuXdHrZYQLcUzk5vJ3OS3J5azQBIzmsAZxn7wiLABjjidi4d0M5W4a5y1v1YBBNlWIGFegUQ1FcjC/m4Flrtew+X8DzVMbUeWc7OD5g5e2yuwA3uFiLktPr9BpB9LolkgqjMMNQOuPCcgEFHhbpUdwQ44M5TtKaspe6TshZrTh41Ngk0d2TpGxy1sNhUyjXekY0vbchZRSPVDjqAt8rUSWTky35EOp54vhjfgzSITYAsgJDBWaXSVbSrbUukdy+P50gH+WfW/TcEhkK0aR/Vvt+FAG6JY8GmcRgvqsSl7pV6C7FwOip4SF6bLGYP/cYHiQjzyIKyLsHWVyOAuFBGrdUmSze8+CiVdNaFmIppXcnqhnJdrUTJZovI+KlFJBE1S+KZRJF5KzJImfokoNFQpEgsrh5nQcor0gVZ2W+6OY91Ar0g9joF16NR/mvmdNVNelPYdGv87pKD+yyL6RFh2zipdIy/AfqIwBW8d/4GYFLxVfk85ZLL74gFsjX4AW5UQoPZVBMg9IQHuAy2RUatyIrOqKorcak9U5FZFXXHcxhs=";
/// Of side 4: a grey cell.
const SHADED: &str = "#m=edit&p=7VRdT6NMFL7vr3gzt04iI+pSEi/6pYnRrn2t27WENFM6FXRgdAA10/S/e2aoKVA0uxcmXmwoh4fnDOdjeuZJn3IqGT6Ey3awhYm+2vCEu030z9pc4yjjzP0Pd/IsFBIAxj9PT/GS8pTh89v7bv+h8zLo/N4/mtr2zXC5d98f3dwvJr/IyIr2pTXkTnJ51e/yvTM1vQw7z2zAjq9SEYSc0QVV08n5K09OnbtwSXrnYc9Z0sRKn5xx+7k7OjlpeZtC/NZKtV01wurM9RBBGB3ATZCP1chdqUtXXWN1DS6EiY9RnPMsCgQXEr1z6qL48ADgYAsnxq9RryCJBXi4wQBvAQaRDDibXRTMleupMUY6d9d8rSGKxTPTyXRt+j0Q8TzSxJxmsIdpGD0ibIMjzRfiId8sJf4aq87fdQBB3jvQsOhAo4YOdGNf20HbX6/hz/kfepi5nm7nZgudLbx2V4g4yCWAh+4KLDH21tgxLMLKNrZvrGXskbEXZs3A2ImxPWMPjT02a37oNH9YyJeW4BGnOFD4qPnptzwYZ5QKPktzuaQBm7FXGmTILY5V2VPhkjyeM5iHEsWFeORR0hTh3VUho7tESNbo0iRb3H0USrsaQs2FXNRqeqGcV3sxclOhinmsUJmEYSu9UynFS4WJaRZWiNJgViKxpLaZGa2WSB9oLVu83Y51C70ic3s2PoCJ/6c931l79B9lfYeD/x1KMLMs5CfCsnXW6QZ5AfYThSl5m/gPxKTkrfM7yqGL3RUPYBv0A9i6hAC1qyJA7ggJcB9oiY5alxNdVV1RdKodUdGpyrri+a03";

#[test]
fn addresses_of_penpa_bring_regions_and_rules_along() {
    let solve = |query: &str| sudoku(&["solve", "--all"], address(query).as_bytes());
    // Both results are those of a search through all Latin squares of side 4.
    let rules = "1342421324313124\n";
    assert_eq!(solve(RULES), (rules.into(), String::new(), 0));
    let (out, err, status) = solve(REGIONS);
    let mut regions: Vec<&str> = out.lines().collect();
    regions.sort_unstable();
    assert_eq!((err.as_str(), status), ("", 0));
    assert_eq!(
        regions,
        ["1234241331424321", "1324241331424231", "1324241341323241"]
    );
}

#[test]
fn drawings_of_penpa_whose_meaning_is_in_words_are_named() {
    let (out, err, status) = sudoku(&["solve"], address(SHADED).as_bytes());
    let expected = "standard input:1: expected digits, thermometers, arrows and cages, found 'surface', \
                    whose rules are in words; skipped\n";
    assert_eq!((out.as_str(), err.as_str(), status), ("", expected, 1));
    let damaged = address(&RULES[..60]);
    let (_, err, status) = sudoku(&["solve"], damaged.as_bytes());
    let expected = "standard input:1: the puzzle of the address is damaged; skipped\n";
    assert_eq!((err.as_str(), status), (expected, 1));
}
