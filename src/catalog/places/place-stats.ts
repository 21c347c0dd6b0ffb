import type { SessionRow } from "../model/row.ts";
import type { StatsSums } from "../stats/aggregate-stats.ts";
import { NO_SUMS } from "../stats/merge-stats.ts";
import type { PlaceConnection } from "./connection.ts";
import { splitPlaced } from "./place.ts";
import { PlaceError } from "./place-error.ts";
import type { Answer, RequestBody } from "./protocol.ts";
import { addLines, noTables, totalsFromWire } from "./wire-stats.ts";

/** Lines in the tables of one place, at most: far more than projects, models and days of anybody. */
const MAX_LINES = 200_000;
/** Bytes of paths in one line of a request. */
const PATHS_BYTES = 256 * 1024;

/**
 * Sums over the sessions of a place that are asked for, counted there; everything is counted first. `all`: its sessions, as they are
 * called there or among those of all places. Rejects with a `PlaceError`.
 */
export async function statsOfPlace(
	connection: PlaceConnection,
	all: readonly SessionRow[],
	isAsked: (row: SessionRow) => boolean,
): Promise<StatsSums> {
	const [only, except] = [all.filter(isAsked), all.filter((row) => !isAsked(row))].map((rows) => rows.map(pathThere));
	if (only === undefined || except === undefined || only.length === 0) return NO_SUMS;
	const { name } = connection;
	const odd = new PlaceError(`${name}: its sums could not be understood; pi-grove may be newer there than here`);
	const tables = noTables();
	let lines = 0;
	let sums = NO_SUMS;
	const parts = except.length <= only.length ? partsOf("except", except) : partsOf("only", only);
	const take = (answer: Answer): boolean => {
		if (answer.type === "lines") {
			lines += answer.lines.length;
			if (lines > MAX_LINES) throw new PlaceError(`${name}: its sums have more than ${MAX_LINES} lines`);
			if (!addLines(tables, answer.of, answer.lines)) throw odd;
		} else if (answer.type === "sums") {
			const totals = totalsFromWire(answer.sums);
			if (totals === undefined) throw odd;
			sums = { ...totals, ...tables };
		}
		return answer.type === "sums";
	};
	await connection.request(parts, take, { held: () => lines });
	return sums;
}

/** A request for sums, in as many lines as its paths take. */
function partsOf(list: "only" | "except", paths: readonly string[]): readonly RequestBody[] {
	const parts: string[][] = [[]];
	let size = 0;
	for (const path of paths) {
		size += Buffer.byteLength(JSON.stringify(path));
		if (size > PATHS_BYTES) {
			parts.push([]);
			size = 0;
		}
		parts.at(-1)?.push(path);
	}
	return parts.map((part, index) => ({ type: "stats", [list]: part, more: index < parts.length - 1 }));
}

function pathThere({ path }: SessionRow): string {
	return splitPlaced(path)?.rest ?? path;
}
