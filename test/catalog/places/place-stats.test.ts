import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { PlaceConnection } from "../../../src/catalog/places/connection.ts";
import { placedPath } from "../../../src/catalog/places/place.ts";
import { PlaceError } from "../../../src/catalog/places/place-error.ts";
import { listPlace } from "../../../src/catalog/places/place-sessions.ts";
import { statsOfPlace } from "../../../src/catalog/places/place-stats.ts";
import { statsAll } from "../../../src/catalog/stats-all.ts";
import { answering, fakeSsh } from "../../support/fake-ssh.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** Sessions of two projects; each has an answer of $0.03 and 30 tokens. `long`: adds this to the name of each file. */
async function openPlace(sessions: number, long = "") {
	const { agent, base, write, env, cache: cacheDir } = tempAgentDir();
	for (let index = 0; index < sessions; index++)
		write(
			`--p--/${index}${long}.jsonl`,
			lines(
				header({ id: `0198-${index}`, cwd: index % 2 === 0 ? "/work/api" : "/work/web" }),
				user("a1", null, 1, `Session ${index}.`),
				assistant("a2", "a1", 2 + index, "Done."),
			),
		);
	const options = { home: base, cacheDir, stateDir: join(base, "state") };
	const connection = await PlaceConnection.open({ kind: "dir", name: "old", path: agent }, options);
	onTestFinished(() => connection.close());
	const { rows } = await listPlace(connection);
	const all = [...rows.values()].map((row) => ({ ...row, path: placedPath("old", row.path), place: "old" }));
	return { connection, all, statsHere: () => statsAll({ env, cacheDir }) };
}

test("the sums of a place are those that it has itself", async () => {
	const { connection, all, statsHere } = await openPlace(3);
	const sums = await statsOfPlace(connection, all, () => true);
	expect(sums).toEqual(await statsHere());
	expect(sums).toMatchObject({ sessions: 3, counted: 3, tokens: 90, cost: 0.09, projects: [{ key: "/work/api" }, {}] });
});

test("only what is asked for is summed up, whichever list is shorter; nothing for nothing", async () => {
	const { connection, all } = await openPlace(5);
	const idsOf = (count: number) => new Set(all.slice(0, count).map(({ path }) => path));
	for (const count of [4, 1]) {
		const asked = idsOf(count);
		const { sessions, cost, models } = await statsOfPlace(connection, all, ({ path }) => asked.has(path));
		expect({ sessions, cost }).toEqual({ sessions: count, cost: count * 0.03 });
		expect(models).toMatchObject([{ key: "claude-sonnet-4-5", sessions: count }]);
	}
	expect(await statsOfPlace(connection, all, () => false)).toMatchObject({ sessions: 0, cost: 0, projects: [] });
});

test("paths that do not fit into a line go in several", async () => {
	const { connection, all } = await openPlace(4);
	// These are on no disk there, and so in no sum.
	const many = Array.from({ length: 12_000 }, (_, index) => ({ path: `old:/x/${"é".repeat(50)}/${index}.jsonl` }));
	const rows = [...all, ...all.slice(0, 1).flatMap((row) => many.map((one) => ({ ...row, ...one })))];
	const [first, second] = all;
	const asked = new Set([first?.path, second?.path]);
	const some = await statsOfPlace(connection, rows, ({ path }) => asked.has(path));
	expect(some).toMatchObject({ sessions: 2, cost: 0.06 });
	const most = await statsOfPlace(connection, rows, ({ path }) => !asked.has(path));
	expect(most).toMatchObject({ sessions: 2, cost: 0.06 });
});

const TOTALS = { sessions: 1, runs: 0, counted: 1, bytes: 9, tokens: 1, cost: 1, abandoned: { tokens: 0, cost: 0 } };
const LINE = { key: "/w", sessions: 1, bytes: 9, tokens: 1, cost: 1, abandoned: { tokens: 0, cost: 0 } };
const ONE = {
	path: "mini:/s/one.jsonl",
	id: "aa",
	cwd: "/w",
	firstMessage: "hi",
	created: new Date(1),
	modified: new Date(2),
	messageCount: 1,
	size: 9,
	diagnostics: [],
};

test("tables of a newer version are left out", async () => {
	const ssh = fakeSsh(
		answering(
			{ id: 1, type: "lines", of: "projects", lines: [{ ...LINE, extra: 1 }] },
			{ id: 1, type: "lines", of: "planets", lines: [{ key: "Mars" }] },
			{ id: 1, type: "lines", of: "constructor", lines: [1] },
			{ id: 1, type: "sums", sums: TOTALS },
		),
	);
	const connection = await ssh.open();
	const sums = await statsOfPlace(connection, [ONE], () => true);
	await connection.close();
	// An earlier version does not tell how many sessions have answers of unknown price.
	expect(sums).toEqual({
		...TOTALS,
		unpriced: 0,
		projects: [LINE],
		models: [],
		months: [],
		days: [],
		agents: [],
	});
});

test.each([
	["a line of another shape", [{ id: 1, type: "lines", of: "projects", lines: [{ ...LINE, cost: "1" }] }]],
	["totals of another shape", [{ id: 1, type: "sums", sums: { ...TOTALS, sessions: -1 } }]],
	["no totals", [{ id: 1, type: "sums", sums: null }]],
	[
		"more lines than anybody has",
		Array.from({ length: 21 }, () => {
			return { id: 1, type: "lines", of: "days", lines: Array.from({ length: 10_000 }, () => 1) };
		}),
	],
])("sums that make no sense are refused: %s", async (_, answers) => {
	const ssh = fakeSsh(answering(...answers));
	const connection = await ssh.open();
	const asking = statsOfPlace(connection, [ONE], () => true);
	await expect(asking).rejects.toThrow(/^mini: /);
	await expect(asking).rejects.toBeInstanceOf(PlaceError);
	await connection.close();
});
