/**
 * Whether the status 1 of a shell command says that a search, a comparison or a test in it found nothing: `grep`, `diff`, `test`. What
 * the command line means is read only as far as needed for that; wherever more could be meant, the answer is no.
 */
export function isSearchCommand(line: string): boolean {
	if (line.length > LONGEST || !MENTIONED.test(line)) return false;
	const tokens = withoutGroups(tokensOf(line) ?? []);
	if (tokens === undefined) return false;
	const { bySearch, byOther } = decidedByAll(tokens);
	return bySearch && !byOther;
}

/** Longer command lines, in UTF-16 units, are scripts. */
const LONGEST = 10_000;

/** Programs whose status 1 means that nothing was found, or that two things differ. */
const SEARCHES: ReadonlySet<string> = new Set(
	(
		"grep egrep fgrep zgrep bzgrep xzgrep zstdgrep pcregrep pcre2grep rg ag ack ugrep findstr " +
		"diff cmp sdiff zdiff zcmp colordiff test [ [[ which type hash pgrep pkill pidof lsof fuser locate plocate expr"
	).split(" "),
);

/** Whether any of these may be meant at all: most commands need not be read. */
const MENTIONED =
	/grep|findstr|diff|cmp|test|\[|which|type|hash|command|pkill|pidof|lsof|fuser|locate|expr|git|jq|\b(?:rg|ag|ack)\b/;

/** Commands that print an error message whenever they fail: without one at the end of the output, they did not decide the status. */
const TALKATIVE: ReadonlySet<string> = new Set(
	(
		"cd pushd popd pwd echo printf true : export unset set shopt umask alias sleep date cat head tail ls wc sort uniq cut tr tee " +
		"basename dirname realpath mkdir touch cp mv rm ln chmod find file stat du df tree sed awk column nl rev tac"
	).split(" "),
);

/** Programs that run another one, with those of their options that have a value, and how many words stand before the command. */
const RUNNERS: ReadonlyMap<string, { readonly valued: string; readonly words?: number }> = new Map([
	["sudo", { valued: "ughpCDRTrt" }],
	["doas", { valued: "uC" }],
	["env", { valued: "uCS" }],
	["timeout", { valued: "sk", words: 1 }],
	["gtimeout", { valued: "sk", words: 1 }],
	["time", { valued: "" }],
	["nice", { valued: "n" }],
	["ionice", { valued: "cn" }],
	["stdbuf", { valued: "ioe" }],
	["nohup", { valued: "" }],
	["command", { valued: "" }],
	["builtin", { valued: "" }],
	["exec", { valued: "a" }],
]);

/** Commands of git that only show something, and say so if they cannot. */
const TALKATIVE_GIT: ReadonlySet<string> = new Set(
	"log show status branch tag remote diff diff-index diff-files diff-tree ls-files ls-tree cat-file blame rev-parse rev-list".split(
		" ",
	),
);
/** Those whose status 1 means that nothing was found, with the options that they need for it. */
const GIT_SEARCHES: ReadonlyMap<string, RegExp> = new Map([
	["grep", /^/],
	["show-ref", /^/],
	["check-ignore", /^/],
	["diff", /^(?:--exit-code|--quiet|--no-index)$/],
	["diff-index", /^(?:--exit-code|--quiet)$/],
	["diff-files", /^(?:--exit-code|--quiet)$/],
	["diff-tree", /^(?:--exit-code|--quiet)$/],
	["merge-base", /^--is-ancestor$/],
	["config", /^--get/],
	["rev-parse", /^(?:-q|--quiet)$/],
]);

/** What may have decided a status of 1; neither, if only commands that would have printed an error message. */
interface Decided {
	readonly bySearch: boolean;
	readonly byOther: boolean;
}

const NOBODY: Decided = { bySearch: false, byOther: false };
const SEARCH: Decided = { bySearch: true, byOther: false };
const OTHER: Decided = { bySearch: false, byOther: true };

function either(one: Decided, other: Decided): Decided {
	return { bySearch: one.bySearch || other.bySearch, byOther: one.byOther || other.byOther };
}

/** A word without its quotes, or an operator. */
interface Token {
	readonly text: string;
	readonly isOperator: boolean;
	/** Whether the output of another command is part of it. */
	readonly isComputed: boolean;
}

/** Who decided the status of a command line: the last of its lists or, with `set -e`, any of them. */
function decidedByAll(tokens: readonly Token[]): Decided {
	const words = tokens.map(({ text }) => text);
	const isSet = (option: RegExp) => words.some((word, at) => option.test(word) && words.slice(0, at).includes("set"));
	const [stopsAtErrors, wholePipelines] = [isSet(/^-[a-z]*e[a-z]*$|^errexit$/), isSet(/^pipefail$/)];
	const lists = splitAt(tokens, [";", "\n", "&"]);
	let decided = NOBODY;
	for (const [index, list] of lists.entries()) {
		if (list.tokens.length === 0) continue;
		// What runs in the background has no status yet.
		const now = lists[index + 1]?.before === "&" ? OTHER : decidedByList(list.tokens, wholePipelines);
		decided = stopsAtErrors ? either(decided, now) : now;
	}
	return decided;
}

/** `a && b`: whichever failed. `a || b`: b, since a failed. `a | b`: b. `! a` fails if a finds something. */
function decidedByList(tokens: readonly Token[], wholePipelines: boolean): Decided {
	let decided = NOBODY;
	for (const { before, tokens: pipeline } of splitAt(tokens, ["&&", "||"])) {
		const commands = splitAt(pipeline, ["|", "|&"]).map((command) => decidedByCommand(command.tokens));
		const last = wholePipelines ? commands.reduce(either, NOBODY) : (commands.at(-1) ?? OTHER);
		const next = pipeline[0]?.text === "!" ? OTHER : last;
		decided = before === "&&" ? either(decided, next) : next;
	}
	return decided;
}

function decidedByCommand(tokens: readonly Token[]): Decided {
	const words: Token[] = [];
	let isTarget = false;
	for (const token of tokens) {
		if (isTarget) isTarget = false;
		else if (!token.isOperator) words.push(token);
		else if (/[<>]/.test(token.text)) isTarget = true;
		else return OTHER;
	}
	return decidedBy(
		words.map(({ text }) => text),
		words.some(({ isComputed }) => isComputed),
	);
}

/** The parts between these operators, each with the one before it; "" before the first part. */
function splitAt(tokens: readonly Token[], operators: readonly string[]) {
	const parts: { readonly before: string; readonly tokens: Token[] }[] = [{ before: "", tokens: [] }];
	for (const token of tokens) {
		if (token.isOperator && operators.includes(token.text)) parts.push({ before: token.text, tokens: [] });
		else parts.at(-1)?.tokens.push(token);
	}
	return parts;
}

/**
 * The tokens without the brackets of groups: what is in `(cd x && grep y)` decides as if it stood there. Undefined if a group is not
 * closed, or holds several lists, of which the status of the group does not say which failed.
 */
function withoutGroups(tokens: readonly Token[]): readonly Token[] | undefined {
	const flat: Token[] = [];
	let depth = 0;
	for (const [index, token] of tokens.entries()) {
		const previous = tokens[index - 1];
		const begins = previous === undefined || previous.isOperator || /^[{}!]$/.test(previous.text);
		const isBracket = token.isOperator || begins;
		if (isBracket && /^[({]$/.test(token.text)) depth++;
		else if (isBracket && /^[)}]$/.test(token.text)) depth--;
		else if (depth === 0 || !token.isOperator || !/^[;&\n]$/.test(token.text)) flat.push(token);
		else if (!/^[)}]$/.test(tokens[index + 1]?.text ?? "")) return undefined;
		if (depth < 0) return undefined;
	}
	return depth === 0 ? flat : undefined;
}

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

