import { behindOptions, type ShellToken } from "../store/format/shell-tokens.ts";
import {
	type Call,
	type FileProgram,
	mayBeOption,
	mayChange,
	naming,
	pathsOfWords,
	placeOfWord,
	plainWord,
	split,
	targetsOf,
} from "./command-words.ts";
import { type FileEffect, mayAny, mayOf, mayPaths } from "./effects.ts";
import { gitEffects } from "./git-commands.ts";
import { sedEffects } from "./sed.ts";

/** Programs that change the text of no file, whatever their arguments are. */
const READERS: ReadonlySet<string> = new Set(
	(
		"[ [[ : alias base64 basename break cal cat cd cksum clear cloc cmp column comm command continue cut date declare df diff dig dirname " +
		"du echo egrep exit expand export expr false fgrep fold free getopts grep hash head hexdump host hostname id jobs jq kill " +
		"killall less local locale ls lsof man md5 md5sum more netstat nl nproc od paste pgrep ping pkill printenv printf ps pstree pwd " +
		"read readlink readonly realpath return rev rmdir seq set sha1sum sha256sum shasum shift shopt sleep ss stat strings sum " +
		"tac tail test top tput tr trap true tty type typeset ulimit umask uname unset uptime wait wc whereis which who whoami xxd yes zcat zgrep"
	).split(" "),
);

/** Programs that only read unless they have such an argument: then they may change what they name. */
const READERS_WITHOUT: ReadonlyMap<string, RegExp> = new Map(
	Object.entries({
		"ack ag rg": /^--(?:pre(?:=|$)|hostname-bin)/,
		"awk gawk mawk": /print[\s\S]*>|\||system|getline|@|^-[^Fv]/,
		"bat batcat": /^cache$/,
		"biome eslint oxlint prettier standard stylelint xo": /^--(?:write|fix|apply)|^-[a-z]*w$/,
		"clang-format gofmt goimports shfmt": /^-[a-z]*[wi]$/,
		curl: /^(?:-[a-zA-Z]*[oOKcJD]|--(?:output|remote|config|cookie-jar|dump|trace|create|etag-save|libcurl|hsts|alt-svc|stderr))/,
		"fd fdfind": /^(?:-[a-zA-Z]*[xX]|--exec)/,
		file: /^(?:-[a-zA-Z]*C|--comp)/,
		gh: /^(?:checkout|clone|download|sync|develop|extension|alias|merge|close|fork|create)$/,
		"pi-grove": /^(?:checkout|undo|move|export|import|delete|archive|rename|migrate|repair|doctor|--into|-o|--output)/,
		sort: /^(?:-[a-zA-Z]*o|--o|--co)/,
		tree: /^(?:-[a-zA-Z]*[oR]|--output)/,
		/** The second file that it is given is written. */
		uniq: /^[^-]/,
		yq: /^(?:-[a-zA-Z]*[is]|--in|--split)/,
	}).flatMap(([names, changes]) => names.split(" ").map((name) => [name, changes] as const)),
);

/** Other command lines that only read. */
const LOOKS =
	/ (?:--version|--help|-V|-h)$|^(?:(?:npm|pnpm|yarn) (?:ls|list|view|info|outdated|why|root|prefix|config get)\b|pip3? (?:list|show|freeze|check)\b|cargo (?:metadata|search)\b|go (?:list|env|doc|version)\b|(?:tsc|vue-tsc) (?:.* )?--noEmit\b(?!.*--(?:incremental|build))|node (?:--check|-c) |python3? -m (?:py_compile |json\.tool(?: [^ -]\S*)?$)|(?:ba|z)?sh -n |docker (?:ps|images|logs|inspect)\b|ruff check(?!.* --fix)|(?:black|isort|ruff|rustfmt) .*--(?:check|diff)\b)/;

