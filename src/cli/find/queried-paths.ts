import { RipgrepError } from "../../catalog/search/find-ripgrep.ts";
import { findAll } from "../../catalog/search-all.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { type keepProblems, note, orMistake, withProgressNote } from "../print/output.ts";
import { readOwnMarks } from "./session-json.ts";
import { typedQuery } from "./typed-query.ts";

/** The files of the sessions that the query of a command finds as typed; with `--archived` those in the archive, too. */
export async function queriedPaths(
	{ words, sessionDir, archived }: Arguments,
	onProblems?: ReturnType<typeof keepProblems>["onProblems"],
): Promise<ReadonlySet<string>> {
	const query = typedQuery(words);
	const conditions = archived ? typedQuery(["is:archived"]).conditions : [];
	const searching = findAll(
		{ ...query, conditions: [...query.conditions, ...conditions] },
		{ sessionDir, blocking: true, onProblems, marks: readOwnMarks() },
	);
	const { found, unsearched } = await orMistake(
		withProgressNote(searching, () => "Searching …"),
		RipgrepError,
	);
	for (const message of unsearched) note(`not searched: ${message}`);
	if (found.results.length === 0) note(`no session was found for ${query.text}`);
	return new Set(found.results);
}
