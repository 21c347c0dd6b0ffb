import { describe, expect, test } from "vitest";
import { forkedAtMs, isCopied } from "../../../src/catalog/families/copied-entries.ts";
import { joinReports } from "../../../src/catalog/families/join-reports.ts";
import { reportsIn } from "../../../src/catalog/families/reports-in.ts";
import { knownAgents } from "../../../src/catalog/families/run-agents.ts";
import { NOTHING_IN_IT, type SessionCounts } from "../../../src/catalog/model/counts.ts";
import { NO_MARKS } from "../../../src/catalog/model/marks.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { locatedRows } from "../../../src/catalog/model/run-place.ts";
import { runsIn } from "../../../src/catalog/model/session-links.ts";
import { fileNames, needsCounts, type RowFacts, rowMeets } from "../../../src/catalog/query/conditions.ts";
import { parseQuery } from "../../../src/catalog/query/parse-query.ts";
import { proposeQueries, readingNote } from "../../../src/catalog/query/propose.ts";
import { NamedRuns } from "../../../src/catalog/sync/named-runs.ts";
import { FAMILY_ROOTS, type FamilyFile, familyFiles } from "../../support/family.ts";
import { makeRow } from "../../support/rows.ts";

/** The sessions of some families, each below a directory of its own, as the catalog knows them. */
function known(...names: readonly string[]): { readonly rows: readonly SessionRow[]; readonly facts: RowFacts } {
	const counts = new Map<string, SessionCounts>();
	const read: SessionRow[] = [];
	for (const name of names)
		for (const file of familyFiles(name).filter(({ entries: [header] }) => header?.type === "session")) {
			const path = file.path.replace("--home-dev-work-api--", `--home-dev-${name}--`);
			read.push({ ...rowOf(file), path });
			const forkedMs = forkedAtMs(file.entries[0] ?? { type: "session" });
			const runs = joinReports(
				file.entries
					.filter((entry) => !isCopied(entry, undefined, { forkedMs, inherited: undefined }))
					.flatMap(reportsIn),
			);
			counts.set(path, { ...NOTHING_IN_IT, ...(runs.length > 0 && { runs }) });
		}
	const named = new NamedRuns();
	named.marked(locatedRows(read, FAMILY_ROOTS));
	named.learn([...counts]);
	const rows = named.marked(locatedRows(read, FAMILY_ROOTS));
	const facts = {
		live: new Set<string>(),
		marks: NO_MARKS,
		counts,
		fileNames: fileNames(rows.map(({ path }) => path)),
		runs: runsIn(rows),
		gone: new Set(),
		branches: new Map(),
		familyCosts: new Map<string, number>(),
		now: 0,
	};
	return { rows, facts };
}

function rowOf({ path, entries }: FamilyFile): SessionRow {
	const [header = {}] = entries;
	const text = (value: unknown): string => (typeof value === "string" ? value : "");
	const name = entries.findLast(({ type }) => type === "session_info")?.name;
	const parentSession = header.parentSession === undefined ? {} : { parentSession: text(header.parentSession) };
	const created = new Date(text(header.timestamp));
	return {
		...makeRow("x"),
		path,
		id: text(header.id),
		created,
		...(name !== undefined && { name: text(name) }),
		...parentSession,
	};
}

/** "fresh/…/run-0", of the sessions that meet the query. */
function meeting({ rows, facts }: ReturnType<typeof known>, text: string): readonly string[] {
	const parsed = parseQuery(text);
	if ("error" in parsed) throw new Error(parsed.error);
	expect(parsed.query.terms).toEqual([]);
	const found = rows.filter((row) => rowMeets(row, parsed.query.conditions, facts));
	return found.map(({ path, run }) => `${/--home-dev-([a-z-]+)--/.exec(path)?.[1]} ${run === undefined ? "-" : "run"}`);
}

const ALL = known("fresh", "nested", "parallel", "agent-session", "agent-foreground", "fork");

