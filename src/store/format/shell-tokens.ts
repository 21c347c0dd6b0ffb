/** A word without its quotes, or an operator. */
export interface ShellToken {
	readonly text: string;
	readonly isOperator: boolean;
	/** Whether the output of another command is part of it: as the delimiter of a here-document, of its text. */
	readonly isComputed: boolean;
	/** Whether the text of a word is all that it means: it has no variable, pattern, brace or "~" that the shell would replace. */
	readonly isLiteral: boolean;
	/** The sources of those other commands; they are within what the shell runs: `$(…)`, `<(…)`, `` `…` ``. */
	readonly nested: readonly string[];
	/** Of the delimiter of a here-document: its text, without the tabs that `<<-` drops, and whether that is all it means. */
	readonly document?: { readonly text: string; readonly isLiteral: boolean };
}

/** The index behind the options that begin at an index; `valued`: the letters of those that are followed by a value. */
export function behindOptions(words: readonly ShellToken[], start: number, valued: string): number {
	let at = start;
	for (; /^-./.test(words[at]?.text ?? ""); at++) {
		const option = words[at]?.text ?? "";
		if (option === "--") return at + 1;
		if (option.length === 2 && valued.includes(option.slice(1))) at++;
	}
	return at;
}

/** Programs that run another one, with those of their options that have a value, and how many words stand before the command. */
const RUNNERS: ReadonlyMap<string, { readonly valued: string; readonly words?: number }> = new Map([
	["sudo", { valued: "ughpCDRTrt" }],
	["doas", { valued: "uC" }],
	["env", { valued: "uS" }],
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
	...["npx", "bunx", "pnpx", "uvx"].map((name) => [name, { valued: "p" }] as const),
	...["npm exec", "pnpm exec", "yarn exec", "pnpm dlx", "yarn dlx", "bun x", "uv run", "poetry run", "bundle exec"].map(
		(name) => [name, { valued: "" }] as const,
	),
]);

export const ASSIGNMENT = /^([A-Za-z_]\w*)(\+?)=([\s\S]*)$/;

