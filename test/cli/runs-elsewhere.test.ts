import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { familyFiles } from "../support/family.ts";
import { run } from "../support/run.ts";
import { Sandbox } from "../support/sandbox.ts";

test("a run that only its parent's report finds is listed, named by id and path, changed, and brought back", () => {
	const sandbox = new Sandbox();
	onTestFinished(() => sandbox.remove());
	const [asking, ...others] = familyFiles("fresh");
	const own = others.find(({ path }) => path.endsWith("session.jsonl"));
	if (own === undefined) throw new Error("the family has no run");
	const path = join(sandbox.home, "elsewhere", "run.jsonl");
	const write = (file: string, text: string): void => {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	};
	write(path, own.text);
	write(join(sandbox.agentDir, "sessions", "--p--", "parent.jsonl"), asking.text.replaceAll(own.path, path));
	const id = own.entries[0]?.id ?? "";
	// What is said of it must be read first.
	expect(run(sandbox, ["stats"]).code).toBe(0);
	const listed = run(sandbox, ["list", "--runs", "--json"]);
	const runs = JSON.parse(listed.out) as { sessions?: unknown[] } | { path: string }[] as { path: string }[];
	expect(JSON.stringify(runs)).toContain(path);
	for (const word of [String(id), path])
		expect(run(sandbox, ["show", word])).toMatchObject({ code: 0, out: expect.stringContaining("Find the routes") });
	expect(run(sandbox, ["rename", String(id), "Another name", "--yes"])).toMatchObject({ code: 0 });
	expect(run(sandbox, ["delete", String(id), "--yes"])).toMatchObject({ code: 0 });
	expect(existsSync(path)).toBe(false);
	expect(run(sandbox, ["undo", "--yes"])).toMatchObject({ code: 0 });
	expect(existsSync(path)).toBe(true);
	expect(run(sandbox, ["show", String(id)])).toMatchObject({ code: 0 });
	expect(run(sandbox, ["undo", "--yes"])).toMatchObject({ code: 0 });
	expect(run(sandbox, ["show", String(id)]).out.split("\n")[0]).not.toContain("Another name");
});
