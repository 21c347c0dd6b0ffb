import { afterOptions, RUNNERS, type ShellToken } from "../store/format/shell-tokens.ts";
import {
	type Call,
	mayAny,
	mayBeOption,
	mayChange,
	NOTHING,
	naming,
	type Outcome,
	pathOf,
	placeOf,
	plainWord,
	split,
	targetsOf,
} from "./command-words.ts";
import type { Effect } from "./effects.ts";
import { gitEffects } from "./git-commands.ts";
import { isReadingScript, stringsOf } from "./scripts.ts";
import { readSed } from "./sed.ts";

/** Programs that change the text of no file, whatever their arguments are. */
const READERS: ReadonlySet<string> = new Set(
	(
		"[ alias base64 basename bg cal cksum clear cmp column comm cut date declare df diff dig dirname disown du egrep env expand export expr " +
		"false fg fgrep fold free getconf getopts grep hash head hexdump host hostname id jobs jq kill killall less local locale lsof ls man " +
		"md5 md5sum more netstat nl nproc nslookup od paste pgrep ping pkill printenv ps pstree pwd read readlink readonly realpath return rev " +
		"rmdir seq sha1sum sha256sum shasum shift shopt sleep ss stat strings sum sw_vers tac tail test top tput tr trap true tty type typeset " +
		"ulimit umask unalias uname unset uptime wait wc whereis which who whoami xxd yes zcat zgrep exit break continue : cloc scc tokei set"
	).split(" "),
);

/** Programs that only read unless they have such an argument. */
const READERS_WITHOUT: readonly (readonly [names: string, changes: RegExp])[] = [
	["fd fdfind", /^(?:-[a-zA-Z]*[xX]|--exec)/],
	["rg ag ack", /^--(?:pre(?:=|$)|hostname-bin)/],
	["sort", /^(?:-[a-zA-Z]*o|--o|--co)/],
	["tree", /^(?:-[a-zA-Z]*[oR]|--output)/],
	["file", /^(?:-[a-zA-Z]*C|--comp)/],
	["bat batcat", /^cache$/],
	[
		"curl",
		/^(?:-[a-zA-Z]*[oOKcJD]|--(?:output|remote|config|cookie-jar|dump|trace|create|etag-save|libcurl|hsts|alt-svc|stderr))/,
	],
	["gh", /^(?:checkout|clone|download|sync|develop|extension|alias|merge|close|fork|create)$/],
	// The second file that it is given is written.
	["uniq", /^[^-]/],
	["yq", /^(?:-[a-zA-Z]*[is]|--in|--split)/],
	["pi-grove", /^(?:checkout|undo|move|export|import|delete|archive|rename|migrate|repair|doctor|--into|-o|--output)/],
	["pi", /^(?!(?:--version|--help|--list-models|list|config|-h|-v)$)/],
];

/** Programs that rewrite files only with such an argument, or always; and then those that they are given. */
const FORMATTERS: readonly (readonly [names: string, rewrites: RegExp, keeps?: RegExp])[] = [
	["prettier", /^(?:--write|-[a-z]*w)$/],
	["eslint stylelint standard xo tslint oxlint semistandard ts-standard", /^--fix/],
	["biome rome", /^--(?:write|apply|fix)/],
	["black isort autopep8 yapf ruff", /^/, /^(?:--check|--diff|--check-only|-c|rule|check|linter|config|version)$/],
	["gofmt goimports shfmt clang-format", /^-[a-z]*[wi]$/],
	["rustfmt rubocop swiftformat stylua", /^/, /^(?:--check|--lint|-l)$/],
];

/** The words with which another program says that it formats or fixes. */
const FORMATS =
	/^(?:cargo|go|dart|deno|terraform|mix|dotnet|zig|bun|npm|yarn|pnpm|just|make|task|turbo|nx|composer|ng) (?:(?:run|run-script|-\S+) )*(?:[\w:.-]*\b(?:fmt|format|fix|prettier|pretty|codemod)\b|.* --fix\b)/;
/** Words before the name of a program, as those of npx. */
const RUNS =
	/^(?:(?:npm|pnpm|yarn|bun) (?:exec|x|dlx)|(?:uv|poetry|pipenv|rye|hatch) run|bundle exec|python3? -m (?=black|isort|ruff|autopep8|yapf)) /;
