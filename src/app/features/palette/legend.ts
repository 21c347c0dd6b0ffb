import type { Tone } from "../../../ui/text/line.ts";

/** A sign on the screen, or something that can be typed, and what it means. */
export interface Explained {
	readonly sign: string;
	readonly tone: Tone;
	readonly meaning: string;
}

const sign = (text: string, tone: Tone, meaning: string): Explained => ({ sign: text, tone, meaning });

/** The signs of the list, the tree and the reader. */
export const SIGNS: readonly Explained[] = [
	sign("●", "current", "what the person said; in the list: a process has the session"),
	sign("◐", "current", "in the list: written to in the last half minute, by whom cannot be seen"),
	sign("◆ ├", "current", "the line goes on here at a fork: other branches were left"),
	sign("│ ◉", "current", "the active path, and its end, where pi goes on"),
	sign("├╌⊞ ⊟", "frame", "a branch that was left, folded to one row, and opened"),
	sign("○", "frame", "the end of a branch that was left"),
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

/** What can be typed to search. */
export const QUERIES: readonly Explained[] = [
	sign("retry loop", "key", "both words, anywhere"),
	sign('"retry loop"', "key", "the phrase"),
	sign("re:time[- ]?out", "key", "a regular expression, up to the next field"),
	sign("role:user", "key", "only what the user said; also assistant, tool"),
	sign("tool:bash", "key", "only in calls of that tool, and what came of them"),
	sign("in:summary", "key", "only in that kind of text; also thinking, output, label"),
	sign("file: cmd: label:", "key", "that text in a path, a command, a label"),
	sign("name: model: cwd:", "key", "that text in the name, the model, the directory"),
	sign(":save name", "key", "behind a query: saves it under that name"),
	sign(":name", "key", "the saved query of that name; tab completes names, fields and values"),
	sign("is:named", "key", "such sessions; also fork, live, damaged, rewound"),
];
