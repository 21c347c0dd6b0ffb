import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { openIndex } from "../../src/catalog/index/open-index.ts";
import { SessionTable } from "../../src/catalog/index/session-table.ts";
import { TextTable } from "../../src/catalog/index/text-table.ts";
import type { SessionRow } from "../../src/catalog/row.ts";
import { scanFile } from "../../src/catalog/scan/scan-file.ts";
import { HEAD_BYTES, TAIL_BYTES } from "../../src/catalog/scan/sniff.ts";
import { indexTextSteps } from "../../src/catalog/texts/text-indexer.ts";
import { readSessionInfo } from "../../src/store/read-session-info.ts";
import { randomSession } from "./random-session.ts";
import { header, lines, toolResult, user } from "./session-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "pi-grove-scan-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, "1.jsonl");

/** The store's plain reading as a row. */
async function plainRow(): Promise<SessionRow> {
	const { parentSessionPath: parentSession, allMessagesText: _, ...info } = await readSessionInfo(path);
	return { ...info, name: info.name, parentSession };
}

const smallBuffer = (size: number) => Buffer.alloc(HEAD_BYTES + TAIL_BYTES + size);

describe("scanFile", { timeout: 60_000 }, () => {
	test("tells the same as the plain reading, whatever the file and wherever the pieces end", async () => {
		await fc.assert(
			fc.asyncProperty(randomSession, fc.nat({ max: 500 }), async (bytes, size) => {
				writeFileSync(path, bytes);
				const { row } = scanFile(path, undefined, smallBuffer(size));
				const { diagnostics, ...plain } = await plainRow();
				const { diagnostics: found, ...scanned } = row;
				expect(scanned).toEqual(plain);
				// The scan parses few lines, so it does not see all; what it sees is the same.
				expect(diagnostics).toEqual(expect.arrayContaining([...found]));
			}),
			{ numRuns: 1000 },
		);
	});

	test("comes to the same when the file grows step by step", () => {
		fc.assert(
			fc.property(randomSession, fc.array(fc.nat(), { maxLength: 4 }), (bytes, cuts) => {
				writeFileSync(path, "");
				const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1))), bytes.length].sort((a, b) => a - b);
				let state: ReturnType<typeof scanFile>["state"];
				for (const [index, place] of places.entries()) {
					appendFileSync(path, bytes.subarray(places[index - 1] ?? 0, place));
					state = scanFile(path, state, smallBuffer(0)).state;
				}
				const { diagnostics: _found, ...stepwise } = scanFile(path, state, smallBuffer(0)).row;
				// How many lines are parsed, and so what is seen of their damage, depends on the pieces.
				const { diagnostics: _all, ...atOnce } = scanFile(path).row;
				expect(stepwise).toEqual(atOnce);
			}),
			{ numRuns: 500 },
		);
	});

	test("reading every line for the text comes to the very row of the plain reading", async () => {
		const { db } = await openIndex(join(folder, "cache"));
		if (!db) throw new Error("no index");
		const sessions = new SessionTable(db, folder);
		const texts = new TextTable(db);
		const buffer = smallBuffer(100);
		await fc.assert(
			fc.asyncProperty(randomSession, async (bytes) => {
				writeFileSync(path, bytes);
				const { row, stamp, state } = scanFile(path);
				if (!state) throw new Error("unreadable");
				const [stored] = sessions.store([{ path, stamp, row, state, mark: "" }]);
				texts.clear(stored?.id ?? 0);
				const steps = indexTextSteps(texts, stored?.id ?? 0, path, buffer);
				let step = steps.next();
				while (!step.done) step = steps.next();
				expect(step.value.row).toEqual(await plainRow());
			}),
			{ numRuns: 300 },
		);
		db.close();
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
		expect(scanFile(folder).row).toMatchObject({
			diagnostics: [{ code: "unreadable", message: expect.stringContaining(folder) }],
		});
	});
});
