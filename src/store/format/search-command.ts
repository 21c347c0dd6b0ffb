import { afterOptions, RUNNERS, type ShellToken, tokensOf } from "./shell-tokens.ts";

/**
 * Whether the status 1 of a shell command says that a search, a comparison or a test in it found nothing: `grep`, `diff`, `test`. What
 * the command line means is read only as far as needed for that; wherever more could be meant, the answer is no.
 */
export function isSearchCommand(line: string): boolean {
	if (line.length > LONGEST || !MENTIONED.test(line)) return false;
	const tokens = tokensOf(line);
	if (tokens === undefined) return false;
	const parser = new Parser(tokens);
	const decided = parser.sequence();
	return parser.isAtEnd && decided.bySearch && !decided.byOther;
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

/** Groups of commands within each other. */
const DEEPEST = 20;

const ENDS_LIST: ReadonlySet<string> = new Set([";", "\n", "&"]);

/** Finds who decided the status of a command line: a sequence of lists of pipelines. */
class Parser {
	readonly #tokens: readonly ShellToken[];
	#at = 0;
	#depth = 0;
	/** Whether `set -e`, and `set -o pipefail`, are in force somewhere. */
	readonly #stopsAtErrors: boolean;
	readonly #wholePipelines: boolean;

	constructor(tokens: readonly ShellToken[]) {
		this.#tokens = tokens;
		const words = tokens.map(({ text }) => text);
		const set = (option: RegExp) => words.some((word, at) => option.test(word) && words.slice(0, at).includes("set"));
		this.#stopsAtErrors = set(/^-[a-z]*e[a-z]*$|^errexit$/);
		this.#wholePipelines = set(/^pipefail$/);
	}

	get isAtEnd(): boolean {
		return this.#at === this.#tokens.length;
	}

	/** `a && b; c`: the last list decides. */
	sequence(): Decided {
		let decided = NOBODY;
		for (;;) {
			while (this.#operator(";") || this.#operator("\n")) {}
			if (this.isAtEnd || this.#sees(")") || this.#sees("}")) return decided;
			const list = this.#list();
			decided = this.#stopsAtErrors ? either(decided, list) : list;
			// What runs in the background has no status yet.
			if (this.#operator("&")) decided = OTHER;
			else if (!this.isAtEnd && !this.#seesEnd()) return OTHER;
		}
	}

	/** `a && b`: whichever failed. `a || b`: b, since a failed. */
	#list(): Decided {
		let decided = this.#pipeline();
		for (;;) {
			const isAnd = this.#operator("&&");
			if (!isAnd && !this.#operator("||")) return decided;
			while (this.#operator("\n")) {}
			const next = this.#pipeline();
			decided = isAnd ? either(decided, next) : next;
		}
	}

	/** `a | b`: b. `! a` fails if a finds something. */
	#pipeline(): Decided {
		const isNegated = this.#word("!");
		let decided = this.#command();
		while (this.#operator("|") || this.#operator("|&")) {
			while (this.#operator("\n")) {}
			const next = this.#command();
			decided = this.#wholePipelines ? either(decided, next) : next;
		}
		return isNegated ? OTHER : decided;
	}

	#command(): Decided {
		for (const [open, close] of [
			["(", ")"],
			["{", "}"],
		] as const) {
			if (!(open === "(" ? this.#operator(open) : this.#word(open))) continue;
			if (++this.#depth > DEEPEST) return OTHER;
			const decided = this.sequence();
			this.#depth--;
			if (!(close === ")" ? this.#operator(close) : this.#word(close))) return OTHER;
			return this.#words().length === 0 ? decided : OTHER;
		}
		const words = this.#words();
		return decidedBy(
			words.map(({ text }) => text),
			words.some(({ isComputed }) => isComputed),
		);
	}

	/** The words of a simple command, without redirections. In `[[ … ]]`, operators are words. */
	#words(): readonly ShellToken[] {
		const words: ShellToken[] = [];
		const isTest = this.#tokens[this.#at]?.text === "[[";
		for (; !this.isAtEnd; this.#at++) {
			const token = this.#tokens[this.#at];
			if (token === undefined) break;
			if (isTest && words.at(-1)?.text === "]]") break;
			if (!token.isOperator || isTest) words.push(token);
			else if (/[<>]/.test(token.text)) this.#at++;
			else break;
		}
		return words;
	}

	#sees(text: string): boolean {
		return this.#tokens[this.#at]?.text === text;
	}

	#seesEnd(): boolean {
		const token = this.#tokens[this.#at];
		return token?.isOperator === true && (ENDS_LIST.has(token.text) || token.text === ")");
	}

	#operator(text: string): boolean {
		return this.#take(text, true);
	}

	#word(text: string): boolean {
		return this.#take(text, false);
	}

	#take(text: string, isOperator: boolean): boolean {
		const token = this.#tokens[this.#at];
		if (token?.text !== text || token.isOperator !== isOperator) return false;
		this.#at++;
		return true;
	}
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
