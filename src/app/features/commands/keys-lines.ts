import { memoLast } from "../../../shared/memo.ts";
import { type Line, span, strong } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import { textWidth } from "../../../ui/text/width.ts";
import { wrapLine, wrapText } from "../../../ui/text/wrap.ts";
import { keyLabel } from "../../world/keys/key-hints.ts";
import { type Binding, type Context, sectionsOf } from "../../world/state/binding.ts";
import { SIGNS } from "./legend.ts";

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
