import { basename, resolve } from "node:path";
import { afterOptions, type ShellToken, tokensOf } from "../store/format/shell-tokens.ts";

/** What a command line may do to files, in order. */
export interface ShellChanges {
	readonly touches: readonly FileTouch[];
	/** Whether the line has no other effects, and succeeds only if all of them did. */
	readonly isSure: boolean;
}

interface FileTouch {
	/** Absolute path of the only file that may be changed; with a slash at its end, all files below it too. Undefined: any file. */
	readonly name: string | undefined;
	/** Whether it is removed, and not written. */
	readonly removes: boolean;
}

/** What may change any file. */
export const CHANGES_ANY: ShellChanges = { touches: [{ name: undefined, removes: false }], isSure: false };

/** The last thing that a command may have done to a file, by absolute path; undefined if it cannot have changed it. */
export function lastTouch({ touches }: ShellChanges, path: string): FileTouch | undefined {
	return touches.findLast((touch) => isTouched(touch, path));
}

/** Whether a command names a file, or a directory above it, among what it may change. */
export function namesFile({ touches }: ShellChanges, path: string): boolean {
	return touches.some((touch) => touch.name !== undefined && isTouched(touch, path));
}

function isTouched({ name }: FileTouch, path: string): boolean {
	return name === undefined || (name.endsWith("/") ? `${path}/`.startsWith(name) : path === name);
}

/** Longer command lines, in UTF-16 units, are scripts. */
const LONGEST = 10_000;

/** The files that a program may change, as far as its arguments name them: as typed, or with a slash behind for all that is below. */
interface Named {
	readonly changes: readonly string[];
	readonly removes?: readonly string[];
}

/** The files that a program may change, given its arguments, and whether they are what is typed; undefined: any. */
type FilesOf = (args: readonly string[], areLiteral: boolean) => Named | undefined;

const NOTHING: Named = { changes: [] };

/** Programs that change the text of no file, whatever their arguments are. */
const READERS =
	"[ basename cat chmod cksum cmp comm cut date df diff dirname du echo egrep expr false fgrep grep head id jq ls lsof md5sum mkdir nl nproc " +
	"od paste pgrep printenv printf ps pwd readlink realpath rev rmdir seq sha1sum sha256sum shasum sleep stat strings tac tail test tr true " +
	"type uname uptime wc which whoami";

