import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { memoLast } from "../../../shared/memo.ts";
import { formatSize, shortenHome } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span, strong } from "../../../ui/text/span.ts";
import type { Move } from "../../world/state/overlays.ts";
import type { State } from "../../world/state/state.ts";
import { planMoves, tellHindrance, waysOf } from "./plan-moves.ts";

/** Each session that would be forked, by its way, then each that is left out, with the reason. */
export function eachMove(
	{ catalog: { rows, live }, environment: { home }, now }: State,
	wanted: readonly Move[],
): readonly Line[] {
	return linesOf(rows, live, wanted, home, now);
}

const linesOf = memoLast(
	(
		rows: State["catalog"]["rows"],
		live: State["catalog"]["live"],
		wanted: readonly Move[],
		home: string,
		now: number,
	): readonly Line[] => {
		const { moves, left } = planMoves(rows, live, wanted);
		const forked = waysOf(moves).flatMap(({ from, to, moves: each }): Line[] => [
			[
				strong(sanitizeLine(shortenHome(from, home))),
				span(" → ", "muted"),
				strong(sanitizeLine(shortenHome(to, home)), "accent"),
			],
			...each.map(({ row }): Line => [span(`  ${sessionTitle(row)}`), span(`  ${formatSize(row.size)}`, "muted")]),
		]);
		if (left.length === 0) return forked;
		const rest = left.map(
			({ row, hindrance }): Line => [
				span(`  ${sessionTitle(row)}`),
				span(`  ${sanitizeLine(tellHindrance(hindrance, now))}`, "warning"),
			],
		);
		return [...forked, [strong("Left out", "warning")], ...rest];
	},
);
