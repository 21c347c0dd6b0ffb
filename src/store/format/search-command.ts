import { parseShellLine, type ShellCommand, type ShellList, type ShellPipeline } from "./shell-line.ts";
import { behindOptions, programWords, type ShellToken } from "./shell-tokens.ts";

/**
 * Whether the status 1 of a shell command says that a search, a comparison or a test in it found nothing: `grep`, `diff`, `test`. What
 * the command line means is read only as far as needed for that; wherever more could be meant, the answer is no.
 */
export function isSearchCommand(line: string): boolean {
	if (line.length > LONGEST || !MENTIONED.test(line)) return false;
	const { lists, isWhole } = parseShellLine(line);
	const decided = new Decider(line).ofLists(lists);
	return isWhole && decided.bySearch && !decided.byOther;
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

class Decider {
	/** Whether `set -e`, and `set -o pipefail`, are in force somewhere. */
	readonly #stopsAtErrors: boolean;
	readonly #wholePipelines: boolean;

	constructor(line: string) {
		this.#stopsAtErrors = /\bset\b[^;\n]* (?:-[a-z]*e[a-z]*|errexit)(?![\w-])/.test(line);
		this.#wholePipelines = /\bset\b[^;\n]* pipefail\b/.test(line);
	}

	/** `a && b; c`: the last list decides. */
	ofLists(lists: readonly ShellList[]): Decided {
		let decided = NOBODY;
		for (const { pipelines, isBackground } of lists) {
			// What runs in the background has no status yet.
			const list = isBackground ? OTHER : this.#ofList(pipelines);
			decided = this.#stopsAtErrors ? either(decided, list) : list;
		}
		return decided;
	}

	/** `a && b`: whichever failed. `a || b`: b, since a failed. */
	#ofList(pipelines: readonly ShellPipeline[]): Decided {
		let decided = NOBODY;
		for (const { after, isNegated, commands } of pipelines) {
			// `! a` fails if a finds something.
			const next = isNegated ? OTHER : this.#ofPipeline(commands);
			decided = after === "&&" ? either(decided, next) : next;
		}
		return decided;
	}

	/** `a | b`: b. */
	#ofPipeline(commands: readonly ShellCommand[]): Decided {
		return commands
			.map((command) => this.#ofCommand(command))
			.reduce((decided, next) => (this.#wholePipelines ? either(decided, next) : next));
	}

	#ofCommand(command: ShellCommand): Decided {
		if (command.kind === "group") return this.ofLists(command.body);
		return command.kind === "simple" ? decidedBy(command.words) : OTHER;
	}
}

function decidedBy(words: readonly ShellToken[]): Decided {
	const [program, ...tokens] = programWords(words);
	// The status of `x=$(a)` is that of a.
	if (program === undefined) return words.length === 0 || words.some(({ isComputed }) => isComputed) ? OTHER : NOBODY;
	const name = program.text;
	const args = tokens.map(({ text }) => text);
	if (name === "command") return SEARCH;
	if (name === "git") return decidedByGit(args.slice(behindOptions(tokens, 0, "Cc")));
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
