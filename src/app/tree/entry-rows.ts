import type { Term } from "../../catalog/query/parse-query.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { memoLast } from "../model/memo.ts";
import type { State } from "../model/state.ts";
import type { Tone } from "../model/view.ts";
import { formatCount } from "../text/format.ts";
import { blanks, type CleanText, cleanText, sanitizeLine } from "../text/sanitize.ts";
import { cutText } from "../text/width.ts";
import { wrapText } from "../text/wrap.ts";
import { MAX_ENTRY_TEXT } from "./entry-section.ts";
import { entryHeading, entrySections } from "./entry-sections.ts";

/** One row of the text under the tree. */
export interface EntryTextRow {
	readonly text: CleanText;
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
			rows.push({ text: blanks(0), tone: "text", bold: false });
			for (const row of wrapText(sanitizeLine(title), width))
				if (title !== "") rows.push({ text: row, tone: "tool", bold: true });
			if (text === "") continue;
			for (const row of wrapText(text.slice(0, room), width)) rows.push({ text: row, tone, bold: false });
			room -= text.length;
			if (room < 0) return [...rows, CUT];
		}
		return rows;
	},
);

/** Ends an entry that is too long to be drawn at once. */
const CUT: EntryTextRow = {
	text: cleanText(`… cut here: ${formatCount(MAX_ENTRY_TEXT)} characters of an entry are shown`),
	tone: "warning",
	bold: true,
};

/** The terms to mark in the text of entries: those of the tree's filter, else of the search that found the session. */
export function searchTerms(state: State): readonly Term[] {
	const { parsed } = state.tree;
	return parsed.text === "" ? state.list.search.query.terms : parsed.terms;
}
