import { copyFileSync, utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { listCounted, statsAll } from "../../../src/catalog/list-all.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test.each([".sync-conflict-20260101-000000-ABCDEFG", " copy", " (1)"])(
	"a copy called “x%s” that is older than its session is counted after it, and both are paid for once",
	async (suffix) => {
		const { write, env, base, cache } = tempAgentDir();
		const said = [user("a1", null, 1, "Where is the lexer?"), assistant("a2", "a1", 2, "Here.")];
		const original = write("--p--/2026-01-01T00-00-00-000Z_a.jsonl", lines(header({ id: "a" }), ...said));
		const copy = original.replace(".jsonl", `${suffix}.jsonl`);
		copyFileSync(original, copy);
		utimesSync(copy, 1, 1);
		const options = { env, home: base, cwd: base, cacheDir: cache };
		const { counts } = await listCounted(options);
		expect(counts.get(original)?.cost).toBeCloseTo(0.03);
		expect(await statsAll(options)).toMatchObject({ sessions: 2, cost: expect.closeTo(0.03) });
	},
);
