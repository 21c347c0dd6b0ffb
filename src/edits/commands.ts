import { rulesOf } from "../shared/system.ts";
import {
	parseShellLine,
	type Redirection,
	type ShellCommand,
	type ShellList,
	type ShellPipeline,
} from "../store/format/shell-line.ts";
import { ASSIGNMENT, programWords, type ShellToken } from "../store/format/shell-tokens.ts";
import { type Call, pathOfWord } from "./command-words.ts";
import { type FileEffect, isUndoneByFailure, mayAny, mayOf, type PlacedEffect } from "./effects.ts";
import { effectsOf, scriptOf, textPrintedBy, writtenTo } from "./programs.ts";

/** Command lines within others. */
const DEEPEST = 20;
/** UTF-16 units of a variable: `a=$a$a` doubles it each time. */
const LONGEST_VALUE = 10_000;

/**
 * What a shell command line does to files: each simple command of it is judged by itself, and what is not plain may change what it names,
 * or any file. A command that only reads has no effect. `cwd`: where it is run.
 *
 * Different paths are taken to be different files, as for pi's own tools: a link, or a disk that does not tell A from a, can make two of
 * them one. A `cd` is taken to have succeeded, unless the line printed that it did not. Hooks that Git runs are taken to change no files.
 */
export function commandEffects(line: string, cwd: string, output = ""): readonly PlacedEffect[] {
	const directory = rulesOf(cwd).isAbsolute(cwd) ? cwd : undefined;
	const missing = new Set(output.matchAll(CD_FAILED).map(([, name = ""]) => name));
	const effects = new Shell(directory, new Map(), 0, missing).run(line);
	return effects.filter((effect) => effect.kind !== "may" || effect.paths?.length !== 0);
}