function decidedBy(words: readonly string[], isComputed: boolean): Decided {
	let at = 0;
	while (ASSIGNMENT.test(words[at] ?? "")) at++;
	// The status of `x=$(a)` is that of a.
	if (at === words.length) return isComputed || words.length === 0 ? OTHER : NOBODY;
	const name = (words[at] ?? "").replace(/^\/(?:.*\/)?bin\//, "");
	const args = words.slice(at + 1);
	const runner = RUNNERS.get(name);
	if (name === "command" && /^-[vV]$/.test(args[0] ?? "")) return SEARCH;
	if (runner !== undefined) return decidedBy(afterOptions(args, runner.valued).slice(runner.words ?? 0), isComputed);
	if (name === "git") return decidedByGit(afterOptions(args, "Cc"));
	if (name === "jq") return args.some((arg) => /^(?:-[a-z]*e[a-z]*|--exit-status)$/.test(arg)) ? SEARCH : OTHER;
	if (SEARCHES.has(name)) return SEARCH;
	return TALKATIVE.has(name) ? NOBODY : OTHER;
}

function decidedByGit([name = "", ...args]: readonly string[]): Decided {
	const needed = GIT_SEARCHES.get(name);
	if (needed !== undefined && (args.length === 0 ? needed.test("") : args.some((arg) => needed.test(arg))))
		return SEARCH;
	return TALKATIVE_GIT.has(name) ? NOBODY : OTHER;
}

/** The words after the options of a program; `valued`: the letters of those that are followed by a value. */
function afterOptions(words: readonly string[], valued: string): readonly string[] {
	let at = 0;
	for (; /^-./.test(words[at] ?? ""); at++) {
		const word = words[at] ?? "";
		if (word === "--") return words.slice(at + 1);
		if (word.length === 2 && valued.includes(word.slice(1))) at++;
	}
	return words.slice(at);
}

/** Operators, redirections with the number before and the file descriptor behind them; not the text of a here-document. */
const OPERATOR = /(?:\d*|&)(?:<<<|>>|<>|>\||[<>]&?(?!\())|&&|\|\||\|&|;;|[;&|()\n]/y;
const BLANKS = /(?:[ \t\r]|\\\r?\n)+/y;
const COMMENT = /#[^\n]*/y;
/** What may hold words and operators of its own. */
const NESTED = /[$<>]\(|["`]/y;
/** A piece of a word: escaped, quoted, plain. */
const PIECE = /\\([\s\S])|'([^']*)'|([^\s\\'"`$;&|()<>]+|\$)/y;

/** The tokens of a command line; undefined if it has a here-document, or something that is never closed. */
function tokensOf(line: string): readonly Token[] | undefined {
	const tokens: Token[] = [];
	let at = 0;
	// In `[[ … ]]`, operators are words.
	let isTest = false;
	const match = (pattern: RegExp): RegExpExecArray | null => {
		pattern.lastIndex = at;
		const found = pattern.exec(line);
		if (found !== null) at = pattern.lastIndex;
		return found;
	};
	while (at < line.length) {
		if (match(BLANKS) !== null || match(COMMENT) !== null) continue;
		const operator = match(OPERATOR)?.[0];
		if (operator !== undefined) {
			if (/<$/.test(operator) && line[at] === "<") return undefined;
			const isContinued = operator === "\n" && /^[|&]/.test(tokens.at(-1)?.text ?? "") && tokens.at(-1)?.text !== "&";
			if (!isContinued) tokens.push({ text: operator, isOperator: !isTest, isComputed: false });
			continue;
		}
		const from = at;
		let text = "";
		let isComputed = false;
		for (;;) {
			if (match(NESTED) !== null) {
				const start = at;
				const end = afterNested(line, start);
				if (end === undefined) return undefined;
				const isQuoted = line[start - 1] === '"';
				const within = line.slice(start, end - 1);
				text += isQuoted ? within : "$";
				isComputed ||= !isQuoted || /\$\(|`/.test(within);
				at = end;
				continue;
			}
			const piece = match(PIECE);
			if (piece === null) break;
			text += piece.slice(1).find((part) => part !== undefined) ?? "";
		}
		if (at === from) return undefined;
		if (text === "[[" || text === "]]") isTest = text === "[[";
		tokens.push({ text, isOperator: false, isComputed });
	}
	return tokens;
}

/** The index after what began before `start`, with all that is within: `"…"`, `$(…)`, `<(…)`, `` `…` ``; undefined if it has no end. */
function afterNested(line: string, start: number): number | undefined {
	const closers = [line[start - 1] === "(" ? ")" : (line[start - 1] ?? "")];
	for (let at = start; at < line.length; at++) {
		const char = line[at] ?? "";
		const closer = closers.at(-1);
		if (char === "\\") at++;
		else if (char === closer) {
			closers.pop();
			if (closers.length === 0) return at + 1;
		} else if (closer === "`") continue;
		else if (char === "`") closers.push(char);
		else if (char === "(" && (closer === ")" || line[at - 1] === "$")) closers.push(")");
		else if (closer === ")" && char === '"') closers.push(char);
		else if (closer === ")" && char === "'") {
			at = line.indexOf(char, at + 1);
			if (at === -1) return undefined;
		}
	}
	return undefined;
}
