/** A word without its quotes, or an operator. */
export interface ShellToken {
	readonly text: string;
	readonly isOperator: boolean;
	/** Whether the output of another command is part of it: as the delimiter of a here-document, of its text. */
	readonly isComputed: boolean;
	/** Whether the text of a word is all that it means: it has no variable, pattern, brace or "~" that the shell would replace. */
	readonly isLiteral: boolean;
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

/** Operators, redirections with the number before and the file descriptor behind them. */
const OPERATOR = /(?:\d*|&)(?:<<<|<<-?|>>|<>|>\||[<>]&?(?!\())|&&|\|\||\|&|;;|[;&|()\n]/y;
const BLANKS = /(?:[ \t\r]|\\\r?\n)+/y;
const COMMENT = /#[^\n]*/y;
/** What may hold words and operators of its own. */
const NESTED = /[$<>]\(|["`]/y;
/** A piece of a word: escaped, quoted, plain. What `$'…'` means is not known. */
const PIECE = /\\([\s\S])|'([^']*)'|([^\s\\'"`$;&|()<>]+|\$(?!'))/y;
/** What the shell replaces in a piece without quotes, and in double quotes; a line end behind a backslash is dropped. */
const REPLACED = /[$*?[{]|^~|^\\\n/;
const REPLACED_IN_QUOTES = /[$`\\]/;

/** The tokens of a command line, without the text of its here-documents; undefined if something in it is never closed. */
export function tokensOf(line: string): readonly ShellToken[] | undefined {
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
			tokens.push({ text: operator, isOperator: true, isComputed: false, isLiteral: true });
			if (operator !== "\n") continue;
			for (const { token, written } of documents) {
				const delimiter = tokens[token];
				const end =
					delimiter && endOfDocument(line, at, delimiter.text, tokens[token - 1]?.text.endsWith("-") ?? false);
				if (delimiter === undefined || end === undefined) return undefined;
				const isRun = written === delimiter.text && /`|\$\(/.test(line.slice(at, end));
				tokens[token] = { ...delimiter, isComputed: delimiter.isComputed || isRun };
				at = end;
			}
			documents = [];
			continue;
		}
		const from = at;
		let text = "";
		let isComputed = false;
		let isLiteral = true;
		for (;;) {
			if (match(NESTED) !== null) {
				const start = at;
				const end = afterNested(line, start);
				if (end === undefined) return undefined;
				const isQuoted = line[start - 1] === '"';
				const within = line.slice(start, end - 1);
				text += isQuoted ? within : "$";
				isComputed ||= !isQuoted || /\$\(|`/.test(within);
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
		tokens.push({ text, isOperator: false, isComputed, isLiteral });
	}
	return documents.length === 0 ? tokens : undefined;
}

function textOfOperator(token: ShellToken | undefined): string {
	return token?.isOperator === true ? token.text : "";
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
