import { parseDiff } from "../conversation/render/diff-lines.ts";
import type { ToolChange } from "../store/format/tool-change.ts";
import { applyEdits } from "./apply-edits.ts";

/** What a file may hold at one entry of a session, as far as the session tells. */
export interface FileState {
	/** Texts that it may hold; none where nothing is known of it. */
	readonly texts: readonly string[];
	/** Why it may hold something else; undefined where nothing speaks for that. */
	readonly why: string | undefined;
	/** Shell commands, and tools that do not say what they do, that ran since all of it was seen. */
	readonly commands: number;
	/** The entry at which all of it was seen last, and how; undefined where it was not. */
	readonly base: { readonly entryId: string; readonly tool: "read" | "write" } | undefined;
	/** Edits since then. */
	readonly edits: number;
}

export const NEVER_SEEN: FileState = {
	texts: [],
	why: "until then the session had neither written it nor read it whole",
	commands: 0,
	base: undefined,
	edits: 0,
};

/** More texts than that tell nothing. */
const MOST_TEXTS = 16;

/** All of the file was seen. `commands`: that may have run meanwhile. */
export function seen(text: string, base: NonNullable<FileState["base"]>, commands: number): FileState {
	return { texts: [text], why: undefined, commands, base, edits: 0 };
}

/** Nothing is known of it any more. */
export function lost(state: FileState, why: string): FileState {
	return { ...state, texts: [], why };
}

/** One of two, and it is not known which. */
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

/** Those of the texts for which something holds that was seen. */
export function agreeing(state: FileState, holds: (text: string) => boolean, why: string): FileState {
	const texts = state.texts.filter(holds);
	if (texts.length === state.texts.length) return state;
	return texts.length === 0 ? lost(state, why) : { ...state, texts };
}

/** What is there after a call has succeeded; `told` is what the tool says of it, "" for nothing. */
export function changed(state: FileState, change: ToolChange, told: string, entryId: string): FileState {
	if (change.tool === "write") return seen(change.content, { entryId, tool: "write" }, 0);
	const texts = new Set<string>();
	for (const before of state.texts) {
		for (const after of applyEdits(before, change.edits, change.isOldForm)) {
			if (fits(told, before, after)) texts.add(after);
		}
	}
	const now = { ...state, edits: state.edits + 1 };
	if (texts.size > 0) return withTexts(now, texts);
	if (state.texts.length === 0) return now;
	return lost(now, `the edit of ${entryId} does not fit: something else had changed the file before`);
}

function withTexts(state: FileState, texts: ReadonlySet<string>): FileState {
	if (texts.size > MOST_TEXTS) return lost(state, "there are too many texts that it may hold");
	return { ...state, texts: [...texts] };
}

/** Whether what pi's diff shows of the file before and after it is there, line by line. */
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
