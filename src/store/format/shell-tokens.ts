/** A word without its quotes, or an operator. */
export interface ShellToken {
	readonly text: string;
	readonly isOperator: boolean;
	/** Whether the output of another command is part of it. */
	readonly isComputed: boolean;
}

/** The words after the options of a program; `valued`: the letters of those that are followed by a value. */
export function afterOptions(words: readonly string[], valued: string): readonly string[] {
	let at = 0;
	for (; /^-./.test(words[at] ?? ""); at++) {
		const word = words[at] ?? "";
		if (word === "--") return words.slice(at + 1);
		if (word.length === 2 && valued.includes(word.slice(1))) at++;
	}
	return words.slice(at);
}

/** Operators, redirections with the number before and the file descriptor behind them; not the text of a here-document. */
const OPERATOR = /(?:\d*|&)(?:<<<|>>|<>|>\||[<>]&?(?!\())|&&|\|\||\|&|;;|[;&|()\n]/y;
const BLANKS = /(?:[ \t\r]|\\\r?\n)+/y;
const COMMENT = /#[^\n]*/y;
/** What may hold words and operators of its own. */
const NESTED = /[$<>]\(|["`]/y;
/** A piece of a word: escaped, quoted, plain. What `$'…'` means is not known. */
const PIECE = /\\([\s\S])|'([^']*)'|([^\s\\'"`$;&|()<>]+|\$(?!'))/y;

/** The tokens of a command line; undefined if it has a here-document, or something that is never closed. */
export function tokensOf(line: string): readonly ShellToken[] | undefined {
	const tokens: ShellToken[] = [];
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
			if (/<$/.test(operator) && line[at] === "<") return undefined;
			tokens.push({ text: operator, isOperator: true, isComputed: false });
			continue;
		}
		const from = at;
		let text = "";
		let isComputed = false;
		for (;;) {
			if (match(NESTED) !== null) {
				const start = at;
				const end = afterNested(line, start);
				if (end === undefined) return undefined;
				const isQuoted = line[start - 1] === '"';
				const within = line.slice(start, end - 1);
				text += isQuoted ? within : "$";
				isComputed ||= !isQuoted || /\$\(|`/.test(within);
				at = end;
				continue;
			}
			const piece = match(PIECE);
			if (piece === null) break;
			text += piece.slice(1).find((part) => part !== undefined) ?? "";
		}
		if (at === from) return undefined;
		tokens.push({ text, isOperator: false, isComputed });
	}
	return tokens;
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
