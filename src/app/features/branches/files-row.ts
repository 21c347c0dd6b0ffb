import type { LineChange } from "../../../conversation/entries/line-change.ts";
import type { Sum } from "../../../conversation/entries/turn-sum.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { lineWidth } from "../../../ui/text/width.ts";

/** A file with its changed lines: "src/types.ts +12 −3". */
export function fileSpans(path: string, { added, removed }: LineChange): Span[] {
	return [
		span(sanitizeLine(path)),
		...(added > 0 ? [span(` +${formatCount(added)}`, "added")] : []),
		...(removed > 0 ? [span(` −${formatCount(removed)}`, "removed")] : []),
	];
}

/** The files of a sum in one row: as many as fit, and the number of further ones; undefined without any. */
export function filesLine({ files }: Sum, width: number): Line | undefined {
	if (files.size === 0) return undefined;
	const line: Span[] = [span("files ", "muted")];
	let shown = 0;
	for (const [path, change] of files) {
		const spans = [span("  "), ...fileSpans(path, change)];
		const more = span(`  … ${formatCount(files.size - shown)} more`, "muted");
		if (shown > 0 && lineWidth([...line, ...spans, more]) > width) return [...line, more];
		line.push(...spans);
		shown += 1;
	}
	return line;
}
