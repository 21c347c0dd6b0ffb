import { readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { staleName, turns } from "../support/rewound-session.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";
import { header, name } from "../support/session-builder.ts";

const sandbox = sandboxOfTest();
let path: string;
let before: string;
beforeEach(() => {
	const write = (id: string, ...content: readonly string[]): string =>
		sandbox.write(`${id}.jsonl`, header({ id, cwd: sandbox.home }), ...content);
	path = write("0198-moved", ...turns(40), staleName(3, 500, "Moved by a name"));
	write("0198-sound", ...turns(2), name("n", "a2", 60, "Named at its end"));
	before = readFileSync(path, "utf8");
});

const added = (): string => readFileSync(path, "utf8").slice(before.length);

test("the shell finds and tells it, takes the leaf to the end with one line, and undo takes that back", () => {
	expect(run(sandbox, ["search", "is:rewound"])).toMatchObject({ code: 0, err: "" });
	const told = "Line 82 is not at the end of the conversation: since it was added, pi continues from turn 3 of 40";
	const doctor = run(sandbox, ["doctor", "0198-moved"]);
	expect(doctor).toMatchObject({ code: 0, err: "" });
	expect(doctor.out).toContain(`${told}, and 74 entries are not on its path.  rewound`);

	const asked = run(sandbox, ["forward", "0198-moved"]);
	expect(asked.code).toBe(2);
	expect(asked.err).toContain("pi continues from turn 3 of 40: a name was added there, ");
	expect(asked.err).toContain("74 entries of the conversation are not on its path.");
	expect(added()).toBe("");

	const done = run(sandbox, ["forward", "0198-moved", "--yes", "--json"]);
	expect(JSON.parse(done.out)).toMatchObject({ path, changed: true, rewound: { turn: 3, turns: 40, endId: "a40" } });
	expect(JSON.parse(added())).toMatchObject({ type: "custom", parentId: "a40" });
	expect(run(sandbox, ["search", "is:rewound"]).code).toBe(1);
	expect(run(sandbox, ["forward", "0198-moved", "--yes"])).toEqual({
		code: 1,
		out: "",
		err: "Nothing was done: it already continues from its end.\n",
	});
	expect(run(sandbox, ["undo", "--yes"]).err).toMatch(
		/^Undone: continue “Moved by a name” from its end \(made \w+ at \d+:\d\d\)\n$/,
	);
	expect(run(sandbox, ["search", "is:rewound"]).code).toBe(0);
	expect(run(sandbox, ["doctor", "0198-moved"]).out).toContain(told);
});