/** What bash, zsh and dash print of a `cd` that failed. */
const CD_FAILED =
	/\bcd: (?:no such file or directory: |not a directory: |can't cd to )?(.+?)(?:: (?:No such|Not a|Permission).*)?$/gm;

/** What a command does, and the text that it prints; undefined: it is not known. */
interface Part {
	readonly effects: readonly PlacedEffect[];
	readonly output?: string | undefined;
}

class Shell {
	/** Where the next command runs; undefined: it is not known. */
	#directory: string | undefined;
	/** What variables stand for: that of a loop for several words. */
	#variables: Map<string, readonly ShellToken[]>;
	/** How many command lines this one is within. */
	readonly #depth: number;
	/** Directories to which a `cd` failed. */
	readonly #missing: ReadonlySet<string>;

	constructor(
		directory: string | undefined,
		variables: ReadonlyMap<string, readonly ShellToken[]>,
		depth: number,
		missing: ReadonlySet<string>,
	) {
		this.#directory = directory;
		this.#variables = new Map(variables);
		this.#depth = depth;
		this.#missing = missing;
	}

	run(line: string): readonly PlacedEffect[] {
		const { lists, isWhole } = this.#depth > DEEPEST ? { lists: [], isWhole: false } : parseShellLine(line);
		const effects = this.#lists(lists);
		if (isWhole) return effects;
		const names = line.slice(0, 20_000).match(/(?<![\w./-])[\w./-]*\.\w+/g) ?? [];
		return [...effects, mayAny(names.flatMap((name) => pathOfWord(name, this.#directory) ?? []))].map(perhaps);
	}

	#lists(lists: readonly ShellList[]): readonly PlacedEffect[] {
		return inOrder(lists, ({ pipelines, isBackground }) => {
			const start = this.#directory;
			const effects = this.#list(pipelines);
			const [first] = pipelines[0]?.commands ?? [];
			const isFirst = first?.kind === "simple" && /^(?:cd|mkdir)$/.test(first.words[0]?.text ?? "");
			if (isBackground) this.#directory = start;
			// A `cd` behind what may fail need not have been reached.
			else if (this.#directory !== start && pipelines.length > 1 && !isFirst) this.#directory = undefined;
			return isBackground ? effects.map(perhaps) : effects;
		});
	}

	#list(pipelines: readonly ShellPipeline[]): readonly PlacedEffect[] {
		const start = this.#directory;
		let isReached = true;
		const effects = inOrder(pipelines, (pipeline) => {
			isReached = pipeline.after === "||" || isReached;
			if (!isReached) return [];
			isReached = !this.#isMissing(pipeline);
			if (pipeline.after !== "||") return this.#pipeline(pipeline);
			// What stands before it failed: `cd dir || exit 1`.
			const directory = this.#directory;
			if (directory !== start) this.#directory = undefined;
			const alternatives = this.#pipeline(pipeline);
			this.#directory = leaves(pipeline) || this.#directory === directory ? directory : undefined;
			return alternatives;
		});
		const isSure = !pipelines.some((pipeline) => pipeline.after === "||" && !leaves(pipeline));
		return isSure ? effects : effects.map((effect) => ({ ...effect, ifSucceeded: "perhaps" }));
	}

	/** Whether it is a `cd` that failed. */
	#isMissing({ commands: [command] }: ShellPipeline): boolean {
		if (command?.kind !== "simple") return false;
		const [program, to] = command.words;
		return program?.text === "cd" && this.#missing.has(to?.text ?? "");
	}

	#pipeline({ commands, isNegated }: ShellPipeline): readonly PlacedEffect[] {
		const start = this.#directory;
		let input: string | undefined;
		const effects = inOrder(commands, (command) => {
			const part = this.#command(command, input);
			input = part.output;
			// Each runs in a shell of its own.
			if (commands.length > 1) this.#directory = start;
			return part.effects;
		});
		return isNegated ? effects.map(perhapsOnly) : effects;
	}

	#command(command: ShellCommand, input: string | undefined): Part {
		if (command.kind === "simple") return this.#simple(command, input);
		const [start, variables] = [this.#directory, this.#variables];
		const isCompound = command.kind === "compound";
		this.#variables = new Map(variables);
		if (isCompound && command.variable !== undefined) {
			const values = command.variable.values.flatMap((value) => this.#expanded(value));
			this.#variables.set(command.variable.name, values);
		}
		const body = this.#lists(command.body);
		const bodyVariables = this.#variables;
		if (isCompound) {
			this.#variables = new Map([...variables].filter(([name, value]) => bodyVariables.get(name) === value));
			if (this.#directory !== start) this.#directory = undefined;
		} else if (command.isSubshell) [this.#directory, this.#variables] = [start, variables];
		const redirected = this.#redirected(command.redirections, undefined).map(perhaps);
		return { effects: [...(isCompound ? body.map(perhapsOnly) : body), ...redirected] };
	}

	#simple({ words: typed, redirections }: ShellCommand & { readonly kind: "simple" }, input: string | undefined): Part {
		const words = typed.flatMap((word) => this.#expanded(word));
		const nested = [...words, ...redirections.map(({ target }) => target)]
			.flatMap((word) => word.nested)
			.flatMap((source) => this.#inner(source).map(perhapsOnly));
		const [program, ...args] = programWords(words);
		const document = redirections.findLast(({ operator }) => /^0?<<-?$/.test(operator))?.target.document;
		const herestring = redirections.findLast(({ operator }) => operator === "<<<")?.target;
		const given = document ?? (herestring && { text: `${herestring.text}\n`, isLiteral: herestring.isLiteral });
		const isRedirected = redirections.some(({ operator }) => /^0?</.test(operator));
		const fed = isRedirected ? (given?.isLiteral === true ? given.text : undefined) : input;
		const name = program?.text ?? "";
		const call: Call = { name, args, directory: this.#directory, input: fed };
		const output = program === undefined ? "" : textPrintedBy(call);
		const isPlain = program === undefined || /^\[\[?$/.test(name) || (program.isLiteral && !program.isComputed);
		const script = scriptOf(call);
		const effects = [
			...this.#redirected(redirections, output),
			...(!isPlain ? [mayAny()] : program === undefined || script !== undefined ? [] : effectsOf(call)),
		];
		const ifFailed = isUndoneByFailure(effects) ? "no" : "perhaps";
		const inner = script === undefined ? [] : this.#inner(script.text);
		this.#keep(name, program === undefined ? words : args);
		const isShown = nested.length === 0 && !redirections.some(({ operator }) => /^(?:1|&)?>/.test(operator));
		return {
			effects: [
				...nested,
				...effects.map((effect) => ({ ...effect, ifSucceeded: "yes", ifFailed }) as const),
				...(script?.isLiteral === false ? inner.map(perhapsOnly) : inner),
			],
			output: isShown ? output : undefined,
		};
	}

	/** What a command line within this one does. */
	#inner(line: string): readonly PlacedEffect[] {
		return new Shell(this.#directory, this.#variables, this.#depth + 1, this.#missing).run(line);
	}

	/** A word with the variables in it that are known. */
	#expanded(token: ShellToken): readonly ShellToken[] {
		if (token.isLiteral || token.text.includes("\\")) return [token];
		const values = this.#variables.get(/^\$\{?(\w+)\}?$/.exec(token.text)?.[1] ?? "");
		if (values !== undefined) return values;
		const text = token.text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (typed, plain, braced) => {
			const [value, ...more] = this.#variables.get(plain ?? braced) ?? [];
			return value?.isLiteral === true && more.length === 0 ? value.text : typed;
		});
		return [text === token.text ? token : { ...token, text, isLiteral: !/[$`*?[{]|^~/.test(text) }];
	}

	/** What a command of the shell itself leaves for those after it. */
	#keep(name: string, words: readonly ShellToken[]): void {
		if (/^(?:|export|local|declare|readonly|typeset)$/.test(name))
			for (const word of words) {
				const [, variable = "", added, text = ""] = ASSIGNMENT.exec(word.text) ?? [];
				const isKnown =
					added === "" && word.isLiteral && !word.isComputed && text.length <= LONGEST_VALUE && !/\s/.test(text);
				if (isKnown) this.#variables.set(variable, [{ ...word, text }]);
				else this.#variables.delete(variable);
			}
		if (/^(?:read|unset)$/.test(name)) for (const { text } of words) this.#variables.delete(text);
		if (!/^(?:cd|pushd|popd)$/.test(name)) return;
		const [to, ...more] = words;
		if (this.#missing.has(to?.text ?? "")) return;
		const isPlain = name === "cd" && to?.isLiteral === true && more.length === 0 && !/^-|^$/.test(to.text);
		this.#directory = isPlain ? pathOfWord(to.text, this.#directory) : undefined;
	}

	/** What redirections write, given what the command prints. */
	#redirected(redirections: readonly Redirection[], output: string | undefined): readonly FileEffect[] {
		const outputs = redirections.filter(({ operator }) => /^1?>/.test(operator) && !operator.endsWith("&"));
		return redirections.flatMap(({ operator, target: typed }) => {
			const [value, ...more] = this.#expanded(typed);
			const target = more.length === 0 && value !== undefined ? value : typed;
			if (!operator.includes(">") || (operator.endsWith("&") && /^\d*-?$/.test(target.text))) return [];
			if (/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d)$/.test(target.text)) return [];
			const isOutput = outputs.some((one) => one.target === typed);
			const text = !isOutput ? undefined : outputs.at(-1)?.target === typed ? output : "";
			return [writtenTo(target, this.#directory, text, operator.includes(">>"))];
		});
	}
}

/** Of commands that run one after another, the last decides the status. */
function inOrder<T>(parts: readonly T[], effectsOf: (part: T) => readonly PlacedEffect[]): readonly PlacedEffect[] {
	return parts.flatMap((part, at) => (at < parts.length - 1 ? effectsOf(part).map(perhaps) : effectsOf(part)));
}

/** A line that failed says nothing of it. */
function perhaps(effect: FileEffect): PlacedEffect {
	return { ifSucceeded: "yes", ...effect, ifFailed: "perhaps" };
}

/** It may be done, or not. */
function perhapsOnly(effect: FileEffect): PlacedEffect {
	return { ...mayOf(effect), ifSucceeded: "yes", ifFailed: "perhaps" };
}

/** Whether the line ends with it, and fails: `exit 1`, `{ echo no; exit 1; }`. */
function leaves({ commands: [command] }: ShellPipeline): boolean {
	if (command?.kind === "group") return command.body.some(({ pipelines }) => pipelines.some(leaves));
	if (command?.kind !== "simple") return false;
	const [program, status] = command.words;
	return /^(?:exit|return)$/.test(program?.text ?? "") && !/^0/.test(status?.text ?? "");
}
