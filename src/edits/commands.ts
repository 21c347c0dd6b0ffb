import { type ShellToken, tokensOf } from "../store/format/shell-tokens.ts";
import { isWindows, mayAny, type Outcome, pathOf } from "./command-words.ts";
import type { Effect, PlacedEffect } from "./effects.ts";
import { outcomeOf, written } from "./programs.ts";

/** Longer command lines, in UTF-16 units, no system takes as one word. */
const LONGEST = 200_000;
/** Groups, and command lines within others. */
const DEEPEST = 20;
/** More directories, one of which is the current one, are not followed. */
const MAX_DIRECTORIES = 4;

/**
 * What a shell command line does to files: each simple command of it is judged by itself, and what is not plain may change what it names,
 * or any file. A command that only reads has no effect. `cwd`: where it is run.
 *
 * Different paths are taken to be different files, as for pi's own tools: a link, or a disk that does not tell A from a, can make two of
 * them one. Hooks that Git runs are taken to change none.
 */
export function commandEffects(line: string, cwd: string): readonly PlacedEffect[] {
	const isKnown = cwd.startsWith("/") || isWindows(cwd);
	const reader = new LineReader(line, isKnown ? [cwd] : undefined, new Map(), 0);
	return reader.read().map(({ effect, isSure, isUndone }) => ({
		...effect,
		ifSucceeded: isSure ? "yes" : "perhaps",
		ifFailed: isUndone ? "no" : "perhaps",
	}));
}

/** An effect with what the status of the commands read so far says. */
interface Item {
	effect: Effect;
	/** Whether it has happened if they succeeded. */
	isSure: boolean;
	/** Whether it has not if they failed. */
	isUndone: boolean;
}

interface Redirection {
	readonly operator: string;
	readonly target: ShellToken;
}

/** What runs between two operators, or in brackets. */
interface Part {
	readonly items: readonly Item[];
	/** The text that it prints; undefined: it is not known. */
	readonly output?: string | undefined;
	/** Whether the line fails if it does. */
	readonly isRequired?: boolean | undefined;
}

/** Words that end a list of commands within a compound command. */
const ENDS: ReadonlySet<string> = new Set(["}", "then", "do", "done", "fi", "else", "elif", "esac"]);
const ASSIGNMENT = /^([A-Za-z_]\w*)(\+?)=([\s\S]*)$/;

/** Reads a command line, command after command. */
class LineReader {
	readonly #tokens: readonly ShellToken[] | undefined;
	readonly #line: string;
	readonly #depth: number;
	#at = 0;
	/** Where the next command runs: most likely in the first of these; undefined: it is not known. */
	#here: readonly string[] | undefined;
	/** Where any of them may run, as those after a `cd` that failed do. */
	#anywhere: readonly string[] | undefined;
	/** What variables stand for. */
	#variables: Map<string, readonly ShellToken[]>;
	#stopsAtErrors = false;
	#hasPipefail = false;

	constructor(
		line: string,
		here: readonly string[] | undefined,
		variables: ReadonlyMap<string, readonly ShellToken[]>,
		depth: number,
	) {
		this.#line = line;
		this.#tokens = line.length > LONGEST || depth > DEEPEST ? undefined : tokensOf(line);
		this.#here = here;
		this.#anywhere = here;
		this.#variables = new Map(variables);
		this.#depth = depth;
	}

