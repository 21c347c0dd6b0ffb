import type { PlaceState } from "../../../catalog/model/event.ts";
import { formatAgo, formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, joinEnds, lineWidth } from "../../../ui/text/width.ts";
import type { RowView } from "../../../ui/view.ts";
import { failedPlaces, placesHeight } from "../../world/list/select-places.ts";
import type { State } from "../../world/state/state.ts";

const LEAST_WIDTH_FOR_AGE = 60;

/** The places that have failed, one row each, with the reason and how old their rows are. A click tries again. */
export function placeRows(state: State, width: number): RowView[] {
	const failed = failedPlaces(state);
	const height = placesHeight(state);
	return failed.slice(0, height).map((place, at): RowView => {
		const more = at === height - 1 && failed.length > height ? failed.length - height : 0;
		return { key: `place ${place.name}`, line: drawPlace(place, state.now, width, more), selected: false };
	});
}

/** "✗ mini: ssh: connect to host mini port 22: No route to host   12 sessions, 3d ago". `more`: places that are not shown. */
function drawPlace({ reason = "", count, asOfMs }: PlaceState, now: number, width: number, more: number): Line {
	const isRoomy = width >= LEAST_WIDTH_FOR_AGE;
	const age =
		asOfMs === undefined || count === 0 || !isRoomy
			? ""
			: `${formatCounted(count, "session")}, ${formatAgo(asOfMs, now)}`;
	const otherPlaces = more === 0 ? "" : `and ${formatCount(more)} more `;
	const end: Line = [span(`  ${[age, otherPlaces].filter(Boolean).join(", ")} `, "muted")];
	const line: Line = [span("✗ ", "warning"), { ...span(sanitizeLine(reason), "warning"), press: "refresh" }];
	const room = width - lineWidth(end);
	return joinEnds(cutLine(line, Math.min(lineWidth(line), room)), end, width);
}