/** The program that runs in the end, without its directory, and its arguments: behind assignments, `sudo`, `timeout 5`, `npx` and the like. */
export function programWords(words: readonly ShellToken[]): readonly ShellToken[] {
	for (let at = 0; ; ) {
		while (ASSIGNMENT.test(words[at]?.text ?? "")) at++;
		const [program, next] = words.slice(at, at + 2);
		if (program === undefined) return [];
		const text = program.text.replace(/^\/(?:.*\/)?bin\//, "");
		const runner = RUNNERS.get(text) ?? RUNNERS.get(`${text} ${next?.text}`);
		if (runner === undefined || (text === "command" && /^-[vV]/.test(next?.text ?? "")))
			return [{ ...program, text }, ...words.slice(at + 1)];
		at = behindOptions(words, at + (RUNNERS.has(text) ? 1 : 2), runner.valued) + (runner.words ?? 0);
	}
}

/** Operators, redirections with the number before and the file descriptor behind them. */
const OPERATOR = /(?:\d*|&)(?:<<<|<<-?|>>|<>|>\||[<>]&?(?!\())|&&|\|\||\|&|;;|[;&|()\n]/y;
const BLANKS = /(?:[ \t\r]|\\\r?\n)+/y;
const COMMENT = /#[^\n]*/y;
/** What may hold words and operators of its own. */
const NESTED = /[$<>]\(|["`]/y;
/** A piece of a word: escaped, quoted, plain. What `$'…'` means is not known. */
const PIECE = /\\([\s\S])|'([^']*)'|([^\s\\'"`$;&|()<>]+|\$(?!'))/y;
const IN_QUOTES = /^\$\($/;
const NESTED_COMMAND = /^[$<>]\($/;
const HEAD_OF_DOCUMENT = /<<(-?)[ \t]*(["']?)([\w.]+)\2[^\n]*\n/y;
/** What the shell replaces in a piece without quotes, and in double quotes; a line end behind a backslash is dropped. */
const REPLACED = /[$*?[{]|^~|^\\\n/;
const REPLACED_IN_QUOTES = /[$`\\]/;

/** The tokens of a command line; undefined if something in it is never closed. The text of a here-document is with its delimiter. */
export function shellTokens(line: string): readonly ShellToken[] | undefined {
	const tokens: ShellToken[] = [];
	/** Here-documents that begin at the next line: which token is the delimiter, and as it was written. */
	let documents: { readonly token: number; readonly written: string }[] = [];
	let at = 0;
	const match = (pattern: RegExp): RegExpExecArray | null => {
		pattern.lastIndex = at;
		const match = pattern.exec(line);
		if (match !== null) at = pattern.lastIndex;
		return match;
	};
	while (at < line.length) {
		if (match(BLANKS) !== null || match(COMMENT) !== null) continue;
		const operator = match(OPERATOR)?.[0];
		if (operator !== undefined) {
			tokens.push({ text: operator, isOperator: true, isComputed: false, isLiteral: true, nested: [] });
			if (operator !== "\n") continue;
			for (const { token, written } of documents) {
				const delimiter = tokens[token];
				if (delimiter === undefined) return undefined;
				const isIndented = tokens[token - 1]?.text.endsWith("-") ?? false;
				const end = endOfDocument(line, at, delimiter.text, isIndented);
				if (end === undefined) return undefined;
				const lines = line.slice(at, Math.max(at, line.lastIndexOf("\n", end - 2) + 1));
				const text = isIndented ? lines.replace(/^\t+/gm, "") : lines;
				const isQuoted = written !== delimiter.text;
				const nested = isQuoted ? [] : nestedIn(text, IN_QUOTES);
				const isComputed = delimiter.isComputed || nested.length > 0;
				const isLiteral = isQuoted || !REPLACED_IN_QUOTES.test(text);
				tokens[token] = { ...delimiter, isComputed, nested, document: { text, isLiteral } };
				at = end;
			}
			documents = [];
			continue;
		}
		const from = at;
		let text = "";
		let isComputed = false;
		let isLiteral = true;
		const nested: string[] = [];
		for (;;) {
			if (match(NESTED) !== null) {
				const start = at;
				const end = afterNested(line, start);
				if (end === undefined) return undefined;
				const isQuoted = line[start - 1] === '"';
				const within = line.slice(start, end - 1);
				text += isQuoted ? within : "$";
				isComputed ||= !isQuoted || /\$\(|`/.test(within);
				const whole = line.slice(line[start - 1] === "(" ? start - 2 : start - 1, end);
				nested.push(...(isQuoted ? nestedIn(within, IN_QUOTES) : nestedIn(whole, NESTED_COMMAND)));
				isLiteral &&= isQuoted && !REPLACED_IN_QUOTES.test(within);
				at = end;
				continue;
			}
			const piece = match(PIECE);
			if (piece === null) break;
			text += piece.slice(1).find((part) => part !== undefined) ?? "";
			isLiteral &&= !REPLACED.test(piece[3] ?? (piece[1] === "\n" ? piece[0] : ""));
		}
		if (at === from) return undefined;
		if (/^\d*<<-?$/.test(textOfOperator(tokens.at(-1))))
			documents.push({ token: tokens.length, written: line.slice(from, at) });
		tokens.push({ text, isOperator: false, isComputed, isLiteral, nested });
	}
	return documents.length === 0 ? tokens : undefined;
}

function textOfOperator(token: ShellToken | undefined): string {
	return token?.isOperator === true ? token.text : "";
}

/** The sources of the commands within a text that `begin`s them; arithmetic is none. What is never closed is one. */
function nestedIn(text: string, begin: RegExp): readonly string[] {
	const sources: string[] = [];
	for (let at = 0; at < text.length; at++) {
		if (text[at] === "\\") {
			at++;
			continue;
		}
		const isBackquote = text[at] === "`";
		if (!isBackquote && !begin.test(text.slice(at, at + 2))) continue;
		const start = at + (isBackquote ? 1 : 2);
		const end = afterNested(text, start) ?? text.length + 1;
		const source = text.slice(start, end - 1);
		if (isBackquote || !/^\([\s\S]*\)$/.test(source)) sources.push(source);
		at = end - 1;
	}
	return sources;
}

/** The index after the line that ends a here-document whose text begins at `from`; undefined if there is none. */
function endOfDocument(line: string, from: number, delimiter: string, isIndented: boolean): number | undefined {
	for (let at = from; at < line.length; ) {
		const newline = line.indexOf("\n", at);
		const end = newline === -1 ? line.length : newline;
		const text = line.slice(at, end);
		at = end + 1;
		if ((isIndented ? text.replace(/^\t+/, "") : text) === delimiter) return Math.min(at, line.length);
	}
	return undefined;
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
		else if (closer === ")" && char === "<" && line[at + 1] === "<") at = afterDocument(line, at);
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

/** The last index of a here-document that begins at `<<` within `$(…)`, whose text may have quotes that close nothing. */
function afterDocument(line: string, at: number): number {
	HEAD_OF_DOCUMENT.lastIndex = at;
	const [head = "", dash, , delimiter = ""] = HEAD_OF_DOCUMENT.exec(line) ?? [];
	const end = head === "" ? undefined : endOfDocument(line, at + head.length, delimiter, dash !== "");
	return end === undefined ? at + 1 : end - 1;
}
