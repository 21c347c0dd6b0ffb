import { appendFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { scanFile } from "../../../src/catalog/scan/scan-file.ts";
import type { Diagnostic } from "../../../src/store/format/diagnostic.ts";
import { HEAD_BYTES, TAIL_BYTES } from "../../../src/store/read/line-reader.ts";
import { readSessionInfo } from "../../../src/store/read/list-sessions.ts";
import { caseCount } from "../../support/cases.ts";
import { openCounting } from "../../support/counting.ts";
import { randomSession } from "../../support/random-session.ts";
import { header, lines, toolResult, user } from "../../support/session-builder.ts";
import { tempAgentDir, tempDirOfFile } from "../../support/temp-dir.ts";

const directory = tempDirOfFile();
const path = join(directory, "1.jsonl");

/** The row according to the store's full reading. */
async function plainRow(session = path): Promise<SessionRow> {
	const { parentSessionPath: parentSession, allMessagesText: _, ...info } = await readSessionInfo(session);
	return { ...info, name: info.name, parentSession };
}

/** A scanned row with the time that its messages say, though that may be still to come. */
function asSaid({ aheadMs, modified, ...row }: SessionRow): SessionRow {
	return { ...row, modified: aheadMs === undefined ? modified : new Date(aheadMs) };
}

/** The oddities of the file as a whole and of its headers. */
const ALWAYS_SEEN: ReadonlySet<string> = new Set([
	"empty",
	"not-a-session",
	"old-version",
	"newer-version",
	"header-field",
	"extra-header",
	"byte-order-mark",
]);

const alwaysSeen = (diagnostics: readonly Diagnostic[]) =>
	diagnostics
		.filter(({ code }) => ALWAYS_SEEN.has(code))
		.map((diagnostic) => JSON.stringify(diagnostic))
		.sort();

const smallBuffer = (size: number) => Buffer.alloc(HEAD_BYTES + TAIL_BYTES + size);

describe("scanFile", () => {
	test("gives the same row as a full reading, whatever the file and wherever its pieces end", async () => {
		await fc.assert(
			fc.asyncProperty(randomSession, fc.nat({ max: 500 }), async (bytes, size) => {
				writeFileSync(path, bytes);
				const { row } = scanFile(path, undefined, smallBuffer(size));
				const { diagnostics, ...plain } = await plainRow();
				const { diagnostics: found, ...scanned } = asSaid(row);
				expect(scanned).toEqual(plain);
				// The scan parses few lines, so it does not find everything; what it finds is the same, and it always finds these.
				expect(diagnostics).toEqual(expect.arrayContaining([...found]));
				expect(alwaysSeen(found)).toEqual(alwaysSeen(diagnostics));
			}),
			// The first one begins like formatted JSON, but for one line.
			{ numRuns: caseCount(25, 150), examples: [[Buffer.from('\ufeff{\n{"type":"message","id":"a"}'), 0]] },
		);
	});

	test("gives the same row when the file grows step by step", () => {
		fc.assert(
			fc.property(randomSession, fc.array(fc.nat(), { maxLength: 4 }), (bytes, cuts) => {
				writeFileSync(path, "");
				const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length].sort((a, b) => a - b);
				let scan: ReturnType<typeof scanFile> | undefined;
				for (const [index, end] of ends.entries()) {
					appendFileSync(path, bytes.subarray(ends[index - 1] ?? 0, end));
					scan = scanFile(path, scan, smallBuffer(0));
				}
				const { diagnostics: _found, ...stepwise } = asSaid(scanFile(path, scan, smallBuffer(0)).row);
				// Which lines are parsed, and so which damage is found, depends on the pieces.
				const { diagnostics: _all, ...atOnce } = asSaid(scanFile(path).row);
				expect(stepwise).toEqual(atOnce);
			}),
			{ numRuns: caseCount(30, 75) },
		);
	});

	test("of a file that has grown only the new lines are read, however the program that appended them writes JSON", () => {
		const spaced = user("u3", "u2", 3, "bye").replaceAll('":', '": ').replaceAll(',"', ', "');
		for (const line of [user("u3", "u2", 3, "bye"), spaced]) {
			writeFileSync(path, lines(header(), user("u1", null, 1, "hello")));
			// The checksum of all bytes is made when a file grows for the first time.
			const first = scanFile(path);
			appendFileSync(path, `${user("u2", "u1", 2, "again")}\n`);
			const second = scanFile(path, first);
			appendFileSync(path, `${line}\n`);
			expect(scanFile(path, second)).toMatchObject({ isWhole: false, row: { messageCount: 3 } });
		}
	});

	test("parsing every line finds exactly the oddities of a full reading", async () => {
		const { root, cache, write } = tempAgentDir();
		const counting = await openCounting(root, cache);
		let time = 1;
		await fc.assert(
			fc.asyncProperty(randomSession, async (bytes) => {
				const session = write("--p--/1.jsonl", bytes);
				// A new time, because the file may have the same size as before.
				utimesSync(session, time, time++);
				counting.remove(session);
				counting.list(session);
				await counting.count();
				const { diagnostics } = await plainRow(session);
				expect(counting.diagnostics.get(session)).toEqual(diagnostics);
			}),
			{ numRuns: caseCount(10, 50) },
		);
	});

	test("a line of 300 MB is a row with a note, and costs no memory", () => {
		const start = lines(header(), user("u1", null, 1, "hello"));
		const long = toolResult("u2", "u1", 2, "");
		const at = long.indexOf('"text":""') + 8;
		writeFileSync(path, start + long.slice(0, at));
		truncateSync(path, 300 * 1024 * 1024);
		appendFileSync(path, `${long.slice(at)}\n${user("u3", "u2", 3, "bye")}\n`);
		const before = process.memoryUsage().rss;
		const { row } = scanFile(path);
		expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024);
		expect(row).toMatchObject({
			messageCount: 2,
			firstMessage: "hello",
			diagnostics: [{ code: "line-too-long", line: 3 }],
		});
	});

	test("a file that cannot be read is a row with the reason", async () => {
		rmSync(path, { force: true });
		expect(scanFile(path).row).toEqual(await plainRow());
		expect(scanFile(directory).row).toMatchObject({
			diagnostics: [{ code: "unreadable", message: expect.stringContaining(directory) }],
		});
	});
});
