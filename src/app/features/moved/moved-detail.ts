import type { LiveReport } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { memoLast } from "../../../shared/memo.ts";
import { formatCount, formatCounted, formatSize, shortenHome } from "../../../ui/text/format.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import { cutText, joinEnds } from "../../../ui/text/width.ts";
import { wrapLine, wrapText } from "../../../ui/text/wrap.ts";
import type { Line } from "../../../ui/view.ts";
import type { State } from "../../world/state.ts";
import { newestFirst, placeOf, proposalsFor, type SessionGroup } from "./gone-groups.ts";
import { type Hindrance, hindranceOf, tellHindrance } from "./plan-moves.ts";
import { CERTAINTIES, tellReason } from "./tell-place.ts";

/** Rows of which only those in sight are drawn. */
interface Rows {
	readonly length: number;
	readonly at: (index: number) => Line;
}

/** A title keeps so much of a row beside the reason why its session is left out. */
const TITLE_SHARE = 0.5;

/** All that there is to say of a directory: what is proposed and why, then what would become of each session. */
export function detailRows(state: State, group: SessionGroup, width: number): Rows {
	const place = placeOf(state, group);
	const sessions = newestFirst(group.rows);
	const fates = fatesOf(state.catalog.rows, state.catalog.live, sessions, place);
	const head = [
		...aboutDirectory(state, group, width),
		...aboutPlaces(state, group, place, width),
		...sums(group, fates, width),
	];
	return {
		length: head.length + sessions.length,
		at(index) {
			const row = sessions[index - head.length];
			return head[index] ?? (row === undefined ? [] : drawSession(row, fates?.[index - head.length], state.now, width));
		},
	};
}

/** Why each session is left out; undefined while no place is known. */
const fatesOf = memoLast(
	(
		rows: ReadonlyMap<string, SessionRow>,
		live: LiveReport,
		sessions: readonly SessionRow[],
		cwd: string | undefined,
	): readonly (Hindrance | undefined)[] | undefined =>
		cwd === undefined ? undefined : sessions.map((row) => hindranceOf({ row, cwd }, rows, live)),
);

function aboutDirectory({ moved, environment }: State, { key }: SessionGroup, width: number): Line[] {
	const fate = moved.fates.get(key);
	const path = strong(sanitizeLine(shortenHome(key, environment.home)));
	const why = fate?.kind === "unknown" ? `could not be looked at: ${fate.why}` : "is gone";
	return wrapLine([path, span(` ${sanitizeLine(why)}`, "warning")], width);
}

function aboutPlaces(state: State, group: SessionGroup, place: string | undefined, width: number): Line[] {
	const { moved, environment } = state;
	const proposals = proposalsFor(state, group);
	const isTyped = place !== undefined && !proposals.some(({ directory }) => directory === place);
	if (proposals.length === 0 && !isTyped) {
		const isLooking = moved.fates.get(group.key)?.kind === "gone" && !moved.found.has(group.key);
		const text = isLooking ? "Looking for its new place …" : "No place was found where it may be now; e types one.";
		return wrapText(sanitizeLine(text), width).map((line) => [span(line, "muted")]);
	}
	const shown = (directory: string): Line => {
		const isChosen = directory === place;
		const path = sanitizeLine(shortenHome(directory, environment.home));
		return [span(isChosen ? "→ " : "  ", "accent"), span(path, isChosen ? "accent" : "text")];
	};
	const lines = proposals.flatMap(({ directory, certainty, reasons }) => {
		const why = reasons.map((reason) => tellReason(reason, environment.home)).join(", ");
		return [
			...wrapLine(shown(directory), width),
			...wrapText(sanitizeLine(`${CERTAINTIES[certainty]}: ${why}`), width - 4).map((line) => [
				span(`    ${line}`, "muted"),
			]),
		];
	});
	return isTyped ? [...wrapLine([...shown(place), span("  typed", "muted")], width), ...lines] : lines;
}

function sums(
	{ rows, size, archived }: SessionGroup,
	fates: readonly (Hindrance | undefined)[] | undefined,
	width: number,
): Line[] {
	const left = fates?.filter((fate) => fate !== undefined).length ?? 0;
	const parts = [
		`${formatCounted(rows.length, "session")}, ${formatSize(size)}`,
		...(fates === undefined
			? []
			: [`${left === rows.length ? "none" : formatCount(rows.length - left)} would be forked`]),
		...(left === 0 ? [] : [`${formatCount(left)} left out`]),
		...(archived === 0 ? [] : [`${formatCount(archived)} more in the archive, where they stay`]),
	];
	return [[], ...wrapText(sanitizeLine(parts.join(" · ")), width).map((line): Line => [span(line)])];
}

function drawSession(row: SessionRow, fate: Hindrance | undefined, now: number, width: number): Line {
	if (fate === undefined)
		return joinEnds([span(`  ${sessionTitle(row)}`)], [span(`  ${formatSize(row.size)}`, "muted")], width);
	const why = `  ${sanitizeLine(tellHindrance(fate, now))}`;
	const title = cutText(sessionTitle(row), Math.floor(width * TITLE_SHARE));
	return joinEnds([span(`  ${title}`, "muted"), span(why, fate.kind === "forked" ? "muted" : "warning")], [], width);
}