/** Command lines that rewrite files which they need not name. */
const FORMATS =
	/^(?:prettier|eslint|stylelint|standard|xo|oxlint|biome|gofmt|goimports|shfmt|clang-format|black|isort|autopep8|yapf|ruff|rustfmt|rubocop|swiftformat|stylua|patch|jscodeshift|codemod|comby|ast-grep|sg|sd|pre-commit|lint-staged) |^perl (?:.* )?-\w*i|^(?:ba|z|da|k)?sh (?:.* )?-c | --fix\b|^(?:cargo|go|dart|deno|terraform|mix|dotnet|zig|bun|npm|yarn|pnpm|just|make|task|turbo|nx|composer|ng) (?:(?:run|run-script|-\S+) )*[\w:.-]*\b(?:fmt|format|fix|prettier|pretty|codemod)\b/;

const INTERPRETERS = /^(?:node|nodejs|bun|deno|python[\d.]*|perl)$/;
const SCRIPT_OPTION = /^(?:-[a-zA-Z]*[ecpE]|--eval|--print)$/;
/** What a script must not mention if it is to read only. */
const SCRIPT_WRITES =
	/write|append|rename|unlink|\brm|remove|\bcp\b|copy|mkdir|link|chmod|truncate|spawn|exec|system|subprocess|popen|\bos\.|shutil|promises|eval|Function\b|__import__|import\s*\(|require\s*\(\s*[^"'\s]|getattr|\bdump\(|save|touch|process\.binding|to_(?:csv|json|excel)|socket|fetch\(|`|qx|\.open\(|\bopen\s+\w|\bopen\w*\((?![^(),]+(?:,\s*(?:["']rb?["']|encoding=["'][\w-]+["']))*\))|\buse\s+(?!strict|warnings|utf8)/i;
const SCRIPT_MODULES = /\b(?:require\s*\(\s*|from\s+|import\s+)["']?([\w:./-]+(?:\s*,\s*\w+)*)/g;
/** Modules that write nothing by themselves. */
const READING_MODULE =
	/^(?:(?:node:)?(?:fs|path|util|url|crypto|zlib)|json|sys|re|math|time|datetime|collections|itertools|textwrap|base64|hashlib|ast|pprint|glob|pathlib|csv|string|.*\.json)$/;

/** A command line that a shell is given in its words, or is fed with; `isLiteral`: with these words. */
export function scriptOf({ name, args, input }: Call) {
	if (name === "eval") return { text: args.map(({ text }) => text).join(" "), isLiteral: false };
	if (!/^(?:ba|z|da|k)?sh$/.test(name)) return undefined;
	const at = args.findIndex(({ text }) => /^-[a-z]*c$/.test(text));
	if (at !== -1) return args[at + 1];
	return input === undefined || args.some(({ text }) => !text.startsWith("-")) ? undefined : plainWord(input);
}

/** The text that a command prints; undefined: it is not known. */
export function textPrintedBy({ name, args, input }: Call): string | undefined {
	const words = args.map(({ text }) => text);
	if (/^(?::|true|cd|set)$/.test(name)) return "";
	if (name === "tee" || (name === "cat" && words.every((word) => word === "-"))) return input;
	if (!args.every(({ isLiteral }) => isLiteral)) return undefined;
	if (name === "printf") return printed(words);
	if (name !== "echo") return undefined;
	const start = words.findIndex((word) => !/^-[neE]+$/.test(word));
	const flags = words.slice(0, start === -1 ? words.length : start).join("");
	const text = start === -1 ? "" : words.slice(start).join(" ");
	return /e/.test(flags) && text.includes("\\") ? undefined : `${text}${flags.includes("n") ? "" : "\n"}`;
}

function printed([format = "", ...words]: readonly string[]): string | undefined {
	const slots = format.match(/%s/g)?.length ?? 0;
	if (/^-|%(?!s|%)|\\[^nt\\"']/.test(format) || slots > 1 || (slots === 0 && words.length > 0)) return undefined;
	const escapes: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t" };
	return (words.length === 0 ? [""] : words)
		.map((word) => format.replace(/\\.|%./g, (part) => (part === "%s" ? word : (escapes[part] ?? part.slice(1)))))
		.join("");
}

/** What a simple command does to files. */
export function effectsOf(call: Call): readonly FileEffect[] {
	const { name, args, directory, input } = call;
	if (READERS.has(name)) return [];
	const program = PROGRAMS.get(name);
	if (program !== undefined) return program(call);
	const words = args.map(({ text }) => text);
	const line = [name, ...words].join(" ");
	if (LOOKS.test(line)) return [];
	const changes = READERS_WITHOUT.get(name);
	if (changes !== undefined && !args.some((arg) => changes.test(arg.text) || mayBeOption(arg))) return [];
	if (INTERPRETERS.test(name) && readsOnly(call)) return [];
	const names = words.filter((word, at) => !word.startsWith("-") && !SCRIPT_OPTION.test(words[at - 1] ?? ""));
	const isNamed = names.some((word) => /\.\w+$/.test(word)) && !names.some((word) => /[*?{]|^\.*\/?$|\/$/.test(word));
	const given = input === undefined ? args : [...args, plainWord(input)];
	const may = mayAny(
		namesIn(given, directory),
		FORMATS.test(line) && !(isNamed && args.every(({ isLiteral }) => isLiteral)),
	);
	const script =
		INTERPRETERS.test(name) && !args[0]?.text.startsWith("-") ? pathsOfWords(args, directory)?.[0] : undefined;
	return [{ ...may, script }];
}

/** Whether the script that an interpreter is given in its words, or is fed with, can only read: no wherever more could be meant. */
function readsOnly({ args, input }: Call): boolean {
	const at = args.findIndex(({ text }) => SCRIPT_OPTION.test(text));
	const isFile = args.some(({ text }, index) => !text.startsWith("-") && (at === -1 || index < at));
	const script = at === -1 ? input : args[at + 1]?.text;
	return !isFile && script !== undefined && scriptReadsOnly(script) && !args.some(({ text }) => /^-\w*i/.test(text));
}

/** Whether the text of a script of an interpreter can only read. */
export function scriptReadsOnly(script: string): boolean {
	const text = script.replace(/\bstd(?:out|err)\.write\b/g, "");
	if (SCRIPT_WRITES.test(text)) return false;
	const modules = [...text.matchAll(SCRIPT_MODULES)].flatMap(([, names = ""]) => names.split(/\s*,\s*/));
	return modules.every((module) => READING_MODULE.test(module));
}

/** What words name, or may name: of scripts, the texts in quotes. A word without a dot or a slash may be a command's own: `npm test`. */
function namesIn(args: readonly ShellToken[], directory: string | undefined): readonly string[] {
	return args.flatMap((arg) => {
		const text = arg.text.startsWith("-") ? arg.text.slice(arg.text.indexOf("=") + 1 || arg.text.length) : arg.text;
		const isScript = /[\n'"`();]/.test(text);
		const names = isScript
			? [...text.matchAll(/(["'`])((?:(?!\1)[^\\\n]){1,250})\1/g)].map(([, , quoted = ""]) => quoted)
			: [text];
		return names.flatMap((name) => {
			if (!/^[^\n]{1,250}$/.test(name) || !/[./\\]|^[A-Z]/.test(name) || /:\/\/|^[\d.]+$|^-/.test(name)) return [];
			return placeOfWord({ ...arg, text: name }, directory)?.path ?? [];
		});
	});
}

/** What a text that is printed does to a file that it goes to; undefined: it is not known. */
export function writtenTo(
	name: ShellToken,
	directory: string | undefined,
	text: string | undefined,
	isAdded: boolean,
): FileEffect {
	const [path] = pathsOfWords([name], directory) ?? [];
	if (path === undefined || text === undefined) return mayChange([name], directory);
	return { kind: isAdded ? "append" : "write", path, text };
}

/** What it runs on each file may change those below where it looks, or what else the command's words name. */
function findEffects({ args, directory, input }: Call): readonly FileEffect[] {
	const end = args.findIndex(({ text }) => /^[-(!]/.test(text));
	const given = args.slice(0, end === -1 ? args.length : end);
	const roots = given.length === 0 ? [plainWord(".")] : given;
	if (args.some(({ text }) => /^-(?:fprint|fls)/.test(text))) return [mayAny()];
	if (args.some(({ text }) => text === "-delete")) return [mayChange(roots, directory)];
	const [, program, ...words] = args.slice(args.findIndex(({ text }) => /^-(?:exec|ok)(?:dir)?$/.test(text)));
	const stop = words.findIndex(({ text }) => /^[;+]$/.test(text));
	if (program === undefined || stop === -1) return [];
	return roots.flatMap((root) => {
		const named = words.slice(0, stop).map((word) => (word.text === "{}" ? root : word));
		return effectsOf({ name: program.text, args: named, directory, input }).map(mayOf);
	});
}

function xargsEffects({ args, ...call }: Call): readonly FileEffect[] {
	const [program, ...words] = args.slice(behindOptions(args, 0, "nLPsdIEa"));
	if (program === undefined) return [];
	const effects = effectsOf({ ...call, name: program.text, args: [...words, plainWord(".")], directory: "/" });
	return effects.length === 0 ? [] : [mayAny([], true)];
}

const RECURSIVE = /(?:^| )-[a-z]*[rRa]|--rec/;

/** Programs whose effects are known from their words. */
const PROGRAMS: ReadonlyMap<string, FileProgram> = new Map(
	Object.entries<FileProgram>({
		rm: naming(/^(?:-[rRfvd]+|--force|--recursive|--verbose)$/, ({ paths, texts, flags }) => {
			// A file whose name has a slash behind it is not removed, and that is no error.
			const isOdd = !RECURSIVE.test(flags) && texts.some((text) => text.endsWith("/"));
			return isOdd ? undefined : paths.map((path) => ({ kind: "remove", path, by: "shell" }));
		}),
		mv: naming(/^-[fv]+$/, (named) => targetsOf(named).map((names) => ({ kind: "move", ...names, by: "shell" }))),
		cp: naming(/^(?:-[aRrpfv]+|--recursive|--force)$/, (named) => {
			// On a Mac, the content of `dir/` is copied.
			const isContent = RECURSIVE.test(named.flags) && named.texts.slice(0, -1).some((text) => /[/.]$/.test(text));
			if (isContent) return [mayPaths(...named.paths.slice(-1))];
			return targetsOf(named).map((names) => ({ kind: "copy", ...names, by: "shell" }));
		}),
		touch: naming(/^-[am]+$/, ({ paths }) => paths.map((path) => ({ kind: "create", path, isDirectory: false }))),
		mkdir: naming(/^(?:-[pv]+|--parents)$/, ({ paths }) =>
			paths.map((path) => ({ kind: "create", path, isDirectory: true })),
		),
		ln: naming(/^(?:-[sfnv]*|--symbolic|--force)$/, (named) => {
			const [names] = targetsOf(named);
			const isPlain = names !== undefined && /s/.test(named.flags) && named.texts.length === 2;
			return isPlain ? [{ kind: "link", path: names.to, target: named.texts[0] ?? "" }] : undefined;
		}),
		chmod: ({ args, ...call }) => {
			const at = args.findIndex(({ text }) => !/^(?:-[RvfcH]+|--recursive)$/.test(text));
			const mode = args[at]?.text ?? "";
			const octal = /^0?([0-7])[0-7]{2}$/.exec(mode)?.[1];
			const [, who = "", sign, bits = ""] = /^([ugoa]*)([-+])([rwxst]+)$/.exec(mode) ?? [];
			// Whether its owner can run it stays as it was.
			if (sign !== undefined && (!bits.includes("x") || /^[go]+$/.test(who))) return [];
			const isExecutable = octal === undefined ? sign === "+" : (Number(octal) & 1) === 1;
			const program = naming(/^(?:-[RvfcH]+|--recursive)$/, ({ paths, flags }) => {
				if (octal === undefined && sign === undefined) return undefined;
				return paths.map((path) => ({ kind: "mode", path, isExecutable, isRecursive: /R|--rec/.test(flags) }));
			});
			return program({ ...call, args: args.filter((_, index) => index !== at) });
		},
		tee: ({ args, directory, input }) => {
			const { names, flags } = split(args);
			const isAdded = flags.some((flag) => /^-[ip]*a|^--append/.test(flag));
			return names.map((name) => writtenTo(name, directory, input, isAdded));
		},
		sed: sedEffects,
		gsed: sedEffects,
		find: findEffects,
		xargs: xargsEffects,
		git: gitEffects,
	}),
);
