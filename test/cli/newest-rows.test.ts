import { appendFileSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import type { Arguments } from "../../src/cli/arguments/arguments.ts";
import { listNewest } from "../../src/cli/find/newest-rows.ts";
import { countCalls } from "../support/counted-calls.ts";
import { header, lines, user } from "../support/session-builder.ts";
import { tempAgentDir } from "../support/temp-dir.ts";

afterEach(() => {
	vi.unstubAllEnvs();
});

/** Eight sessions, one a second, of which the third is damaged, the fifth has a name and the last two are archived. */
function sessions() {
	const folder = tempAgentDir();
	vi.stubEnv("PI_CODING_AGENT_DIR", folder.agent);
	vi.stubEnv("PI_CODING_AGENT_SESSION_DIR", undefined);
	vi.stubEnv("XDG_CACHE_HOME", folder.base);
	const paths = Array.from({ length: 8 }, (_, at) => {
		const named = at === 4 ? ['{"type":"session_info","id":"n1","parentId":"u1","timestamp":"","name":"Named"}'] : [];
		const damaged = at === 2 ? ["damaged"] : [];
		const text = lines(header({ cwd: `/work/${at % 2}` }), user("u1", null, at, `hello ${at}`), ...named, ...damaged);
		return folder.write(`p${at % 2}/${at}.jsonl`, text);
	});
	for (const at of [6, 7]) {
		const archived = join(folder.agent, "session-archive", `p${at % 2}`);
		mkdirSync(archived, { recursive: true });
		renameSync(paths[at] ?? "", join(archived, `${at}.jsonl`));
	}
	return { ...folder, paths };
}

const ASKED: readonly (readonly [asked: Omit<Arguments, "words">, titles: string, damaged: number, others: number])[] =
	[
		[{}, "543210", 1, 2],
		[{ limit: 2 }, "54", 1, 2],
		[{ limit: 0 }, "", 1, 2],
		[{ limit: 1, archived: true }, "7", 0, 6],
		[{ limit: 9, since: "2026-01-01" }, "543210", 1, 2],
		[{ since: "2030" }, "", 0, 0],
		[{ limit: 1, cwd: "/work/0" }, "4", 1, 1],
		[{ named: true }, "4", 0, 0],
	];

test("a list from the index is the one from the files: order, filters, damage, the archive, and what the limit cuts off", async () => {
	sessions();
	const ask = async ([given, titles, damaged, others]: (typeof ASKED)[number]) => {
		const found = await listNewest({ words: [], ...given });
		const shown = found.rows.map((row) => row.firstMessage.replace("hello ", "")).join("");
		const lost = found.listed.filter((session) => session.damaged).length;
		expect([given, shown, lost, found.others]).toEqual([given, titles, damaged, others]);
		return found;
	};
	const read = await ask([{}, "543210", 1, 2]);
	// From now on, nothing but the index is read.
	const calls = countCalls();
	for (const asked of ASKED) await ask(asked);
	expect(calls.opened).toEqual([]);
	expect((await ask([{}, "543210", 1, 2])).rows).toEqual(read.rows);
});

test("of a list that is cut off, only the rows that it prints are read from the index; a changed session is noticed", async () => {
	const { paths } = sessions();
	await listNewest({ words: [] });
	const parse = vi.spyOn(JSON, "parse");
	const { rows } = await listNewest({ words: [], limit: 2 });
	expect(rows.map(({ path }) => path)).toEqual([paths[5], paths[4]]);
	expect(parse.mock.calls.filter(([text]) => text.includes("firstMessage"))).toHaveLength(2);
	parse.mockRestore();
	appendFileSync(paths[0] ?? "", lines(user("u2", "u1", 50, "again")));
	const calls = countCalls();
	expect((await listNewest({ words: [], limit: 1 })).rows).toMatchObject([{ path: paths[0], messageCount: 2 }]);
	// It is read here: with so little to read, starting a thread would take longer.
	expect(calls.threads).toBe(0);
});

test("runs of subagents are counted, and listed on demand, from the files as from the index", async () => {
	const folder = sessions();
	const family = (folder.paths[5] ?? "").replace(/\.jsonl$/, "");
	for (const [at, path] of [`${family}/r/run-0/session.jsonl`, `${family}/forks/9.jsonl`].entries()) {
		const text = lines(header({ cwd: "/work/1" }), user("u1", null, 10 + at, `hello r${at}`));
		folder.write(path.slice(folder.root.length + 1), text);
	}
	const titlesOf = async (given: Omit<Arguments, "words">): Promise<unknown> => {
		const { rows, listed, runs } = await listNewest({ words: [], ...given });
		return [rows.map((row) => row.firstMessage.replace("hello ", "")).join(" "), listed.length, runs];
	};
	for (let start = 0; start < 2; start++) {
		expect(await titlesOf({ limit: 1 })).toEqual(["5", 6, 2]);
		expect(await titlesOf({ limit: 3, runs: true })).toEqual(["r1 r0 5", 8, 0]);
		expect(await titlesOf({ cwd: "/work/1" })).toEqual(["5 3 1", 3, 2]);
		expect(await titlesOf({ archived: true })).toEqual(["7 6", 2, 2]);
	}
});
