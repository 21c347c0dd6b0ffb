import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import type { ShownLines } from "../../../edits/shown-lines.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { type Distance, target } from "../../../ui/page/page-rows.ts";
import {
	type BlameOverlay,
	type BlameSource,
	type LineOnScreen,
	openOverlay,
	replaceTop,
	topOverlay,
} from "../state/overlays.ts";
import type { State } from "../state/state.ts";

/** Lines of a file beyond these are not in the box: who wrote them is found for all at once. */
const MOST_LINES = 400;

/**
 * Opens the box that says who wrote a line, as of an entry of a session: with one of the lines around it, which the arrow keys go
 * through. `path`: of the file, absolute; `at`: index of the line.
 */
export function openBlame(
	state: State,
	{
		session,
		path,
		lines,
	}: { readonly session: Session; readonly path: string; readonly lines: readonly LineOnScreen[] },
	at: number,
	source: BlameSource,
): State {
	const from = Math.max(0, Math.min(at - MOST_LINES / 2, lines.length - MOST_LINES));
	const near = lines.slice(from, from + MOST_LINES);
	const line = near[at - from];
	if (line === undefined) return state;
	const place = state.catalog.rows.get(session.path)?.place;
	const request: ShownLines = { session, path, lines: near, place };
	const overlay: BlameOverlay = { kind: "blame", asked: request, lines: near, at: at - from, candidate: 0, source };
	return openOverlay(source.show(state, line), overlay);
}

export function openedBlame(state: State): BlameOverlay | undefined {
	const overlay = topOverlay(state);
	return overlay?.kind === "blame" ? overlay : undefined;
}

/** The line that the box is about; undefined if none is open. */
export function blamedLine(state: State): LineOnScreen | undefined {
	const overlay = openedBlame(state);
	return overlay?.lines[overlay.at];
}

/** Goes to another line, which comes into sight. */
export function moveBlame(state: State, distance: Distance): State {
	const overlay = openedBlame(state);
	if (overlay === undefined) return state;
	const at = target(overlay.at, distance, PAGE, overlay.lines.length);
	const line = overlay.lines[at];
	if (line === undefined || at === overlay.at) return state;
	return replaceTop(overlay.source.show(state, line), { ...overlay, at, candidate: 0 });
}

/** Lines that a page key goes. */
const PAGE = 10;

/** Whether two lines are the same one of a diff, which may have been made again. */
export function isSameLine(one: DiffLine, other: DiffLine): boolean {
	return (
		one === other ||
		(one.kind === other.kind && one.before === other.before && one.after === other.after && one.text === other.text)
	);
}
