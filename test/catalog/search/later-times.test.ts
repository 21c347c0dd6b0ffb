import { describe, expect, test } from "vitest";
import { findRipgrep } from "../../../src/catalog/search/find-ripgrep.ts";
import { grep } from "../../../src/catalog/search/grep.ts";
import { timeSince } from "../../../src/catalog/search/later-times.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { seededRandom } from "../../support/mutate-session.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const FROM = Date.UTC(2026, 5, 17, 9, 30);
const DAY_MS = 86_400_000;

/** The numbers of the lines that may have a time from `from` on. */
async function mayBeLater(from: number, lines: readonly string[]): Promise<ReadonlySet<number>> {
	const { write } = tempAgentDir();
	const paths = [write("--p--/a.jsonl", `${lines.join("\n")}\n`)];
	const patterns = [{ source: timeSince(from), engine: "default" as const }];
	const found = new Set<number>();
	const options = { patterns, isNumbered: true, paths, signal: new AbortController().signal };
	for await (const match of grep(await findRipgrep(), options))
		for (const { number = 0 } of match.lines) found.add(number);
	return found;
}

const inMessage = (time: unknown) => `{"type":"message","message":{"role":"user","timestamp":${JSON.stringify(time)}}}`;

describe("the pattern for sessions that may be newer than a time", () => {
	test("matches every later time, however it is written, and no time that is clearly earlier", async () => {
		const random = seededRandom(FIRST_SEED);
		for (let round = 0; round < caseCount(2, 20); round++) {
			const from = Math.floor(FROM - random() * 4000 * DAY_MS);
			const distances = Array.from({ length: 400 }, () => Math.floor(random() ** 6 * 3000 * DAY_MS));
			const later = distances.map((distance) => Math.min(from + distance, 8.64e15));
			const earlier = distances.map((distance) => from - 4 * DAY_MS - distance);
			const write = (time: number, index: number): string => {
				const iso = new Date(time).toISOString();
				return inMessage([time, iso, iso.slice(0, 10), iso.replace("Z", "+00:00")][index % 4]);
			};
			const found = await mayBeLater(from, [...later, ...earlier].map(write));
			expect([...found].filter((line) => line <= later.length)).toHaveLength(later.length);
			expect([...found].filter((line) => line > later.length)).toEqual([]);
		}
	});

	test("matches times in forms that are not compared", async () => {
		const lines = [
			`{"timestamp":1.8e12}`,
			`{"timestamp" : ${FROM}}`,
			`{"timestamp":${FROM}.5}`,
			`{"timestamp":99999999999999}`,
			`{"timestamp":"Jun 17 2027"}`,
			`{"timestamp":"+012026-06-17T09:30:00.000Z"}`,
			`{"timestamp":"2026-6-18"}`,
			// In another offset it is this day already.
			`{"timestamp":"2026-06-16T23:30:00-12:00"}`,
		];
		expect(await mayBeLater(FROM, lines)).toEqual(new Set(lines.map((_, index) => index + 1)));
	});
});
