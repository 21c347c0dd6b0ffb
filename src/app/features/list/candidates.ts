import { knownAgents } from "../../../catalog/families/run-agents.ts";
import type { SessionCounts } from "../../../catalog/model/counts.ts";
import type { Marks } from "../../../catalog/model/marks.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { type CompletionFacts, completionsFor } from "../../../catalog/query/complete.ts";
import { fieldHint } from "../../../catalog/query/field-hints.ts";
import { memoLast } from "../../../shared/memo.ts";
import { projectKey } from "../../../shared/paths.ts";
import type { Candidate, Completing, Typing } from "../../../ui/field/typing.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, cutText, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import type { Size } from "../../../ui/view.ts";
import { searchOf } from "../../world/list/list-search.ts";
import { knownTags } from "../../world/list/row-cells.ts";
import { type Offer, offersOf } from "../../world/list/select-offers.ts";
import { typedIn } from "../../world/list/select-saved.ts";
import type { State } from "../../world/state/state.ts";

/** Cells of a candidate; longer ones are cut. */
const MAX_WIDTH = 30;
/** Stands for candidates that do not fit. */
const MORE: Span = span("…", "muted");
const HINT = " tab next, esc cancel ";

/** The row of completions of the word before the cursor, the current one highlighted; undefined with fewer than two. */
export function selectCandidates({ last }: Typing, { columns }: Size): Line | undefined {
	if (last?.kind !== "complete" || last.candidates.length < 2) return undefined;
	const { candidates, index } = last;
	const meaning = candidates[index]?.meaning ?? "";
	const whole: Line = [span(meaning === "" ? HINT : ` ${sanitizeLine(meaning)} `, "muted")];
	const note = cutLine(whole, Math.floor(columns / 2));
	const room = columns - lineWidth(note);
	const all = candidates.map(({ text }, at): Span => {
		const label = span(
			cutText(cleanText(` ${sanitizeLine(text)} `), Math.min(MAX_WIDTH, room - 2 * lineWidth([MORE]))),
		);
		return at === index ? { ...label, ground: "cursor", bold: true } : label;
	});
	return joinEnds(withinRoom(last, all, room), note, columns);
}

/**
 * What the field under the cursor takes, in one row: while its value is empty or unfinished, or after the cursor was moved
 * there. It is shown instead of the mistake in such a value. Undefined while nothing is being typed.
 */
export function selectFieldHint(state: State): Line | undefined {
	const { typing, overlays, focus, message, size } = state;
	if (typing.last === undefined || overlays.length > 0 || message !== undefined) return undefined;
	if (focus !== "list" && focus !== "tree") return undefined;
	if (focus === "list" && typedIn(state).command !== undefined) return undefined;
	const { text, cursor } = state[focus].query;
	const hint = hintAt(text, cursor);
	if (hint === undefined || !(hint.isUnfinished || typing.last.kind === "move")) return undefined;
	const mistake = focus === "list" ? searchOf(state).mistake?.message : state.tree.mistake;
	// A mistake elsewhere in the query has to be said first.
	if (mistake !== undefined && !hint.fields.some((field) => mistake.startsWith(field))) return undefined;
	const names = hint.fields.join(" ");
	// The states stand above the rows already.
	const isListed = focus === "list" && names === "is:" && offersOf(state).length > 0;
	const takes = isListed ? "what the session is: tab completes" : hint.takes;
	return cutLine([span(cleanText(` ${names} `), "accent"), span(cleanText(takes), "muted")], size.columns);
}

const hintAt = memoLast(fieldHint);

/** As many candidates in a row as fit, the highlighted one among them. */
function withinRoom({ index }: Completing, all: readonly Span[], room: number): Line {
	let from = 0;
	// Room is kept for "…" at both ends.
	while (from < index && lineWidth(all.slice(from, index + 1)) + 2 * lineWidth([MORE]) > room) from++;
	let to = Math.max(index + 1, from + 1);
	while (to < all.length && lineWidth(all.slice(from, to + 1)) + 2 * lineWidth([MORE]) <= room) to++;
	return [...(from > 0 ? [MORE] : []), ...all.slice(from, to), ...(to < all.length ? [MORE] : [])];
}

/** The last folder of a path; no match for "/". */
const LAST_FOLDER = /([^/\\]+)[/\\]*$/;

/** Completions of the word before the cursor in the filter of the focused pane. */
export function candidatesFor(state: State): readonly Candidate[] {
	if (state.overlays.length > 0 || (state.focus !== "list" && state.focus !== "tree")) return [];
	const { text, cursor } = state[state.focus].query;
	if (text === "") return [];
	const command = state.focus === "list" ? commandCandidates(state, text, cursor) : undefined;
	if (command !== undefined) return command;
	const { rows, counts } = state.catalog;
	const candidates = candidatesOf(text, cursor, factsOf(rows, counts, state.marks));
	return candidates.length > 0 || state.focus !== "list" ? candidates : offersOf(state).map(asCandidate);
}

function asCandidate({ text, start, end }: Offer): Candidate {
	return { text, start, end, meaning: "", isWhole: true };
}

/** Called several times a key: by its handler, and by whatever shows the keys. */
const candidatesOf = memoLast(completionsFor);

/** Commands and names of saved queries; undefined if the typed text is not a command. */
function commandCandidates({ saved }: State, text: string, cursor: number): readonly Candidate[] | undefined {
	const half = /(^|\s):([\p{L}\p{N}]*)$/u.exec(text.slice(0, cursor));
	if (half === null || cursor < text.length) return undefined;
	const [whole, before = "", typed = ""] = half;
	const start = cursor - whole.length + before.length;
	const candidate = (name: string, meaning: string): Candidate => {
		return { text: `:${name}`, start, end: cursor, meaning, isWhole: true };
	};
	const names = start === 0 ? saved.queries.map(({ name, text: query }) => candidate(name, query)) : [];
	const all = [...names, candidate("save", "saves the query before it under this name")];
	return all.filter((one) => one.text.toLowerCase().startsWith(`:${typed.toLowerCase()}`));
}

type Rows = ReadonlyMap<string, SessionRow>;
type Counts = ReadonlyMap<string, SessionCounts>;

/** Lazy: computed when a value is completed, not at each key. */
const factsOf = memoLast(
	(rows: Rows, counts: Counts, marks: Marks): CompletionFacts => ({
		get projects() {
			return projectsOf(rows);
		},
		get tags() {
			return knownTags(marks);
		},
		get agents() {
			return agentsOf(rows, counts);
		},
	}),
);

const agentsOf = memoLast((rows: Rows, counts: Counts) =>
	knownAgents(
		rows.values(),
		counts.values().map(({ runs = [] }) => runs),
	),
);

/** The last folders of all project directories, the most recently used first. */
const projectsOf = memoLast((rows: Rows): readonly string[] => {
	const lastUse = new Map<string, number>();
	for (const { cwd, modified } of rows.values()) {
		const project = projectKey(cwd);
		const time = modified.getTime();
		if (time > (lastUse.get(project) ?? 0)) lastUse.set(project, time);
	}
	const last = [...lastUse].sort(([, a], [, b]) => b - a);
	return [...new Set(last.flatMap(([project]) => LAST_FOLDER.exec(project)?.[1] ?? []))];
});
