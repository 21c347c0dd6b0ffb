import type { Tone } from "../../../ui/text/line.ts";

/** Where a sign occurs: in the list of sessions, in an opened session, on the timeline. */
export type SignPlace = "list" | "session" | "timeline";

export interface Sign {
	readonly sign: string;
	readonly tone: Tone;
	readonly meaning: string;
	readonly place: SignPlace;
	/** Whether it is one of the twelve signs that a person learns first. */
	readonly isFirst: boolean;
}

function signsIn(place: SignPlace, isFirst: boolean, rows: readonly (readonly [string, Tone, string])[]): Sign[] {
	return rows.map(([sign, tone, meaning]) => ({ sign, tone, meaning, place, isFirst }));
}

/** All signs on the screen; of the list and of a session, twelve come first. */
export const SIGNS: readonly Sign[] = [
	...signsIn("list", true, [
		["●", "current", "a process has the session open"],
		["◐", "current", "waits for you: it asked, or stopped midway"],
		["○", "current", "written to in the last half minute"],
		["★", "label", "pinned to the top"],
		["✗2", "error", "two failed steps"],
		["⚑1", "label", "one label"],
		["◫3", "accent", "three runs of subagents"],
		["#x", "accent", "tag"],
		["◌", "muted", "its directory is gone"],
		["└", "muted", "fork of the session above"],
		["◂", "current", "in the current directory"],
		["!", "warning", "part of the file is damaged"],
	]),
	...signsIn("session", true, [
		["●", "current", "your prompt, on the active path"],
		["│ ◉", "current", "active path, and its end"],
		["◆ ├", "current", "the path forks: other branches exist"],
		["├╌⊞ ⊟", "frame", "a branch that was left, folded or open"],
		["○", "frame", "end of a branch that was left"],
		["◂", "current", "the end: pi continues here"],
		["⚑", "label", "label"],
		["✗", "error", "failed step"],
		["◫", "accent", "run of a subagent"],
		["≡ ──", "summary", "summary, compaction or change of model"],
		["└", "muted", "sum of the turn"],
		["+9 −4", "added", "lines added and removed"],
	]),
	...signsIn("list", false, [
		["✓", "current", "marked"],
		["bold", "text", "the session has a name"],
		["▾ ▸", "frame", "project, open or folded"],
		["▾ ▴", "accent", "above a column: the list is ordered by it, as usual or in reverse"],
		["● ◦", "accent", "in a title row: what is chosen, and what a click would choose"],
		["…", "muted", "after a command: it asks before it does anything"],
	]),
	...signsIn("timeline", false, [
		["━ ─ ┈", "verb", "a run works; waits for its own runs; a session is open"],
		["≈", "muted", "time left out"],
		["▸ ■ ╍ ?", "warning", "works now; was stopped; its session is gone; its time is unknown"],
	]),
];
