import type { SessionRow } from "../../../catalog/model/row.ts";
import { type CompletionFacts, completionsFor } from "../../../catalog/query/complete.ts";
import type { Marks } from "../../../changes/noted/marks.ts";
import { memoLast } from "../../../shared/memo.ts";
import type { Candidate, Completing, Typing } from "../../../ui/field/typing.ts";
import type { Line, Span } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { cutLine, cutText, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import type { Size } from "../../../ui/view.ts";
import { knownTags } from "../../world/marks/tag-input.ts";
import type { State } from "../../world/state/state.ts";

/** A longer candidate is cut. */
const MOST_WIDTH = 30;
/** What is left out. */
const MORE: Span = span("…", "muted");
const HINT = " tab: the next, esc: as it was ";

/** What the word before the cursor may become, in one row, the one that stands there highlighted; undefined without any. */
export function selectCandidates({ last }: Typing, { columns }: Size): Line | undefined {
	if (last?.kind !== "complete" || last.candidates.length < 2) return undefined;
	const { candidates, index } = last;
	const meaning = candidates[index]?.meaning ?? "";
	const whole: Line = [span(meaning === "" ? HINT : ` ${sanitizeLine(meaning)} `, "muted")];
	const note = cutLine(whole, Math.floor(columns / 2));
	const room = columns - lineWidth(note);
	const all = candidates.map(({ text }, at): Span => {
		const shown = span(
			cutText(cleanText(` ${sanitizeLine(text)} `), Math.min(MOST_WIDTH, room - 2 * lineWidth([MORE]))),
		);
		return at === index ? { ...shown, ground: "cursor", bold: true } : shown;
	});
	return joinEnds(withinRoom(last, all, room), note, columns);
}

/** As many candidates as fit, from one on, so that the highlighted one is among them. */
function withinRoom({ index }: Completing, all: readonly Span[], room: number): Line {
	let from = 0;
	// The marks of what is left out on both sides.
	while (from < index && lineWidth(all.slice(from, index + 1)) + 2 * lineWidth([MORE]) > room) from++;
	let to = Math.max(index + 1, from + 1);
	while (to < all.length && lineWidth(all.slice(from, to + 1)) + 2 * lineWidth([MORE]) <= room) to++;
	return [...(from > 0 ? [MORE] : []), ...all.slice(from, to), ...(to < all.length ? [MORE] : [])];
}

/** The last part of a path; nothing of "/". */
const LAST_FOLDER = /([^/\\]+)[/\\]*$/;

/** Projects that are proposed: those used last. */
const MOST_PROJECTS = 1000;

/** What the word before the cursor may become, in the filter of the focused pane. */
export function candidatesFor(state: State): readonly Candidate[] {
	if (state.overlays.length > 0 || (state.focus !== "list" && state.focus !== "tree")) return [];
	const { text, cursor } = state[state.focus].query;
	if (text === "") return [];
	const command = state.focus === "list" ? commandCandidates(state, text, cursor) : undefined;
	if (command !== undefined) return command;
	return candidatesOf(text, cursor, factsOf(state.catalog.rows, state.marks));
}

/** Asked for several times a key: by the key, and by what shows the keys. */
const candidatesOf = memoLast(completionsFor);

/** The commands and the names of saved queries; undefined where something else is typed. */
function commandCandidates({ saved }: State, text: string, cursor: number): readonly Candidate[] | undefined {
	const half = /(^|\s):([\p{L}\p{N}]*)$/u.exec(text.slice(0, cursor));
	if (half === null || cursor < text.length) return undefined;
	const [whole, before = "", typed = ""] = half;
	const start = cursor - whole.length + before.length;
	const candidate = (name: string, meaning: string): Candidate => {
		return { text: `:${name}`, start, end: cursor, meaning, isWhole: true };
	};
	const names = start === 0 ? saved.queries.map(({ name, text: query }) => candidate(name, query)) : [];
	const all = [...names, candidate("save", "saves the query before it under a name")];
	return all.filter((one) => one.text.toLowerCase().startsWith(`:${typed.toLowerCase()}`));
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
			tags ??= knownTags(marks);
			return tags;
		},
	};
});

/** The last folders of the directories, those used last first. */
function projectsOf(rows: ReadonlyMap<string, SessionRow>): readonly string[] {
	const lastUse = new Map<string, number>();
	for (const { cwd, modified } of rows.values()) {
		const time = modified.getTime();
		if (time > (lastUse.get(cwd) ?? 0)) lastUse.set(cwd, time);
	}
	const last = [...lastUse].sort(([, a], [, b]) => b - a).slice(0, MOST_PROJECTS);
	return [...new Set(last.flatMap(([cwd]) => LAST_FOLDER.exec(cwd)?.[1] ?? []))];
}
