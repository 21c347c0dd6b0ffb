import type { LineChange } from "../../store/format/tool-change.ts";
import { formatCount } from "../../ui/text/format.ts";
import { type Span, span } from "../../ui/text/line.ts";
import type { DiffLine } from "../render/diff-lines.ts";

/** " +2 −1", without what is zero. */
export function changeSpans({ added, removed }: LineChange): Span[] {
	return [
		...(added > 0 ? [span(` +${formatCount(added)}`, "added")] : []),
		...(removed > 0 ? [span(` −${formatCount(removed)}`, "removed")] : []),
	];
}

export function countLines(lines: readonly DiffLine[]): LineChange {
	const count = (of: DiffLine["kind"]): number => lines.filter(({ kind }) => kind === of).length;
	return { added: count("added"), removed: count("removed") };
}
