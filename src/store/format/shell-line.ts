import { type ShellToken, shellTokens } from "./shell-tokens.ts";

/** What a shell command line says, in the order in which it runs. */
export interface ShellLine {
	readonly lists: readonly ShellList[];
	/** Whether all of it was understood; if not, `lists` is what stands before the rest. */
	readonly isWhole: boolean;
}

/** `a && b || c`. */
export interface ShellList {
	readonly pipelines: readonly ShellPipeline[];
	readonly isBackground: boolean;
}

/** `a | b`, and what stands before it in its list. */
export interface ShellPipeline {
	readonly after: "" | "&&" | "||";
	/** `! a`. */
	readonly isNegated: boolean;
	readonly commands: readonly ShellCommand[];
}

export type ShellCommand = SimpleCommand | CommandGroup | CompoundCommand;

interface SimpleCommand {
	readonly kind: "simple";
	/** With the assignments before the program. */
	readonly words: readonly ShellToken[];
	readonly redirections: readonly Redirection[];
}

/** `( … )` runs in a shell of its own, `{ …; }` does not. */
interface CommandGroup {
	readonly kind: "group";
	readonly isSubshell: boolean;
	readonly body: readonly ShellList[];
	readonly redirections: readonly Redirection[];
}

/** A loop, a condition, a function: whether, and how often, each command in it runs is not known. */
interface CompoundCommand {
	readonly kind: "compound";
	/** Of a `for` loop: its variable, and the words that it stands for. */
	readonly variable?: { readonly name: string; readonly values: readonly ShellToken[] } | undefined;
	readonly body: readonly ShellList[];
	readonly redirections: readonly Redirection[];
}

export interface Redirection {
	/** ">", "2>>", "<<-", "2>&". */
	readonly operator: string;
	readonly target: ShellToken;
}

/** Longer command lines, in UTF-16 units, no system takes as one word. */
const LONGEST = 200_000;
/** Groups of commands within each other. */
const DEEPEST = 20;
/** Words that end a list of commands within a compound command. */
const ENDS: ReadonlySet<string> = new Set(["}", "then", "do", "done", "fi", "else", "elif", "esac"]);
const COMPOUND = /^(?:if|while|until|for|select|case|function)$/;

/** `(( … ))`: what it computes is no matter. */
const EMPTY: ShellCommand = { kind: "simple", words: [], redirections: [] };

export function parseShellLine(line: string): ShellLine {
	const tokens = line.length > LONGEST ? undefined : shellTokens(line);
	if (tokens === undefined) return { lists: [], isWhole: false };
	const parser = new Parser(tokens);
	const lists = parser.lists();
	return { lists, isWhole: parser.isAtEnd && !parser.hasFailed };
}

class Parser {
	readonly #tokens: readonly ShellToken[];
	#at = 0;
	#depth = 0;
	hasFailed = false;

	constructor(tokens: readonly ShellToken[]) {
		this.#tokens = tokens;
	}

	get isAtEnd(): boolean {
		return this.#at === this.#tokens.length;
	}