const CODEMODS: ReadonlySet<string> = new Set([
	"patch",
	"jscodeshift",
	"codemod",
	"comby",
	"ast-grep",
	"sg",
	"sd",
	"pre-commit",
	"lint-staged",
]);

/** Of other programs, the words after which they only read. */
const LOOKS =
	/^(?:(?:npm|pnpm|yarn) (?:ls|list|view|info|outdated|why|explain|root|prefix|bin|whoami|search|ping|config get)\b|pip3? (?:list|show|freeze|check)\b|cargo (?:metadata|search)\b|go (?:list|env|doc|version)\b|(?:tsc|vue-tsc) (?:.* )?--noEmit\b(?!.*--(?:incremental|build))|node (?:--check|-c) |(?:ba|z|da)?sh -n |php -l |ruby -c |python3? -m (?:json\.tool(?: [^ -]\S*)?$|py_compile |compileall |tokenize |this$|site$|sysconfig$)|docker (?:ps|images|logs|inspect|version|info)\b|systemctl status\b|gcc --version|brew (?:list|info)\b|sqlite3? -readonly )/;

/** Programs that run another one. Where `env -C` would run it is not looked into. */
const RUNNING: typeof RUNNERS = new Map([
	...RUNNERS,
	["env", { valued: "uS" }],
	["npx", { valued: "p" }],
	["bunx", { valued: "" }],
	["pnpx", { valued: "" }],
	["uvx", { valued: "" }],
]);

const INTERPRETERS =
	/^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|Rscript|lua|bash|sh|zsh|dash|osascript)$/;
const SHELLS = /^(?:ba|z|da|k)?sh$/;

