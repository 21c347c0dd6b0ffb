import type { Tone } from "../../../ui/text/line.ts";

/** A sign on the screen, and what it means. */
interface Explained {
	readonly sign: string;
	readonly tone: Tone;
	readonly meaning: string;
}

const sign = (text: string, tone: Tone, meaning: string): Explained => ({ sign: text, tone, meaning });

/** The signs of the list, the tree and the reader. */
export const SIGNS: readonly Explained[] = [
	sign("●", "current", "what the person said; in the list: a process has the session"),
	sign("◐", "current", "it waits for you: it asks, or stopped midway, in the last 14 days"),
	sign("◆ ├", "current", "the line goes on here at a fork: other branches were left"),
	sign("│ ◉", "current", "the active path, and its end, where pi goes on"),
	sign("├╌⊞ ⊟", "frame", "a branch that was left, folded to one row, and opened"),
	sign(
		"○",
		"frame",
		"the end of a branch that was left; in the list: written to in the last half minute, by whom cannot be seen",
	),
	sign("★", "label", "pinned to the top of the list"),
	sign("⚑", "label", "a label"),
	sign("…", "muted", "behind a command: it asks before it does anything"),
	sign("≡ ──", "summary", "a summary, a compaction, a change of the model"),
	sign("✗", "error", "it failed; with a number: how often"),
	sign("└", "muted", "the sum of a turn, and what a fork of a session was made from"),
	sign("→ ↓ ⟲", "muted", "tokens sent, received, and taken from the cache"),
	sign("+9 −4", "added", "lines added and removed"),
	sign("!", "warning", "a part of the session's file is damaged"),
	sign("◂", "current", "in the list: of the directory that this was started in; in a session: pi goes on here"),
	sign("▾ ▸", "frame", "a project in the list, open, and folded to its heading"),
	sign("▾ ▴", "accent", "above a column of the list: it is ordered by it, and the other way round"),
	sign("● ◦", "accent", "in a title: what is chosen, and what a click or key would choose"),
];
