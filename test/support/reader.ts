import { ReaderDocument } from "../../src/conversation/document/document.ts";
import { placeOf } from "../../src/conversation/entries/place.ts";
import type { Renderers } from "../../src/conversation/render/renderers.ts";
import type { ReaderOptions } from "../../src/conversation/terminal/context.ts";
import type { SessionEntry } from "../../src/store/format/schema.ts";
import type { Session } from "../../src/store/read/read-session.ts";
import type { Line } from "../../src/ui/text/line.ts";

export const FOLDED: ReaderOptions = {
	toolsOpen: false,
	thinkingOpen: false,
	sideBySide: false,
	toggled: new Set(),
	page: false,
};

export interface Reading {
	readonly width?: number;
	readonly options?: Partial<ReaderOptions>;
	readonly renderers?: Renderers;
	/** Default: all entries in file order. */
	readonly path?: readonly SessionEntry[];
}

/** The conversation of all entries of a session. */
export function readingOf(
	session: Session,
	{ width = 80, options = {}, renderers, path = session.entries }: Reading = {},
): ReaderDocument {
	const context = {
		session,
		path,
		place: placeOf(session, "/home/ada"),
		options: { ...FOLDED, ...options },
		renderers,
	};
	return new ReaderDocument(context, width);
}

/** The text of a line. */
export function textOfLine(line: Line): string {
	return line.map(({ text }) => text).join("");
}

/** All rows of an entry as text. */
export function rowsOfEntry(document: ReaderDocument, entry: number): string[] {
	return document
		.pieces(entry)
		.flatMap((_, piece) => document.rows(entry, piece).map(({ line }) => textOfLine(line).trimEnd()));
}