/** What a simple command does to files. */
export function outcomeOf(call: Call): Outcome {
	const { args, directory } = call;
	const name = call.name.replace(/^\/(?:.*\/)?bin\//, "");
	const words = args.map(({ text }) => text);
	const runner = RUNNING.get(name);
	if (runner !== undefined) {
		if (name === "command" && /^-[vV]/.test(words[0] ?? "")) return NOTHING;
		const start = args.length - afterOptions(words, runner.valued).length + (runner.words ?? 0);
		const rest = args.slice(start);
		const at = name === "env" ? rest.findIndex(({ text }) => !/^\w+=/.test(text)) : 0;
		const [program, ...more] = rest.slice(Math.max(0, at));
		if (program === undefined || at === -1) return NOTHING;
		return program.isLiteral ? outcomeOf({ ...call, name: program.text, args: more }) : { effects: [mayAny()] };
	}
	if (/^(?:--version|--help|-V|-h|version)$/.test(words.join(" ")) && !/^(?:rm|mv|cp|tee)$/.test(name)) return NOTHING;
	if (READERS.has(name)) return /^(?::|true)$/.test(name) ? { effects: [], output: "" } : NOTHING;
	const changes = READERS_WITHOUT.find(([names]) => names.split(" ").includes(name))?.[1];
	if (changes !== undefined && !args.some((arg) => changes.test(arg.text) || mayBeOption(arg))) return NOTHING;
	const outcome = PROGRAMS.get(name)?.({ ...call, name });
	if (outcome !== undefined) return outcome;
	const line = [name, ...words].join(" ");
	if (RUNS.test(line)) return outcomeOf({ ...call, name: "npx", args: args.slice(1) });
	if (LOOKS.test(line)) return NOTHING;
	const formatter = FORMATTERS.find(([names]) => names.split(" ").includes(name));
	if (formatter !== undefined) {
		const [, rewrites, keeps] = formatter;
		const isFixing = words.some((word) => /^--fix/.test(word));
		if (!isFixing && (!words.some((word) => rewrites.test(word)) || words.some((word) => keeps?.test(word))))
			return NOTHING;
	}
	const isInPlace = name === "perl" && words.some((word) => /^-\w*i/.test(word));
	if (INTERPRETERS.test(name)) {
		const script = interpreted({ ...call, name });
		if (script !== undefined && !isInPlace) return script;
	}
	const isFixing = formatter !== undefined || isInPlace || FORMATS.test(line) || CODEMODS.has(name);
	const isNaming = formatter !== undefined || changes !== undefined || INTERPRETERS.test(name);
	const targets = words.filter((word) => !word.startsWith("-") && !/^(?:format|check|lint|fmt)$/.test(word));
	const files = targets.filter((word) => /\.\w+$/.test(word));
	const isNamed = files.length > 0 && (formatter === undefined || files.length === targets.length);
	const isWide = isFixing && (CODEMODS.has(name) || !isNamed || args.some(({ isLiteral }) => !isLiteral));
	return { effects: [mayAny(namedBy(args, directory, isNaming), isWide)] };
}

/** What the words of a program name, or may name; `isPlainNamed`: a word without a dot or slash may be a name too. */
function namedBy(args: readonly ShellToken[], directory: string | undefined, isPlainNamed: boolean): readonly string[] {
	return args.flatMap((arg) => {
		const text = arg.text.startsWith("-") ? arg.text.slice(arg.text.indexOf("=") + 1 || arg.text.length) : arg.text;
		const strings = /[\n'"`();]/.test(text) ? stringsOf(text) : [text];
		return strings.flatMap((string) => {
			const isName =
				/^[^\n]{1,250}$/.test(string) && (/[./\\]/.test(string) || (isPlainNamed && /^[\w-]+$/.test(string)));
			if (!isName || /:\/\/|^[\d.]+$|^-/.test(string)) return [];
			return placeOf({ ...arg, text: string }, directory)?.path ?? [];
		});
	});
}

/** A script in the words of an interpreter, or fed to it; undefined: it is in a file. */
function interpreted({ name, args, directory, input }: Call): Outcome | undefined {
	const at = args.findIndex(({ text }) =>
		(SHELLS.test(name) ? /^-[a-z]*c$/ : /^(?:-[a-zA-Z]*[ecpE]|--eval|--print)$/).test(text),
	);
	const isFile = args.some(({ text }, index) => !text.startsWith("-") && (at === -1 || index < at));
	const script = at === -1 ? undefined : args[at + 1];
	if (isFile || (script === undefined && (input === undefined || at !== -1))) return undefined;
	const text = script?.text ?? input ?? "";
	if (SHELLS.test(name)) return { effects: [], line: { text, isSure: script?.isLiteral !== false } };
	if (isReadingScript(name, text)) return NOTHING;
	const names = namedBy(script === undefined ? args : args.toSpliced(at, 2), directory, true);
	const strings = stringsOf(text).flatMap((string) =>
		/[./]|^\w+$/.test(string) ? (pathOf(string, directory) ?? []) : [],
	);
	return { effects: [mayAny([...strings, ...names])] };
}

const write = (path: string, text: string | undefined, isAdded: boolean): Effect =>
	text === undefined
		? { kind: "may", paths: [path], named: [], isWide: false }
		: { kind: isAdded ? "append" : "write", path, text };

/** What a text that is printed does to a file that it goes to. */
export function written(
	name: ShellToken,
	directory: string | undefined,
	text: string | undefined,
	isAdded: boolean,
): Effect {
	const place = placeOf(name, directory);
	return place?.isExact === true ? write(place.path, text, isAdded) : mayChange([name], directory);
}

function find({ args, directory, ...call }: Call): Outcome {
	const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
	const roots = args.slice(0, end === -1 ? args.length : end);
	const at = args.findIndex(({ text }) => /^-(?:exec|ok)(?:dir)?$/.test(text));
	if (args.some(({ text }) => /^-(?:fprint|fls)/.test(text))) return { effects: [mayAny()] };
	const all = mayChange(roots.length === 0 ? [plainWord(".")] : roots, directory);
	if (args.some(({ text }) => text === "-delete")) return { effects: [all] };
	if (at === -1) return NOTHING;
	const [program = plainWord("."), ...rest] = args.slice(at + 1);
	const stop = rest.findIndex(({ text }) => /^[;+]$/.test(text));
	const inner = fed({ ...call, name: program.text, args: rest.slice(0, stop === -1 ? rest.length : stop), directory });
	return inner === undefined ? NOTHING : inner.isPlain ? { effects: [all] } : { effects: [mayAny([], inner.isWide)] };
}

/** What a program does to files whose names it is given at run time; undefined: it reads them. */
function fed(call: Call): { readonly isPlain: boolean; readonly isWide: boolean } | undefined {
	const args = call.args.map((arg) => (/\{\}/.test(arg.text) ? { ...arg, isLiteral: true } : arg));
	const { effects, line } = outcomeOf({ ...call, args: [...args, plainWord(".")], directory: "/" });
	if (effects.length === 0 && line === undefined) return undefined;
	const isPlain = effects.every((effect) => effect.kind !== "may" || effect.paths !== undefined);
	const isWide = isPlain || effects.some((effect) => effect.kind === "may" && effect.isWide) || call.name === "perl";
	return { isPlain: isPlain && line === undefined, isWide: isWide || line !== undefined };
}

function xargs(call: Call): Outcome {
	const words = afterOptions(
		call.args.map(({ text }) => text),
		"nLPsdIEa",
	);
	const [program, ...args] = call.args.slice(call.args.length - words.length);
	if (program === undefined) return NOTHING;
	// What it adds may be an option of programs that have some which write.
	const inner = READERS.has(program.text) ? undefined : fed({ ...call, name: program.text, args });
	return inner === undefined ? NOTHING : { effects: [mayAny([], inner.isWide)] };
}

function sed({ args, directory }: Call): Outcome {
	const command = readSed(args.map(({ text }) => text));
	const isLiteral = args.every((arg, at) => arg.isLiteral || command?.files.includes(at));
	if (
		command === undefined ||
		(!isLiteral && args.some((arg) => !arg.isLiteral && /\$\W|["`]|\$\{?[a-z_]+\}?[ew]/i.test(arg.text)))
	)
		return {
			effects:
				args.some(({ text }) => /^-\w*i|^--in-place/.test(text)) || command === undefined
					? [mayAny(namedBy(args, directory, true))]
					: [],
		};
	const { suffix, apply } = command;
	if (suffix === undefined) return NOTHING;
	const effects = command.files.flatMap((at): readonly Effect[] => {
		const name = args[at];
		const place = name && placeOf(name, directory);
		if (name === undefined || place === undefined) return [mayAny()];
		const { path, isExact } = place;
		const copy: Effect = { kind: "copy", from: path, to: `${path}${suffix}`, by: "shell" };
		if (!isExact || !isLiteral || apply === undefined)
			return [
				{
					kind: "may",
					paths: suffix === "" || !isExact ? [path] : [path, `${path}${suffix}`],
					named: [],
					isWide: false,
				},
			];
		return [...(suffix === "" ? [] : [copy]), { kind: "rewrite", path, apply }];
	});
	return { effects };
}

/** A program of awk writes with `print … >`, and runs others with `|` and `system`. */
function awk({ args, directory }: Call): Outcome {
	const words = args.map(({ text }) => text);
	const at = words.length - afterOptions(words, "Fv").length;
	const isPlain = !words.slice(0, at).some((word) => /^-[^Fv]/.test(word)) && args[at]?.isComputed === false;
	const mayWrite = !isPlain || /print[\s\S]*>|\||system|getline|@/.test(words[at] ?? "|");
	return mayWrite ? { effects: [mayAny(namedBy(args, directory, true))] } : NOTHING;
}

function echo({ args }: Call): Outcome {
	const words = args.map(({ text }) => text);
	const options = words.findIndex((word) => !/^-[neE]+$/.test(word));
	const flags = words.slice(0, options === -1 ? words.length : options).join("");
	const text = words.slice(options === -1 ? words.length : options).join(" ");
	const isKnown = args.every(({ isLiteral }) => isLiteral) && !(/e/.test(flags) && text.includes("\\"));
	return { effects: [], output: isKnown ? `${text}${flags.includes("n") ? "" : "\n"}` : undefined };
}

function printf({ args }: Call): Outcome {
	const [format = "", ...words] = args.map(({ text }) => text);
	const isKnown = args.every(({ isLiteral }) => isLiteral) && !/^-|%(?!s|%)|\\[^nt\\"']/.test(format);
	const slots = format.match(/%s/g)?.length ?? 0;
	if (!isKnown || slots > 1 || (slots === 0 && words.length > 0)) return { effects: [] };
	const pieces = (words.length === 0 ? [""] : words).map((word) =>
		format.replace(/\\(.)|%(.)/g, (_, escaped, kind) =>
			kind === "s" ? word : kind === "%" ? "%" : escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped,
		),
	);
	return { effects: [], output: pieces.join("") };
}

function tee({ args, directory, input }: Call): Outcome {
	const { names, flags, isKnown } = split(args, /^(?:-[ai]+|--append)$/);
	const effects = names.map((name) => written(name, directory, isKnown ? input : undefined, /a/.test(flags)));
	return { effects, output: input };
}

/** The mode that `chmod` gives; undefined: that does not say whether a file can be run. */
function isExecutableBy(mode: string): boolean | "same" | undefined {
	const octal = /^0?([0-7])[0-7]{2}$/.exec(mode)?.[1];
	if (octal !== undefined) return (Number(octal) & 1) === 1;
	const [, who = "", sign, bits = ""] = /^([ugoa]*)([-+])([rwxst]+)$/.exec(mode) ?? [];
	if (sign === undefined) return undefined;
	return !bits.includes("x") || /^[go]+$/.test(who) ? "same" : sign === "+";
}

const RECURSIVE = /(?:^| )-[a-z]*[rRa]|--rec/;
const PROGRAMS: ReadonlyMap<string, (call: Call) => Outcome> = new Map<string, (call: Call) => Outcome>([
	[
		"rm",
		naming(/^(?:-[rRfvd]+|--force|--recursive|--verbose)$/, (names, flags, texts) => {
			// A file whose name has a slash behind it is not removed, and that is no error.
			const isOdd = !RECURSIVE.test(flags) && texts.some((text) => text.endsWith("/"));
			return isOdd ? undefined : names.map((path) => ({ kind: "remove", path, by: "shell" }));
		}),
	],
	[
		"mv",
		naming(/^-[fv]+$/, (names, _, texts) =>
			names.length < 2 ? [] : targetsOf(names, texts).map(([from, to]) => ({ kind: "move", from, to, by: "shell" })),
		),
	],
	[
		"cp",
		naming(/^(?:-[aRrpfv]+|--recursive|--force)$/, (names, flags, texts) => {
			// On a Mac, the content of `dir/` is copied.
			const isContent = RECURSIVE.test(flags) && texts.slice(0, -1).some((text) => /[/.]$/.test(text));
			const copies = targetsOf(names, texts).map(([from, to]): Effect => ({ kind: "copy", from, to, by: "shell" }));
			return isContent ? [{ kind: "may", paths: names.slice(-1), named: [], isWide: false }] : copies;
		}),
	],
	[
		"touch",
		naming(/^-[acm]+$/, (names, flags) =>
			/c/.test(flags) ? [] : names.map((path) => ({ kind: "create", path, isDirectory: false })),
		),
	],
	[
		"mkdir",
		naming(/^(?:-[pv]+|--parents)$/, (names) => names.map((path) => ({ kind: "create", path, isDirectory: true }))),
	],
	[
		"ln",
		naming(/^(?:-[sfnvr]*|--symbolic|--force)$/, (names, flags, texts) => {
			const [target = "", ...more] = texts;
			const path = more.length === 0 ? undefined : targetsOf(names, texts)[0]?.[1];
			return /s/.test(flags) && !/r/.test(flags) && more.length === 1 && path !== undefined
				? [{ kind: "link", path, target }]
				: undefined;
		}),
	],
	[
		"chmod",
		({ args, directory }) => {
			const at = args.findIndex(({ text }) => !/^-[RvfcH]+$|^--recursive$/.test(text));
			const mode = isExecutableBy(args[at]?.text ?? "");
			const isRecursive = args.slice(0, at).some(({ text }) => /R|--rec/.test(text));
			const names = args.slice(at + 1);
			if (mode === "same") return NOTHING;
			const effects = names.map((name): Effect => {
				const place = placeOf(name, directory);
				if (place?.isExact !== true || mode === undefined) return mayChange([name], directory);
				return { kind: "mode", path: place.path, isExecutable: mode, isRecursive };
			});
			return { effects };
		},
	],
	["tee", tee],
	["cat", ({ args, input }) => ({ effects: [], output: args.every(({ text }) => text === "-") ? input : undefined })],
	["echo", echo],
	["printf", printf],
	["sed", sed],
	["gsed", sed],
	["awk", awk],
	["gawk", awk],
	["mawk", awk],
	["find", find],
	["xargs", xargs],
	["eval", ({ args }) => ({ effects: [], line: { text: args.map(({ text }) => text).join(" "), isSure: false } })],
	["git", gitEffects],
]);
