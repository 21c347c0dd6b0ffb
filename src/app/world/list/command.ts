/** What is typed in the list's query besides a query. */
export type Command =
	/** Saves the query before it. */
	| { readonly kind: "save"; readonly name: string }
	/** Chooses a saved query. */
	| { readonly kind: "open"; readonly typed: string };

/** What is typed, apart: the query that is searched, and the command. */
export interface TypedLine {
	readonly query: string;
	readonly command?: Command;
}

const SAVE = /(?:^|\s):save(?:\s+(.*))?$/u;
/** The same while it is being typed, which is no text to search for either. */
const HALF_SAVE = /\s:(?:s|sa|sav)?$/u;
const OPEN = /^:([\p{L}\p{N}].*)?$/u;

/**
 * Takes apart what is typed in the list: `parser is:branched :save flaky` is a query and what to do with it, `:fla` looks for
 * a saved query. In quotes it is text, as everything is.
 */
export function parseTyped(text: string): TypedLine {
	const line = text.trim();
	if (!line.includes(":")) return { query: line };
	const saving = SAVE.exec(line) ?? HALF_SAVE.exec(line);
	if (saving !== null && !hasOpenQuote(line.slice(0, saving.index)))
		return { query: line.slice(0, saving.index).trim(), command: { kind: "save", name: (saving[1] ?? "").trim() } };
	const opening = OPEN.exec(line);
	if (opening === null) return { query: line };
	return { query: "", command: { kind: "open", typed: (opening[1] ?? "").trim() } };
}

function hasOpenQuote(text: string): boolean {
	return (text.match(/"/g)?.length ?? 0) % 2 === 1;
}
