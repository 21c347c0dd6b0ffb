import { isDamaged } from "../../store/format/diagnostic.ts";
import type { SessionRow } from "../model/row.ts";
import type { Query } from "./parse-query.ts";

/** The values of `is:` that a session's row can answer. There is also "live", which needs watching. */
const CONDITIONS: Readonly<Record<string, (row: SessionRow) => boolean>> = {
	named: (row) => row.name !== undefined,
	fork: (row) => row.parentSession !== undefined,
	damaged: (row) => isDamaged(row.diagnostics),
	empty: (row) => row.messageCount === 0,
};

/** The live sessions where nothing is watched: none. */
const NONE_LIVE: ReadonlySet<string> = new Set();

/** Whether a session is everything that `is:` asks for; an unknown value matches none. `live`: paths of live ones. */
export function satisfiesAll(
	row: SessionRow,
	wanted: readonly string[],
	live: Pick<ReadonlySet<string>, "has"> = NONE_LIVE,
): boolean {
	return wanted.every((word) => {
		if (word === "live") return live.has(row.path);
		return Object.hasOwn(CONDITIONS, word) && CONDITIONS[word]?.(row) === true;
	});
}

/** Why a valid query cannot be answered by one search, in one sentence; undefined when it can. */
export function unanswerable({ terms, is }: Query): string | undefined {
	const other = is.find((word) => !Object.hasOwn(CONDITIONS, word));
	if (other !== undefined) {
		const known = Object.keys(CONDITIONS).map((word) => `is:${word}`);
		return `is:${other} is not known here; there are ${known.slice(0, -1).join(", ")} and ${known.at(-1)}.`;
	}
	return terms.length + is.length === 0 ? "it contains nothing to search for." : undefined;
}
