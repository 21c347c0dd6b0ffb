/** The row at the top of the pane. It stays where it is when the session grows, the pane gets another width, or blocks unfold. */
export interface Anchor {
	readonly entryId: string;
	/** The piece of the entry: its block, and its part of that. */
	readonly block: number;
	readonly part: number;
	/** Row of the piece, from 0, of so many: with another width the same part of the text is at the top. */
	readonly row: number;
	readonly rows: number;
}

/** The first row of an entry. */
export function startOfEntry(entryId: string): Anchor {
	return { entryId, block: 0, part: 0, row: 0, rows: 0 };
}