describe("agent:", () => {
	test.each([
		["agent:scout", ["fresh run"]],
		["ag:SCO", ["fresh run"]],
		["agent:reader", ["nested run"]],
		["agent:checker", ["parallel run", "parallel run"]],
		["agent:writer is:run", ["agent-session run"]],
		// It has worked in memory: only the session that asked for it tells of it.
		["agent:explore", ["agent-foreground -"]],
		["agent:nobody", []],
	])("%s finds the runs of that agent, or who asked for it", (text, expected) => {
		expect(meeting(ALL, text)).toEqual(expected);
		expect(meeting(ALL, `-${text.split(" ")[0]}`)).toHaveLength(ALL.rows.length - expected.length);
	});

	test("an agent whose session is gone is found in the session that started it", () => {
		const rows = ALL.rows.filter(({ path, run }) => run === undefined || !path.includes("fresh"));
		const facts = { ...ALL.facts, runs: runsIn(rows) };
		expect(meeting({ rows, facts }, "agent:scout")).toEqual(["fresh -"]);
	});

	test("the agents of an archived session are found, too, although the paths of its runs do not lead to it", () => {
		const isParent = ({ path, run }: SessionRow): boolean => run === undefined && path.includes("fresh");
		const archivedAt = (path: string): string => path.replace("/sessions/", "/session-archive/");
		const rows = ALL.rows.map((row) =>
			isParent(row) ? { ...row, path: archivedAt(row.path), archived: true as const } : row,
		);
		const counts = new Map(
			[...ALL.facts.counts].map(([path, of]) => [path.includes("fresh") ? archivedAt(path) : path, of] as const),
		);
		const named = rows.map(({ name: _, ...row }) => row);
		const facts = { ...ALL.facts, counts, runs: runsIn(named) };
		expect([...facts.runs.keys()].some((path) => path.includes("session-archive"))).toBe(true);
		expect(meeting({ rows: named, facts }, "agent:scout")).toEqual(["fresh run"]);
	});

	test("the session of a person is none, whatever its name; nor is a run before its parent is counted, but by its name", () => {
		const facts = { ...ALL.facts, counts: new Map() };
		const rows = [{ ...makeRow("a"), name: "scout#12345678" }, ...ALL.rows];
		expect(meeting({ rows, facts }, "agent:scout")).toEqual(["fresh run"]);
	});

	test("the shell counts before it asks for agents and for numbers of runs", () => {
		for (const text of ["agent:x", "-runs:>1"]) {
			const parsed = parseQuery(text);
			expect("query" in parsed && needsCounts(parsed.query.conditions), text).toBe(true);
		}
	});
});

describe("runs:", () => {
	test.each([
		["runs:>1", ["parallel -", "agent-foreground -"]],
		["runs:2", ["parallel -", "agent-foreground -"]],
		["ru:>=1 is:run", ["nested run"]],
		["runs:1 -is:run", ["fresh -", "nested -", "agent-session -", "fork -"]],
	])("%s counts what a session has asked for itself", (text, expected) => expect(meeting(ALL, text)).toEqual(expected));

	test("cost: means what a session has cost with its runs, as the list shows it", () => {
		const [row] = ALL.rows;
		if (row === undefined) throw new Error("no session");
		const counts = new Map([[row.path, { ...NOTHING_IN_IT, cost: 1 }]]);
		const facts = { ...ALL.facts, counts, familyCosts: new Map([[row.path, 4]]) };
		expect(meeting({ rows: [row], facts }, "cost:>3")).toHaveLength(1);
		expect(meeting({ rows: [row], facts: { ...facts, familyCosts: new Map() } }, "cost:>3")).toEqual([]);
	});

	test("a session that is not counted yet has no number", () => {
		expect(meeting({ rows: [makeRow("a")], facts: ALL.facts }, "runs:<5")).toEqual([]);
	});
});

test("the agents that are known, those with most runs first, and the one that was meant", () => {
	const told = [...ALL.facts.counts.values()].map(({ runs = [] }) => runs);
	expect(knownAgents(ALL.rows, told)[0]).toBe("checker");
	expect(knownAgents([], [])).toEqual([]);
	expect(proposeQueries("agent:sccout", ALL.rows, 0).map(({ query }) => query)).toEqual(["agent:scout"]);
	expect(proposeQueries("agent:scout", ALL.rows, 0)).toEqual([]);
	expect(readingNote("subagent:scout")).toContain("did you mean agent:scout?");
});
