import type { Use, UsedText } from "../../../catalog/uses/use.ts";
import { memoLast } from "../../../shared/memo.ts";
import { type PageRow, rowAtCursor } from "../../../ui/page/page-rows.ts";
import type { UsesState } from "./uses-state.ts";

/** A row of the page: a text; below an open one, its uses and the number of further ones. */
export type UseRow =
	| (PageRow & { readonly kind: "text"; readonly text: UsedText; readonly isOpen: boolean })
	| (PageRow & { readonly kind: "use"; readonly text: UsedText; readonly use: Use })
	| (PageRow & { readonly kind: "more"; readonly count: number });

/** The rows of the texts found; none while those are of the other kind. */
export function selectUseRows({ found, kind, opened }: UsesState): readonly UseRow[] {
	return found?.of.kind === kind ? rowsOf(found.found.texts, opened) : NO_ROWS;
}

export function selectedUseRow(uses: UsesState): UseRow | undefined {
	return rowAtCursor(uses.cursor, selectUseRows(uses));
}

/** The use that a row stands for; a text stands for its latest use. */
export function usedAt(row: UseRow | undefined): Use | undefined {
	if (row === undefined || row.kind === "more") return undefined;
	return row.kind === "use" ? row.use : row.text.uses[0];
}

const NO_ROWS: readonly UseRow[] = [];

const rowsOf = memoLast((texts: readonly UsedText[], opened: ReadonlySet<number>): readonly UseRow[] =>
	texts.flatMap((text): UseRow[] => {
		const key = String(text.key);
		const isOpen = opened.has(text.key);
		const row: UseRow = { kind: "text", key, text, isOpen };
		if (!isOpen) return [row];
		const uses = text.uses.map((use): UseRow => ({ kind: "use", key: `${key} ${use.origin}`, text, use }));
		const count = text.count - uses.length;
		const more: UseRow = { kind: "more", key: `${key} more`, count, isSkipped: true };
		// Of a text that has just been opened, only the latest use is known yet.
		return count > 0 && uses.length > 1 ? [row, ...uses, more] : [row, ...uses];
	}),
);
