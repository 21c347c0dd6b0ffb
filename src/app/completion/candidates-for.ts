import type { SessionRow } from "../../catalog/model/row.ts";
import { type CompletionFacts, completionsFor } from "../../catalog/query/complete.ts";
import type { Marks } from "../marks/marks.ts";
import { memoLast } from "../model/memo.ts";
import type { State } from "../model/state.ts";
import type { Candidate } from "../text/typing.ts";

/** The last part of a path; nothing of "/". */
const LAST_FOLDER = /([^/\\]+)[/\\]*$/;

/** What the word before the cursor may become, in the filter of the focused pane. */
export function candidatesFor(state: State): readonly Candidate[] {
	if (state.overlays.length > 0 || (state.focus !== "list" && state.focus !== "tree")) return [];
	const { text, cursor } = state[state.focus].query;
	if (text === "") return [];
	return completionsFor(text, cursor, factsOf(state.catalog.rows, state.marks));
}

/** Looked for when a value is completed, not at each key. */
const factsOf = memoLast((rows: ReadonlyMap<string, SessionRow>, marks: Marks): CompletionFacts => {
	let projects: readonly string[] | undefined;
	let tags: readonly string[] | undefined;
	return {
		get projects() {
			projects ??= projectsOf(rows);
			return projects;
		},
		get tags() {
			tags ??= [...new Set([...marks.tags.values()].flat())].toSorted((a, b) => a.localeCompare(b));
			return tags;
		},
	};
});

/** The last folders of the directories, those used last first. */
function projectsOf(rows: ReadonlyMap<string, SessionRow>): readonly string[] {
	const lastUse = new Map<string, number>();
	for (const { cwd, modified } of rows.values()) {
		const folder = LAST_FOLDER.exec(cwd)?.[1];
		if (folder !== undefined) lastUse.set(folder, Math.max(lastUse.get(folder) ?? 0, modified.getTime()));
	}
	return [...lastUse].toSorted(([, a], [, b]) => b - a).map(([folder]) => folder);
}
