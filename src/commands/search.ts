import { homedir } from "node:os";
import { formatCount, formatCounted } from "../app/text/format.ts";
import type { CatalogProblem } from "../catalog/event.ts";
import { unanswerable } from "../catalog/query/conditions.ts";
import { parseQuery } from "../catalog/query/parse-query.ts";
import { type Findings, type FoundSession, findAll } from "../catalog/search-all.ts";
import { isDamaged } from "../store/diagnostic.ts";
import type { Request } from "./arguments.ts";
import { foundJson, foundLine, foundLines } from "./found-text.ts";
import { jsonText } from "./json.ts";
import { endWithPipe, note, print, printProblems } from "./output.ts";
import { whileWaiting } from "./waiting.ts";

type SearchRequest = Extract<Request, { kind: "search" }>;

/** Exit codes, as grep's. */
const exit = { found: 0, nothing: 1, mistake: 2 } as const;

/** Prints the sessions in which the query was found on stdout, the rest on stderr; returns the exit code. */
export async function search({ query: text, sessionDir, limit, json }: SearchRequest): Promise<number> {
	endWithPipe();
	const parsed = parseQuery(text);
	const mistake = "error" in parsed ? parsed.error : unanswerable(parsed.query);
	if ("error" in parsed || mistake !== undefined) {
		note(`cannot read the query ${text}: ${mistake}`);
		return exit.mistake;
	}
	let problems: readonly CatalogProblem[] = [];
	const onProblems = (now: readonly CatalogProblem[]): void => {
		problems = now;
	};
	const findings = await findAll(text, { sessionDir, onProblems, whileStoring: whileWaiting });
	const { length: total } = findings.found;
	await printFound(findings.found.slice(0, limit), json);
	printProblems(problems);
	printUnsearched(findings);
	if (!json || (limit !== undefined && limit < total)) process.stderr.write(`${countLine(findings, limit)}\n`);
	return total > 0 ? exit.found : exit.nothing;
}

/** Says which sessions are missing in the answer. */
function printUnsearched({ sessions, searched }: Findings): void {
	const reasons = sessions.flatMap(({ diagnostics }) => diagnostics.filter(({ code }) => code === "unreadable"));
	for (const { message } of reasons) note(`not searched: ${message}`);
	const others = sessions.length - searched - reasons.length;
	if (others > 0) note(`${formatCounted(others, "session")} could not be searched, since the index lacks the text`);
}

/** "found in 5 of 1,207 sessions, 2 shown": nothing is left out of the count. */
function countLine({ found, sessions }: Findings, limit = found.length): string {
	const total = found.length;
	const damaged = sessions.filter(({ diagnostics }) => isDamaged(diagnostics)).length;
	const shown = limit < total ? `, ${formatCount(limit)} shown` : "";
	const partly = damaged === 0 ? "" : `; ${formatCount(damaged)} damaged: searched as far as they can be read`;
	return `found in ${formatCount(total)} of ${formatCounted(sessions.length, "session")}${shown}${partly}`;
}

async function printFound(found: readonly FoundSession[], json: boolean): Promise<void> {
	const { columns } = process.stdout;
	const home = homedir();
	let before = "[\n";
	for (const one of found) {
		if (json) await print(before + jsonText(foundJson(one)));
		else await print(columns === undefined ? foundLine(one) : foundLines(one, home, columns));
		before = ",\n";
	}
	if (json) await print(found.length === 0 ? "[]\n" : "\n]\n");
}
