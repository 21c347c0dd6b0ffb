import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readBranches } from "../../../src/catalog/branches/read-branches.ts";
import { NOT_SCANNED, scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { findAll } from "../../../src/catalog/search-all.ts";
import { isObject } from "../../../src/shared/json.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { renameSession } from "../../../src/store/actions/session-actions.ts";
import { examineSteps } from "../../../src/store/doctor/examine-session.ts";
import { repairBeside } from "../../../src/store/doctor/repair-session.ts";
import { holdFile } from "../../../src/store/held/hold-file.ts";
import { readChecked, readHeld } from "../../../src/store/held/hold-session.ts";
import { SessionManager } from "../../../src/store/manager/session-manager.ts";
import { readSession, type Session } from "../../../src/store/read/read-session.ts";
import { inShort } from "../../support/cases.ts";
import { openCounting } from "../../support/counting.ts";
import { queryOf } from "../../support/follow-search.ts";
import { assistant, header, label, lines, name, toolResult, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** A session with a branch, a label, a name, and text that only looks like two objects on a line. */
function sessionLines(padding = 0): readonly string[] {
	const text = '{"a":1}{"b":2} }{" walnut '.padEnd(padding, "x");
	return [
		header(),
		user("00000001", null, 1, "first walnut"),
		assistant("00000002", "00000001", 2, text, [{ type: "toolCall", id: "c1", name: "bash", arguments: {} }]),
		toolResult("00000003", "00000002", 3, "ends with }{", "}{"),
		user("00000004", "00000002", 4, "another walnut"),
		assistant("00000005", "00000004", 5, "yes"),
		label("00000006", "00000005", 6, "00000004", "here"),
		name("00000007", "00000006", 7, "Named"),
	];
}

const ended = (line: string): string => `${line}\n`;
/** Some of the lines without the `\n` behind them. */
const glued = (all: readonly string[], ...at: readonly number[]): string =>
	all.map((line, index) => (at.includes(index) ? line : ended(line))).join("");

const LONG = 700_000;
const files: readonly (readonly [what: string, plain: string, odd: string, codes: readonly string[]])[] = [
	["two on a line", lines(...sessionLines()), glued(sessionLines(), 2), ["glued-line"]],
	[
		"with blanks in the JSON",
		spaced(sessionLines()),
		glued(spaced(sessionLines()).trimEnd().split("\n"), 1, 5),
		["glued-line", "glued-line"],
	],
	[
		"all on one line",
		lines(...sessionLines()),
		glued(sessionLines(), 0, 1, 2, 3, 4, 5, 6),
		Array(7).fill("glued-line"),
	],
	["behind a long line", lines(...sessionLines(LONG)), glued(sessionLines(LONG), 2), ["glued-line"]],
	[
		"written twice",
		lines(...sessionLines()),
		lines(...sessionLines(), ...sessionLines()),
		Array(8).fill("repeated-line"),
	],
	[
		"a line at once again",
		lines(...sessionLines()),
		lines(...sessionLines().flatMap((line) => [line, line])),
		Array(8).fill("repeated-line"),
	],
	[
		"a long line again",
		lines(...sessionLines(LONG)),
		lines(...sessionLines(LONG), ...sessionLines(LONG).slice(2, 4)),
		Array(2).fill("repeated-line"),
	],
	[
		"both",
		lines(...sessionLines()),
		glued([...sessionLines(), ...sessionLines()], 3, 9),
		["glued-line", "repeated-line", "repeated-line", "glued-line", ...Array(6).fill("repeated-line")],
	],
];

function spaced(all: readonly string[]): string {
	const text = (value: unknown): string =>
		isObject(value)
			? `{${Object.entries(value)
					.map(([key, one]) => `${JSON.stringify(key)}: ${text(one)}`)
					.join(", ")}}`
			: Array.isArray(value)
				? `[${value.map(text).join(", ")}]`
				: (JSON.stringify(value) ?? "null");
	return lines(...all.map((line) => text(JSON.parse(line))));
}

/** What a session is, without where its entries are in the file. */
const facts = ({ header: head, entries, tree }: Session) => ({
	header: head,
	// The fields of a held message are read on access.
	entries: entries.map((entry) => ({
		...entry,
		...{ type: entry.type, id: entry.id, parentId: entry.parentId, timestamp: entry.timestamp },
		message: "message" in entry ? entry.message : undefined,
	})),
	parents: entries.map(({ id }) => tree.parentOf.get(id)),
	...{ leaf: tree.leafId, name: tree.name, labels: [...tree.labels.keys()], roots: tree.roots.map(({ id }) => id) },
});

/** Of these another one is of the same kind. */
const AGAIN: ReadonlySet<string> = new Set(["with blanks in the JSON", "a line at once again"]);

test.each(inShort(files, ([what]) => !AGAIN.has(what)))(
	"what two programs wrote at once is read as if one had written it: %s",
	async (_what, plain, odd, codes) => {
		const clean = tempAgentDir();
		const { write, root, cache, env } = tempAgentDir();
		const expected = clean.write("--p--/1.jsonl", Buffer.from(plain));
		const path = write("--p--/1.jsonl", Buffer.from(odd));

		const session = await readSession(path);
		expect(facts(session)).toEqual(facts(await readSession(expected)));
		expect(session.diagnostics.map(({ code }) => code)).toEqual(codes);
		expect(session.diagnostics.every(({ severity, line }) => severity === "note" && line !== undefined)).toBe(true);
		for (const read of [readHeld, readChecked])
			expect(facts(await read(path, { minBytes: 1 }))).toEqual(facts(session));
		expect(await holdFile(path, { isChecked: false })).toBe(undefined);
		expect(facts(await readChecked(path, { minBytes: 1, maxBytes: 1 }))).toEqual(facts(session));

		// The list, at once and as the file grows.
		const about = ({
			messageCount,
			name: named,
			prompt,
			firstMessage,
			modified,
		}: ReturnType<typeof scanFile>["row"]) => [...[messageCount, named, prompt, firstMessage, modified]];
		const row = about(scanFile(expected).row);
		expect(about(scanFile(path).row)).toEqual(row);
		const grown = write("--p--/grown.jsonl", Buffer.from(plain));
		const before = scanFile(grown, NOT_SCANNED);
		appendFileSync(grown, plain);
		expect(about(scanFile(grown, before).row)).toEqual(row);
		writeFileSync(grown, "");

		// The numbers, the branches, and what is searched.
		const numbers = await openCounting(clean.root, clean.cache);
		const own = await openCounting(root, cache);
		for (const [counting, file] of [
			[numbers, expected],
			[own, path],
		] as const) {
			counting.list(file);
			await counting.count();
		}
		expect(own.numbers(path).numbers.counts).toEqual(numbers.numbers(expected).numbers.counts);
		expect(runToEnd(readBranches(path, [])).abandoned.length).toBe(1);
		const found = (at: { env: NodeJS.ProcessEnv; cache: string }) =>
			findAll(queryOf("walnut"), { env: at.env, cacheDir: at.cache });
		const [one] = (await found({ env, cache })).results;
		const [other] = (await found({ env: clean.env, cache: clean.cache })).results;
		expect([one?.count, one?.best.entryId, one?.best.active]).toEqual([
			other?.count,
			other?.best.entryId,
			other?.best.active,
		]);

		// The doctor says it; nothing is lost in its copy, nor in a branch.
		const { entries, sessions } = runToEnd(examineSteps(path));
		expect([entries, sessions]).toEqual([7, 1]);
		const repaired = await readSession(repairBeside(path, 0).path);
		expect(facts(repaired).entries).toEqual(facts(session).entries);
		expect(repaired.diagnostics).toEqual([]);
		const manager = SessionManager.open(path, root);
		expect(manager.getEntries().map(({ id }) => id)).toEqual(session.entries.map(({ id }) => id));
		const branch = await readSession(manager.createBranchedSession("00000005") ?? "");
		expect([branch.diagnostics, branch.entries.slice(0, 4).map(({ id }) => id)]).toEqual([
			[],
			["00000001", "00000002", "00000004", "00000005"],
		]);
		expect(readFileSync(path, "utf8")).toBe(odd);
	},
);

test("what is behind an object that was cut off, and lines that only look alike, stay as they are", async () => {
	const { write } = tempAgentDir();
	const [first = "", one = "", two = ""] = sessionLines();
	const alike = `${"x".repeat(100)}a${"y".repeat(100)}`;
	const text = lines(
		first,
		one,
		`${two.slice(0, 60)}${two}`,
		user("0000000a", "00000001", 9, alike),
		user("0000000a", "00000001", 9, alike.replace("a", "b")),
	);
	const session = await readSession(write("--p--/1.jsonl", Buffer.from(text)));
	expect(session.diagnostics.map(({ code, line }) => [code, line])).toEqual([
		["bad-line", 3],
		["duplicate-id", 4],
	]);
});

test("what was written twice into a session of version 1 is still one entry, written twice, once it is migrated", async () => {
	const { write } = tempAgentDir();
	const timestamp = "2025-11-20T23:33:50.805Z";
	const message = (content: string) =>
		JSON.stringify({ type: "message", timestamp, message: { role: "user", content } });
	const first = JSON.stringify({ type: "session", id: "s", timestamp, cwd: "/w" });
	const text = lines(first, message("one"), message("one"), message("two"));
	const path = write("--p--/1.jsonl", Buffer.from(text));
	renameSession(path, "named");
	const [, one, again, two] = readFileSync(path, "utf8").split("\n");
	expect(again).toBe(one);
	expect(two).not.toBe(one);
	const session = await readSession(path);
	expect(session.entries.map(({ id }) => session.lines.get(id))).toEqual([2, 4, 5]);
	expect(session.diagnostics.map(({ code, line }) => [code, line])).toEqual([["repeated-line", 3]]);
});

test("lines of one id that nest deeper than any stack are compared", async () => {
	const { write, env, cache } = tempAgentDir();
	const deep = user("00000001", null, 1, "walnut").replace(
		/\}$/,
		`,"deep":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
	);
	write("--p--/1.jsonl", Buffer.from(lines(header(), deep, deep)));
	expect((await findAll(queryOf("walnut"), { env, cacheDir: cache })).results.map(({ count }) => count)).toEqual([1]);
});
