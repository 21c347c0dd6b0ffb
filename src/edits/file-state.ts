import { parseDiff } from "../conversation/render/diff-lines.ts";
import type { ToolChange } from "../store/format/tool-change.ts";
import { applyEdits } from "./apply-edits.ts";

/** The possible content of a file at an entry of a session, as far as the session shows. */
export interface FileState {
	/** Texts that it may have; none if nothing is known. */
	readonly texts: readonly string[];
	/** Why it may have other content; undefined if nothing suggests that. */
	readonly why: string | undefined;
	/** Number of shell commands, and of tools that do not report what they do, since its whole content was last seen. */
	readonly commands: number;
	/** The entry at which its whole content was last seen, and how; undefined if it never was. */
	readonly base: { readonly entryId: string; readonly tool: "read" | "write" } | undefined;
	/** Number of edits since then. */
	readonly edits: number;
}

export const NEVER_SEEN: FileState = {
	texts: [],
	why: "the session had not yet written it or read it whole",
	commands: 0,
	base: undefined,
	edits: 0,
};

/** More possible texts are of no use. */
const MAX_TEXTS = 16;

/** The whole file was seen. `commands`: how many may have run meanwhile. */
export function seen(text: string, base: NonNullable<FileState["base"]>, commands: number): FileState {
	return { texts: [text], why: undefined, commands, base, edits: 0 };
}

/** Nothing is known of the file any longer. */
export function lost(state: FileState, why: string): FileState {
	return { ...state, texts: [], why };
}

/** One of two states; which one is not known. */
export function either(one: FileState, other: FileState): FileState {
	if (one === other) return one;
	const merged = {
		...one,
		why: one.why ?? other.why,
		commands: Math.max(one.commands, other.commands),
		base: one.base ?? other.base,
		edits: Math.max(one.edits, other.edits),
	};
	return withTexts(merged, new Set([...one.texts, ...other.texts]));
}

/** Keeps the texts that agree with what was seen. */
export function agreeing(state: FileState, holds: (text: string) => boolean, why: string): FileState {
	const texts = state.texts.filter(holds);
	if (texts.length === state.texts.length) return state;
	return texts.length === 0 ? lost(state, why) : { ...state, texts };
}

/** The state after a call has succeeded; `diff`: that in its result, "" for none. */
export function changed(state: FileState, change: ToolChange, diff: string, entryId: string): FileState {
	if (change.tool === "write") return seen(change.content, { entryId, tool: "write" }, 0);
	const texts = new Set<string>();
	for (const textBefore of state.texts) {
		for (const textAfter of applyEdits(textBefore, change.edits, change.isOldForm)) {
			if (fits(diff, textBefore, textAfter)) texts.add(textAfter);
		}
	}
	const now = { ...state, edits: state.edits + 1 };
	if (texts.size > 0) return withTexts(now, texts);
	if (state.texts.length === 0) return now;
	return lost(now, `something else changed the file before the edit of ${entryId}`);
}

function withTexts(state: FileState, texts: ReadonlySet<string>): FileState {
	if (texts.size > MAX_TEXTS) return lost(state, "the exact text between edits is unknown (too many are possible)");
	return { ...state, texts: [...texts] };
}

/** Whether the lines of pi's diff are in the file before and after the change. */
function fits(diff: string, before: string, after: string): boolean {
	if (diff === "") return true;
	const [old, now] = [linesOf(before), linesOf(after)];
	for (const line of parseDiff(diff)) {
		if (line.kind === "gap" || line.kind === "note") continue;
		if (line.before !== undefined && old[line.before - 1] !== line.text) return false;
		if (line.after !== undefined && now[line.after - 1] !== line.text) return false;
	}
	return true;
}

function linesOf(text: string): readonly string[] {
	return text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
}
