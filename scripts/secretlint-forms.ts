/**
 * The forms of keys that secretlint's recommended rules look for, as rows of a table like ours
 * (`src/conversation/share/secretlint-forms.json`): those that begin with a word and are long enough to be nothing else. The other rules
 * are about the text around a value, of which ours know more. `npm run docs` writes them anew after secretlint was updated.
 */

/** A row of the table. */
interface FormRow {
	readonly kind: "key";
	readonly begins: readonly string[];
	readonly form: string;
	readonly is: string;
	readonly not: string;
}

/** A pattern of a rule: no letter stands before it. It begins with one of several words, with a word, or with both. */
const PATTERN = /\/\(\?<!\\p\{L\}\)(?:\((?:\?<\w+>)?(?<words>[\w|]+)\))?(?<word>(?:[\w-]|\\\.)*)(?<rest>[[(\\].*)\/gu/g;
/** Characters that the shortest key has; what is shorter may be a name in a program ("SG.name.other"). */
const SHORTEST = 20;

/** Characters of which a name in a program may be made, too: a key of them has a digit. */
const NAMELIKE = /^\[[\w-]*_\]/;
const HAS_DIGIT = "(?=\\w{0,40}\\d)";

/** The rows for the forms in the source of the rules. */
function secretlintForms(source: string): readonly FormRow[] {
	return [...source.matchAll(PATTERN)].flatMap(({ groups }) => {
		const { words = "", word = "", rest = "" } = groups ?? {};
		const begins = words.split("|").map((first) => first + word.replaceAll("\\", ""));
		const form = (NAMELIKE.test(rest) ? HAS_DIGIT : "") + rest.replace(/\(\?<\w+>/g, "(?:");
		const [begin = ""] = begins;
		const example = exampleOf(rest.replace(/\(\?!.*$/, ""));
		const length = [...example.matchAll(/\{(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), begin.length);
		return length < SHORTEST ? [] : [{ kind: "key", begins, form, is: begin + example, not: `${begin}{3}` }];
	});
}

/** The text of the file with the rows. */
export function secretlintFormsFile(source: string): string {
	return `[\n${secretlintForms(source)
		.map((row) => `\t${JSON.stringify(row)}`)
		.join(",\n")}\n]\n`;
}

/** The shortest text of a pattern: "[0-9a-f]{32}_\d" is "{32 hex}_1". */
function exampleOf(pattern: string): string {
	return pattern
		.replace(/\[[^\]]*\]\?|\(\[[^\]]*\]\?\)|=\{0,2\}|\(\?:[^()]*\)\?/g, "")
		.replace(/(\[[^\]]+\]|\\w)\{(\d+)[\d,]*\}/g, (_, of: string, count: string) => `{${count}${charactersOf(of)}}`)
		.replace(/\\d/g, "1")
		.replace(/\(\?(?::|<\w+>)|[()\\]/g, "");
}

/** As the tests of the table name them. */
function charactersOf(of: string): string {
	if (of === "[0-9]") return " digits";
	if (/^\[[a-fA-F0-9-]+\]$/.test(of)) return " hex";
	if (of === "[a-zA-Z]") return " letters";
	return of === "[a-z]" ? " small" : "";
}
