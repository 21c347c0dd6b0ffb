import { afterOptions, type ShellToken, tokensOf } from "../store/format/shell-tokens.ts";

/** Longer command lines, in UTF-16 units, are scripts. */
const LONGEST = 10_000;

/** Whether a command may change files, as far as its arguments say. */
type MayChange = (args: readonly string[]) => boolean;

/** Programs that only read, whatever their arguments are. */
const READERS =
	"[ basename cat cd cksum cmp comm cut date df diff dirname du echo egrep expr false fgrep grep head id jq ls lsof md5sum nl nproc od " +
	"paste pgrep printenv printf ps pwd readlink realpath rev seq sha1sum sha256sum shasum sleep stat strings tac tail test tr true type uname " +
	"uptime wc which whoami";

/** Programs that only read unless they have such an argument. */
const READERS_WITHOUT: readonly (readonly [names: string, changes: RegExp])[] = [
	["find", /^-(?:exec|ok|delete|fprint|fls)/],
	["fd fdfind", /^(?:-[a-zA-Z]*[xX]|--exec)/],
	["rg", /^--(?:pre(?:=|$)|hostname-bin)/],
	["sort", /^(?:-[a-zA-Z]*o|--o|--co)/],
	["tree", /^(?:-[a-zA-Z]*[oR]|--output)/],
	["file", /^(?:-[a-zA-Z]*C|--comp)/],
	// The second file that it is given is written.
	["uniq", /^[^-]/],
];

const GIT_CHANGES = /^(?:-O|--output|--ext-diff|--textconv|--filters|--open|-o$)/;

/** Commands of git that only read. */
const GIT_READERS: ReadonlySet<string> = new Set(
	(
		"blame cat-file describe diff diff-files diff-index diff-tree grep log ls-files ls-tree merge-base name-rev rev-list rev-parse shortlog " +
		"show status"
	).split(" "),
);

/** Those that only read with these arguments, each after a space. */
const GIT_LISTS: ReadonlyMap<string, RegExp> = new Map([
	["branch", /^(?: (?:-a|-r|-v|-vv|-av|--all|--list|--show-current))*$/],
	["remote", /^(?: -v)?$/],
	["stash", /^ (?:list|show)(?: -p)?$/],
	["tag", /^(?: (?:-l|--list))?$/],
	["worktree", /^ list$/],
]);

const ADDRESS = String.raw`(?:\d+|\$|\/(?:[^/\\\n]|\\.)*\/)`;
/** A script of sed that prints lines. */
const PRINTS = new RegExp(String.raw`^(?:\s*(?:${ADDRESS}(?:\s*,\s*\+?${ADDRESS})?)?\s*[pdq=]\s*(?:;|$))+\s*$`);

function sedMayChange(args: readonly string[]): boolean {
	const end = args.findIndex((arg) => !arg.startsWith("-"));
	const isPlain = args.slice(0, end).every((arg) => /^-[nErsuz]*e?$/.test(arg));
	// Behind the script stand the files.
	return end === -1 || !isPlain || !PRINTS.test(args[end] ?? "") || args.slice(end).some((arg) => arg.startsWith("-"));
}

/** A program of awk writes with `print … >`, and runs others with `|` and `system`. */
function awkMayChange(args: readonly string[]): boolean {
	const words = args.filter((arg) => !/^-[Fv]./.test(arg));
	return words.some((arg) => arg.startsWith("-")) || /print[\s\S]*>|\||system|getline|@/.test(words[0] ?? "|");
}

function gitMayChange(args: readonly string[]): boolean {
	const [name = "", ...more] = afterOptions(
		args.filter((arg) => arg !== "--no-pager"),
		"C",
	);
	if (args.some((arg) => GIT_CHANGES.test(arg)) || args.includes("-c")) return true;
	const list = GIT_LISTS.get(name);
	return list === undefined ? !GIT_READERS.has(name) : !list.test(more.map((arg) => ` ${arg}`).join(""));
}

/** What braces and variables come to may be an option. */
const MAY_BE_OPTION = /^-.*[{$]|^[{$]/;

const MAY_CHANGE: ReadonlyMap<string, MayChange> = new Map<string, MayChange>([
	...READERS.split(" ").map((name): [string, MayChange] => [name, () => false]),
	...READERS_WITHOUT.flatMap(([names, changes]) => {
		const mayChange: MayChange = (args) => args.some((arg) => changes.test(arg) || MAY_BE_OPTION.test(arg));
		return names.split(" ").map((name): [string, MayChange] => [name, mayChange]);
	}),
	["sed", sedMayChange],
	["awk", awkMayChange],
	["gawk", awkMayChange],
	["git", gitMayChange],
]);

/** What ends a simple command; the parentheses of subshells and functions are not read. */
const SEPARATORS: ReadonlySet<string> = new Set([";", "\n", "&", "&&", "||", "|", "|&"]);

/**
 * Whether a shell command line only reads files. What it means is read only as far as needed for that: programs that are not known, nested
 * commands, loops, variables that are set, and output that goes into a file may change any.
 */
export function onlyReads(line: string): boolean {
	const tokens = line.length > LONGEST ? undefined : tokensOf(line);
	if (tokens === undefined) return false;
	let words: string[] = [];
	for (let at = 0; at < tokens.length; at++) {
		const token = tokens[at];
		if (token === undefined || token.isComputed) return false;
		if (!token.isOperator) words.push(token.text);
		else if (SEPARATORS.has(token.text)) {
			if (mayChange(words)) return false;
			words = [];
		} else if (!isHarmless(token, tokens[++at])) return false;
	}
	return !mayChange(words);
}

/** Whether a redirection writes into no file. */
function isHarmless({ text }: ShellToken, target: ShellToken | undefined): boolean {
	if (target === undefined || target.isOperator || target.isComputed) return false;
	if (/^\d*<(?:<<)?$/.test(text)) return true;
	if (/[<>]&$/.test(text) && /^\d+$|^-$/.test(target.text)) return true;
	return />/.test(text) && !text.includes("<") && /^\/dev\/(?:null|stdout|stderr)$/.test(target.text);
}

function mayChange([name, ...args]: readonly string[]): boolean {
	if (name === undefined) return false;
	if (name === "xargs") {
		const [program = "echo", ...rest] = afterOptions(args, "nLPsdIE");
		// What it adds may be an option.
		return !READERS.split(" ").includes(program) || mayChange([program, ...rest]);
	}
	if (args.length === 1 && args[0] === "--version" && /^[\w-]+$/.test(name)) return false;
	return MAY_CHANGE.get(name)?.(args) ?? true;
}
