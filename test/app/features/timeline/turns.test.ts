import { appendFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTurns } from "../../../../src/app/features/timeline/effects/read-turns.ts";
import type { FileTurns } from "../../../../src/app/features/timeline/timeline-state.ts";
import { TurnGatherer, type TurnSign, type Turns } from "../../../../src/app/features/timeline/turns.ts";
import { TimeSlice } from "../../../../src/shared/steps.ts";
import { caseCount } from "../../../support/cases.ts";
import { familyFiles, familyNames } from "../../../support/family.ts";
import { assistant, entry, header, lines, toolResult, user } from "../../../support/session-builder.ts";
import { tempDir } from "../../../support/temp-dir.ts";

/** The turns of some messages, as "from–to", each a sign and a time. */
function turns(...messages: readonly (readonly [sign: TurnSign, time: number])[]): string {
	const gatherer = new TurnGatherer();
	for (const [sign, time] of messages) gatherer.add(sign, time);
	return words(gatherer.turns);
}

function words({ periods }: Turns): string {
	return periods.map(({ startMs, endMs }) => `${startMs}–${endMs}`).join(" ");
}

describe("turns", () => {
	test("go from a prompt to the last answer or result before the next one", () => {
		expect(turns(["begins", 1], ["asks-tools", 2], ["result", 5], ["ends", 6], ["begins", 20], ["ends", 22])).toBe(
			"1–6 20–22",
		);
		expect(turns(["begins", 1])).toBe("1–1");
	});

	test("are not ended by a notice while tools run; after a session that was killed, its prompt is a new one", () => {
		expect(turns(["begins", 1], ["asks-tools", 2], ["begins", 4], ["result", 9], ["ends", 10])).toBe("1–10");
		expect(turns(["begins", 1], ["asks-tools", 2], ["begins", 500], ["asks-tools", 510], ["result", 520])).toBe(
			"1–2 500–520",
		);
	});

	test("of an answer without a prompt are its moment", () => {
		expect(turns(["begins", 1], ["ends", 2], ["ends", 100], ["begins", 200], ["ends", 201])).toBe(
			"1–2 100–100 200–201",
		);
	});

	test("are the same read at once and in parts", () => {
		const sign = fc.constantFrom<TurnSign>("begins", "asks-tools", "ends", "result");
		fc.assert(
			fc.property(fc.array(fc.tuple(sign, fc.nat(1000))), fc.nat(20), (messages, cut) => {
				const first = new TurnGatherer();
				for (const [one, time] of messages.slice(0, cut)) first.add(one, time);
				const rest = new TurnGatherer(structuredClone(first.turns));
				for (const [one, time] of messages.slice(cut)) rest.add(one, time);
				expect(words(rest.turns)).toBe(turns(...messages));
				for (const { startMs, endMs } of rest.turns.periods) expect(startMs).toBeLessThanOrEqual(endMs);
			}),
			{ numRuns: caseCount(200) },
		);
	});
});

const START = Date.UTC(2026, 0, 1);

async function read(path: string, before?: FileTurns, createdMs = 0): Promise<FileTurns> {
	const { signal } = new AbortController();
	return readTurns(path, { slice: new TimeSlice(), signal, before, createdMs, onRead: () => undefined });
}

/** The turns in a file, in seconds after the beginning. */
function seconds({ turns: { periods } }: FileTurns): string {
	return periods.map(({ startMs, endMs }) => `${(startMs - START) / 1000}–${(endMs - START) / 1000}`).join(" ");
}

describe("the turns in a file", () => {
	const CALL = { type: "toolCall", id: "call", name: "bash", arguments: {} };
	const asks = (id: string, parent: string, second: number): string =>
		assistant(id, parent, second, "", [CALL]).replace('"stopReason":"stop"', '"stopReason":"toolUse"');
	const ONE = [header(), user("a", null, 10, "x"), asks("b", "a", 20), toolResult("c", "b", 50, "ok")];

	test("are read, and only what was appended since, once its line is whole", async () => {
		const path = join(tempDir(), "s.jsonl");
		writeFileSync(path, lines(...ONE));
		const first = await read(path);
		expect(seconds(first)).toBe("10–50");
		const next = `${assistant("d", "c", 60, "done")}\n${user("e", "d", 100, "more")}\n`;
		appendFileSync(path, next.slice(0, -30));
		const half = await read(path, first);
		expect(seconds(half)).toBe("10–60");
		appendFileSync(path, next.slice(-30));
		expect(seconds(await read(path, half))).toBe("10–60 100–100");
		expect(await read(path, half)).toEqual(await read(path));
		truncateSync(path, lines(...ONE.slice(0, 2)).length);
		expect(seconds(await read(path, half))).toBe("10–10");
	});

	test("are found in any order of keys, in long lines and between damaged ones; copies of a parent's are left out", async () => {
		const path = join(tempDir(), "s.jsonl");
		const other = (line: string): string =>
			JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line)).reverse()));
		const long = user("l", null, 70, "x".repeat(2_000_000));
		const notice = entry("custom_message", "n", "l", 80, { customType: "note", content: "y", display: true });
		writeFileSync(path, lines(...ONE.map(other), "{ damaged", "", long, notice, assistant("d", "n", 90, "z")));
		expect(seconds(await read(path))).toBe("10–50 70–70 80–90");
		expect(seconds(await read(path, undefined, START + 60_000))).toBe("70–70 80–90");
	});

	test("cannot be read where there is none, and reading ends when it is aborted", async () => {
		const path = join(tempDir(), "s.jsonl");
		await expect(read(path)).rejects.toThrow();
		writeFileSync(path, lines(...ONE));
		const abort = new AbortController();
		abort.abort(new Error("closed"));
		const reading = { slice: new TimeSlice(), signal: abort.signal, before: undefined, createdMs: 0 };
		await expect(readTurns(path, { ...reading, onRead: () => undefined })).rejects.toThrow("closed");
	});

	test("of real families are one for each prompt and notice that was answered", async () => {
		const found: Record<string, number> = {};
		const dir = tempDir();
		for (const name of familyNames) {
			const [parent] = familyFiles(name);
			const path = join(dir, `${name}.jsonl`);
			writeFileSync(path, parent.text);
			found[name] = (await read(path)).turns.periods.length;
		}
		expect(found).toMatchObject({ "agent-background": 3, background: 2, chain: 1, fork: 2, nested: 1, waited: 2 });
	});
});
