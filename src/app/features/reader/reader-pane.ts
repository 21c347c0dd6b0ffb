import type { ReaderRow } from "../../../conversation/blocks/piece.ts";
import { rowsFrom } from "../../../conversation/document/walk.ts";
import { filterTitle, paneName } from "../../../ui/field/filter-title.ts";
import { formatCount } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { blanks, cleanText } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { cutLine, lineWidth } from "../../../ui/text/width.ts";
import { titleRoom } from "../../../ui/title-rule.ts";
import type { Box, RowView } from "../../../ui/view.ts";
import { hitNote } from "../../world/opened/hits.ts";
import {
	currentEntry,
	type PageMargin,
	pageMargin,
	type Reader,
	selectReader,
} from "../../world/opened/select-reader.ts";
import { shownSession } from "../../world/opened/shown-session.ts";
import type { AppPane, State } from "../../world/state/state.ts";
import { matchNumber } from "./find.ts";
import { marked, marksOf } from "./marks.ts";
import { percentRead } from "./percent.ts";
import { entryFacts, entryName } from "./reader-title.ts";

/** The pane of the conversation, with its visible rows. */
export function selectReaderPane(state: State, box: Box): AppPane {
	const focused = state.focus === "reader";
	const reader = selectReader(state);
	const entry = currentEntry(state);
	const session = shownSession(state.detail);
	const position = cleanText(reader === undefined ? "" : `${percentRead(reader)} %`);
	const room = titleRoom(box, position);
	const shared = { id: "reader", ...box, position, focused } as const;
	if (reader === undefined || entry === undefined || session === undefined)
		return { ...shared, title: cutLine(paneName("entry", focused), room), settings: [], rows: [] };
	const { find } = state.reader;
	const titled =
		find === undefined
			? {
					title: cutLine([...entryName(entry, session, state.environment.home), ...hitNote(state)], room),
					settings: entryFacts(entry, state.now),
				}
			: {
					...filterTitle(
						{
							name: paneName("find", focused),
							query: find.text,
							hint: "in this conversation",
							notes: findNote(state, reader),
							focused: find.typing,
						},
						room,
					),
					settings: [],
				};
	return { ...shared, ...titled, rows: visibleRows(state, reader, box) };
}

/** "2 of 14": which match is shown, or how the search is going. */
function findNote({ reader: { find } }: State, reader: Reader): Line {
	if (find?.job === undefined) return [];
	const { total, isComplete } = find.job;
	if (total === 0) return [isComplete ? span("  not found", "warning") : span("  looking …", "muted")];
	const at = matchNumber(find, reader);
	const count = `${formatCount(total)}${isComplete ? "" : "+"}`;
	return [span(at === 0 ? `  ${count} found` : `  ${formatCount(at)} of ${count}`, "muted")];
}

function visibleRows(state: State, { document, top, height }: Reader, box: Box): RowView[] {
	const marks = marksOf(state);
	const margin = pageMargin(state, box.width);
	return rowsFrom(document, top, height).map(({ row }, index) => {
		const line = marks === undefined ? row.line : marked(row.line, marks);
		return { key: String(index), ...placed(line, row, margin), selected: false };
	});
}

/** A row after its margin. In a pane its background spans the full width; on a page it leaves out the margin. */
function placed(
	line: Line,
	{ ground, margin: beside = [] }: ReaderRow,
	margin: PageMargin,
): Pick<RowView, "line" | "ground"> {
	const text = cutLine(beside, Math.max(0, margin.margin - 2));
	const start: Line = [{ text: blanks(margin.indent) }, ...text, { text: blanks(margin.margin - lineWidth(text)) }];
	if (ground === undefined) return { line: [...start, ...line] };
	if (margin.margin <= 1) return { line: [...start, ...line], ground };
	const end = { text: blanks(margin.measure - lineWidth(line)) };
	return { line: [...start, ...[...line, end].map((part) => ({ ground, ...part }))] };
}
