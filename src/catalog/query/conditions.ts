import { isDamaged } from "../../store/format/diagnostic.ts";
import type { SessionRow } from "../model/row.ts";
import type { Query } from "./parse-query.ts";

/** What may stand behind `is:` and is known from a session's row; besides, there is "live", for which one must watch. */
const CONDITIONS: Readonly<Record<string, (row: SessionRow) => boolean>> = {
	named: (row) => row.name !== undefined,
	fork: (row) => row.parentSession !== undefined,
	damaged: (row) => isDamaged(row.diagnostics),
	empty: (row) => row.messageCount === 0,
};

/** The sessions that are being written now, where nothing is watched. */
const NONE_LIVE: ReadonlySet<string> = new Set();

/** Whether a session is all that `is:` asks for; what is not known is nothing. `live`: paths of the sessions in use. */
export function satisfiesAll(
	row: SessionRow,
	wanted: readonly string[],
	live: ReadonlySet<string> = NONE_LIVE,
): boolean {
	return wanted.every((word) => {
		if (word === "live") return live.has(row.path);
		return Object.hasOwn(CONDITIONS, word) && CONDITIONS[word]?.(row) === true;
	});
}

/** Why a query that can be read cannot be answered by one search, in one sentence; undefined when it can. */
export function unanswerable({ terms, is }: Query): string | undefined {
	const other = is.find((word) => !Object.hasOwn(CONDITIONS, word));
	if (other !== undefined) {
		const known = Object.keys(CONDITIONS).map((word) => `is:${word}`);
		return `is:${other} is not known here; there are ${known.slice(0, -1).join(", ")} and ${known.at(-1)}.`;
	}
	return terms.length + is.length === 0 ? "it holds nothing to look for." : undefined;
}
