import type { Term } from "../../catalog/query/parse-query.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { memoLast } from "../model/memo.ts";
import type { State } from "../model/state.ts";
import type { Tone } from "../model/view.ts";
import { formatCount } from "../text/format.ts";
import { sanitizeLine, sanitizeText } from "../text/sanitize.ts";
import { cutText } from "../text/width.ts";
import { wrapText } from "../text/wrap.ts";
import { entryHeading, entrySections } from "./entry-sections.ts";

/** One row of the text under the tree. */
export interface EntryTextRow {
	readonly text: string;
	readonly tone: Tone;
	readonly bold: boolean;
}

/** The text of an entry wrapped to `width` cells, safe to draw; of a very long one the beginning. */
export const entryRows = memoLast(
	(entry: SessionEntry, session: Session, home: string, width: number): readonly EntryTextRow[] => {
		const rows: EntryTextRow[] = [
			{ text: cutText(sanitizeLine(entryHeading(entry, session, home)), width), tone: "accent", bold: true },
		];
		let room = MAX_ENTRY_TEXT;
		for (const { title, text, tone } of entrySections(entry, session, home)) {
			const shown = text.slice(0, room);
			room -= title.length + text.length + 1;
			rows.push({ text: "", tone: "text", bold: false });
			for (const row of wrapText(sanitizeLine(title), width))
				if (title !== "") rows.push({ text: row, tone: "tool", bold: true });
			if (shown !== "") {
				for (const row of wrapText(sanitizeText(shown), width)) rows.push({ text: row, tone, bold: false });
			}
			if (room < 0) return [...rows, CUT];
		}
		return rows;
	},
);

/** Characters of one entry that are shown at most: little enough to clean and wrap at once. */
const MAX_ENTRY_TEXT = 200_000;

/** Ends an entry that is too long to be drawn at once. */
const CUT: EntryTextRow = {
	text: `… cut here: ${formatCount(MAX_ENTRY_TEXT)} characters of an entry are shown`,
	tone: "warning",
	bold: true,
};

/** The terms to mark in the text of entries: those of the tree's filter, else of the search that found the session. */
export function searchTerms(state: State): readonly Term[] {
	const { query, parsed } = state.tree;
	if (query.text === "") return state.list.search.query.terms;
	return "error" in parsed ? [] : parsed.query.terms;
}
