import { formatCount } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutText, joinEnds, lineWidth, padText, textWidth } from "../../../ui/text/width.ts";
import type { RowView } from "../../../ui/view.ts";
import { firstSaved, savedChoices, savedHeight } from "../../world/list/select-saved.ts";
import type { State } from "../../world/state/state.ts";

/** Cells of a name; longer ones are cut. */
const MAX_NAME_WIDTH = 40;

/** The saved queries above the list, each with its name and text, and the recent ones. */
export function savedRows(state: State, width: number): RowView[] {
	const all = savedChoices(state);
	const height = savedHeight(state);
	const first = firstSaved(state);
	const names = all.map(({ name }) => cutText(sanitizeLine(name), Math.min(MAX_NAME_WIDTH, Math.floor(width / 2))));
	const column = Math.max(0, ...names.slice(first, first + height).map(textWidth));
	return all.slice(first, first + height).map(({ name, text }, at): RowView => {
		const selected = first + at === state.saved.index;
		const line: Line = [
			span(selected ? "›" : " ", "accent"),
			...(name === ""
				? [span("↑", "muted"), span(sanitizeLine(text))]
				: [
						span(":", "accent"),
						span(padText(names[first + at] ?? sanitizeLine(name), column)),
						span(`  ${sanitizeLine(text)}`, "muted"),
					]),
		];
		// If they do not all fit, the first row says so.
		const isCut = at === 0 && all.length > height;
		const note: Line = isCut ? [span(` ${formatCount(height)} of ${formatCount(all.length)} `, "muted")] : [];
		return {
			key: name === "" ? `recent ${text}` : `saved ${name}`,
			line: joinEnds(line, note, Math.max(lineWidth(note), width)),
			selected,
		};
	});
}
