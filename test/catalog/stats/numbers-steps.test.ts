import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, test, vi } from "vitest";
import { openCounting } from "../../support/counting.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

afterEach(() => vi.restoreAllMocks());

test("a step of a pass over all sessions reads its own sessions only: it neither reads nor sorts the others", async () => {
	const { root, cache, write } = tempAgentDir();
	const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
	const counting = await openCounting(root, cache);
	const talk = lines(header(), user("a", null, 1, "hello"), assistant("b", "a", 2, "hi"));
	counting.list(...["1", "2", "3"].map((name) => write(`--p--/${name}.jsonl`, Buffer.from(talk))));
	await counting.count();

	const steps = [...new Set(prepare.mock.calls.map(([sql]) => sql))].filter((sql) =>
		/\b(?:id|counted_change) > \?/.test(sql),
	);
	expect(steps.length).toBeGreaterThanOrEqual(3);
	for (const sql of steps) {
		const plan = counting.db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all("", 0);
		expect(plan.map(({ detail }) => detail)).toEqual([
			sql.includes("counted_change")
				? "SEARCH session USING INDEX session_counted (root=? AND counted_change>?)"
				: "SEARCH session USING INTEGER PRIMARY KEY (rowid>?)",
		]);
	}
});
