import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { whyNotASession } from "../../../src/catalog/model/row.ts";
import { NOT_SCANNED, scanFile } from "../../../src/catalog/scan/scan-file.ts";
import { sessionTitle } from "../../../src/conversation/entries/session-title.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { examineSteps } from "../../../src/store/doctor/examine-session.ts";
import { repairBeside } from "../../../src/store/doctor/repair-session.ts";
import { readSessionInfo } from "../../../src/store/read/list-sessions.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { openCounting } from "../../support/counting.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const ALL = [header(), user("a", null, 1, "Grüße 😀"), assistant("b", "a", 2, "ok {"), user("c", "b", 3, "[2]")];
const formatted = (indent: number | string): string =>
	ALL.map((line) => JSON.stringify(JSON.parse(line), null, indent)).join("\n");
const utf16 = (text: string): Buffer => Buffer.from(text, "utf16le");

test.each<[what: string, code: string, bytes: Buffer]>([
	["UTF-16 with a mark", "utf-16", utf16(`\uFEFF${lines(...ALL).replaceAll("\n", "\r\n")}`)],
	["UTF-16 without one", "utf-16", utf16(lines(...ALL))],
	["UTF-16 in big endian", "utf-16", utf16(`\uFEFF${lines(...ALL)}`).swap16()],
	["formatted UTF-16", "utf-16", utf16(`\uFEFF${formatted(2)}`)],
	["formatted", "multi-line", Buffer.from(formatted(2))],
	["formatted with tabs and a mark", "multi-line", Buffer.from(`\uFEFF${formatted("\t")}\n`)],
	[
		"a list",
		"multi-line",
		Buffer.from(
			JSON.stringify(
				ALL.map((line) => JSON.parse(line)),
				null,
				2,
			),
		),
	],
])("a file that has no lines is told in one sentence, and its copy has all of it: %s", async (_what, code, bytes) => {
	const { write, root, cache } = tempAgentDir();
	const path = write("--p--/1.jsonl", bytes);
	const scan = scanFile(path, NOT_SCANNED);
	const { diagnostics } = scan.row;
	expect(diagnostics.map((one) => [one.code, one.severity, one.line])).toEqual([[code, "damage", undefined]]);
	expect(sessionTitle(scan.row)).toBe(`1.jsonl: ${diagnostics[0]?.message}`);
	expect(whyNotASession(scan.row)).toBe(diagnostics[0]?.message);
	expect((await readSession(path)).diagnostics).toEqual(diagnostics);
	expect((await readSessionInfo(path)).diagnostics).toEqual(diagnostics);
	expect(runToEnd(examineSteps(path)).totals).toEqual({ [code]: 1 });
	const counting = await openCounting(root, cache);
	counting.list(path);
	await counting.count();
	expect(counting.diagnostics.get(path)).toEqual(diagnostics);

	const copy = await readSession(repairBeside(path, 0).path);
	expect(copy.diagnostics).toEqual([]);
	expect(copy.entries).toEqual((await readSession(write("--p--/2.jsonl", Buffer.from(lines(...ALL))))).entries);

	appendFileSync(path, bytes.subarray(2));
	expect(scanFile(path, scan).row.diagnostics).toEqual(diagnostics);
});

test("a broken line of a UTF-16 file costs no other one", async () => {
	const { write } = tempAgentDir();
	const [first = "", one = "", two = "", three = ""] = ALL;
	const path = write("--p--/1.jsonl", utf16(lines(first, one, two.slice(0, 60), three)));
	const copy = repairBeside(path, 0);
	expect((await readSession(copy.path)).entries.map(({ id }) => id)).toEqual(["a", "c"]);
	expect(copy.dropped.sentences).toEqual([expect.stringContaining("Line 3 is not JSON")]);
});

const SECOND = Date.UTC(2026, 0, 1, 0, 0, 3) / 1000;

test.each<[what: string, own: unknown, entry: unknown, shown: string]>([
	["seconds", SECOND, "2026-01-01T00:00:03.500Z", "2026-01-01T00:00:03.000Z"],
	["seconds with a fraction", SECOND + 0.25, "2026-01-01T00:00:09.000Z", "2026-01-01T00:00:03.250Z"],
	["1970", 5, "2026-01-01T00:00:04.000Z", "2026-01-01T00:00:04.000Z"],
	["0", 0, "2026-01-01T00:00:04.000Z", "2026-01-01T00:00:04.000Z"],
	["both in 1970", 0, "1970-01-21T00:00:04.000Z", "2026-01-01T00:00:00.000Z"],
])(
	"a time in seconds is understood, and one before there was pi is none: %s",
	async (_what, timestamp, entry, shown) => {
		const { write } = tempAgentDir();
		const line = JSON.parse(assistant("b", "a", 2, "ok"));
		const odd = JSON.stringify({ ...line, timestamp: entry, message: { ...line.message, timestamp } });
		const first = JSON.parse(user("a", null, 1, "one"));
		const before = JSON.stringify({ ...first, timestamp: entry, message: { ...first.message, timestamp } });
		const path = write("--p--/1.jsonl", Buffer.from(lines(header(), before, odd)));
		expect(scanFile(path).row.modified.toISOString()).toBe(shown);
		expect((await readSessionInfo(path)).modified.toISOString()).toBe(shown);
	},
);
