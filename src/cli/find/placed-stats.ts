import type { CatalogProblem } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { PlaceConnection } from "../../catalog/places/connection.ts";
import { listPlace } from "../../catalog/places/place-sessions.ts";
import { statsOfPlace } from "../../catalog/places/place-stats.ts";
import { eachOnce, rowOfPlace } from "../../catalog/places/placed-rows.ts";
import type { CatalogStats, StatsSums } from "../../catalog/stats/aggregate-stats.ts";
import { placedStats } from "../../catalog/stats/merge-stats.ts";
import { sanitizeLine } from "../../ui/text/sanitize.ts";
import type { Given } from "../arguments/arguments.ts";
import type { Mistake } from "../print/output.ts";
import { listRows } from "./listed-rows.ts";
import { type Chosen, each, inEach, openPlace } from "./placed-sessions.ts";
import { rowFilter } from "./row-filter.ts";

/** A place that was listed, and is to be asked for its sums. */
interface Listed {
	readonly name: string;
	/** Absent for this machine. */
	readonly connection?: PlaceConnection;
	/** Its sessions, and those of them that the options select. */
	readonly all: readonly SessionRow[];
	readonly rows: readonly SessionRow[];
	readonly problems: readonly CatalogProblem[];
}

/**
 * Sums over the sessions that the options select in the places that `--place` names; each counts its own. A session in two places
 * counts in the one whose row the list shows. `local`: the sums over those of this machine.
 */
export async function statsOfPlaces(
	given: Given,
	local: (isAsked: (row: SessionRow) => boolean) => Promise<StatsSums>,
): Promise<{ readonly sum: CatalogStats; readonly problems: readonly CatalogProblem[] } | Mistake> {
	const opened: PlaceConnection[] = [];
	try {
		const answer = await inEach(given, (place) => list(place, given, opened));
		if ("mistake" in answer) return answer;
		const { found, problems } = answer;
		const rows = eachOnce(found.flatMap((one) => one.rows));
		const shown = new Set(rows.map(({ path }) => path));
		const isAsked = ({ path }: SessionRow): boolean => shown.has(path);
		const summed = await each(found, async ({ name, connection, all }) => {
			const sums = await (connection === undefined ? local(isAsked) : statsOfPlace(connection, all, isAsked));
			return { name, sums };
		});
		const [only] = summed.problems;
		if (found.length === 1 && only !== undefined) return { mistake: only.message };
		return {
			sum: placedStats(summed.found),
			problems: [...problems, ...found.flatMap((one) => one.problems), ...summed.problems],
		};
	} finally {
		await Promise.all(opened.map((connection) => connection.close()));
	}
}

/** Lists a place; its connection is added to those that have to be closed. */
async function list(place: Chosen, given: Given, opened: PlaceConnection[]): Promise<Listed> {
	const { name } = place;
	if (place.kind === "here") {
		const { rows, problems } = await listRows(given);
		return { name, all: rows, rows, problems };
	}
	const connection = await openPlace(place);
	opened.push(connection);
	const { rows, problems } = await listPlace(connection);
	const all = [...rows.values()].map((row) => rowOfPlace(row, name));
	const said = problems.map((message) => ({ path: name, message: sanitizeLine(message) }));
	return { name, connection, all, rows: all.filter(rowFilter(given, Date.now())), problems: said };
}
