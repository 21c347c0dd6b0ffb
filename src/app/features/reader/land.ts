import type { Position, ReaderDocument } from "../../../conversation/document/document.ts";
import type { FindJob, FoundPart } from "../../../conversation/document/find-job.ts";
import type { Matcher } from "../../../conversation/document/matcher.ts";
import { backward, comparePositions } from "../../../conversation/document/walk.ts";
import { type Reader, selectReader } from "../../world/opened/select-reader.ts";
import type { State } from "../../world/state/state.ts";
import { lineText } from "./marks.ts";
import { scrolledTo } from "./scroll.ts";

/** Rows of context above a match. */
const CONTEXT = 3;

/** The state that shows a match, and the row of the match. */
export interface Landing {
	readonly state: State;
	readonly at: Position;
}

/** Shows a part with a match: the first match after `after`, or for -1, the last one before it; undefined for none. */
export function landIn(
	state: State,
	found: FoundPart,
	job: FindJob,
	after?: Position,
	direction: 1 | -1 = 1,
): Landing | undefined {
	const open = unfolded(state, found);
	const reader = selectReader(open);
	if (reader === undefined) return undefined;
	const { document } = reader;
	const piece = document
		.pieces(found.entry)
		.findIndex(({ block, part }) => block === found.block && part === found.part);
	if (piece === -1) return undefined;
	const rows = matchingRows(document, found.entry, piece, job.matcher);
	const positions = rows.map((row) => ({ entry: found.entry, piece, row }));
	const ahead = after === undefined ? positions : positions.filter((at) => comparePositions(at, after) * direction > 0);
	const at = ahead.at(direction === 1 ? 0 : -1);
	return at === undefined ? undefined : { state: showRow(open, reader, at), at };
}

/** The rows of a piece with a match; for a match that wraps across rows, roughly the row where it begins. */
function matchingRows(document: ReaderDocument, entry: number, piece: number, matcher: Matcher): number[] {
	const rows = document.rows(entry, piece);
	const found = rows.flatMap(({ line }, row) => (matcher(lineText(line)).length > 0 ? [row] : []));
	if (found.length > 0) return found;
	const text = document.pieces(entry)[piece]?.text ?? "";
	const [first] = matcher(text);
	if (first === undefined || rows.length === 0) return [];
	return [Math.min(rows.length - 1, Math.floor((first[0] / text.length) * rows.length))];
}

/** Unfolds the block of a part, if it is folded. */
function unfolded(state: State, { entry, block }: FoundPart): State {
	const pieces = selectReader(state)?.document.pieces(entry) ?? [];
	const fold = pieces.find((piece) => piece.block === block && piece.fold !== undefined)?.fold;
	if (fold === undefined) return state;
	const toggled = state.reader.toggled.symmetricDifference(new Set([fold]));
	return { ...state, reader: { ...state.reader, toggled } };
}

/** Scrolls to a row unless it is visible: near the top, but not above the start of its entry. */
function showRow(state: State, { document, top, height }: Reader, at: Position): State {
	const isBelow = comparePositions(at, top) >= 0;
	if (isBelow && comparePositions(backward(document, at, height - 1), top) <= 0) return state;
	const above = backward(document, at, Math.min(CONTEXT, height - 1));
	const to = above.entry === at.entry ? above : { entry: at.entry, piece: 0, row: 0 };
	return scrolledTo(state, document, to);
}
