import { isDamaged } from "../../store/format/diagnostic.ts";
import type { SessionRow } from "../model/row.ts";
import type { CONDITION_NAMES } from "./fields.ts";
import type { Query } from "./parse-query.ts";

/** The values of `is:` that a session's row can answer. */
const CONDITIONS: ReadonlyMap<string, (row: SessionRow) => boolean> = new Map(
	Object.entries({
		named: (row) => row.name !== undefined,
		fork: (row) => row.parentSession !== undefined,
		damaged: (row) => isDamaged(row.diagnostics),
		empty: (row) => row.messageCount === 0,
	} satisfies Record<Exclude<(typeof CONDITION_NAMES)[number], "live">, (row: SessionRow) => boolean>),
);

/** The live sessions where nothing is watched: none. */
const NONE_LIVE: ReadonlySet<string> = new Set();

/** Whether a session is everything that `is:` asks for; an unknown value matches none. `live`: paths of live ones. */
export function satisfiesAll(
	row: SessionRow,
	wanted: readonly string[],
	live: Pick<ReadonlySet<string>, "has"> = NONE_LIVE,
): boolean {
	return wanted.every((word) => (word === "live" ? live.has(row.path) : CONDITIONS.get(word)?.(row) === true));
}

/** Why a valid query cannot be answered by one search, in one sentence; undefined when it can. */
export function unanswerable({ terms, is }: Query): string | undefined {
	if (is.includes("live")) {
		const known = [...CONDITIONS.keys()].map((word) => `is:${word}`);
		return `is:live is not known here; there are ${known.slice(0, -1).join(", ")} and ${known.at(-1)}.`;
	}
	return terms.length + is.length === 0 ? "it contains nothing to search for." : undefined;
}