/** Programs that only read unless they have such an argument. */
const READERS_WITHOUT: readonly (readonly [names: string, changes: RegExp])[] = [
	["find", /^-(?:exec|ok|delete|fprint|fls)/],
	["fd fdfind", /^(?:-[a-zA-Z]*[xX]|--exec)/],
	["rg", /^--(?:pre(?:=|$)|hostname-bin)/],
	["sort", /^(?:-[a-zA-Z]*o|--o|--co)/],
	["tree", /^(?:-[a-zA-Z]*[oR]|--output)/],
	["file", /^(?:-[a-zA-Z]*C|--comp)/],
	["set", /^(?!(?:[-+][eux]*o?|pipefail)$)/],
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

/** Those that change no file but Git's own with these arguments, each after a space. */
const GIT_KEEPS: ReadonlyMap<string, RegExp> = new Map([
	["add", /^(?: (?:-[AuvfN]|--all|--update|--force|--|[^-\s${]\S*))*$/],
	["branch", /^(?: (?:-a|-r|-v|-vv|-av|--all|--list|--show-current))*$/],
	["checkout", /^ -b [^-\s${]\S*$/],
	["remote", /^(?: -v)?$/],
	["reset", /^(?: (?:-q|--quiet|--soft|--mixed|--|[^-\s${]\S*))*$/],
	["restore", /^ (?:-S|--staged)(?: (?:-q|--quiet|--|[^-\s${]\S*))*$/],
	["rm", /^(?: -r)? --cached(?: (?:-r|-q|--|[^-\s${]\S*))*$/],
	["stash", /^ (?:list|show)(?: -p)?$/],
	["switch", /^ (?:-c|--create) [^-\s${]\S*$/],
	["tag", /^(?: (?:-l|--list))?$/],
	["worktree", /^ list$/],
]);

/**
 * A pattern of sed until the delimiter; brackets that hold the delimiter, or a bracket, are not understood. Scripts of sessions may be
 * anything: here and below, no text may be read in two ways, which would take time without end.
 */
const patternUntil = (end: string): string =>
	String.raw`(?:\\.|[^\\\n[${end}]|\[(?:\^\]|\^(?!\])|\]|(?![\^\]]))(?:\[:\w+:\]|[^\]\\\n[${end}])*\])*${end}`;
const ADDRESS = String.raw`(?:\d+|\$|\/${patternUntil("/")}I?)`;
const ADDRESSES = String.raw`\s*(?:${ADDRESS}(?:\s*,\s*\+?${ADDRESS})?\s*)?(?:!\s*)?`;
const SUBSTITUTIONS = [..."/|#,@:%~_"]
	.map((delimiter) => `\\${delimiter}`)
	.map((end) => String.raw`s${end}${patternUntil(end)}(?:\\[\s\S]|[^\\\n${end}])*${end}[gpIimM\d]*`)
	.join("|");
/** A command of sed that prints, deletes, replaces or adds lines, or the end: others may write files, or run programs. */
const PLAIN_COMMAND = new RegExp(
	String.raw`\s*$|${ADDRESSES}(?:(?:[pdq=]|${SUBSTITUTIONS})\s*(?:[;\n]|$)|[aic](?:\\[\s\S]|[^\\\n])*(?:\n|$))`,
	"y",
);

function isPlainScript(script: string): boolean {
	PLAIN_COMMAND.lastIndex = 0;
	let isPlain = /\S/.test(script);
	while (isPlain && PLAIN_COMMAND.lastIndex < script.length) isPlain = PLAIN_COMMAND.test(script);
	return isPlain;
}

function sedNames(args: readonly string[], areLiteral: boolean): Named | undefined {
	const scripts: string[] = [];
	const words: string[] = [];
	let suffix: string | undefined;
	for (let at = 0; at < args.length; at++) {
		const arg = args[at] ?? "";
		const inPlace = /^(?:-[nErsuz]*i|--in-place(?:=|$))(.*)$/.exec(arg)?.[1];
		const script = /^-[nErsuz]*e(.*)$/.exec(arg)?.[1];
		if (inPlace !== undefined) suffix = inPlace;
		else if (script !== undefined) scripts.push(script === "" ? (args[++at] ?? "") : script);
		else if (!arg.startsWith("-")) words.push(arg);
		else if (!/^-[nErsuz]+$/.test(arg)) return undefined;
	}
	// The suffix of sed on a Mac, which is a word of its own: elsewhere it is an empty script, and the next word a file.
	const isMac = suffix === "" && words[0] === "";
	const files = isMac ? words.slice(1) : words;
	if (scripts.length === 0) scripts.push((isMac ? files[0] : files.shift()) ?? "");
	const isPlain = (script: string): boolean => isPlainScript(script) && (areLiteral || !script.includes("$"));
	if (!scripts.every(isPlain) || /[*/]/.test(suffix ?? "")) return undefined;
	if (suffix === undefined) return NOTHING;
	return { changes: suffix === "" ? files : files.flatMap((file) => [file, `${file}${suffix}`]) };
}

/** A program of awk writes with `print … >`, and runs others with `|` and `system`. */
function awkNames(args: readonly string[]): Named | undefined {
	const words = args.filter((arg) => !/^-[Fv]./.test(arg));
	const mayChange =
		words.some((arg) => arg.startsWith("-")) || /print[\s\S]*>|\||system|getline|@/.test(words[0] ?? "|");
	return mayChange ? undefined : NOTHING;
}

function gitNames(args: readonly string[]): Named | undefined {
	const all = args.filter((arg) => arg !== "--no-pager");
	const [name = "", ...more] = afterOptions(all, "C");
	if (args.some((arg) => GIT_CHANGES.test(arg)) || args.includes("-c")) return undefined;
	const typed = more.map((arg) => ` ${arg}`).join("");
	if (GIT_READERS.has(name) || GIT_KEEPS.get(name)?.test(typed)) return NOTHING;
	const named = name === all[0] ? NAMING.get(`git ${name}`)?.(more, true) : undefined;
	// Patterns are read by Git itself.
	return more.some((word) => /[*?[\\]|^:/.test(word)) ? undefined : named;
}

/** A program that takes options like these, and then the names of files. */
function withOptions(
	options: RegExp,
	namesOf: (names: readonly string[], options: readonly string[]) => Named,
): FilesOf {
	return (args) => {
		const start = args.findIndex((arg) => !options.test(arg));
		const names = start === -1 ? [] : args.slice(args[start] === "--" ? start + 1 : start);
		const isPlain = names.length > 0 && names.every((name) => name !== "" && !name.startsWith("-"));
		return isPlain ? namesOf(names, args.slice(0, start)) : undefined;
	};
}

const below = (name: string): string => `${name}/`;

/** Where files are moved or copied to: into a directory, if the last name is one. */
function moveTargets(names: readonly string[], isRecursive: boolean): readonly string[] {
	const to = names.at(-1) ?? "";
	const sources = names.slice(0, -1);
	const copies = sources.map((source) => `${to}/${basename(source)}${isRecursive ? "/" : ""}`);
	// On a Mac, the content of `dir/` is copied.
	if (isRecursive && sources.some((source) => /[/.]$/.test(source))) return [below(to)];
	const isDirectory = sources.length > 1 || /(?:^|\/)\.{1,2}\/*$/.test(to) || (!isRecursive && to.endsWith("/"));
	if (isDirectory) return copies;
	return isRecursive ? [below(to)] : [to, ...copies];
}

/** `mayStay`: a file may be left where it is, without an error. */
function moved(names: readonly string[], mayStay: boolean): Named {
	const sources = names.slice(0, -1).map(below);
	return { removes: mayStay ? [] : sources, changes: [...(mayStay ? sources : []), ...moveTargets(names, true)] };
}

const changing = (names: readonly string[]): Named => ({ changes: names });
/** A file whose name has a slash behind it is not removed, and that is no error. */
const removing = (names: readonly string[], areTrees: boolean): Named => ({
	changes: names.filter((name) => name.endsWith("/")).map((name) => name.replace(/\/+$/, "")),
	removes: areTrees ? names.map(below) : names.filter((name) => !name.endsWith("/")),
});
const isRecursive = (options: readonly string[]): boolean =>
	options.some((option) => /^-[a-z]*[rRa]|^--rec/.test(option));

/** Programs whose arguments name the files that they change. */
const NAMING: ReadonlyMap<string, FilesOf> = new Map([
	[
		"rm",
		withOptions(/^(?:-[rRfvd]+|--force|--recursive|--verbose)$/, (names, options) =>
			removing(names, isRecursive(options)),
		),
	],
	[
		"mv",
		withOptions(/^-[fvnu]+$/, (names, options) =>
			moved(
				names,
				options.some((option) => /[nu]/.test(option)),
			),
		),
	],
	[
		"cp",
		withOptions(/^(?:-[aRrpfnuv]+|--recursive|--force)$/, (names, options) =>
			changing(moveTargets(names, isRecursive(options))),
		),
	],
	["touch", withOptions(/^-[acm]+$/, changing)],
	["tee", withOptions(/^(?:-[ai]+|--append)$/, changing)],
	["sed", sedNames],
	[
		"git rm",
		withOptions(/^(?:-[rfq]+|--force|--quiet)$/, (names, options) =>
			isRecursive(options) ? changing(names.map(below)) : removing(names, false),
		),
	],
	["git mv", withOptions(/^-[fv]+$/, (names) => moved(names, false))],
	[
		"git restore",
		withOptions(/^(?:-[qWS]|--quiet|--worktree|--staged|--source=.+)$/, (names) => changing(names.map(below))),
	],
	[
		"git checkout",
		(args) => {
			const end = args.indexOf("--");
			const isPlain = end !== -1 && args.slice(0, end).every((arg) => /^(?:-q|-f|--quiet|--force|[^-].*)$/.test(arg));
			return isPlain ? changing(args.slice(end + 1).map(below)) : undefined;
		},
	],
]);

/** What braces and variables come to may be an option. */
const MAY_BE_OPTION = /^-.*[{$]|^[{$]/;

const FILES_OF: ReadonlyMap<string, FilesOf> = new Map<string, FilesOf>([
	...READERS.split(" ").map((name): [string, FilesOf] => [name, () => NOTHING]),
	...READERS_WITHOUT.flatMap(([names, changes]) => {
		const filesOf: FilesOf = (args) =>
			args.some((arg) => changes.test(arg) || MAY_BE_OPTION.test(arg)) ? undefined : NOTHING;
		return names.split(" ").map((name): [string, FilesOf] => [name, filesOf]);
	}),
	...NAMING,
	["awk", awkNames],
	["gawk", awkNames],
	["git", gitNames],
]);

/** Programs that write only what they print. */
function namedBy(words: readonly ShellToken[]): Named | undefined {
	const [name, ...args] = words.map(({ text }) => text);
	if (name === undefined) return NOTHING;
	if (name === "xargs") {
		const [program = "echo"] = afterOptions(args, "nLPsdIE");
		// What it adds may be an option.
		return READERS.split(" ").includes(program) ? NOTHING : undefined;
	}
	if (args.length === 1 && args[0] === "--version" && /^[\w-]+$/.test(name)) return NOTHING;
	const areLiteral = words.every(({ isLiteral }) => isLiteral);
	const named = FILES_OF.get(name)?.(args, areLiteral);
	const isNothing = named?.changes.length === 0 && named.removes === undefined;
	return areLiteral || isNothing ? named : undefined;
}

/** What ends a simple command; the parentheses of subshells and functions are not read. */
const SEPARATORS: ReadonlySet<string> = new Set([";", "\n", "&", "&&", "||", "|", "|&"]);

/** More directories, one of which is the current one, are not followed. */
const MAX_DIRECTORIES = 8;

/**
 * What a shell command line may do to files. What it means is read only as far as needed for that: programs that are not known, nested
 * commands, loops, variables that are set, and names that are not plain words may change any file. `cwd`: where it is run.
 *
 * Different paths are taken to be different files, as for pi's own tools: a link, or a disk that does not tell A from a, can make two of
 * them one. Hooks that Git runs at a commit are taken to change any file, those at a checkout none.
 */
export function shellChanges(line: string, cwd: string): ShellChanges {
	const tokens = line.length > LONGEST ? undefined : tokensOf(line);
	return tokens === undefined ? CHANGES_ANY : new LineReader(cwd).read(tokens);
}

/** Reads a command line, command after command. */
class LineReader {
	readonly #touches: FileTouch[] = [];
	#isSure = true;
	/** Where the next command runs: in one of these; undefined: it is not known. */
	#here: readonly string[] | undefined;
	/** Where any of them may run, as those after a `cd` that failed do. */
	#anywhere: readonly string[] | undefined;

	constructor(cwd: string) {
		this.#here = cwd.startsWith("/") ? [cwd] : undefined;
		this.#anywhere = this.#here;
	}

	read(tokens: readonly ShellToken[]): ShellChanges {
		let words: ShellToken[] = [];
		for (let at = 0; at < tokens.length; at++) {
			const token = tokens[at];
			if (token === undefined) break;
			if (!token.isOperator) words.push(token);
			else if (SEPARATORS.has(token.text)) {
				this.#run(words);
				words = [];
				if (token.text === "&&") continue;
				this.#here = this.#anywhere;
				// What follows decides whether the line succeeds.
				const isLast = tokens.slice(at).every(({ text }) => /^[;\n]$/.test(text));
				this.#isSure &&= isLast || (this.#touches.length === 0 && token.text !== "||");
			} else this.#redirect(token, tokens[++at]);
		}
		this.#run(words);
		return { touches: this.#touches, isSure: this.#isSure };
	}

	#run(words: readonly ShellToken[]): void {
		const isComputed = words.some((word) => word.isComputed);
		if (words[0]?.text === "cd") this.#enter(words);
		const named = isComputed ? undefined : words[0]?.text === "cd" ? NOTHING : namedBy(words);
		if (named === undefined) this.#touchAny();
		for (const name of named?.removes ?? []) this.#touch(name, true);
		for (const name of named?.changes ?? []) this.#touch(name, false);
	}

	#enter([, to, ...more]: readonly ShellToken[]): void {
		const isPlain = to?.isLiteral === true && more.length === 0 && !/^-|^$/.test(to.text);
		const dirs = isPlain ? this.#resolved(to.text) : undefined;
		this.#here = dirs;
		const all = dirs && this.#anywhere && [...new Set([...this.#anywhere, ...dirs])];
		this.#anywhere = all && all.length <= MAX_DIRECTORIES ? all : undefined;
	}

	/** Takes a redirection, and into which file it writes. */
	#redirect({ text }: ShellToken, target: ShellToken | undefined): void {
		if (target === undefined || target.isOperator || target.isComputed || !/[<>]/.test(text)) this.#touchAny();
		else if (/^\d*<(?:<<|<-?)?$/.test(text) || (text.endsWith("&") && /^\d+$|^-$/.test(target.text))) return;
		else if (/^\/dev\/(?:null|stdout|stderr)$/.test(target.text)) return;
		else if (target.isLiteral) this.#touch(target.text, false);
		else this.#touchAny();
	}

	#touch(typed: string, removes: boolean): void {
		const paths = this.#resolved(typed);
		if (paths === undefined) this.#touchAny();
		else for (const name of paths) this.#touches.push({ name, removes: removes && paths.length === 1 });
	}

	#touchAny(): void {
		this.#touches.push(...CHANGES_ANY.touches);
		this.#isSure = false;
	}

	/** What a name may mean; undefined: anything. */
	#resolved(typed: string): readonly string[] | undefined {
		const directories = this.#here && typed.startsWith("/") ? ["/"] : this.#here;
		const end = typed.endsWith("/") ? "/" : "";
		return directories?.map((directory) => `${resolve(directory, typed)}${end}`.replace(/^\/\/$/, "/"));
	}
}