	/** As far as they are understood. */
	lists(): readonly ShellList[] {
		const lists: ShellList[] = [];
		for (;;) {
			while (this.#takes(";") || this.#takes("\n")) {}
			if (this.#isEnd()) return lists;
			const pipelines = [this.#pipeline("")];
			for (let joint = this.#joint(); joint !== ""; joint = this.#joint()) pipelines.push(this.#pipeline(joint));
			const isBackground = this.#takes("&");
			lists.push({ pipelines, isBackground });
			if (!isBackground && !this.#isEnd() && !/^[;\n]$/.test(this.#token?.text ?? "")) return this.#fail(lists);
		}
	}

	#isEnd(): boolean {
		const token = this.#token;
		return token === undefined || (token.isOperator ? /^(?:\)|;;)$/.test(token.text) : ENDS.has(token.text));
	}

	#joint(): ShellPipeline["after"] {
		return this.#takes("&&") ? "&&" : this.#takes("||") ? "||" : "";
	}

	#pipeline(after: ShellPipeline["after"]): ShellPipeline {
		this.#skipNewlines();
		let isNegated = false;
		while (this.#takesWord("!")) isNegated = true;
		const commands = [this.#command()];
		while (this.#takes("|") || this.#takes("|&")) {
			this.#skipNewlines();
			commands.push(this.#command());
		}
		return { after, isNegated, commands };
	}

	#command(): ShellCommand {
		if (this.#depth === DEEPEST) return this.#fail(EMPTY);
		this.#depth++;
		const command = this.#read();
		this.#depth--;
		return command;
	}

	#read(): ShellCommand {
		if (this.#takes("(")) return this.#takes("(") ? this.#arithmetic() : this.#group(true);
		if (this.#takesWord("{")) return this.#group(false);
		const [name, open, close] = this.#tokens.slice(this.#at, this.#at + 3);
		if (name?.isOperator === false) {
			if (COMPOUND.test(name.text) && name.isLiteral) return this.#compound();
			if (open?.text === "(" && open.isOperator && close?.text === ")") return this.#function(3);
		}
		return this.#simple();
	}

	#group(isSubshell: boolean): ShellCommand {
		const body = this.lists();
		const isClosed = isSubshell ? this.#takes(")") : this.#takesWord("}");
		return { kind: "group", isSubshell, body, redirections: isClosed ? this.#redirections() : this.#fail([]) };
	}

	#arithmetic(): ShellCommand {
		for (; !this.isAtEnd; this.#at++) if (this.#takes(")") && this.#takes(")")) return EMPTY;
		return this.#fail(EMPTY);
	}

	#function(length: number): ShellCommand {
		this.#at += length;
		this.#skipNewlines();
		const body: ShellPipeline = { after: "", isNegated: false, commands: [this.#command()] };
		return { kind: "compound", body: [{ pipelines: [body], isBackground: false }], redirections: [] };
	}

	#compound(): ShellCommand {
		const [first, name, open] = this.#tokens.slice(this.#at, this.#at + 3);
		if (first?.text === "function") return this.#function(open?.text === "(" ? 4 : 2);
		this.#at++;
		const isCase = first?.text === "case";
		let variable: CompoundCommand["variable"];
		if (isCase) this.#skipBehind("in", false);
		else if (/^(?:for|select)$/.test(first?.text ?? "") && name !== undefined) {
			const start = this.#at + 2;
			this.#skipBehind("do", false);
			const values = this.#tokens.slice(start, this.#at - 1).filter(({ isOperator }) => !isOperator);
			variable = { name: name.text, values };
		}
		const body: ShellList[] = [];
		for (;;) {
			while (this.#takes(";;") || this.#takes("\n")) {}
			if (isCase && this.#token?.text !== "esac") this.#skipBehind(")", true);
			body.push(...this.lists());
			const end = this.#token?.text;
			if (end === undefined || /^[)}]$/.test(end))
				return { kind: "compound", variable, body, redirections: this.#fail([]) };
			if (end !== ";;") this.#at++;
			if (/^(?:fi|done|esac)$/.test(end))
				return { kind: "compound", variable, body, redirections: this.#redirections() };
		}
	}

	/** In `[[ … ]]`, operators are words. */
	#simple(): ShellCommand {
		const words: ShellToken[] = [];
		const redirections: Redirection[] = [];
		const isTest = this.#token?.text === "[[";
		for (let token = this.#token; token !== undefined; token = this.#token) {
			const redirection = isTest && words.at(-1)?.text !== "]]" ? undefined : this.#redirection();
			if (redirection !== undefined) redirections.push(redirection);
			else if (token.text === "(" && token.isOperator && /^\w+\+?=$/.test(words.at(-1)?.text ?? ""))
				this.#skipBehind(")", true);
			else if (token.isOperator && (!isTest || words.at(-1)?.text === "]]")) break;
			else {
				words.push(token);
				this.#at++;
			}
		}
		const command = { kind: "simple", words, redirections } as const;
		return words.length + redirections.length === 0 ? this.#fail(command) : command;
	}

	#redirections(): readonly Redirection[] {
		const redirections: Redirection[] = [];
		for (let one = this.#redirection(); one !== undefined; one = this.#redirection()) redirections.push(one);
		return redirections;
	}

	#redirection(): Redirection | undefined {
		const [operator, target] = this.#tokens.slice(this.#at, this.#at + 2);
		if (operator?.isOperator !== true || !/[<>]/.test(operator.text)) return undefined;
		if (target === undefined || target.isOperator) return this.#fail(undefined);
		this.#at += 2;
		return { operator: operator.text, target };
	}

	/** What follows is not understood. */
	#fail<T>(before: T): T {
		this.hasFailed = true;
		this.#at = this.#tokens.length;
		return before;
	}

	get #token(): ShellToken | undefined {
		return this.#tokens[this.#at];
	}

	#skipNewlines(): void {
		while (this.#takes("\n")) {}
	}

	#skipBehind(text: string, isOperator: boolean): void {
		while (!this.isAtEnd && !this.#take(text, isOperator)) this.#at++;
	}

	#takes(operator: string): boolean {
		return this.#take(operator, true);
	}

	#takesWord(word: string): boolean {
		return this.#take(word, false);
	}

	#take(text: string, isOperator: boolean): boolean {
		const token = this.#token;
		if (token?.text !== text || token.isOperator !== isOperator) return false;
		this.#at++;
		return true;
	}
}
