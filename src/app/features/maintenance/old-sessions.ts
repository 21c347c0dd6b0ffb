import { isSession, type SessionRow, usedMs } from "../../../catalog/model/row.ts";
import { periodOf } from "../../../catalog/query/dates.ts";
import { memoLast } from "../../../shared/memo.ts";

/** Sessions that take room, by age or by size: the list shows them, the largest first, since the query asks for a size. */
export interface OldSessions {
	readonly name: string;
	readonly query: string;
	readonly count: number;
	readonly bytes: number;
}

const DOORS = [
	{ name: "not used for 90 days", query: "before:90d size:>0", before: "90d", over: 0 },
	{ name: "not used for a year", query: "before:1y size:>0", before: "1y", over: 0 },
	{ name: "over 1 MB", query: "size:>1MB", before: undefined, over: 1e6 },
	{ name: "over 10 MB", query: "size:>10MB", before: undefined, over: 1e7 },
] as const;

/** What there is of each kind, and of all kinds together, each session once; without the archive. `today`: its beginning, Unix ms. */
export const oldSessions = memoLast(
	(
		rows: ReadonlyMap<string, SessionRow>,
		today: number,
	): { readonly doors: readonly OldSessions[]; readonly all: Pick<OldSessions, "count" | "bytes"> } => {
		const sums = DOORS.map(({ name, query }) => ({ name, query, count: 0, bytes: 0 }));
		const limits = DOORS.map(({ before }) => before && periodOf(before, today)?.from);
		const all = { count: 0, bytes: 0 };
		for (const row of rows.values()) {
			if (row.archived === true || row.run !== undefined || !isSession(row)) continue;
			const used = usedMs(row, today);
			const sumsHere = sums.filter((_, at) => {
				const limit = limits[at];
				return row.size > (DOORS[at]?.over ?? 0) && (limit === undefined || used < limit);
			});
			for (const sum of sumsHere.length === 0 ? [] : [...sumsHere, all]) {
				sum.count += 1;
				sum.bytes += row.size;
			}
		}
		return { doors: sums.filter(({ count }) => count > 0), all };
	},
);
