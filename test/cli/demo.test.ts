import { readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDemo } from "../../src/cli/browser/demo.ts";
import { readSession } from "../../src/store/read/read-session.ts";
import { copyFamily } from "../support/copied-family.ts";
import { sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

/** The files in the sandbox's temporary directory. */
function temporary(): string[] {
	return readdirSync(join(sandbox.home, "tmp"));
}

test("without any session the demo opens and says so; its files are removed afterwards", async () => {
	const terminal = sandbox.start();
	const screen = await terminal.waitFor("14 sessions");
	expect(screen.split("\n")[0]).toContain("demo, not your sessions");
	expect(screen).toContain("there are no sessions in ~/.pi/agent/sessions");
	expect(screen).toContain("検索を日本語に対応");
	expect(temporary()).toHaveLength(1);
	terminal.press("ctrl+c");
	expect((await terminal.exit()).code).toBe(0);
	expect(temporary()).toEqual([]);
});

test("--demo opens the demo although there are sessions, and touches none of them", async () => {
	threeSessions(sandbox);
	const before = sandbox.fingerprints();
	const terminal = sandbox.start(["--demo"]);
	await terminal.waitFor("14 sessions");
	terminal.press("ctrl+r");
	await terminal.waitFor(/┌ Rename/);
	terminal.type("\x15Renamed in the demo\r");
	await terminal.waitFor("› Renamed in the demo");
	terminal.signal("SIGTERM");
	expect((await terminal.exit()).code).toBe(143);
	expect(temporary()).toEqual([]);
	expect(sandbox.fingerprints()).toEqual(before);
});

/** What there is instead of the demo, and what is typed for it. */
const NO_DEMO: readonly (readonly [what: string, prepare: () => void, words: readonly string[], shown: RegExp])[] = [
	["words that no session has", () => undefined, ["walrus"], /❯ walrus.* 0 sessions/],
	[
		"everything in the archive",
		() => {
			threeSessions(sandbox);
			renameSync(join(sandbox.agentDir, "sessions"), join(sandbox.agentDir, "session-archive"));
		},
		[],
		/ 0 sessions/,
	],
	[
		"only runs whose parents are gone",
		() => {
			const directory = copyFamily("nested", join(sandbox.agentDir, "sessions"));
			for (const name of readdirSync(directory).filter((one) => one.endsWith(".jsonl"))) rmSync(join(directory, name));
		},
		[],
		/◫ lead.* parent gone /,
	],
];

test.each(NO_DEMO)("with %s there is no demo", async (_what, prepare, words, shown) => {
	prepare();
	const screen = await sandbox.start(words).waitFor(shown);
	expect(screen.split("\n")[0]).not.toContain("demo");
});

test("all its sessions are sound, recent, and linked to their parents", async () => {
	const now = Date.UTC(2027, 0, 1);
	const demo = await createDemo(now);
	try {
		const root = join(demo.agentDir, "sessions");
		const paths = readdirSync(root, { recursive: true, encoding: "utf8" })
			.filter((name) => name.endsWith(".jsonl"))
			.map((name) => join(root, name));
		expect(paths).toHaveLength(14);
		const sessions = await Promise.all(paths.map((path) => readSession(path)));
		expect(
			sessions.filter(({ diagnostics }) => diagnostics.some(({ severity }) => severity === "damage")),
		).toHaveLength(1);
		expect(sessions.filter(({ version }) => version === 1)).toHaveLength(1);
		const times = sessions.flatMap(({ entries }) => entries.map(({ timestamp }) => Date.parse(timestamp)));
		expect(Math.max(...times)).toBe(now - 4 * 60_000);
		const parents = sessions.flatMap(({ header }) => header?.parentSession ?? []);
		expect(parents.filter((parent) => paths.includes(parent))).toHaveLength(2);
		expect(parents).toHaveLength(3);
		for (const path of paths) expect(readFileSync(path, "latin1")).not.toMatch(/@home|@sessions/);
	} finally {
		await demo.remove();
	}
});
