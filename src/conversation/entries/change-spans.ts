import { formatCount } from "../../ui/text/format.ts";
import { type Span, span } from "../../ui/text/line.ts";
import type { DiffLine } from "../render/diff-lines.ts";

/** Lines of a file that differ before and after a change. */
export interface LineChange {
	readonly added: number;
	readonly removed: number;
}

/** " +2 −1", without what is zero or not known. */
export function changeSpans({ added = 0, removed = 0 }: Partial<LineChange>): Span[] {
	return [
		...(added > 0 ? [span(` +${formatCount(added)}`, "added")] : []),
		...(removed > 0 ? [span(` −${formatCount(removed)}`, "removed")] : []),
	];
}

export function countLines(lines: Iterable<DiffLine>): LineChange {
	let [added, removed] = [0, 0];
	for (const { kind } of lines) {
		if (kind === "added") added++;
		else if (kind === "removed") removed++;
	}
	return { added, removed };
}

export function totalLines(files: readonly LineChange[]): LineChange {
	const total = (of: keyof LineChange): number => files.reduce((sum, file) => sum + file[of], 0);
	return { added: total("added"), removed: total("removed") };
}
