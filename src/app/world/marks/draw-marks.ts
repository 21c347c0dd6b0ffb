import type { SessionRow } from "../../../catalog/model/row.ts";
import type { Marks } from "../../../changes/noted/marks.ts";
import type { Line, Span } from "../../../ui/text/line.ts";
import { span } from "../../../ui/text/span.ts";
import { textWidth } from "../../../ui/text/width.ts";

/** Precedes the title of a pinned session. */
const PIN = "★ ";

/** "#idea #wip" */
export function drawTags(tags: readonly string[]): Line {
	return tags.map((tag, index): Span => span(`${index === 0 ? "" : " "}#${tag}`, "label"));
}

/** The pin before the title of a session, if it is pinned. */
export function pinOf({ id }: Pick<SessionRow, "id">, { pinned }: Pick<Marks, "pinned">): Line {
	return pinned.has(id) ? [span(PIN, "label")] : [];
}

/** The tags after its title, as many as fit into `room` cells. */
export function tagsOf({ id }: Pick<SessionRow, "id">, { tags }: Pick<Marks, "tags">, room: number): Line {
	const all = tags.get(id) ?? [];
	const line: Span[] = [];
	let left = room - GAP;
	for (const tag of drawTags(all)) {
		left -= textWidth(tag.text);
		if (left >= 0) line.push(tag);
	}
	return line.length === 0 ? [] : [span(" ".repeat(GAP)), ...line];
}

/** Cells between a title and its tags. */
const GAP = 2;
