import { linkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listAll } from "../../src/catalog/list-all.ts";
import { standup } from "../../src/cli/commands/standup.ts";
import { printFields, printJsonList } from "../../src/cli/print/output.ts";
import { cleanText } from "../../src/ui/text/sanitize.ts";
import { countCalls } from "../support/counted-calls.ts";
import { run } from "../support/run.ts";
import { Sandbox, threeSessions } from "../support/sandbox.ts";

let sandbox: Sandbox;
let parser: string;
beforeEach(() => {
	sandbox = new Sandbox();
	parser = threeSessions(sandbox).parser;
});
afterEach(() => {
	vi.unstubAllEnvs();
	sandbox.remove();
});

test("a second name of a listed session is told by the list and by the doctor, and counted once", () => {
	const link = join(parser, "..", "link.jsonl");
	symlinkSync(parser, link);
	const why = `pi-grove: ${link} is not listed on its own: it is a symbolic link to ${parser}, which is listed.\n`;
	expect(run(sandbox, ["list"]).err).toBe(why);
	expect(run(sandbox, ["doctor"]).err).toBe(why);
	const hard = join(parser, "..", "hard.jsonl");
	linkSync(parser, hard);
	expect(run(sandbox, ["list"]).err).toContain("under a second name (a hard link)");
	expect(run(sandbox, ["doctor", parser]).err).not.toContain("link");
});

test("standup opens no file in which nothing was said", async () => {
	for (let index = 0; index < 50; index++)
		writeFileSync(join(parser, "..", `other-${index}.jsonl`), `{"event":"click","n":${index}}\n`);
	for (const [name, value] of Object.entries(sandbox.env)) vi.stubEnv(name, value);
	const out = spyOnOutput();
	try {
		await listAll();
		const calls = countCalls();
		expect(await standup({ words: [], since: "2000" })).toBe(0);
		expect(out.mock.calls.map(([text]) => text).join("")).toContain("3 sessions · ");
		expect(calls.opened).toHaveLength(3);
	} finally {
		out.mockRestore();
	}
});

test("what is listed is made and printed some rows at a time", async () => {
	const rows = Array.from({ length: 5000 }, (_, index) => ({ id: index, title: "x".repeat(100) }));
	const out = spyOnOutput();
	try {
		await printJsonList(rows);
		const texts = out.mock.calls.map(([text]) => String(text));
		expect(JSON.parse(texts.join(""))).toEqual(rows);
		const whole = `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`;
		expect(texts.join("")).toBe(whole);
		expect(Math.max(...texts.map(({ length }) => length))).toBeLessThan(whole.length / 4);
		out.mockClear();
		let most = 0;
		await printFields(rows, ({ id, title }) => {
			most = Math.max(most, id - out.mock.calls.length * 1000);
			return [cleanText(String(id)), cleanText(title)];
		});
		expect(most).toBeLessThan(1000);
		expect(out.mock.calls.map(([text]) => text).join("")).toBe(
			rows.map(({ id, title }) => `${id}\t${title}\n`).join(""),
		);
		out.mockClear();
		await printJsonList([]);
		expect(out.mock.calls.map(([text]) => text)).toEqual(["[]\n"]);
	} finally {
		out.mockRestore();
	}
});

/** What is printed is kept, and taken for written at once. */
function spyOnOutput() {
	return vi.spyOn(process.stdout, "write").mockImplementation((...args: readonly unknown[]) => {
		for (const arg of args) if (typeof arg === "function") arg();
		return true;
	});
}
