import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inShort } from "../support/cases.ts";
import { EditingSession } from "../support/editing-session.ts";
import { run } from "../support/run.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

const FORMS = ["NFC", "NFD"] as const;

/** macOS hands out names in one form and people type the other. */
describe.each(inShort(FORMS, (stored) => stored === "NFD"))("what is stored as %s", (stored) => {
	const typed = stored === "NFC" ? "NFD" : "NFC";

	test(`is found when it is typed as ${typed}`, () => {
		const name = "Résumé für Zoë".normalize(stored);
		const project = "work/Café 한글".normalize(stored);
		sandbox.session({ project, age: 5, name, messages: [{ role: "user", text: "naïve Übung".normalize(stored) }] });
		const editing = new EditingSession("01a10001-0000-7000-8000-000000000001", join(sandbox.home, project), Date.now());
		editing.prompt("Write it");
		editing.write("src/Größe.ts".normalize(stored), "export {};\n");
		editing.save(sandbox.agentDir);
		for (const [query, count] of [
			["résumé", 1],
			['"für zoë"', 1],
			["naïve übung", 1],
			["project:café", 2],
			["project:한글", 2],
			["file:größe", 1],
			["re:r.sum", 1],
		] as const) {
			const { out, err } = run(sandbox, ["search", "--json", query.normalize(typed)]);
			expect({ query, found: JSON.parse(out).length, err }).toEqual({ query, found: count, err: "" });
		}
		const prompts = run(sandbox, ["prompts", "--json", "übung".normalize(typed)]);
		expect(JSON.parse(prompts.out)).toHaveLength(1);
	});

	test("is printed as it is for programs, and in one form for a person", () => {
		const name = "Résumé".normalize(stored);
		sandbox.session({ project: "work/api", age: 5, name, messages: [{ role: "user", text: "x" }] });
		expect(JSON.parse(run(sandbox, ["list", "--json"]).out)[0].name).toBe(name);
		expect(run(sandbox, ["list"]).out).toContain(`\t${"Résumé".normalize("NFC")}\n`);
	});
});

test("a session with the line ends of Windows is listed, shown, searched, summed up and appended to as any other", () => {
	const { parser } = threeSessions(sandbox);
	const shown = ["show", "session-0001", "--markdown"];
	const before = { show: run(sandbox, shown), tree: run(sandbox, ["show", "session-0001", "--tree"]) };
	const text = readFileSync(parser, "utf8").replaceAll("\n", "\r\n");
	writeFileSync(parser, text);
	expect(run(sandbox, shown)).toEqual(before.show);
	expect(run(sandbox, ["show", "session-0001", "--tree"])).toEqual(before.tree);
	const [row] = JSON.parse(run(sandbox, ["list", "--json", "--named"]).out);
	expect(row).toMatchObject({ path: parser, messages: 6, diagnostics: [] });
	expect(run(sandbox, ["search", "newline"]).code).toBe(0);
	expect(run(sandbox, ["doctor", "session-0001"]).code).toBe(0);
	expect(run(sandbox, ["rename", "session-0001", "--yes", "Another name"]).code).toBe(0);
	const after = readFileSync(parser, "utf8");
	expect(after.startsWith(text)).toBe(true);
	expect(after.slice(text.length)).toMatch(/^\{"type":"session_info".*"name":"Another name".*\}\r?\n$/);
});
