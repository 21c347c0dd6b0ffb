import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { describeRun } from "../../../src/catalog/families/run.ts";
import { agentOf, taskOf } from "../../../src/catalog/families/run-agents.ts";
import { listAll } from "../../../src/catalog/list-all.ts";
import { belowTest } from "../../../src/catalog/model/session-links.ts";
import { assistant, entry, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const DATA = { version: 1, parentSessionId: "parent", profile: "worker", description: "look around" };

/** The line with which pi-web begins the session of a run: as it writes it, and as other versions order its fields. */
const FORMS = {
	"as pi writes it": (data: object, second: number): string => {
		const { type, customType, ...rest } = JSON.parse(
			entry("custom", "c1", null, second, { customType: "pi-web:subagent", data }),
		);
		return JSON.stringify({ type, customType, data: rest.data, ...rest });
	},
	"with its id first": (data: object, second: number): string =>
		entry("custom", "c1", null, second, { customType: "pi-web:subagent", data }),
} as const;

test.each(Object.entries(FORMS))(
	"a run that no session has reported is a run, also when its parent was deleted, %s",
	async (_, own) => {
		const { base, env, cache, write } = tempAgentDir();
		const parent = write("--work--/parent.jsonl", lines(header({ id: "parent" }), user("p1", null, 1, "delegate")));
		const said = [user("c2", "c1", 3, "go"), assistant("c3", "c2", 4, "found it")];
		const data = { ...DATA, parentSessionPath: parent };
		const begin = header({ id: "child", parentSession: parent });
		const child = write("--work--/child.jsonl", lines(begin, own(data, 2), ...said));
		// A person's fork of the run has the same entry, and is a fork.
		const later = header({ id: "fork", parentSession: child, timestamp: "2026-01-01T01:00:00.000Z" });
		write("--work--/fork.jsonl", lines(later, own(data, 2), ...said));
		const options = { env, home: base, cwd: base, cacheDir: cache, blocking: true };
		const list = async () => {
			const rows = await listAll(options);
			const isBelow = belowTest(new Map(rows.map(({ path, run }) => [path, run])));
			return new Map(rows.map((row) => [row.id, { row, isBelow: isBelow(row.path) }]));
		};
		for (const isThere of [true, false]) {
			if (!isThere) rmSync(parent);
			// Without an index, and with one.
			for (let time = 0; time < 2; time++) {
				const rows = await list();
				const run = rows.get("child");
				if (run === undefined) throw new Error("not listed");
				expect(run).toMatchObject({ isBelow: isThere, row: { run: { parent } } });
				expect([agentOf(run.row), taskOf(run.row)]).toEqual(["worker", "look around"]);
				const facts = describeRun({ report: undefined, session: run.row }, undefined, { isLive: true });
				expect(facts).toMatchObject({ agent: "worker", task: "look around", state: "running" });
				expect(rows.get("fork")?.row).toMatchObject({ parentSession: child });
				expect(rows.get("fork")?.row.run).toBeUndefined();
			}
		}
	},
);
