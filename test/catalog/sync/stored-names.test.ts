import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { indexPath, openExistingIndex } from "../../../src/catalog/index/open-index.ts";
import { HAS_RUN_REPORTS, MAY_BE_NAMED_RUN } from "../../../src/catalog/index/schema.ts";
import { SessionTable } from "../../../src/catalog/index/session-table.ts";
import { listAll, listCounted, runMarker } from "../../../src/catalog/list-all.ts";
import { listKnown } from "../../../src/catalog/list-known.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { findSessionRoots, rootOf } from "../../../src/catalog/model/session-roots.ts";
import { NamedRuns } from "../../../src/catalog/sync/named-runs.ts";
import { learnStored } from "../../../src/catalog/sync/stored-names.ts";
import { copyFamily } from "../../support/copied-family.ts";
import { entry, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** A run that its parent knows by name, a session that a person has named so later, and one with another name. */
async function stored() {
	const { env, cache: cacheDir, root, write } = tempAgentDir();
	const directory = copyFamily("agent-session", root);
	const later = { timestamp: "2027-01-01T00:00:00.000Z" };
	const named = (name: string) =>
		lines(
			header({ ...later, id: name }),
			user("u1", null, 40_000_000, "hi"),
			entry("session_info", "n", "u1", 40_000_001, { name }),
		);
	write("--p--/own.jsonl", named("mine#12345678"));
	write("--p--/other.jsonl", named("my notes"));
	const options = { env, cacheDir, blocking: true };
	await listCounted(options);
	const db = await openExistingIndex(cacheDir);
	if (db === undefined) throw new Error("no index");
	const indexRoot = rootOf(await findSessionRoots({ env }));
	const rows = new SessionTable(db, indexRoot).mayBeNamedRuns();
	return { db, root: indexRoot, rows, directory, options };
}

const names = (rows: readonly SessionRow[]) => rows.map(({ name }) => name).sort();

test("the rows that may be named runs are found by an index of their own, and no others", async () => {
	const { db, root, rows } = await stored();
	expect(names(rows)).toEqual(["mine#12345678", "writer#a0000013"]);
	const plan = db
		.prepare(`EXPLAIN QUERY PLAN SELECT path FROM session WHERE root = ? AND ${MAY_BE_NAMED_RUN}`)
		.all(root);
	expect(plan.map(({ detail }) => detail).join()).toContain("session_named");
	db.close();
});

test("their reports are read from the index; a person's session with such a name stays one", async () => {
	const { db, root, rows } = await stored();
	const runs = new NamedRuns();
	runs.marked(rows);
	expect(names(runs.unexplained())).toHaveLength(2);
	expect(learnStored(runs, db, root)).toMatchObject({ isAll: true, rows: [{ name: "writer#a0000013" }] });
	expect(names(runs.unexplained())).toEqual(["mine#12345678"]);
	db.close();
});

test("that a session has changed makes a difference only if it was active when such a session began", async () => {
	const { db, root, rows, directory, options } = await stored();
	db.close();
	const [parent = ""] = readdirSync(directory).sort();
	appendFileSync(join(directory, parent), lines(entry("label", "l1", null, 1, { targetId: "x", label: "y" })));
	// Read, and not counted: what it told before is still known, and the other session began months later.
	await listAll(options);
	const after = await openExistingIndex(options.cacheDir);
	if (after === undefined) throw new Error("no index");
	const runs = new NamedRuns();
	runs.marked(rows);
	expect(learnStored(runs, after, root).isAll).toBe(true);
	const writable = new DatabaseSync(indexPath(options.cacheDir));
	writable.exec("UPDATE session SET counts = NULL, counted_size = -1");
	writable.close();
	const uncounted = new NamedRuns();
	uncounted.marked(rows);
	expect(learnStored(uncounted, after, root).isAll).toBe(false);
	after.close();
});

test("a run that has no name of one, as those of pi-web, is one for every list as soon as its parent has been counted", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	const name = (id: string) => `--p--/2026-09-14T09-00-00-000Z_${id}.jsonl`;
	const [parent, told, named, own] = ["0199-parent", "0199-told", "0199-named", "0199-own"];
	const plain = (id: string) => write(name(id), lines(header({ id }), user("u1", null, 1, `I am ${id}`)));
	const [toldAt, namedAt] = [plain(told), plain(named), plain(own)];
	const result = (id: string, parentId: string, toolName: string, details: object) =>
		entry("message", id, parentId, 2, {
			message: { role: "toolResult", toolName, toolCallId: id, content: [], details },
		});
	const parentAt = write(
		name(parent),
		lines(
			header({ id: parent }),
			user("u1", null, 1, "ask"),
			result("u2", "u1", "Agent", { kind: "pi-web-subagent", sessionId: told, status: "completed" }),
			result("u3", "u2", "subagent", { runId: "r", results: [{ index: 0, exitCode: 0, sessionFile: namedAt }] }),
		),
	);
	const options = { env, cacheDir, blocking: true };
	const runsOf = (rows: readonly SessionRow[]) => {
		const runs = rows.filter(({ run }) => run !== undefined);
		return runs.map(({ path, run }) => [path, run?.parent]).sort();
	};
	const expected = [
		[namedAt, parentAt],
		[toldAt, parentAt],
	];
	expect(runsOf((await listCounted(options)).rows)).toEqual(expected);
	const known = (await listKnown((all) => all, options)) ?? [];
	expect(runsOf(known)).toEqual(expected);
	const chosen: unknown[] = [];
	await listKnown((all) => {
		chosen.push(...all.filter(({ isRun }) => isRun).map(({ path }) => path));
		return [];
	}, options);
	expect(chosen.sort()).toEqual([namedAt, toldAt]);
	const mark = runMarker(await findSessionRoots({ env }), options);
	const unmarked = known.map(({ run: _, ...row }) => row);
	expect(runsOf(await Promise.all(unmarked.map(mark)))).toEqual(expected);
	// Something has changed, so that the files are read again.
	plain("0199-new");
	expect(runsOf(await listAll(options))).toEqual(expected);
	const db = await openExistingIndex(cacheDir);
	const plan = db?.prepare(`EXPLAIN QUERY PLAN SELECT path FROM session WHERE root = ? AND ${HAS_RUN_REPORTS}`).all("");
	expect(plan?.map(({ detail }) => detail).join()).toContain("session_asking");
	db?.close();
});

test("if several sessions report the same run, it belongs to the one that was begun first, without their rows as well", async () => {
	const { env, cache: cacheDir, write } = tempAgentDir();
	const run = write("--p--/run.jsonl", lines(header({ id: "run" }), user("u1", null, 1, "look")));
	const telling = (id: string, timestamp: string) => {
		const details = { runId: "r", results: [{ index: 0, exitCode: 0, sessionFile: run }] };
		const message = { role: "toolResult", toolName: "subagent", toolCallId: "c", content: [], details };
		return write(`--p--/${id}.jsonl`, lines(header({ id, timestamp }), entry("message", "u2", null, 2, { message })));
	};
	const parents: string[] = [];
	// Stored in this order.
	for (const day of ["03", "01", "02"]) {
		parents.push(telling(`p${day}`, `2026-01-${day}T00:00:00.000Z`));
		await listCounted({ env, cacheDir, blocking: true });
	}
	const known = await listKnown((all) => all, { env, cacheDir });
	expect(known?.find(({ path }) => path === run)?.run?.parent).toBe(parents[1]);
});
