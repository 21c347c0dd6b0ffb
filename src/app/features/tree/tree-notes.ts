import { evidenceOf } from "../../../catalog/model/live.ts";
import { unknownFieldNote } from "../../../catalog/query/unknown-fields.ts";
import { briefUse } from "../../../changes/guard/guard-words.ts";
import { rewindForms, sessionRewind } from "../../../conversation/entries/rewind.ts";
import { formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { WRONG, waitingNote } from "../../world/keys/key-hints.ts";
import { hitNote, selectTree } from "../../world/opened/select-tree.ts";
import { type State, shownSession } from "../../world/state/state.ts";
import { FILTER_NAMES, hitCount } from "./tree-settings.ts";

/** Notes after the filter of the tree: a waiting key, a mistake, progress, or the number of the hit shown. */
export function treeNotes(state: State): Line {
	const waiting = waitingNote(state, "tree");
	if (waiting !== undefined) return waiting;
	const { drawing, query: typed, mistake } = state.tree;
	if (mistake !== undefined) return WRONG;
	if (typed.text !== "" && drawing?.input !== drawing?.drawn?.input) return [span(" filtering …", "muted")];
	const tree = selectTree(state);
	if (tree?.hits !== undefined) return [span(` ${hitCount(tree)}`, "muted")];
	return hitNote(state);
}

/** Who uses the open session, or that it is growing. */
export function noteOfUse({ detail, catalog, now }: State): Line {
	if (detail.status === "none") return [];
	const use = briefUse(evidenceOf(catalog.live, detail.row), now);
	return use === undefined ? [] : [span(` ${use.sign} ${use.words}`, "current")];
}

/** Says that pi does not continue at the end of the open session, in `room` cells if possible. A click offers to fix that. */
export function noteOfRewind(state: State, room: number): Line {
	const session = shownSession(state.detail);
	const rewound = session && sessionRewind(session);
	if (rewound === undefined) return [];
	const { long, short } = rewindForms(rewound);
	const hidden = `${formatCounted(rewound.hidden, "entry", "entries")} hidden`;
	const words = [`pi ${long}, ${hidden}`, `pi ${long}`].find(({ length }) => length + 1 <= room) ?? short;
	return [{ ...span(` ${words}`, "warning"), press: "forward" }];
}

/** Why the tree's filter shows no entry. */
export function whyNoEntryMatches({ tree: { parsed, filter } }: State): string {
	if (parsed.text === "") return "This filter shows no entry: ctrl+o goes to the next";
	const note = unknownFieldNote(parsed.text);
	if (note !== undefined) return `No entry matches: ${note}`;
	const hidden = filter === "all" ? "" : `, of those that the filter “${FILTER_NAMES[filter]}” shows`;
	return `No entry matches${parsed.terms.length > 1 ? ` all ${parsed.terms.length} words` : ""}${hidden}: esc clears the query`;
}
