import { copyFile, mkdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { searchAll } from "../../../src/catalog/search-all.ts";
import type { SessionResult } from "../../../src/catalog/search-rows.ts";
import { createDemo } from "../../../src/cli/browser/demo.ts";
import { defaultSessionDir } from "../../../src/store/read/session-dir.ts";
import { lines } from "../session-builder.ts";
import { plannedSessions } from "./collection.ts";
import type { Judged } from "./queries.ts";

/** Fixtures that read like work; the others are odd on purpose, or tell what a session of the demo tells. */
const FIXTURES = ["pi-1.5.2.jsonl", "branches.jsonl"];
/** Sessions among which the one that was meant has to be. */
const FIRST = 3;

/** The demo, some fixtures and the planned sessions in one temporary home directory. */
export interface JudgedCollection {
	readonly agentDir: string;
	readonly home: string;
	remove(): Promise<void>;
}

export async function writeJudgedCollection(now: number): Promise<JudgedCollection> {
	const { home, agentDir, remove } = await createDemo(now);
	const fixtures = join(agentDir, "sessions", "--fixtures--");
	await mkdir(fixtures, { recursive: true });
	for (const name of FIXTURES)
		await copyFile(fileURLToPath(new URL(`../../../fixtures/${name}`, import.meta.url)), join(fixtures, name));
	for (const session of plannedSessions(home, now)) {
		const directory = defaultSessionDir(session.cwd, agentDir);
		await mkdir(directory, { recursive: true });
		const path = join(directory, `session-${session.number}.jsonl`);
		await writeFile(path, lines(...session.lines()));
		await utimes(path, session.endMs / 1000, session.endMs / 1000);
	}
	return { home, agentDir, remove };
}

/** How a search answered a judged query. */
export interface Verdict {
	readonly query: string;
	/** Place of the session that was meant, from 1; undefined if it was not found. */
	readonly place: number | undefined;
	/** Whether it is the first one, and the hit shown for it is the entry that was meant. */
	readonly isRight: boolean;
	/** Whether it is among the first three. */
	readonly isNear: boolean;
	/** What came first, and the hit of the session that was meant, for the message of a test. */
	readonly answer: string;
}

/** Searches for each query in a collection. */
export async function judge(queries: readonly Judged[], { home, agentDir }: JudgedCollection): Promise<Verdict[]> {
	const options = { home, env: { PI_CODING_AGENT_DIR: agentDir }, cacheDir: join(home, "cache") };
	const verdicts: Verdict[] = [];
	for (const judged of queries) verdicts.push(verdictOn(judged, await searchAll(judged.query, options)));
	return verdicts;
}

function verdictOn({ query, session, entries }: Judged, results: readonly SessionResult[]): Verdict {
	const at = results.findIndex(({ row }) => row.id.replace("session-", "").startsWith(session));
	const [first, found] = [results[0], results[at]];
	const isMeant = found !== undefined && entries.some((entry) => isRowOf(found, entry));
	return {
		query,
		place: at === -1 ? undefined : at + 1,
		isRight: at === 0 && isMeant,
		isNear: at !== -1 && at < FIRST,
		answer: [describe(first), ...(first === found ? [] : [describe(found)])].join("; "),
	};
}

/** Whether the hit is in the row of the tree that was meant: a call and its result are one. */
function isRowOf({ row, best }: SessionResult, entry: string): boolean {
	const id = `${row.id.replace("session-", "")}${entry}`;
	return [entry, id, `${id}r`].includes(best.entryId === "" ? String(best.line) : best.entryId);
}

function describe(result: SessionResult | undefined): string {
	if (result === undefined) return "nothing";
	const { best, row } = result;
	return `${row.id} ${best.entryId} ${best.kind} ${JSON.stringify(best.snippet.text.slice(0, 80))}`;
}
