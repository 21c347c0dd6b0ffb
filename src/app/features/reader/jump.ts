import { entryKind } from "../../../conversation/entries/entry-kind.ts";
import { fieldsOf } from "../../../conversation/entries/fields.ts";
import { placeOf } from "../../../conversation/entries/place.ts";
import { stepOf } from "../../../conversation/entries/step.ts";
import { stopMark } from "../../../conversation/entries/stop-reason.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { currentIndex, selectReader } from "../../world/opened/select-reader.ts";
import { placedAt } from "../../world/state/opened-state.ts";
import { type State, shownSession } from "../../world/state/state.ts";
import { scrolledTo } from "./scroll.ts";

/** What a key can jump to. */
export type Landmark = "prompt" | "error";

/** Goes to the next (1) or previous (-1) entry of a kind; undefined if there is none. */
export function jumpTo(state: State, landmark: Landmark, direction: 1 | -1): State | undefined {
	const reader = selectReader(state);
	if (reader === undefined) return undefined;
	const { document, top } = reader;
	const at = currentIndex(state, reader);
	// Going back from within an entry leads to its start first.
	const isInside = top.entry === at && (top.piece > 0 || top.row > 0);
	const start = direction === -1 && isInside ? at : at + direction;
	for (let index = start; index >= 0 && index < document.path.length; index += direction) {
		const entry = document.path[index];
		if (entry !== undefined && isLandmark(entry, landmark, state))
			return scrolledTo(state, document, { entry: index, piece: 0, row: 0 });
	}
	return undefined;
}

function isLandmark(entry: SessionEntry, landmark: Landmark, state: State): boolean {
	const kind = entryKind(entry);
	if (landmark === "prompt") return kind === "prompt";
	if (kind === "answer") return stopMark(fieldsOf(fieldsOf(entry).message))?.tone === "error";
	const session = shownSession(state.detail);
	if (session === undefined || (kind !== "result" && kind !== "command")) return false;
	// Cheap check first: most steps did not fail.
	if (kind === "result" && fieldsOf(fieldsOf(entry).message).isError !== true) return false;
	return stepOf(entry, session, placeOf(session, state.environment.home))?.failed === true;
}

/** Goes to the next or previous branch at the nearest fork at or above the entry; undefined if there is none. */
export function jumpToBranch(state: State, direction: 1 | -1): State | undefined {
	const session = shownSession(state.detail);
	const reader = selectReader(state);
	if (session === undefined || reader === undefined) return undefined;
	const { path } = reader.document;
	for (let index = currentIndex(state, reader); index >= 0; index--) {
		const entry = path[index];
		const parent = path[index - 1];
		const siblings = parent === undefined ? session.tree.roots : (session.tree.children.get(parent.id) ?? []);
		if (entry === undefined || siblings.length < 2) continue;
		const at = siblings.findIndex(({ id }) => id === entry.id);
		const next = siblings[(at + direction + siblings.length) % siblings.length];
		return next === undefined ? undefined : { ...state, reader: placedAt(state.reader, next.id) };
	}
	return undefined;
}
