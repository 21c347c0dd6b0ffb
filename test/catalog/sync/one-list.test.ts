import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { listAll, listCounted } from "../../../src/catalog/list-all.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { belowTest } from "../../../src/catalog/model/session-links.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { copyFamily } from "../../support/copied-family.ts";
import { familyNames } from "../../support/family.ts";
import { writeRandomFamily } from "../../support/random-families.ts";
import { header, lines, message, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** Who is listed, and below whom. */
function listOf(rows: readonly SessionRow[]): ReadonlyMap<string, string> {
	const isBelow = belowTest(new Map(rows.map(({ path, run }) => [path, run])));
	const said = rows.map(({ path, run }) => {
		return [
			path,
			run === undefined ? "a session" : `${isBelow(path) ? "a run" : "a run of a deleted session"} of ${run.parent}`,
		];
	});
	return new Map(said.sort() as [string, string][]);
}

/** Collections of sessions, each written into the directory of all sessions. */
const COLLECTIONS: Readonly<Record<string, (root: string, base: string) => void>> = {
	"all families": (root) => {
		for (const name of familyNames) copyFamily(name, root);
	},
	"random families": (root) => {
		for (let seed = FIRST_SEED; seed < FIRST_SEED + caseCount(8, 50); seed += 1)
			writeRandomFamily(join(root, "--work--"), seed);
	},
	"a run whose session is where only its parent says": (root, base) => {
		writeIn(join(base, "elsewhere", "any.jsonl"), header({ id: "run" }), user("e1", null, 1, "look"));
		reportIn(root, { agent: "scout", exitCode: 0, sessionFile: join(base, "elsewhere", "any.jsonl") });
	},
	"a run beside its parent, which only that says": (root) => {
		writeIn(join(root, "--work--", "beside.jsonl"), header({ id: "run" }), user("e1", null, 1, "look"));
		reportIn(root, { agent: "scout", exitCode: 0, sessionFile: join(root, "--work--", "beside.jsonl") });
	},
	"runs whose parent is gone": (root) => {
		const [path] = readdirSync(copyFamily("nested", root)).filter((name) => name.endsWith(".jsonl"));
		rmSync(join(root, "--work-nested--", path ?? ""));
	},
};

function writeIn(path: string, ...all: readonly string[]): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, lines(...all));
}

/** A session that reports this run. */
function reportIn(root: string, result: object): void {
	const details = { mode: "single", runId: "00000001", results: [{ index: 0, task: "look", ...result }] };
	const said = { role: "toolResult", toolCallId: "c", toolName: "subagent", content: [], details, isError: false };
	writeIn(join(root, "--work--", "parent.jsonl"), header({ id: "parent" }), message("f1", null, 9, said));
}

test.each(Object.entries(COLLECTIONS))(
	"with %s the same is listed in text and in JSON, with and without an index, in this thread and in the catalog's",
	async (_, write) => {
		const { base, root, env } = tempAgentDir();
		write(root, base);
		const options = { env, home: base, cwd: base, archived: true };
		const cacheDir = join(base, "counted");
		const expected = listOf((await listCounted({ ...options, blocking: true, cacheDir })).rows);
		for (const blocking of [true, false]) {
			const fresh = { ...options, blocking, cacheDir: join(base, `fresh-${blocking}`) };
			expect(listOf(await listAll(fresh)), "without an index").toEqual(expected);
			expect(listOf(await listAll(fresh)), "once more").toEqual(expected);
			expect(listOf(await listAll({ ...options, blocking, cacheDir })), "after counting").toEqual(expected);
			expect(listOf((await listCounted(fresh)).rows), "counted").toEqual(expected);
		}
	},
);
