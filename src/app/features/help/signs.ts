import type { Tone } from "../../../ui/text/line.ts";

/** Where a sign occurs: in the list of sessions, in an opened session, on the timeline. */
export type SignPlace = "list" | "session" | "timeline";

export interface Sign {
	readonly sign: string;
	readonly tone: Tone;
	readonly meaning: string;
	readonly place: SignPlace;
	/** The query that finds the sessions with it; "" for none. */
	readonly finds: string;
	/** Whether it is one of the twelve signs that a person learns first. */
	readonly isFirst: boolean;
}

type SignRow = readonly [sign: string, tone: Tone, meaning: string, finds?: string];

function signsIn(place: SignPlace, isFirst: boolean, rows: readonly SignRow[]): Sign[] {
	return rows.map(([sign, tone, meaning, finds = ""]) => ({ sign, tone, meaning, place, finds, isFirst }));
}

/** All signs on the screen; of the list and of a session, twelve come first. */
export const SIGNS: readonly Sign[] = [
	...signsIn("list", true, [
		["●", "current", "a process has the session open", "is:running"],
		["○", "current", "written to in the last half minute"],
		["★", "label", "pinned to the top", "is:pinned"],
		["✗2", "error", "two failed steps", "is:error"],
		["⚑1", "label", "one label", "is:labeled"],
		["✎2", "label", "two comments not sent yet", "is:reviewed"],
		["◫3", "accent", "three runs of subagents", "runs:>0"],
		["#x", "accent", "tag", "is:tagged"],
		["◌", "muted", "its directory is gone", "is:gone"],
		["└", "muted", "fork of the one above; └1d: age of a fork", "is:fork"],
		["◂", "current", "in the current directory"],
		["!", "warning", "part of the file is damaged", "is:damaged"],
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
		["◐", "current", "waits for you, where no column has the room to say why", "is:waiting"],
		["✓", "current", "marked"],
		["bold", "text", "the session has a name", "is:named"],
		["▾ ▸", "frame", "project, open or folded"],
		["▾ ▴", "accent", "above a column: the list is ordered by it, as usual or in reverse"],
		["● ◦", "accent", "in a title row: what is chosen, and what a click would choose"],
		["…", "muted", "after a command: it asks before it does anything"],
	]),
	...signsIn("session", false, [["✎", "label", "your comment on this line"]]),
	...signsIn("timeline", false, [
		["━ ─ ┈", "verb", "a run works; waits for its own runs; a session is open"],
		["≈", "muted", "time left out"],
		["▸ ■ ╍ ?", "warning", "works now; was stopped; its session is gone; its time is unknown"],
	]),
];
