import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { indexPath } from "../../../src/catalog/index/open-index.ts";
import { HAS_RUN_REPORTS, MAY_NAME_RUNS } from "../../../src/catalog/index/schema.ts";
import { listAll, listCounted, runMarker } from "../../../src/catalog/list-all.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { findSessionRoots } from "../../../src/catalog/model/session-roots.ts";
import { listKnown } from "../../../src/catalog/snapshot.ts";
import { copyFamily } from "../../support/copied-family.ts";
import { entry, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** The details of what SQLite does for a query. */
function planOf(cacheDir: string, condition: string): string {
	const db = new DatabaseSync(indexPath(cacheDir), { readOnly: true });
	const plan = db.prepare(`EXPLAIN QUERY PLAN SELECT path FROM session WHERE root = ? AND ${condition}`).all("");
	db.close();
	return plan.map(({ detail }) => detail).join();
}

test("a person's session with the name of a run stays one; SQLite finds both in indexes of their own", async () => {
	const { env, cache: cacheDir, root, write } = tempAgentDir();
	copyFamily("agent-session", root);
	const named = (name: string) =>
		lines(
			header({ timestamp: "2027-01-01T00:00:00.000Z", id: name }),
			user("u1", null, 40_000_000, "hi"),
			entry("session_info", "n", "u1", 40_000_001, { name }),
		);
	write("--p--/own.jsonl", named("mine#12345678"));
	write("--p--/other.jsonl", named("my notes"));
	const options = { env, cacheDir, blocking: true };
	const runs = (rows: readonly SessionRow[] = []) =>
		rows.filter(({ run }) => run !== undefined).map(({ name }) => name);
	// Without an index the reports have to be read, and then the index has them.
	expect(runs(await listAll(options))).toEqual(["writer#a0000013"]);
	expect(runs(await listKnown((all) => all, options))).toEqual(["writer#a0000013"]);
	expect(planOf(cacheDir, MAY_NAME_RUNS)).toContain("session_naming");
	expect(planOf(cacheDir, HAS_RUN_REPORTS)).toContain("session_asking");
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
