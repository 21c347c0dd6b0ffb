import { type Line, lineText } from "./text/line.ts";
import { splitLine } from "./text/width.ts";
import type { Cell, PaneView, RowView } from "./view.ts";

/** What was dragged over in a pane: from the cell that was pressed to the one under the pointer. */
export interface Selection {
	readonly from: Cell;
	readonly to: Cell;
}

/** A row before the selected part, that part, and what is behind it. */
type Parts = readonly [before: Line, selected: Line, after: Line];

function partsOf(row: RowView, index: number, { x, y, width, height }: PaneView, { from, to }: Selection): Parts {
	const isDown = from.y < to.y || (from.y === to.y && from.x <= to.x);
	const [first, last] = isDown ? [from, to] : [to, from];
	const at = y + index;
	if (at < first.y || at > Math.min(last.y, y + height - 1)) return [row.line, [], []];
	const start = at === first.y ? first.x - x : 0;
	const end = at === last.y ? last.x - x + 1 : width;
	const [upTo, after] = splitLine(row.line, end);
	const [before, selected] = splitLine(upTo, start);
	return [before, selected, after];
}

/** The pane with the selected texts in reverse; what is beside them is not selected. */
export function withSelection<Pane extends PaneView>(pane: Pane, selection: Selection): Pane {
	return {
		...pane,
		rows: pane.rows.map((row, index) => {
			const [before, selected, after] = partsOf(row, index, pane, selection);
			const inverse = selected.map((part) => (part.isAside === true ? part : { ...part, inverse: true }));
			return selected.length === 0 ? row : { ...row, line: [...before, ...inverse, ...after] };
		}),
	};
}

/** The selected texts, as they were before they were broken into rows. */
export function selectedText(pane: PaneView, selection: Selection): string {
	const { from, to } = selection;
	const lines: string[] = [];
	for (const [index, row] of pane.rows.entries()) {
		const at = pane.y + index;
		if (at < Math.min(from.y, to.y) || at > Math.max(from.y, to.y)) continue;
		const texts = partsOf(row, index, pane, selection)[1].filter(({ isAside }) => isAside !== true);
		const start = texts.findIndex(({ text }) => text.trim() !== "");
		const joins = texts[start]?.joins;
		const last = lines.pop();
		if (last === undefined || joins === undefined) lines.push(...(last === undefined ? [] : [last]), lineText(texts));
		else lines.push(`${last}${joins}${lineText(texts.slice(start))}`);
	}
	return lines.map((line) => line.trimEnd()).join("\n");
}