	read(): readonly Item[] {
		const items = [...this.#sequence(0).items];
		// What is left is not understood.
		if (this.#tokens === undefined || this.#at < this.#tokens.length) {
			weaken(items);
			const names = this.#line.slice(0, LONGEST).match(/[\w./-]*\.\w+/g) ?? [];
			const named = names.slice(0, 200).flatMap((name) => pathOf(name, this.#here?.[0]) ?? []);
			items.push({ effect: mayAny(named), isSure: false, isUndone: false });
		}
		return items.filter(({ effect }) => effect.kind !== "may" || effect.paths?.length !== 0);
	}

	/** `a && b; c`: the last list decides. */
	#sequence(depth: number): Part {
		const items: Item[] = [];
		let list: Part | undefined;
		for (;;) {
			while (this.#takes(";") || this.#takes("\n")) {}
			const token = this.#token();
			if (token === undefined || (token.isOperator ? /^(?:\)|;;)$/.test(token.text) : ENDS.has(token.text))) break;
			if (depth > DEEPEST) break;
			const start = this.#at;
			const next = this.#list(depth);
			if (list !== undefined) weaken(list.items, list.isRequired ?? this.#stopsAtErrors);
			list = next;
			items.push(...next.items);
			if (this.#takes("&")) {
				weaken(next.items);
				list = { items: [], isRequired: false };
			}
			if (!list.isRequired && !this.#stopsAtErrors) this.#here = this.#anywhere;
			if (this.#at === start) break;
		}
		return { items };
	}

	/** `a && b`: whichever failed. `a || b`: b, since a failed. */
	#list(depth: number): Part {
		const items = [...this.#pipeline(depth).items];
		let isRequired: boolean | undefined;
		/** Of those before, it is said already that they may not be done, or not be undone. */
		let [sureFrom, undoneFrom] = [0, 0];
		for (;;) {
			const isAnd = this.#takes("&&");
			if (!isAnd && !this.#takes("||")) return { items, isRequired };
			while (this.#takes("\n")) {}
			const leaves = !isAnd && this.#leaves();
			const directories = this.#here;
			if (!isAnd) this.#here = this.#anywhere;
			const next = this.#pipeline(depth).items;
			if (isAnd) for (; undoneFrom < items.length; undoneFrom++) hold(items[undoneFrom], "isUndone");
			else this.#here = leaves ? directories : this.#anywhere;
			if (leaves) weaken(next);
			items.push(...next);
			isRequired = leaves || undefined;
			if (!isAnd && !leaves) for (; sureFrom < items.length; sureFrom++) hold(items[sureFrom], "isSure");
		}
	}

	/** Whether the next command ends the line, and lets it fail: `exit 1`, `{ echo no; exit 1; }`. */
	#leaves(): boolean {
		const tokens = this.#tokens?.slice(this.#at, this.#at + 30) ?? [];
		const end = tokens[0]?.text === "{" ? tokens.findIndex(({ text }) => text === "}") : 2;
		return tokens
			.slice(0, end)
			.some(({ text }, at) => /^(?:exit|return)$/.test(text) && !/^0/.test(tokens[at + 1]?.text ?? ""));
	}

	/** `a | b`: b. `! a` fails if a does not. */
	#pipeline(depth: number): Part {
		let isNegated = false;
		while (this.#takesWord("!")) isNegated = true;
		const [here, anywhere] = [this.#here, this.#anywhere];
		let part = this.#command(depth, undefined);
		while (this.#takes("|") || this.#takes("|&")) {
			while (this.#takes("\n")) {}
			if (this.#hasPipefail) for (const item of part.items) item.isUndone = false;
			else weaken(part.items);
			this.#here = here;
			const next = this.#command(depth, part.output);
			part = { items: [...part.items, ...next.items], output: next.output };
			// Each runs in a shell of its own.
			this.#here = here;
			this.#anywhere = anywhere;
		}
		if (isNegated) weaken(part.items);
		return part;
	}

	#command(depth: number, input: string | undefined): Part {
		const token = this.#token();
		if (token === undefined) return { items: [] };
		if (token.text === "(" && token.isOperator) return this.#subshell(depth);
		if (!token.isOperator) {
			if (this.#takesWord("{")) {
				const part = this.#sequence(depth + 1);
				return this.#takesWord("}") ? this.#redirected(part) : this.#giveUp(part);
			}
			if (/^(?:if|while|until|for|select|case|function)$/.test(token.text) && token.isLiteral)
				return this.#compound(depth);
			const [, open, close] = this.#tokens?.slice(this.#at, this.#at + 3) ?? [];
			if (open?.text === "(" && open.isOperator && close?.text === ")") {
				this.#at += 3;
				return this.#maybe(() => this.#command(depth + 1, undefined));
			}
		}
		return this.#simple(input);
	}

	#subshell(depth: number): Part {
		const [here, anywhere, variables] = [this.#here, this.#anywhere, this.#variables];
		this.#at++;
		if (this.#token()?.text === "(" && this.#token()?.isOperator === true) {
			// Arithmetic.
			while (!(this.#takes(")") && this.#takes(")"))) {
				if (this.#token() === undefined) return this.#giveUp({ items: [] });
				if (this.#token()?.text !== ")") this.#at++;
			}
			return { items: [] };
		}
		this.#variables = new Map(variables);
		const stops = this.#stopsAtErrors;
		const part = this.#sequence(depth + 1);
		[this.#here, this.#anywhere, this.#variables, this.#stopsAtErrors] = [here, anywhere, variables, stops];
		return this.#takes(")") ? this.#redirected(part) : this.#giveUp(part);
	}

	/** A loop, a condition, a function: whether, and how often, each command in it runs is not known. */
	#compound(depth: number): Part {
		const kind = this.#token()?.text ?? "";
		this.#at++;
		return this.#maybe(() => {
			const items: Item[] = [];
			if (kind === "function") {
				this.#at++;
				if (this.#takes("(")) this.#takes(")");
				while (this.#takes("\n")) {}
				return this.#command(depth + 1, undefined);
			}
			if (kind === "for" || kind === "select") this.#forWords();
			if (kind === "case") this.#skipTo((token) => token.text === "in");
			for (;;) {
				while (this.#takes(";;") || this.#takes("\n")) {}
				if (kind === "case" && !this.#sees("esac")) this.#skipTo((token) => token.text === ")" && token.isOperator);
				items.push(...this.#sequence(depth + 1).items);
				const end = this.#token();
				if (end === undefined || end.text === ")" || end.text === "}") return this.#giveUp({ items });
				if (end.text !== ";;") this.#at++;
				if (/^(?:fi|done|esac)$/.test(end.text)) return this.#redirected({ items });
			}
		});
	}

	#forWords(): void {
		const name = this.#token()?.text ?? "";
		const start = this.#at + 2;
		this.#skipTo((token) => token.text === "do" && !token.isOperator);
		const tokens = this.#tokens?.slice(start, this.#at - 1) ?? [];
		this.#variables.set(
			name,
			tokens.filter(({ isOperator }) => !isOperator).flatMap((token) => this.#expanded(token)),
		);
	}

	#skipTo(isEnd: (token: ShellToken) => boolean): void {
		for (let token = this.#token(); token !== undefined; token = this.#token()) {
			this.#at++;
			if (isEnd(token)) return;
		}
	}

	/** All that is done there is only what may be done. */
	#maybe(read: () => Part): Part {
		const { items } = read();
		this.#here = this.#anywhere;
		for (const item of items) item.effect = mayOf(item.effect);
		weaken(items);
		return { items };
	}

	/** What follows is not understood. */
	#giveUp({ items }: Part): Part {
		this.#at = this.#tokens?.length ?? 0;
		weaken(items);
		return { items: [...items, { effect: mayAny(), isSure: false, isUndone: false }] };
	}

	/** The redirections behind a group of commands. */
	#redirected(part: Part): Part {
		const { redirections, nested } = this.#words();
		if (redirections.length === 0) return part;
		return { items: [...nested, ...part.items, ...this.#outputs(redirections, undefined, this.#here?.[0]).map(sure)] };
	}

	/** The words of a simple command, and its redirections. In `[[ … ]]`, operators are words. */
	#words() {
		const words: ShellToken[] = [];
		const redirections: Redirection[] = [];
		const nested: Item[] = [];
		const isTest = this.#token()?.text === "[[";
		for (let token = this.#token(); token !== undefined; token = this.#token()) {
			if (isTest && words.at(-1)?.text === "]]") break;
			const isRedirection = token.isOperator && /[<>]/.test(token.text) && !isTest;
			if (token.isOperator && !isRedirection && !isTest) break;
			this.#at++;
			const target = isRedirection ? this.#token() : token;
			if (target === undefined) break;
			if (isRedirection) {
				this.#at++;
				const [value, ...more] = this.#expanded(target);
				redirections.push({ operator: token.text, target: more.length === 0 && value ? value : target });
			} else words.push(...(isTest ? [token] : this.#expanded(token)));
			for (const source of target.nested) nested.push(...this.#inner(source, false));
		}
		return { words, redirections, nested };
	}

	/** What a command line within this one does, where it runs; `isSure`: with these words. */
	#inner(source: string, isSure: boolean): readonly Item[] {
		const reader = new LineReader(source, this.#here, this.#variables, this.#depth + 1);
		return isSure ? reader.read() : this.#maybe(() => ({ items: reader.read() })).items;
	}

	/** A word with the variables in it that are known; one of a loop stands for several. */
	#expanded(token: ShellToken): readonly ShellToken[] {
		if (token.isLiteral || token.isOperator || token.text.includes("\\")) return [token];
		const whole = /^\$\{?(\w+)\}?$/.exec(token.text)?.[1];
		const values = whole === undefined ? undefined : this.#variables.get(whole);
		if (values !== undefined) return values;
		const text = token.text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (typed, plain, braced) => {
			const name: string = plain ?? braced;
			const [value, ...more] = this.#variables.get(name) ?? [];
			if (name === "PWD" && this.#here?.length === 1) return this.#here[0] ?? typed;
			return value?.isLiteral === true && more.length === 0 ? value.text : typed;
		});
		return [text === token.text ? token : { ...token, text, isLiteral: !/[$`*?[{]|^~/.test(text) }];
	}

	#simple(input: string | undefined): Part {
		const { words, redirections, nested } = this.#words();
		const start = words.findIndex(({ text }) => !ASSIGNMENT.test(text));
		const [program, ...args] = start === -1 ? [] : words.slice(start);
		if (program === undefined || /^(?:export|local|declare|readonly|typeset)$/.test(program.text)) this.#assign(words);
		if (program?.text === "read") for (const { text } of args) this.#variables.delete(text);
		if (program?.text === "set") this.#set(args);
		const document = redirections.findLast(({ operator }) => /^0?<<-?$/.test(operator))?.target.document;
		const herestring = redirections.findLast(({ operator }) => operator === "<<<")?.target;
		const isRedirected = redirections.some(({ operator }) => /^0?</.test(operator));
		const given = document ?? (herestring && { text: `${herestring.text}\n`, isLiteral: herestring.isLiteral });
		const fed = isRedirected ? (given?.isLiteral === true ? given.text : undefined) : input;
		const [directory, ...others] = this.#here ?? [undefined];
		const outcomeAt = (where: string | undefined): Outcome => {
			if (program === undefined || /^(?:cd|\[\[?|set)$/.test(program.text)) return { effects: [], output: "" };
			if (!program.isLiteral || program.isComputed) return { effects: [mayAny()] };
			return outcomeOf({ name: program.text, args, directory: where, input: fed });
		};
		const outcome = outcomeAt(directory);
		const itemsOf = ({ effects, output, isVague }: Outcome, where: string | undefined): readonly Item[] => {
			const all = [...this.#outputs(redirections, output, where), ...effects];
			return all.map((effect) => ({
				effect,
				isSure: !isVague && effect.kind !== "may",
				isUndone: isUndoneIfFailed(all),
			}));
		};
		const items = [...itemsOf(outcome, directory)];
		for (const item of others.flatMap((where) => itemsOf(outcomeAt(where), where))) {
			for (const first of items) first.isSure = false;
			items.push({ effect: mayOf(item.effect), isSure: false, isUndone: false });
		}
		const inner = outcome.line === undefined ? [] : this.#inner(outcome.line.text, outcome.line.isSure);
		if (program?.text === "cd") this.#enter(args);
		else if (/^(?:pushd|popd)$/.test(program?.text ?? "")) [this.#here, this.#anywhere] = [undefined, undefined];
		const isShown = !redirections.some(({ operator }) => /^(?:1|&)?>/.test(operator));
		return {
			items: [...nested, ...items, ...inner],
			output: isShown && nested.length === 0 ? outcome.output : undefined,
		};
	}

	#assign(words: readonly ShellToken[]): void {
		for (const word of words) {
			const [, name = "", added, text = ""] = ASSIGNMENT.exec(word.text) ?? [];
			const isKnown = added === "" && word.isLiteral && !word.isComputed && !/\s/.test(text);
			if (isKnown) this.#variables.set(name, [{ ...word, text }]);
			else this.#variables.delete(name);
		}
	}

	#set(args: readonly ShellToken[]): void {
		for (const { text } of args) {
			if (/^-\w*e|^errexit$/.test(text)) this.#stopsAtErrors = true;
			if (/^\+\w*e/.test(text)) this.#stopsAtErrors = false;
			if (text === "pipefail") this.#hasPipefail = true;
		}
	}

	#enter([to, ...more]: readonly ShellToken[]): void {
		const isPlain = to?.isLiteral === true && more.length === 0 && !/^-|^$/.test(to.text);
		const directories = isPlain ? this.#here?.flatMap((directory) => pathOf(to.text, directory) ?? []) : undefined;
		const all = directories && this.#anywhere && [...new Set([...directories, ...this.#anywhere])];
		this.#here = directories ?? (isPlain && to.text.startsWith("/") ? [to.text] : undefined);
		this.#anywhere = all && all.length <= MAX_DIRECTORIES ? all : undefined;
	}

	/** What redirections write, given what the command prints. */
	#outputs(
		redirections: readonly Redirection[],
		output: string | undefined,
		directory: string | undefined,
	): readonly Effect[] {
		const outputs = redirections.filter(({ operator }) => /^1?>/.test(operator) && !/&$/.test(operator));
		return redirections.flatMap((redirection) => {
			const { operator, target } = redirection;
			if (target.isOperator) return [mayAny()];
			if (/^\d*<(?:<<|<-?)?&?$/.test(operator) || (operator.endsWith("&") && /^\d+-?$|^-$/.test(target.text)))
				return [];
			if (/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d)$/.test(target.text)) return [];
			const isLast = redirection === outputs.at(-1);
			const text = !outputs.includes(redirection) ? undefined : isLast ? output : "";
			return [written(target, directory, text, operator.includes(">>"))];
		});
	}

	#token(): ShellToken | undefined {
		return this.#tokens?.[this.#at];
	}

	#sees(word: string): boolean {
		const token = this.#token();
		return token?.text === word && !token.isOperator;
	}

	#takes(operator: string): boolean {
		const token = this.#token();
		const isIt = token?.text === operator && token.isOperator;
		if (isIt) this.#at++;
		return isIt;
	}

	#takesWord(word: string): boolean {
		const isIt = this.#sees(word);
		if (isIt) this.#at++;
		return isIt;
	}
}

const sure = (effect: Effect): Item => ({ effect, isSure: effect.kind !== "may", isUndone: false });

function hold(item: Item | undefined, what: "isSure" | "isUndone"): void {
	if (item !== undefined) item[what] = false;
}

/** The status says nothing of these any more; `isRequired`: if all succeeded, they did. */
function weaken(items: readonly Item[], isRequired = false): void {
	for (const item of items) {
		item.isSure &&= isRequired;
		item.isUndone = false;
	}
}

/** Whether a command that failed has done none of its effects. */
function isUndoneIfFailed(effects: readonly Effect[]): boolean {
	const isByGit = (effect: Effect): boolean =>
		effect.kind === "git"
			? effect.does !== "pop" && (effect.does !== "move" || /^(?:commit|checkout|switch)$/.test(effect.subcommand))
			: (effect.kind === "move" || effect.kind === "remove") && effect.by === "git";
	const isSingle =
		effects.length === 1 && /^(?:write|append|create|move|copy|mode|link|rewrite)$/.test(effects[0]?.kind ?? "");
	return isSingle || (effects.length > 0 && effects.every(isByGit));
}

/** The same, if it is not certain that it is done. */
function mayOf(effect: Effect): Effect {
	const may = (...paths: readonly string[]): Effect => ({ kind: "may", paths, named: [], isWide: false });
	if (effect.kind === "may") return effect;
	if ("from" in effect) return effect.kind === "move" ? may(effect.from, effect.to) : may(effect.to);
	if (effect.kind !== "git") return may(effect.path);
	if (effect.does === "add" || (effect.does === "move" && effect.subcommand === "commit")) return may();
	return effect.does === "restore" && effect.paths !== undefined ? may(...effect.paths) : mayAny([], true);
}
