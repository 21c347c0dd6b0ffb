import { projectKey } from "../../store/files/paths.ts";
import { HERE, type SessionRow } from "../model/row.ts";
import type { CatalogStats, StatsSums } from "../stats/aggregate-stats.ts";
import { NO_SUMS, placedStats } from "../stats/merge-stats.ts";
import { placedPath } from "./place.ts";
import { PlaceError } from "./place-error.ts";
import type { PlaceLink } from "./place-link.ts";
import { atHome } from "./placed-rows.ts";

/** The sums over these sessions, which may be in any place, and those of each place. `here`: over those of this machine. */
export async function statsEverywhere(
	asked: readonly SessionRow[],
	here: Promise<StatsSums>,
	links: Iterable<PlaceLink>,
): Promise<CatalogStats> {
	const byPlace = Map.groupBy(asked, ({ place = HERE }) => place);
	const there = [...links].map(async (link) => {
		const { name } = link.place;
		return { name, sums: await sumsOf(link, byPlace.get(name) ?? []) };
	});
	const parts = await Promise.all([here.then((sums) => ({ name: HERE, sums })), ...there]);
	return placedStats(parts);
}

/** The sums over sessions of one place; if it cannot be asked, only their number and size. */
async function sumsOf(link: PlaceLink, rows: readonly SessionRow[]): Promise<StatsSums> {
	const paths = new Set(rows.map(({ path }) => path));
	try {
		const sums = await link.stats((path) => paths.has(placedPath(link.place.name, path)));
		const projects = sums.projects.map((line) => ({ ...line, key: projectKey(atHome(line.key, link.differences)) }));
		return { ...sums, projects };
	} catch (error) {
		if (!(error instanceof PlaceError)) throw error;
		const bytes = rows.reduce((sum, { size }) => sum + size, 0);
		return { ...NO_SUMS, sessions: rows.length, bytes };
	}
}
