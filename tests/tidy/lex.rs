//! Tells Rust's code from its comments and literals, no finer than the laws need.

/// What a literal says, and the byte at which it starts.
pub struct Literal {
    pub at: usize,
    pub text: String,
}

/// The code with comments and the insides of literals replaced by spaces: same bytes, same lines.
pub fn code(text: &str) -> String {
    scan(text).0
}

/// The string literals of a file.
pub fn literals(text: &str) -> Vec<Literal> {
    scan(text).1
}

fn scan(text: &str) -> (String, Vec<Literal>) {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut literals = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            at + rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            block_comment(bytes, at)
        } else if let Some(hashes) = raw_string(bytes, at) {
            let open = at + rest.iter().position(|b| *b == b'"').expect("a raw string opens") + 1;
            let close = [b"\"".as_slice(), &vec![b'#'; hashes]].concat();
            let length = find(&bytes[open..], &close).unwrap_or(bytes.len() - open);
            literals.push(Literal { at, text: text[open..open + length].to_owned() });
            (open + length + close.len()).min(bytes.len())
        } else if rest[0] == b'"' {
            let end = quoted(bytes, at, b'"');
            literals.push(Literal {
                at,
                text: text[at + 1..end - usize::from(end > at + 1)].to_owned(),
            });
            end
        } else if is_char(rest) {
            quoted(bytes, at, b'\'')
        } else {
            at += 1;
            continue;
        };
        for byte in &mut code[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    (String::from_utf8(code).expect("whole characters were replaced"), literals)
}

fn block_comment(bytes: &[u8], start: usize) -> usize {
    let (mut depth, mut at) = (0_u32, start);
    while at < bytes.len() {
        if bytes[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if bytes[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// How many hashes a raw string has that opens here, if one does.
fn raw_string(bytes: &[u8], at: usize) -> Option<usize> {
    if at > 0 && is_word(bytes[at - 1]) {
        return None;
    }
    let rest = &bytes[at..];
    let rest = rest.strip_prefix(b"b").or_else(|| rest.strip_prefix(b"c")).unwrap_or(rest);
    let rest = rest.strip_prefix(b"r")?;
    let hashes = rest.iter().take_while(|b| **b == b'#').count();
    (rest.get(hashes) == Some(&b'"')).then_some(hashes)
}

fn quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// A character, not a lifetime.
fn is_char(rest: &[u8]) -> bool {
    if rest[0] != b'\'' || rest.len() < 3 {
        return false;
    }
    let width = match rest[1] {
        b'\\' => return true,
        0x00..=0x7f => 1,
        0x80..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
    };
    rest.get(1 + width) == Some(&b'\'')
}

/// Whether a byte belongs to a name.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Where `needle` first occurs.
pub fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    hay.windows(needle.len()).position(|window| window == needle)
}

/// Where `word` occurs in the code as a whole word.
pub fn words(code: &str, word: &str) -> Vec<usize> {
    let bytes = code.as_bytes();
    code.match_indices(word)
        .map(|(at, _)| at)
        .filter(|at| {
            let end = at + word.len();
            (*at == 0 || !is_word(bytes[at - 1]) || !is_word(bytes[*at]))
                && (end == bytes.len() || !is_word(bytes[end]) || !is_word(bytes[end - 1]))
        })
        .collect()
}

/// The name that starts here, after white space.
pub fn name_at(code: &str, at: usize) -> &str {
    let rest = code[at..].trim_start();
    let end = rest.bytes().position(|b| !is_word(b)).unwrap_or(rest.len());
    &rest[..end]
}

/// The byte after the brace that closes the one at `open`.
pub fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0_usize;
    for (offset, byte) in code[open..].bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' if depth == 1 => return open + offset + 1,
            b'}' => depth -= 1,
            _ => {}
        }
    }
    code.len()
}

#[test]
fn comments_and_literals_are_blanked_and_lifetimes_are_not() {
    let text = "a /* b /* c */ d */ 'e' f::<'g>(\"h \\\" i\", r#\"j \" k\"#, 'ü', b'\\'') // l\nm";
    let blanked = code(text);
    assert_eq!(blanked.len(), text.len());
    assert_eq!(blanked.split_whitespace().collect::<String>(), "af::<'g>(,,,b)m");
    let said: Vec<String> = literals(text).into_iter().map(|literal| literal.text).collect();
    assert_eq!(said, ["h \\\" i", "j \" k"]);
}
