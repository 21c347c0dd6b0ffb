import { evidenceOf } from "../../../catalog/model/live.ts";
import { sessionTags } from "../../../catalog/model/marks.ts";
import { aboutSession, lastQuery, parseEntryQuery, shortDate } from "../../../catalog/query/parse-query.ts";
import { readingNote } from "../../../catalog/query/propose.ts";
import { briefUse } from "../../../changes/guard/guard-words.ts";
import { rewindForms, sessionRewind } from "../../../conversation/entries/leaf.ts";
import type { ShownTree } from "../../../conversation/tree/draw-tree.ts";
import { TREE_FILTERS, type TreeFilter } from "../../../conversation/tree/shown-entries.ts";
import type { EditedText } from "../../../ui/field/edit.ts";
import { capital, formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { WRONG, waitingNote } from "../../world/keys/key.ts";
import { DRAWING, selectedTreeIndex, selectTree } from "../../world/opened/select-tree.ts";
import { menu } from "../../world/screen/menus.ts";
import { chosenFilter } from "../../world/state/opened-state.ts";
import type { MenuOverlay } from "../../world/state/overlays.ts";
import { type State, say } from "../../world/state/state.ts";

/** What the filters are called, and what the menu says besides. */
const FILTERS: Readonly<Record<TreeFilter, readonly [name: string, more: string]>> = {
	default: ["active path", ": what pi continues, other branches folded"],
	turns: ["turns", ": each prompt and its last answer"],
	"no-tools": ["without tools", ""],
	"user-only": ["your prompts", ""],
	"labeled-only": ["labels", ": entries with one"],
	all: ["every entry", ""],
	errors: ["failed steps", ", on all branches"],
};

/** "active path ▾": the filter; a click chooses another one. */
export function treeSettings({ tree: { filter } }: State): Line[] {
	return [[{ ...span(`${FILTERS[filter][0]} ▾`, "muted"), press: "filter" }]];
}

/** Position of the cursor, for the rule below: "13 of 19 · 12 entries folded in 1 branch". */
export function longPosition(state: State, tree: ShownTree): string {
	const { foldedBranches, foldedEntries, selectable } = tree.rows;
	const at = `${formatCount(cursorRank(state, tree))} of ${formatCount(selectable)}`;
	if (foldedBranches === 0) return at;
	const branches = formatCounted(foldedBranches, "branch", "branches");
	return `${at} · ${formatCounted(foldedEntries, "entry", "entries")} folded in ${branches}`;
}

/** Short position, for the title: "13/19". */
export function shortPosition(state: State, tree: ShownTree): string {
	return `${formatCount(cursorRank(state, tree))}/${formatCount(tree.rows.selectable)}`;
}

function cursorRank(state: State, tree: ShownTree): number {
	const row = selectedTreeIndex(state, tree);
	return row === -1 ? 0 : tree.rows.rankAt(row) + 1;
}

/** "20 hits", or "1,204+ hits" while matching is still going on; shown after the filter. */
function hitCount({ hits }: ShownTree): string {
	if (hits === undefined) return "";
	return hits.isComplete ? formatCounted(hits.count, "hit") : `${formatCount(hits.count)}+ hits`;
}

/** Notes after the filter of the tree: a waiting key, a mistake, progress, or the number of the hit shown. */
export function treeNotes(state: State): Line {
	const waiting = waitingNote(state, "tree");
	if (waiting !== undefined) return waiting;
	const { query: typed, mistake } = state.tree;
	const { asked, value, isLoading } = DRAWING.of(state);
	if (mistake !== undefined) return WRONG;
	if (typed.text !== "" && isLoading && asked?.input !== value?.input) return [span(" filtering …", "muted")];
	const tree = selectTree(state);
	const aside = sessionNote(typed.text, tagsOfOpened(state));
	if (tree?.hits !== undefined) return [span(` ${hitCount(tree)}`, "muted"), ...aside];
	return aside.length > 0 ? aside : hidingNote(state);
}

/** Says that the filter in which the session was left would hide the hit. */
function hidingNote({ tree }: State): Line {
	const filter = chosenFilter(tree);
	return filter === tree.filter ? [] : [span(`  not in “${FILTERS[filter][0]}”`, "muted")];
}

/** Says which words of the filter are about the session, and therefore hide no entry, and which one is a date. */
function sessionNote(text: string, tags: readonly string[]): Line {
	const date = shortDate(text);
	const words = aboutSession(text, tags);
	const verb = words.length === 1 ? "is" : "are";
	return [
		...(date === undefined ? [] : [span(` ${date.toLowerCase()}`, "accent")]),
		...(words.length === 0 ? [] : [span(` ${sanitizeLine(words.join(", "))} ${verb} about the session`, "muted")]),
	];
}

/** Who uses the open session, or that it is growing. */
export function noteOfUse({ detail, catalog, now }: State): Line {
	if (detail.row === undefined) return [];
	const use = briefUse(evidenceOf(catalog.live, detail.row), now);
	return use === undefined ? [] : [span(` ${use.sign} ${use.words}`, "current")];
}

/** Says that pi does not continue at the end of the open session, in `room` cells if possible. A click offers to fix that. */
export function noteOfRewind(state: State, room: number): Line {
	const session = state.detail.session;
	const rewound = session && sessionRewind(session);
	if (rewound === undefined) return [];
	const { long, short } = rewindForms(rewound);
	const hidden = `${formatCounted(rewound.hidden, "entry", "entries")} hidden`;
	const words = [`pi ${long}, ${hidden}`, `pi ${long}`].find(({ length }) => length + 1 <= room) ?? short;
	return [{ ...span(` ${words}`, "warning"), press: "forward" }];
}

export function whyNoEntryMatches({ tree: { parsed, filter } }: State): string {
	if (parsed.text === "") return "This filter shows no entry: ctrl+o goes to the next";
	const note = readingNote(parsed.text);
	if (note !== undefined) return `No entry matches: ${note}`;
	const hidden = filter === "all" ? "" : ` in the filter “${FILTERS[filter][0]}”`;
	return `No entry matches${parsed.terms.length > 1 ? ` all ${parsed.terms.length} words` : ""}${hidden}: esc clears the query`;
}

/** Edits the text of the tree's filter. While it does not parse, the last query that did stays in effect. */
export function editTreeFilter(state: State, change: (value: EditedText) => EditedText): State {
	const query = change(state.tree.query);
	if (query.text === state.tree.query.text) return { ...state, tree: { ...state.tree, query } };
	const parsed = parseEntryQuery(query.text, state.now, tagsOfOpened(state));
	const next =
		"error" in parsed
			? { parsed: lastQuery(state.tree.parsed, query.text.trim()), mistake: parsed.error }
			: { parsed: parsed.query, mistake: undefined };
	return { ...state, tree: { ...state.tree, query, ...next, folded: new Set() } };
}

function tagsOfOpened({ detail, marks }: State): readonly string[] {
	return detail.row === undefined ? [] : sessionTags(detail.row, marks);
}

/**
 * Sets the filter, and says so: it is kept for the session. As in pi, this unfolds what was folded by hand, so that no match stays
 * hidden; open branches stay open.
 */
export function filterBy(state: State, filter: TreeFilter): State {
	const next = { ...state, tree: { ...state.tree, filter, folded: new Set<string>() } };
	return filter === state.tree.filter ? next : say(next, `Shown: ${FILTERS[filter].join("")}`, "muted");
}

export function filterMenu(
	{ tree: { filter } }: State,
	choose: (state: State, filter: TreeFilter) => State,
): MenuOverlay {
	return menu("Show in the tree", [], {
		index: TREE_FILTERS.indexOf(filter),
		items: TREE_FILTERS.map((each) => ({
			label: capital(FILTERS[each].join("")),
			change: (now: State) => choose(now, each),
		})),
	});
}
