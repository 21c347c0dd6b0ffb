import { parseDiff } from "../conversation/render/diff-lines.ts";
import type { ToolChange } from "../store/format/tool-change.ts";
import { applyEdits } from "./apply-edits.ts";

/** What a file may hold: a text, or undefined where it does not exist. */
type Content = string | undefined;

/** The possible content of a file at an entry of a session, as far as the session shows. */
export interface FileState {
	/** What it may hold; none if nothing is known. */
	readonly contents: readonly Content[];
	/** Why it may hold something else; undefined if nothing suggests that. */
	readonly why: string | undefined;
	/** Number of the session's commands (`RanCommand`) that had run when its whole content was last seen. */
	readonly since: number;
	/** The entry at which its whole content was last seen, or a command removed it, and how; undefined if it never was. */
	readonly base: { readonly entryId: string; readonly tool: "read" | "write" | "remove" } | undefined;
	/** Number of edits since then. */
	readonly edits: number;
	/** Its first text that is known, to which a command such as `git checkout` may have reset it. */
	readonly firstText?: string | undefined;
}

/** Where in a session something was seen. */
export interface Sight {
	readonly entryId: string;
	/** Number of the turn on its branch, from 1; 0 before the first prompt. */
	readonly turn: number;
	/** Number of the commands that had certainly ended before. */
	readonly since: number;
}

export const NEVER_SEEN: FileState = {
	contents: [],
	why: "the session had not yet written it or read it whole",
	since: 0,
	base: undefined,
	edits: 0,
};

/** More possible texts are of no use. */
const MAX_CONTENTS = 16;

/** The state after the whole file was seen, or that there is none. */
export function seen(
	state: FileState,
	content: Content,
	tool: "read" | "write" | "remove",
	{ entryId, since }: Sight,
): FileState {
	const firstText = state.firstText ?? (tool === "read" ? content : undefined);
	return { contents: [content], why: undefined, since, base: { entryId, tool }, edits: 0, firstText };
}

/** Nothing is known of the file any longer. */
export function lost(state: FileState, why: string): FileState {
	return { ...state, contents: [], why };
}

/** One of two states; which one is not known. */
export function either(one: FileState, other: FileState): FileState {
	if (one === other) return one;
	const merged = {
		...one,
		why: one.why ?? other.why,
		since: Math.min(one.since, other.since),
		base: one.base ?? other.base,
		edits: Math.max(one.edits, other.edits),
		firstText: one.firstText ?? other.firstText,
	};
	return withContents(merged, [...one.contents, ...other.contents.filter((text) => !one.contents.includes(text))]);
}

/** Keeps what agrees with what was seen. */
export function agreeing(state: FileState, holds: (text: string) => boolean, why: string): FileState {
	const contents = state.contents.filter((content) => content !== undefined && holds(content));
	if (contents.length === state.contents.length) return state;
	return contents.length === 0 ? lost(state, why) : { ...state, contents };
}

/** The state after a call has succeeded; `diff`: that in its result, "" for none. */
export function changed(state: FileState, change: ToolChange, diff: string, sight: Sight): FileState {
	if (change.tool === "write") return seen(state, change.content, "write", sight);
	const now = { ...state, edits: state.edits + 1 };
	const contents = resultsOf(state.contents, change, diff);
	if (contents.length > 0) return withContents(now, contents);
	if (state.contents.length === 0) return now;
	const why = `something else had changed it before its edit ${inTurn(sight)}`;
	// Without its diff, an edit says too little of the text that it fits.
	const reset = diff === "" ? [] : resultsOf([state.firstText], change, diff);
	return reset.length === 0
		? lost(now, why)
		: withContents({ ...now, why: `${why}, which fits the text that it had at first` }, reset);
}

/** What the file may hold after an edit of these contents. */
function resultsOf(
	contents: FileState["contents"],
	change: Extract<ToolChange, { readonly tool: "edit" }>,
	diff: string,
): readonly string[] {
	// Comparing a few texts takes less time than hashing them for a set.
	const results: string[] = [];
	for (const textBefore of contents) {
		if (textBefore === undefined) continue;
		for (const textAfter of applyEdits(textBefore, change.edits, change.isOldForm)) {
			if (!results.includes(textAfter) && fits(diff, textBefore, textAfter)) results.push(textAfter);
		}
	}
	return results;
}

/** "in turn 12". */
export function inTurn({ turn }: Pick<Sight, "turn">): string {
	return turn === 0 ? "before the first prompt" : `in turn ${turn}`;
}

function withContents(state: FileState, contents: readonly Content[]): FileState {
	if (contents.length > MAX_CONTENTS) return lost(state, "its text between edits is not known (too many are possible)");
	return { ...state, contents };
}

/** Whether the lines of pi's diff are in the file before and after the change. */
function fits(diff: string, before: string, after: string): boolean {
	if (diff === "") return true;
	const [old, now] = [new LinesOfText(before), new LinesOfText(after)];
	for (const line of parseDiff(diff)) {
		if (line.kind === "gap" || line.kind === "note") continue;
		if (line.before !== undefined && !old.holds(line.before, line.text)) return false;
		if (line.after !== undefined && !now.holds(line.after, line.text)) return false;
	}
	return true;
}

/** The lines of a text without its BOM, asked about in their order: splitting a text takes longer, and there are many edits. */
class LinesOfText {
	readonly #text: string;
	#number = 1;
	#start = 0;

	constructor(text: string) {
		const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
		this.#text = plain.includes("\r") ? plain.replace(/\r\n?/g, "\n") : plain;
	}

	/** Whether a line is this text; `number`: from 1. */
	holds(number: number, line: string): boolean {
		if (number < this.#number) [this.#number, this.#start] = [1, 0];
		this.#start = lineStart(this.#text, number - this.#number + 1, this.#start);
		this.#number = number;
		return this.#start !== -1 && holdsLines(this.#text, this.#start, line);
	}
}

/** The offset of a line of a text, the first one of which begins at `from`; -1 if it has fewer lines. */
export function lineStart(text: string, number: number, from = 0): number {
	let start = from;
	for (let line = 1; line < number && start !== -1; line++) start = text.indexOf("\n", start) + 1 || -1;
	return start;
}

/** Whether whole lines of a text, which begin at an offset, are these. */
export function holdsLines(text: string, start: number, lines: string): boolean {
	const end = start + lines.length;
	return text.startsWith(lines, start) && (end === text.length || text[end] === "\n");
}
