import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type AttackCase, attack } from "../support/attack.ts";
import { inLong } from "../support/cases.ts";
import { fixtureDir } from "../support/fixture.ts";
import { changedLines } from "../support/hostile-session.ts";
import { faultsIn } from "../support/page.ts";
import { foreignIn, PAYLOADS } from "../support/payloads.ts";
import { Sandbox } from "../support/sandbox.ts";
import { runSoundly } from "../support/sound-output.ts";

const FIXTURES = ["every-entry-type", "branches", "conversation", "names", "orphaned-results", "v1", "pi-1.5.2"];

/** `S` stands for the path of a session, `E` for an entry of it, `P` for a payload. */
const COMMANDS: readonly (readonly string[])[] = [
	["list"],
	["list", "--json"],
	["list", "P"],
	["stats"],
	["stats", "--json"],
	["show", "S"],
	["show", "S", "--all", "--full"],
	["show", "S", "--tree"],
	["show", "S", "--json"],
	["show", "S", "--markdown"],
	["show", "S#E"],
	["show", "P"],
	["path", "P"],
	["standup"],
	["doctor"],
	["doctor", "S"],
	["search", "a"],
	["search", "a", "--json"],
	["search", "P"],
	["prompts"],
	["prompts", "--json"],
	["commands"],
	["files"],
	["files", "S"],
	["blame", "P"],
	["tidy"],
	["rename", "S", "xPy", "--yes"],
	["label", "S#E", "xPy", "--yes"],
	["branch", "S#E", "--yes"],
	["history"],
	["history", "--json"],
	["delete", "S", "--yes"],
	["restore"],
	["undo", "--yes"],
	["export", "S", "--yes"],
	["P"],
	["list", "--P"],
	["completions", "P"],
	["help", "P"],
];

/** What is pressed for each page and each box, in the list. */
const PAGES: readonly (readonly string[])[] = [
	["down"],
	["right", "\x01", "<mark-all>", "end", "home"],
	["right", "right", "pageDown", "end", "t", "h", "<full-page>"],
	["right", "tab", "down", "space", "down", "space", "enter"],
	["right", "alt+l"],
	["right", "<delete>"],
	["ctrl+r"],
	["ctrl+d"],
	["<tags>"],
	["alt+n"],
	["<projects>"],
	["<check>", "enter"],
	["<maintenance>"],
	["\x1b[21~"],
	["\x1bOR"],
	["<stats>", "down", "end"],
	["ctrl+k"],
	["ctrl+k"],
	["<path>"],
	["<mark-all>", "<stage>"],
	["a"],
	["a", "enter"],
];

/** Sizes of the terminal, one after the other. */
const SIZES = [
	[160, 45],
	[80, 24],
	[120, 40],
	[40, 10],
] as const;

/** Commands, and pages of the browser, of one case. */
const [AT_ONCE, PAGES_AT_ONCE] = inLong([8, 3], [4, 1]);

attack("payloads in any field and argument: nothing that a shell prints, and no page, obeys them", 1, (one) => {
	const sandbox = new Sandbox();
	try {
		const paths = threeHostile(sandbox, one);
		const path = one.pick(paths);
		const ids = [...readFileSync(path, "utf8").matchAll(/"id":"([\w-]+)"/g)].flatMap(([, id]) => id ?? []);
		const filled = (text: string): string =>
			text
				.replace(/^S(?=#|$)/, () => path)
				.replace(/#E$/, () => `#${ids.length === 0 ? "none" : one.pick(ids)}`)
				.replace("P", () => payloadOf(one).replaceAll("\0", "").toWellFormed().slice(0, 500));
		for (let count = 0; count < AT_ONCE; count++) runSoundly(sandbox, one.pick(COMMANDS).map(filled));
		const page = join(sandbox.home, "page.html");
		const source = paths.find((from) => runSoundly(sandbox, ["export", from, "--all", "--out", page]).code === 0);
		if (source !== undefined) expect(faultsIn(readFileSync(page, "utf8"))).toEqual([]);
		return AT_ONCE + 1;
	} finally {
		sandbox.remove();
	}
});

attack("payloads in any field: no page and no box of the browser obeys them, or breaks", 1, async (one) => {
	const sandbox = new Sandbox();
	try {
		threeHostile(sandbox, one);
		for (let shown = 0; shown < PAGES_AT_ONCE; shown++) {
			const [columns, rows] = one.pick(SIZES);
			const terminal = sandbox.start([], { columns, rows });
			await terminal.waitFor(/3 sessions|\d\/3/);
			const keys = one.pick(PAGES);
			if (one.random() < 0.5) terminal.press("down");
			terminal.press(...keys);
			const [width, height] = one.pick(SIZES);
			// A new size draws everything anew, after what was pressed.
			const drawnAt = async (newHeight: number): Promise<void> => {
				const drawn = terminal.written.length;
				terminal.resize(width, newHeight);
				await terminal.waitFor(() => terminal.written.length > drawn);
				expect(foreignIn(terminal.written), keys.join(" ")).toBeUndefined();
			};
			await drawnAt(height + 1 + one.below(3));
			terminal.press("down", "pageDown");
			await drawnAt(height + 5);
			expect(terminal.hasExited).toBe(false);
			terminal.kill();
			await terminal.exit();
		}
		return PAGES_AT_ONCE;
	} finally {
		sandbox.remove();
	}
});

function payloadOf({ pick }: AttackCase): string {
	return pick(pick(PAYLOADS));
}

/** The paths of three sessions that hold payloads. */
function threeHostile(sandbox: Sandbox, one: AttackCase): string[] {
	return [1, 2, 3].map((number) => writeHostile(sandbox, number, () => payloadOf(one), one));
}

/** Fields that make an entry what it is: now and then a payload is put into them too. */
const STRUCTURE =
	/"(type|timestamp|role|stopReason|toolCallId|id|parentId|customType|cwd|version|thinkingLevel)":"([^"\\]*)"/g;

/** A session with payloads in half of its fields, in its file's name, and now and then in its directory's. */
function writeHostile(sandbox: Sandbox, number: number, payload: () => string, { random, below }: AttackCase): string {
	const inName = (text: string): string =>
		text
			.toWellFormed()
			.replace(/[/\0\ufffd]/g, "")
			.slice(0, 40);
	const directory = join(sandbox.agentDir, "sessions", random() < 0.3 ? `--${inName(payload())}--` : "--p--");
	mkdirSync(directory, { recursive: true });
	const fixture = join(fixtureDir, `${FIXTURES[below(FIXTURES.length)]}.jsonl`);
	const lines = changedLines(fixture, (text) => {
		const at = below(text.length + 1);
		return random() < 0.5 ? text : text.slice(0, at) + payload() + text.slice(at);
	}).split("\n");
	const changed = lines.map((line, index) =>
		line.replace(STRUCTURE, (whole, name: string, value: string) =>
			(index === 0 && name === "type") || random() < 0.95
				? whole
				: `"${name}":${JSON.stringify(value + payload()).replaceAll("\u2028", "\\u2028")}`,
		),
	);
	const path = join(directory, `${number}${inName(payload())}.jsonl`);
	writeFileSync(path, changed.join("\n"));
	return path;
}
