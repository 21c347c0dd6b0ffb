import { appendFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extendSession, readSession, type Session } from "../../../src/store/read/read-session.ts";
import { caseCount } from "../../support/cases.ts";
import { randomSession } from "../../support/random-session.ts";
import { assistant, entry, header, lines, user } from "../../support/session-builder.ts";
import { tempDirOfFile } from "../../support/temp-dir.ts";

const folder = tempDirOfFile();

let count = 0;
function written(text: string | Buffer): string {
	const path = join(folder, `${count++}.jsonl`);
	writeFileSync(path, text);
	return path;
}

const start = lines(header(), user("a", null, 1, "one"), assistant("b", "a", 2, "two"));

describe("a session grows by what was appended, as if it had been read again", () => {
	test.each<[string, string]>([
		["an answer", lines(user("c", "b", 3, "three"))],
		["several entries", lines(user("c", "b", 3, "three"), assistant("d", "c", 4, "four"))],
		["a branch", lines(user("c", "a", 3, "another way"))],
		["a new root", lines(user("c", null, 3, "again"))],
		["an entry that is older than its siblings", lines(assistant("c", "a", 1, "x"))],
		["a label", lines(entry("label", "c", "b", 3, { targetId: "a", label: "start" }))],
		["a name", lines(entry("session_info", "c", "b", 3, { name: " Named " }))],
		["an entry with odd fields", lines(entry("message", "c", "b", 3, { message: { role: "user", content: 5 } }))],
		["nothing", ""],
	])("%s", async (_, appended) => {
		const path = written(start);
		const before = await readSession(path);
		appendFileSync(path, appended);
		expect(await extendSession(before)).toEqual(await readSession(path));
	});

	test("random lines, in pieces: exactly the result of a new reading, or a refusal", async () => {
		await fc.assert(
			fc.asyncProperty(randomSession, fc.array(fc.nat({ max: 12 }), { maxLength: 3 }), async (bytes, cuts) => {
				const all = bytes.toString("latin1").split("\n");
				const ends = [...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length - 1];
				const path = written("");
				let session: Session | undefined;
				let from = 0;
				for (const end of ends) {
					appendFileSync(
						path,
						Buffer.from(
							all
								.slice(from, end)
								.map((one) => `${one}\n`)
								.join(""),
							"latin1",
						),
					);
					from = end;
					const fresh = await readSession(path);
					const grown = session && (await extendSession(session));
					if (grown) expect(grown).toEqual(fresh);
					session = grown ?? fresh;
				}
			}),
			{ numRuns: caseCount(60) },
		);
	});
});

describe("it is left alone, and must be read again", () => {
	const refused: readonly (readonly [string, (path: string) => void])[] = [
		["a line that is damaged", (path) => appendFileSync(path, '{"type":\n')],
		["an id that is there already", (path) => appendFileSync(path, lines(user("a", "b", 3, "three")))],
		["a parent that is not there", (path) => appendFileSync(path, lines(user("c", "x", 3, "three")))],
		["a second header", (path) => appendFileSync(path, lines(header()))],
		["an entry without an id", (path) => appendFileSync(path, '{"type":"message"}\n')],
		["a file that was cut", (path) => writeFileSync(path, lines(header()))],
		["other bytes of the same length", (path) => writeFileSync(path, start.replace("two", "owt"))],
		[
			"another file in its place",
			(path) => {
				writeFileSync(`${path}.new`, `${start}${lines(user("c", "b", 3, "three"))}`);
				renameSync(`${path}.new`, path);
			},
		],
	];
	test.each(refused)("%s", async (_, change) => {
		const path = written(start);
		const before = await readSession(path);
		const copy = structuredClone({ ...before });
		change(path);
		expect(await extendSession(before)).toBeUndefined();
		expect(before).toEqual(copy);
	});

	test("a reading whose last line was not finished", async () => {
		const path = written(start.trimEnd());
		const before = await readSession(path);
		appendFileSync(path, `\n${lines(user("c", "b", 3, "three"))}`);
		expect(await extendSession(before)).toBeUndefined();
	});

	test("a file of an older version", async () => {
		const path = written(lines(header({ version: 1 }), '{"type":"message","message":{"role":"user","content":"x"}}'));
		const before = await readSession(path);
		appendFileSync(path, lines('{"type":"message","message":{"role":"user","content":"y"}}'));
		expect(await extendSession(before)).toBeUndefined();
	});
});

test("a line that is still being written waits until it is whole", async () => {
	const next = lines(user("c", "b", 3, "three"));
	const before = await readSession(written(start));
	appendFileSync(before.path, next.slice(0, 20));
	const waiting = await extendSession(before);
	expect(waiting?.entries).toHaveLength(2);
	appendFileSync(before.path, next.slice(20));
	expect(await extendSession(waiting as Session)).toEqual(await readSession(before.path));
});

test("a missing file is reported with its path", async () => {
	const path = written(start);
	const before = await readSession(path);
	rmSync(path);
	await expect(extendSession(before)).rejects.toThrow(path);
});
