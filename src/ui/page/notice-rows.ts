import type { Tone } from "../text/line.ts";
import { sanitizeLine } from "../text/sanitize.ts";
import { span } from "../text/span.ts";
import { wrapText } from "../text/wrap.ts";
import type { Box, RowView } from "../view.ts";

/** A sentence in place of rows that says why there are none. */
export function noticeRows(text: string, tone: Tone, { width, height }: Pick<Box, "width" | "height">): RowView[] {
	return wrapText(sanitizeLine(text), width - 2)
		.slice(0, height)
		.map((line, index) => ({ key: `notice ${index}`, line: [span(` ${line}`, tone)], selected: false }));
}
