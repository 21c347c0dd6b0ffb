import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Sandbox } from "../support/sandbox.ts";
import { assistant, header, lines, user } from "../support/session-builder.ts";

let sandbox: Sandbox;
beforeEach(() => {
	sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

/** The lines of `session-builder.ts` as if they had been written today. */
function today(...content: readonly string[]): string[] {
	const shift = new Date().setUTCHours(0, 0, 0, 0) - Date.UTC(2026, 0, 1);
	return content.map((line) =>
		line
			.replace(
				/"timestamp":"([^"]+)"/g,
				(_, iso: string) => `"timestamp":"${new Date(Date.parse(iso) + shift).toISOString()}"`,
			)
			.replace(/"timestamp":(\d+)/g, (_, ms: string) => `"timestamp":${Number(ms) + shift}`),
	);
}

/** Three sessions in two projects; each answer costs $0.03, and one of three in the first session is on an abandoned branch. */
function threeCounted(): void {
	const directory = join(sandbox.agentDir, "sessions", "--work--");
	mkdirSync(directory, { recursive: true });
	const write = (name: string, project: string, ...content: readonly string[]): void => {
		const first = header({ id: name, cwd: sandbox.directory(join("work", project)) });
		writeFileSync(join(directory, `${name}.jsonl`), lines(...today(first, ...content)));
	};
	const ask = user("a1", null, 1, "Why is it slow?");
	const branch = [assistant("a2", "a1", 2, "The cache is cold."), assistant("a3", "a1", 3, "The disk is slow.")];
	write("one", "api", ask, ...branch, assistant("a4", "a3", 4, "It is full."));
	write("two", "api", user("b1", null, 1, "Find the retry loop"), assistant("b2", "b1", 5, "It is in client.ts."));
	write("three", "site", user("c1", null, 1, "検索を速くして"), assistant("c2", "c1", 6, "対応しました。"));
}

test("what is counted is shown in the list by enter, and escape leads back, step by step", async () => {
	threeCounted();
	const before = sandbox.fingerprints();
	const terminal = sandbox.start([], { columns: 90, rows: 30, env: { TZ: "UTC" } });
	await terminal.waitFor("1/3");
	terminal.press("<stats>");
	await terminal.waitFor(/── statistics of 3 sessions ─+ \d+\/\d+ ─/);
	await terminal.waitFor(/› ~\/work\/api +━+╍+ .* 2$/m);
	await terminal.waitFor(/~\/work\/site +━+╸? .* 1$/m);
	terminal.press("enter");
	await terminal.waitFor((screen) => /❯ project:=\S+\/work\/api +2 /.test(screen) && !screen.includes("statistics"));
	await terminal.waitFor((screen) => screen.includes("Find the retry loop") && !screen.includes("検索"));
	terminal.press("escape");
	await terminal.waitFor("statistics of 3 sessions");
	terminal.press("escape");
	await terminal.waitFor("検索を速くして");

	terminal.press("<stats>");
	await terminal.waitFor("› ~/work/api");
	terminal.press("down");
	terminal.press("down");
	await terminal.waitFor(/› claude-sonnet-4-5 +━+/);
	terminal.press("enter");
	await terminal.waitFor(/❯ model:claude-sonnet-4-5 +3 /);
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("❯ model:") && screen.includes("statistics of 3 sessions"));
	terminal.press("escape");
	await terminal.waitFor("検索を速くして");

	terminal.press("<stats>");
	await terminal.waitFor("› claude-sonnet-4-5");
	// Into the days, to today at the end of its row.
	for (let up = 0; up < 3 + 6; up++) terminal.press("up");
	await terminal.waitFor("[]");
	for (let down = (new Date().getUTCDay() + 6) % 7; down > 0; down--) terminal.press("down");
	await terminal.waitFor(/\[\] ◂$/m);
	await terminal.waitFor(/(today|\w{3}|\d+ \w{3}( \d{4})?) · \$/);
	terminal.press("enter");
	await terminal.waitFor(/❯ on:\d{4}-\d\d-\d\d +[123] /);
	terminal.press("escape");
	await terminal.waitFor((screen) => !screen.includes("❯ on:"));
	terminal.press("ctrl+q");
	expect((await terminal.exit()).code).toBe(0);
	expect(sandbox.fingerprints()).toEqual(before);
});
