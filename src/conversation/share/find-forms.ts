import { memoLast } from "../../shared/memo.ts";
import type { FindingKind, Found } from "./found.ts";
import { isPlaceholder, looksRandom, variesAsSecrets } from "./looks-secret.ts";
import OWN_FORMS from "./secret-forms.json" with { type: "json" };
import SECRETLINT_FORMS from "./secretlint-forms.json" with { type: "json" };
import { asPattern, wordsPattern } from "./words.ts";

/**
 * A form of secrets, a row of `secret-forms.json` or `secretlint-forms.json`: of the keys and tokens of services, as these document them, of the arguments of
 * programs, and of what proves who one is in headers, addresses and settings.
 */
export interface SecretForm {
	readonly kind: FindingKind;
	/** Words with one of which it begins; undefined for a form that is looked for as it is. */
	readonly begins?: readonly string[];
	/** Pattern of what follows; the group `value` is the secret, without it all is. `@words` and `@value` stand for those of a command. */
	readonly form: string;
	readonly flags?: string;
	/** Pattern of what belongs to the secret before the word with which it begins. */
	readonly before?: string;
	/** What it must not be part of: no letter or digit stands before the call of a program, nothing of a word around a key. */
	readonly apart?: keyof typeof STARTS;
	/** What the value must be like besides; undefined if the form is enough. */
	readonly check?: keyof typeof CHECKS;
	/** A text with such a secret, and one without: "{20}" stands for 20 letters and digits, "{20 hex}" for those of a number. */
	readonly is: string;
	readonly not: string;
}

/** All of them: ours, and those that `scripts/secretlint-forms.ts` takes from secretlint's rules. A test reads each. */
export const SECRET_FORMS: readonly SecretForm[] = [
	...(OWN_FORMS as readonly SecretForm[]),
	...(SECRETLINT_FORMS as readonly SecretForm[]),
];

/** Before a key may stand what stands for a line end, a blank or a color, as "\\n", "%20" or the end of "\\x1b[32m". */
const STARTS = {
	key: String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\[[\d;]{0,12}m))`,
	program: "(?<![A-Za-z0-9])",
} as const;
const ENDS = { key: "(?![A-Za-z0-9_-])", program: "" } as const;
/** What a command line has before a value: other words of the same command. */
const WORDS = String.raw`[^\n]{0,300}?\s`;
const VALUE = String.raw`["'\x60]?(?<value>[^\s"'\x60<>|;]{3,300})`;

const CHECKS = {
	any: () => true,
	/** A password, not a port, an option or a path. */
	word: (value: string) => value.length >= 4 && !/^[\d:.]+$|^[-/.~]|^[\d:.]+\/(?:tcp|udp)$/.test(value),
	/** Several words in quotes; a single one is found by the name before it. */
	words: (value: string) => value.includes(" "),
	option: (value: string) => /[^A-Za-z.,:;-]/.test(value),
	varied: variesAsSecrets,
	header: (value: string, scheme: string) =>
		/\d/.test(value) || value.length >= 40 || (/^basic$/i.test(scheme) && isPair(value)),
	query: (value: string) => looksRandom(value) && (value.length >= 16 || variesAsSecrets(value)),
	pair: (value: string) => isPair(value) || variesAsSecrets(value),
	pgpass: (value: string) => looksRandom(value) || /[^\w.-]/.test(value),
} as const;

/** Whether it is "name:password" in Base64. */
function isPair(value: string): boolean {
	return /^[\x20-\x7e]{1,200}:[\x20-\x7e]*$/.test(Buffer.from(value, "base64").toString("latin1"));
}

interface Pattern extends Pick<SecretForm, "kind" | "check"> {
	readonly pattern: RegExp;
}

/** What finds a form: sticky if it begins with a word. */
export function patternOf({ kind, check, begins, form, flags = "", before, apart }: SecretForm): Pattern {
	const start = apart === undefined ? "" : STARTS[apart];
	const end = apart === undefined ? "" : ENDS[apart];
	const word = begins === undefined ? "" : `(?:${begins.map(asPattern).join("|")})`;
	const lead = before === undefined ? start : `(?<=${start}(?<before>${before}))`;
	const rest = form.replace("@words", () => WORDS).replace("@value", () => VALUE);
	return { kind, check, pattern: new RegExp(lead + word + rest + end, begins === undefined ? `g${flags}` : "y") };
}

/** The patterns of the table, made when the first text is looked through. */
const compiled = memoLast(() => {
	const forms = SECRET_FORMS.map((form) => ({ begins: form.begins ?? [], pattern: patternOf(form) }));
	const words = new Set(forms.flatMap(({ begins }) => begins));
	// A word may be the beginning of a longer one.
	const patternsOf = (word: string): readonly Pattern[] =>
		forms.filter(({ begins }) => begins.some((begin) => word.startsWith(begin))).map(({ pattern }) => pattern);
	return {
		word: wordsPattern(words),
		byWord: new Map([...words].map((word) => [word, patternsOf(word)])),
		anywhere: forms.filter(({ begins }) => begins.length === 0).map(({ pattern }) => pattern),
	};
});

/** The secrets in a text that have one of the forms; in no order. */
export function* findForms(text: string): Generator<Found> {
	const { word, byWord, anywhere } = compiled();
	word.lastIndex = 0;
	for (let match = word.exec(text); match !== null; match = word.exec(text)) {
		let next = match.index + 1;
		for (const each of byWord.get(match[0]) ?? []) {
			each.pattern.lastIndex = match.index;
			const secret = foundIn(each, each.pattern.exec(text));
			if (secret === undefined) continue;
			yield secret;
			// What stands in a key is part of it.
			if (each.check === undefined) next = Math.max(next, secret.to);
		}
		word.lastIndex = next;
	}
	for (const each of anywhere) {
		for (const match of text.matchAll(each.pattern)) {
			const secret = foundIn(each, match);
			if (secret !== undefined) yield secret;
		}
	}
}

function foundIn({ kind, check }: Pattern, match: RegExpExecArray | null): Found | undefined {
	if (match === null) return undefined;
	const { index, groups } = match;
	const { before = "", value: said = match[0], scheme = "" } = groups ?? {};
	const from = index + match[0].length - said.length - before.length;
	if (check === undefined) return { kind, from, to: from + before.length + said.length };
	const isItalic = /(?:^|[^A-Za-z0-9])_$/.test(match.input.slice(Math.max(0, index - 2), index));
	const value = said.replace(isItalic ? /(?:\*\*|[.,;:)\]}_])+$/ : /(?:\*\*|[.,;:)\]}])+$/, "");
	if (isPlaceholder(value) || !CHECKS[check](value, scheme)) return undefined;
	return { kind, from, to: from + value.length };
}
