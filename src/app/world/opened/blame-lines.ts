import type { DiffLine } from "../../../conversation/render/diff-lines.ts";
import type { ShownLines } from "../../../edits/shown-lines.ts";
import { type Distance, target } from "../../../ui/page/page-rows.ts";
import { type BlameOverlay, type BlameSource, openOverlay, replaceTop, topOverlay } from "../state/overlays.ts";
import type { State } from "../state/state.ts";

/** Opens the box that says who wrote one of some lines, which the arrow keys go through. `at`: its index. */
export function openBlame(state: State, lines: Omit<ShownLines, "place">, at: number, source: BlameSource): State {
	const line = lines.lines[at];
	if (line === undefined) return state;
	const request = { ...lines, place: state.catalog.rows.get(lines.session.path)?.place };
	return openOverlay(source.show(state, line), { kind: "blame", asked: request, at, candidate: 0, source });
}

export function openedBlame(state: State): BlameOverlay | undefined {
	const overlay = topOverlay(state);
	return overlay?.kind === "blame" ? overlay : undefined;
}

/** Goes to another line, which comes into sight. */
export function moveBlame(state: State, distance: Distance): State {
	const overlay = openedBlame(state);
	if (overlay === undefined) return state;
	const at = target(overlay.at, distance, PAGE, overlay.asked.lines.length);
	const line = overlay.asked.lines[at];
	if (line === undefined || at === overlay.at) return state;
	return replaceTop(overlay.source.show(state, line), { ...overlay, at, candidate: 0 });
}

/** Lines that a page key goes. */
const PAGE = 10;

/** Whether two lines are the same one of a diff, which may have been made again. */
export function isSameLine(one: DiffLine, other: DiffLine): boolean {
	return one.kind === other.kind && one.before === other.before && one.after === other.after && one.text === other.text;
}
