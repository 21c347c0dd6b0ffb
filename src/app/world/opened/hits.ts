import type { Hit } from "../../../catalog/search/search.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { span } from "../../../ui/text/span.ts";
import type { State } from "../state/state.ts";
import { selectedEntry } from "./select-tree.ts";

/** "hit 2 of 5 for parser": the hit of the list's search that the cursor is on, without the query's conditions on sessions. */
export function hitNote(state: State): Line {
	const { hits, selected } = state.tree;
	if (hits === undefined || hits.ids.length === 0) return [];
	const at = hits.ids.indexOf(selected ?? selectedEntry(state)?.id ?? "") + 1;
	const count =
		at === 0 ? formatCounted(hits.ids.length, "hit") : `hit ${formatCount(at)} of ${formatCount(hits.ids.length)}`;
	const { terms, text } = hits.query;
	const words = terms.flatMap(({ needle, regex }) => needle ?? regex ?? []).join(" ");
	return [span(`  ${count} for ${words === "" ? text : words}`, "match")];
}

/** The id of the entry with a hit; version 1 files have no ids, so there the line number identifies it. */
export function idOf({ entryId, line }: Pick<Hit, "entryId" | "line">, session: Session): string | undefined {
	return entryId === "" ? idsByLine(session).get(line) : entryId;
}

const idsByLine = memoLast(
	({ lines }: Session): ReadonlyMap<number, string> => new Map([...lines].map(([id, line]) => [line, id])),
);
