import { MODEL_JOINT, NOT_ASCII, rawCharacter } from "./raw-needle.ts";

/**
 * Translates a pattern of the `re:` dialect (RE2's), which is meant for a text, into one for the JSON string that holds
 * the text. It matches whatever the original matches, and more: `^`, `$` and `\b` match anywhere, and what may match
 * more than plain ASCII matches any character of a JSON string. RE2 must have accepted the pattern.
 */
export function rawRegex(source: string): string {
	let raw = "";
	for (const { groups = {} } of source.matchAll(TOKEN)) raw += rawToken(groups);
	return raw;
}

const TOKEN = new RegExp(
	[
		String.raw`(?<quoted>\\Q[^]*?(?:\\E|$))`,
		String.raw`(?<code>\\x\{[0-9A-Fa-f]+\}|\\x[0-9A-Fa-f]{2}|\\[0-7]{1,3})`,
		String.raw`\\(?<property>[pP](?:\{[^}]*\}|[^]))`,
		String.raw`\\(?<escaped>[^])`,
		String.raw`(?<set>\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\])`,
		String.raw`(?<flags>\(\?[a-zA-Z-]+\))`,
		String.raw`(?<open>\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?)`,
		String.raw`(?<operator>[|)]|[*+?]\??|\{\d+(?:,\d*)?\}\??)`,
		String.raw`(?<anchor>[\^$])`,
		String.raw`(?<dot>\.)`,
		"(?<literal>[^])",
	].join("|"),
	"gu",
);

/** Any one character of a text, in all its JSON forms. */
const ANY = String.raw`(?:(?:[^"\\\x80-\xff]|\\[^u]|${NOT_ASCII}|${MODEL_JOINT})${NOT_ASCII}?)`;
/** Case is folded by Unicode's rules: these two count as `k` and `s`. */
const ALSO_LETTERS = String.raw`\xe2\x84\xaa|\\u212a|\xc5\xbf|\\u017f`;
const SPACES = String.raw`(?:[ \x0b]|\\[tnfr]|\\u00(?:09|0[a-d]|20))`;
const CONTROLS: Readonly<Record<string, string>> = { a: "\x07", f: "\f", t: "\t", n: "\n", r: "\r", v: "\v" };
/** A set that JSON does not change: ASCII characters that need no escape. */
const PLAIN_SET = /^\[(?!.*--)[\w !#%'()*+,:;<=>@-]+\]$/;

function rawToken(token: Readonly<Record<string, string | undefined>>): string {
	const { quoted, code, property, escaped, set, flags, open, operator, anchor, dot, literal } = token;
	if (quoted !== undefined) return [...quoted.slice(2).replace(/\\E$/, "")].map(rawLiteral).join("");
	if (code !== undefined) return rawCode(code);
	if (property !== undefined || dot !== undefined) return ANY;
	if (escaped !== undefined) return rawEscape(escaped);
	if (set !== undefined) return PLAIN_SET.test(set) ? String.raw`(?:${set}|${ALSO_LETTERS}|\\u00[2-7].)` : ANY;
	if (flags !== undefined || anchor !== undefined) return "(?:)";
	if (open !== undefined) return "(?:";
	return operator ?? rawLiteral(literal ?? "");
}

function rawCode(code: string): string {
	const digits = code.replace(/[\\x{}]/g, "");
	return rawLiteral(String.fromCodePoint(Number.parseInt(digits, code.includes("x") ? 16 : 8)));
}

function rawEscape(letter: string): string {
	if (letter === "d") return "[0-9]";
	if (letter === "w") return `(?:[0-9A-Za-z_]|${ALSO_LETTERS})`;
	if (letter === "s") return SPACES;
	if (/[bBAzZ]/.test(letter)) return "(?:)";
	if (Object.hasOwn(CONTROLS, letter)) return rawLiteral(CONTROLS[letter] ?? "");
	return /[A-Za-z]/.test(letter) ? ANY : rawLiteral(letter);
}

function rawLiteral(character: string): string {
	if (!/^[\0-\x7f]$/.test(character)) return NOT_ASCII_LETTER;
	return /s/i.test(character) ? String.raw`(?:s|\xc5\xbf|\\u017f)` : rawCharacter(character.toLowerCase());
}

/** An accented letter may be written as a letter and an accent. */
const NOT_ASCII_LETTER = `(?:[A-Za-z]?${NOT_ASCII})`;

/** A Kelvin sign, and what JSON may write for the characters that join names. */
const ALSO = String.raw`\xe2\x84\xaa|\\u(?:212a|00(?:20|2d|5f))`;

/**
 * A pattern on bytes for another form of a word (src/catalog/query/other-forms.ts). It matches wherever the form is, and also
 * within longer words. Shorter than `rawRegex` makes it: the pattern for a typing error has each letter several times.
 */
export function rawForm(source: string): string {
	if (!/^[\x20-\x7e]*$/.test(source)) return rawRegex(source);
	return source.replace(/\[[^\]]*\]|k/g, (one) => (one === "k" ? rawCharacter(one) : `(?:${one}|${ALSO})`));
}
