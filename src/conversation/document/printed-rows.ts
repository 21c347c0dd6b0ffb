import type { SessionEntry } from "../../store/format/schema.ts";
import type { Session } from "../../store/read/read-session.ts";
import { type Line, span, strong } from "../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine } from "../../ui/text/width.ts";
import { branchName } from "../entries/branch-name.ts";
import type { Passage } from "../entries/passages.ts";
import { placeOf } from "../entries/place.ts";
import type { Renderers } from "../render/renderers.ts";
import type { ReaderRow } from "../terminal/piece.ts";
import { ReaderDocument } from "./document.ts";

export interface PrintSettings {
	/** Cells of a row. */
	readonly width: number;
	readonly home: string;
	/** Whether outputs, diffs and thoughts are printed whole, not as the reader folds them. */
	readonly full: boolean;
	/** Whether code is to be highlighted. */
	readonly colored: boolean;
	readonly renderers: Renderers;
}

/** Some rows of an entry, possibly none. */
interface PrintedRows {
	readonly entry: SessionEntry;
	readonly rows: readonly ReaderRow[];
	/** How many of them stand for a folded block. */
	readonly folded: number;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The entries of a passage as the reader's pane shows them, a bounded piece at a time. */
export function* printedRows(session: Session, passage: Passage, printing: PrintSettings): Generator<PrintedRows> {
	const { path, from, to } = passage;
	const { width, home, full, colored, renderers } = printing;
	const options = {
		page: false,
		withDetails: full,
		toolsOpen: full,
		thinkingOpen: full,
		sideBySide: false,
		toggled: NOTHING,
	};
	// Printed rows are not needed again. Cached, they would reach the old generation of the heap and pile up there as garbage:
	// several times the size of the session.
	const document = new ReaderDocument({ session, path, place: placeOf(session, home), options, renderers }, width, 1);
	for (let index = from; index < to; index++) {
		const entry = path[index];
		if (entry === undefined) return;
		for (let piece = 0; piece < document.pieces(index).length; piece++) {
			if (colored && document.isPlain(index, piece)) document.color(index, piece);
			const rows = document.rows(index, piece);
			// An open block has the row that folds it.
			const folded = full ? 0 : rows.filter(({ fold }) => fold !== undefined).length;
			yield { entry, rows: rows.map(withoutKey), folded };
		}
	}
}

/** The heading of a branch beside the active path, between blank rows: what it is called, and where it leaves. */
export function branchHeading(
	session: Session,
	{ path, from, leaves }: Passage,
	{ width, home }: Pick<PrintSettings, "width" | "home">,
): readonly Line[] {
	if (leaves === undefined) return [];
	const where = leaves === null ? "starts over" : `continues from ${sanitizeLine(leaves.id)}`;
	const name = branchName(path, from, session, placeOf(session, home), width - where.length - 5);
	return [[], cutLine([strong(`⊞ ${name}`, "label"), span(` · ${where}`, "muted")], width), []];
}

/** Removes the key that unfolds a block from its row, since it does nothing in a printed text. */
function withoutKey(row: ReaderRow): ReaderRow {
	const at = row.line.findIndex(({ tone }) => tone === "key");
	if (row.fold === undefined || at === -1) return row;
	const line: Line = row.line.slice(0, at).map((span) => ({ ...span, text: cleanText(span.text.replace(/ · $/, "")) }));
	return { ...row, line };
}
