import { formatCount, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { blanks, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { whenText, whenWidth } from "../../../ui/text/when-column.ts";
import { cutTextStart, joinEnds, lineWidth, padText } from "../../../ui/text/width.ts";
import type { Line, Span } from "../../../ui/view.ts";
import type { State } from "../../world/state.ts";
import { SIGN_WIDTH } from "../list/draw-row.ts";
import { forkedCount, placeOf, proposalsFor, type SessionGroup } from "./gone-groups.ts";
import { CERTAINTIES, tellReason } from "./tell-place.ts";

export interface GroupDrawing {
	readonly width: number;
	readonly selected: boolean;
	readonly marked: boolean;
}

/** From these widths on, a row has when its sessions were used last, how large they are, and how many. */
const WHEN_FROM_WIDTH = 72;
const SIZE_FROM_WIDTH = 60;
const COUNT_FROM_WIDTH = 50;
const SIZE_WIDTH = 8;
const COUNT_WIDTH = 8;
const GONE_SHARE = 0.42;
const LEAST_GONE = 8;
const ARROW_WIDTH = 3;

/** A directory that is gone, where its sessions belong now, and how sure that is; how many they are. */
export function drawGroup(state: State, group: SessionGroup, { width, selected, marked }: GroupDrawing): Line {
	const columns = columnsOf(state, group, width);
	const { home } = state.environment;
	const room = width - SIGN_WIDTH - lineWidth(columns);
	const goneRoom = Math.max(LEAST_GONE, Math.floor(room * GONE_SHARE));
	const gone = cutTextStart(sanitizeLine(shortenHome(group.key, home)), goneRoom);
	return joinEnds(
		[
			span(selected ? "›" : " ", "accent"),
			marked ? strong("✓", "current") : span(" "),
			span(padText(gone, goneRoom), isDone(state, group) ? "muted" : "text"),
			...placeSpans(state, group, room - goneRoom),
		],
		columns,
		Math.max(SIGN_WIDTH, width),
	);
}

/** Whether all of its sessions are forked to its place. */
function isDone(state: State, group: SessionGroup): boolean {
	const place = placeOf(state, group);
	return place !== undefined && forkedCount(state, group, place) === group.rows.length;
}

/** " → ~/new/place  likely: same name" */
function placeSpans(state: State, group: SessionGroup, room: number): Span[] {
	const { moved, environment } = state;
	const fate = moved.fates.get(group.key);
	const place = placeOf(state, group);
	if (place === undefined) {
		if (fate?.kind === "unknown") return [span(`  ${sanitizeLine(fate.why)}`, "warning")];
		return [span(moved.found.has(group.key) ? "  no place found" : "  looking …", "muted")];
	}
	const [how, reasons] = whyOf(state, group, place);
	const pathRoom = Math.max(LEAST_GONE, room - ARROW_WIDTH - lineWidth(how));
	const path = cutTextStart(sanitizeLine(shortenHome(place, environment.home)), pathRoom);
	const line = [span(" → ", "muted"), span(path, "accent"), ...how];
	return lineWidth([...line, ...reasons]) <= room ? [...line, ...reasons] : line;
}

/** How sure a place is, and what speaks for it. */
function whyOf(state: State, group: SessionGroup, place: string): readonly [how: Span[], reasons: Span[]] {
	const forked = forkedCount(state, group, place);
	if (forked === group.rows.length) return [[span("  forked", "muted")], []];
	const some: Span[] = forked === 0 ? [] : [span(`  ${formatCount(forked)} forked`, "muted")];
	const proposal = proposalsFor(state, group).find(({ directory }) => directory === place);
	if (proposal === undefined) return [[...some, span("  typed", "muted")], []];
	const reasons = proposal.reasons.map((reason) => tellReason(reason, state.environment.home)).join(", ");
	const certainty = span(`  ${CERTAINTIES[proposal.certainty]}`, proposal.certainty === 1 ? "warning" : "text");
	return [[...some, certainty], [span(`  ${sanitizeLine(reasons)}`, "muted")]];
}

function columnsOf({ now }: State, { rows, size, latest }: SessionGroup, width: number): Line {
	return [
		...(width >= COUNT_FROM_WIDTH ? [span(`  ${formatCount(rows.length).padStart(COUNT_WIDTH)}`)] : []),
		...(width >= SIZE_FROM_WIDTH ? [span(`  ${formatSize(size).padStart(SIZE_WIDTH)}`, "muted")] : []),
		...(width >= WHEN_FROM_WIDTH ? [span(`  ${whenText(latest, now, width)} `, "muted")] : []),
	];
}

/** The heads of these columns. */
export function drawHeads(width: number): Line {
	return joinEnds(
		[{ text: blanks(SIGN_WIDTH) }, span("directory that is gone → its new place", "muted")],
		[
			...(width >= COUNT_FROM_WIDTH ? [span(`  ${"sessions".padStart(COUNT_WIDTH)}`, "muted")] : []),
			...(width >= SIZE_FROM_WIDTH ? [span(`  ${"size".padStart(SIZE_WIDTH)}`, "muted")] : []),
			...(width >= WHEN_FROM_WIDTH ? [span(`  ${"when".padStart(whenWidth(width))} `, "muted")] : []),
		],
		width,
	);
}
