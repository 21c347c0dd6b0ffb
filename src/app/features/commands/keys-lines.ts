import { memoLast } from "../../../shared/memo.ts";
import { type Line, span, strong, type Tone } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { textWidth } from "../../../ui/text/width.ts";
import { wrapLine, wrapText } from "../../../ui/text/wrap.ts";
import { keyLabel } from "../../world/keys/key-hints.ts";
import { type Binding, type Context, sectionsOf } from "../../world/state/binding.ts";

/** Cells of the column of keys. */
const KEYS_WIDTH = 22;
const NARROW_KEYS_WIDTH = 14;
const NARROW = 60;
const GAP = 2;

/** Every key: those of where the person is first, then what the signs mean, then all other keys; in rows of `width` cells. */
export const keysLines = memoLast((keymap: readonly Binding[], from: Context, width: number): readonly Line[] => {
	const withKeys = keymap.filter(({ keys }) => keys.length > 0);
	const here = withKeys.filter(({ contexts }) => contexts.includes(from));
	const elsewhere = withKeys.filter(({ contexts }) => !contexts.includes(from));
	const signs = SIGNS.flatMap(({ sign, tone, meaning }) => twoColumns([span(sign, tone)], [span(meaning)], width));
	const [, ...lines] = [
		...inSections(here, sectionsOf(keymap), "", width),
		...heading("Signs", width),
		...signs,
		...inSections(elsewhere, sectionsOf(keymap), ", elsewhere", width),
	];
	return lines;
});

function inSections(keys: readonly Binding[], sections: readonly string[], where: string, width: number): Line[] {
	const bySection = Map.groupBy(keys, ({ section }) => section);
	return sections.flatMap((section) => {
		const own = bySection.get(section);
		if (own === undefined) return [];
		const same = Map.groupBy(own, ({ id, help }) => `${id} ${help}`);
		const rows = [...same.values()].flatMap((bindings) => keyRows(bindings, where !== "", width));
		return [...heading(`${section}${where}`, width), ...rows];
	});
}

function keyRows(same: readonly Binding[], isElsewhere: boolean, width: number): Line[] {
	const names = [...new Set(same.flatMap(({ keys }) => keys.map(keyLabel)))].join(", ");
	const contexts = [...new Set(same.flatMap(({ contexts: each }) => each))].join(", ");
	const [first] = same;
	if (first === undefined) return [];
	const what = [span(first.help), ...(isElsewhere ? [span(`  (${contexts})`, "muted")] : [])];
	return twoColumns([span(names, "key")], what, width);
}

function heading(text: string, width: number): Line[] {
	return [[], ...wrapLine([strong(text, "accent")], width)];
}

function twoColumns([first = span("")]: Line, right: Line, width: number): Line[] {
	const cells = width < NARROW ? NARROW_KEYS_WIDTH : KEYS_WIDTH;
	const left = wrapText(cleanText(first.text), cells).map((text) => span(text, first.tone));
	const lines = wrapLine(right, Math.max(1, width - cells - GAP));
	return Array.from({ length: Math.max(left.length, lines.length) }, (_, row): Line => {
		const part = left[row] ?? span("");
		const blank = span(" ".repeat(Math.max(1, cells + GAP - textWidth(part.text))));
		return [part, blank, ...(lines[row] ?? [])];
	});
}

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
	sign("⧉", "accent", "a run of a subagent; in the list, with a number: how many runs a session has"),
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
	sign("━ ─ ┈", "verb", "in the timeline: it works, waits for its runs, waits for you; ≈: idle time that is left out"),
	sign("▸ ■ ╍ ?", "warning", "there: it works now, was stopped, its session is gone, its time is not known"),
];
