import { readFileSync } from "node:fs";
import { beforeEach, expect, test } from "vitest";
import { staleName, turns } from "../support/rewound-session.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest } from "../support/sandbox.ts";
import { header, name } from "../support/session-builder.ts";

// The program is started a dozen times, and a busy machine takes seconds for each.

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
	expect(asked.err).toContain("pi goes on from turn 3 of 40: a name was added there, ");
	expect(asked.err).toContain("74 entries of the conversation are not on its path.");
	expect(added()).toBe("");

	const done = run(sandbox, ["forward", "0198-moved", "--yes", "--json"]);
	expect(JSON.parse(done.out)).toMatchObject({ path, changed: true, rewound: { turn: 3, turns: 40, endId: "a40" } });
	expect(JSON.parse(added())).toMatchObject({ type: "custom", parentId: "a40" });
	expect(run(sandbox, ["search", "is:rewound"]).code).toBe(1);
	expect(run(sandbox, ["forward", "0198-moved", "--yes"])).toEqual({
		code: 1,
		out: "",
		err: "Nothing was done: it goes on from its end already.\n",
	});
	expect(run(sandbox, ["undo", "--yes"]).err).toMatch(
		/^Undone: go on from the end of “Moved by a name” \(made \w+ at \d+:\d\d\)\n$/,
	);
	expect(run(sandbox, ["search", "is:rewound"]).code).toBe(0);
	expect(run(sandbox, ["doctor", "0198-moved"]).out).toContain(told);
});

test("the list and the tree tell it; a key takes the leaf to the end after asking, undo takes that back, resuming asks", async () => {
	sandbox.installPi('echo "pi ran"; read -r line');
	const terminal = sandbox.start([], { columns: 160, rows: 45 });
	await terminal.waitFor("Moved by a name  goes on from turn 3 of 40");
	await terminal.waitFor("pi goes on from turn 3 of 40 ");
	expect(terminal.screen).not.toContain("Named at its end  from");
	terminal.type("is:rewound");
	await terminal.waitFor("1/1");
	terminal.press("<forward>");
	await terminal.waitFor("┌ Go on from the end again?");
	terminal.press("enter");
	await terminal.waitFor("goes on from its end");
	await terminal.waitFor("0 of 2");
	expect(JSON.parse(added())).toMatchObject({ type: "custom", parentId: "a40" });
	terminal.press("ctrl+_");
	await terminal.waitFor("Undone: go on from the end");
	// The list counts a session that was written to again after two seconds.
	await terminal.waitFor("Moved by a name  goes on from turn 3 of 40");
	terminal.press("enter");
	await terminal.waitFor("┌ Resume from where?");
	await terminal.waitFor("› From the end of the conversation: adds one line to the session");
	expect(added().trimEnd().split("\n")).toHaveLength(2);
	terminal.press("enter");
	await terminal.waitFor("pi ran");
	expect(JSON.parse(added().trimEnd().split("\n")[2] ?? "")).toMatchObject({ type: "custom", parentId: "a40" });
});

test("in the tree the same key asks; to be asked, and to resume as pi would, adds nothing; a check offers it for such a finding", async () => {
	sandbox.installPi('echo "pi ran"; read -r line');
	const terminal = sandbox.start([], { columns: 80, rows: 24 });
	await terminal.waitFor("Moved by a name  from turn 3/40");
	terminal.press("right");
	await terminal.waitFor("tree ❯");
	terminal.press("<forward>");
	await terminal.waitFor("pi goes on from turn 3 of 40: a name was added there");
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("┌"));
	terminal.press("enter");
	await terminal.waitFor("┌ Resume from where?");
	terminal.press("down", "enter");
	await terminal.waitFor("pi ran");
	terminal.press("enter");
	await terminal.waitFor("tree ❯");
	expect(added()).toBe("");

	terminal.press("left");
	await terminal.waitFor("Moved by a name  from turn 3/40");
	terminal.press("<check>");
	await terminal.waitFor("1 moved leaf");
	terminal.type("f");
	await terminal.waitFor("┌ Go on from the end again?");
	terminal.press("enter");
	await terminal.waitFor("goes on from its end");
	expect(JSON.parse(added())).toMatchObject({ type: "custom", parentId: "a40" });
});
