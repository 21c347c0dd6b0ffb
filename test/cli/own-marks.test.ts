import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { run } from "../support/run.ts";
import { Sandbox } from "../support/sandbox.ts";
import { assistant, header, user } from "../support/session-builder.ts";

const sandbox = new Sandbox();
afterAll(() => sandbox.remove());

function mark(id: string, parentId: string): string {
	const timestamp = "2026-11-20T10:00:09.000Z";
	const customType = "pi-grove:resume-point";
	return JSON.stringify({ type: "custom", id, parentId, timestamp, customType, data: { from: parentId } });
}

test("our own marks are in no text of a session, are not counted, and make no forks", () => {
	const directory = join(sandbox.directory(".pi/agent/sessions/--work--"));
	const lines = [
		header({ id: "s-marked", cwd: sandbox.directory("work") }),
		user("aa000001", null, 1, "First"),
		assistant("aa000002", "aa000001", 2, "One."),
		user("bb000001", "aa000002", 3, "Another way"),
		user("aa000003", "aa000002", 4, "Second"),
		assistant("aa000004", "aa000003", 5, "Two."),
		user("aa000005", "aa000004", 6, "Third"),
		assistant("aa000006", "aa000005", 7, "Three."),
		// Resumed from the second answer, and undone.
		mark("cc000001", "aa000004"),
		mark("cc000002", "aa000006"),
	];
	writeFileSync(join(directory, "marked.jsonl"), `${lines.join("\n")}\n`);
	const forms = [
		[],
		["--full"],
		["--all"],
		["--markdown"],
		["--markdown", "--all"],
		["--tree"],
		["--html"],
		["--html", "--all"],
	];
	for (const form of forms) {
		const { code, out, err } = run(sandbox, ["show", "s-marked", ...form]);
		expect(code).toBe(0);
		expect(out).toContain("Second");
		expect(`${out}${err}`).not.toMatch(/pi-grove:|resume-point|[23] entries on other/);
	}
	expect(run(sandbox, ["show", "s-marked"]).err).toBe("");
	// "Second" is where another branch was left, and "Third" is not.
	const tree = run(sandbox, ["show", "s-marked", "--tree"]).out;
	expect(tree).toMatch(/◆ Second/);
	expect(tree).toMatch(/● Third/);
	for (const html of [[], ["--html"]]) {
		const { out } = run(sandbox, ["export", "s-marked", "--all", ...html, "--out", "shared/"]);
		expect(readFileSync(out.trim(), "utf8")).not.toContain("resume-point");
	}
	// Nothing is hidden from who asks for all that is in the file.
	expect(run(sandbox, ["show", "s-marked", "--json", "--all"]).out).toContain("pi-grove:resume-point");
});
