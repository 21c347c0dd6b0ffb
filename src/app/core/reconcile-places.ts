import { memoLast } from "../../shared/memo.ts";
import { sessionGroups } from "../features/maintenance/gone-groups.ts";
import { layoutFor } from "../world/layout.ts";
import { listColumns } from "../world/list/list-view.ts";
import { orderInUse } from "../world/list/select-list.ts";
import type { State, Transition } from "../world/state/state.ts";
import { transition } from "../world/state/transition.ts";

/** Directories of which Git's facts are noted: those used last. */
const MOST_NOTED = 500;

/** Has the repository of the present directory looked up once, and the branches of all projects when the list shows them. */
export function reconcilePlaces(state: State): Transition {
	const { places, environment, catalog } = state;
	// Not before there is something to see.
	if (catalog.rows.size === 0) return transition(state);
	const directories = wantsBranches(state) ? unknownDirectories(catalog.rows, places.asked) : [];
	const isFirst = places.asked === undefined;
	if (!isFirst && directories.length === 0) return noteGit(state);
	const asked = new Set([...(places.asked ?? []), ...directories]);
	return transition(
		{ ...state, places: { ...places, asked } },
		{ type: "look-at-places", directory: isFirst ? environment.cwd : undefined, directories },
	);
}

/** Once all is listed, has noted what Git knows of the directories, for when they are gone. */
function noteGit(state: State): Transition {
	const { places, catalog } = state;
	if (places.noted || !catalog.complete) return transition(state);
	const directories = sessionGroups(catalog.rows)
		.slice(0, MOST_NOTED)
		.map(({ key }) => key);
	return transition({ ...state, places: { ...places, noted: true } }, { type: "note-git", directories });
}

function wantsBranches(state: State): boolean {
	const box = layoutFor(state).list;
	if (box === undefined) return false;
	return orderInUse(state).sort === "git" || listColumns(state, box.width).some(({ column }) => column === "git");
}

const unknownDirectories = memoLast(
	(rows: State["catalog"]["rows"], asked: State["places"]["asked"]): readonly string[] => {
		const unknown = new Set<string>();
		for (const { cwd } of rows.values()) if (cwd !== "" && asked?.has(cwd) !== true) unknown.add(cwd);
		return [...unknown];
	},
);
