import { appendFileSync, utimesSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import type { CatalogEvent } from "../../../src/catalog/model/event.ts";
import { tokensOf } from "../../../src/catalog/stats/usage.ts";
import { endingOf } from "../../../src/conversation/entries/ending.ts";
import { sumSteps } from "../../../src/conversation/glance/session-sum.ts";
import { runToEnd } from "../../../src/shared/steps.ts";
import { readSession } from "../../../src/store/read/read-session.ts";
import { caseCount, FIRST_SEED } from "../../support/cases.ts";
import { openCounting } from "../../support/counting.ts";
import { CONTEXT_HEADER, contextLine, contextStep } from "../../support/random-context.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test("the list shows the same numbers as the header of the opened session, also after it has grown", async () => {
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	let time = 1;
	await fc.assert(
		fc.asyncProperty(fc.array(contextStep, { minLength: 1, maxLength: 30 }), fc.nat(), async (steps, cut) => {
			const all = steps.map(contextLine);
			const first = cut % all.length;
			const path = write("--p--/1.jsonl", Buffer.from(CONTEXT_HEADER + all.slice(0, first).join("")));
			const countNow = async (): Promise<void> => {
				utimesSync(path, time, time++);
				counting.list(path);
				await counting.count();
				const session = await readSession(path);
				const { path: sum, rest, branches } = runToEnd(sumSteps(session, "/home/ada"));
				const { counts } = counting.numbers(path).numbers;
				expect(counts).toMatchObject({ turns: sum.turns, errors: sum.errors, branches });
				const { turns, errors, tokens, cost } = counts.onBranches ?? { turns: 0, errors: 0, tokens: 0, cost: 0 };
				expect([turns, errors, tokens]).toEqual([rest.turns, rest.errors, tokensOf(rest)]);
				expect(cost).toBeCloseTo(rest.cost, 9);
				expect(counts.ending).toBe(endingOf(session)?.kind ?? "");
				expect(counts.cost).toBeCloseTo(sum.cost + rest.cost, 9);
				expect(counts.tokens).toBe(tokensOf(sum) + tokensOf(rest));
				expect(counts.workedMs ?? 0).toBe(sum.workedMs + rest.workedMs);
			};
			counting.remove(path);
			await countNow();
			appendFileSync(path, all.slice(first).join(""));
			await countNow();
		}),
		{ numRuns: caseCount(15, 100), seed: FIRST_SEED },
	);
});

test("a fork shows what it contains, though its copies have no cost of their own", async () => {
	const { root, cache, write } = tempAgentDir();
	const counting = await openCounting(root, cache);
	const talk = lines(header(), user("a", null, 1, "hello"), assistant("b", "a", 2, "hi"));
	const original = write("--p--/1.jsonl", Buffer.from(talk));
	const fork = write("--p--/2.jsonl", Buffer.from(talk));
	counting.list(original, fork);
	await counting.count();
	const { elsewhere, ...counts } = counting.numbers(fork).numbers.counts;
	const { workedMs, ...counted } = counting.numbers(original).numbers.counts;
	expect(counts).toEqual(counted);
	// Sums over both have the answer, and the work on it, once.
	expect([elsewhere, workedMs]).toEqual([{ tokens: 30, cost: 0.03 }, 1000]);
	expect(counting.numbers(fork).numbers.counts).toMatchObject({ turns: 1, branches: 1, errors: 0 });
});

test("at the next start all counts follow the rows, in few events, before anything is counted", async () => {
	const { cache: cacheDir, sessionRoots, write } = tempAgentDir();
	const paths = Array.from({ length: 230 }, (_, index) => {
		const said = [
			user("a", null, index, "Do it"),
			assistant("b", "a", index + 1, index % 2 === 0 ? "Done." : "Which?"),
		];
		return write(`--p--/${index}.jsonl`, lines(header(), ...said));
	});
	const options = { sessionRoots, cacheDir, watch: false, processes: false };
	const first = openCatalog(options);
	first.start(() => undefined);
	await first.counted();
	await first.close();
	const events: CatalogEvent[] = [];
	const second = openCatalog({ ...options, numbers: false, firstRows: 200 });
	second.start((event) => events.push(event));
	await second.listed();
	await second.close();
	const counted = events.filter((event) => event.type === "counts");
	expect(counted).toHaveLength(2);
	const all = new Map(counted.flatMap(({ counts }) => counts.map(([path, one]) => [path, one] as const)));
	expect(paths.map((path) => all.get(path)?.ending)).toEqual(paths.map((_, index) => (index % 2 === 0 ? "" : "asks")));
	expect(all.get(paths[0] ?? "")?.endedMs).toBe(Date.UTC(2026, 0, 1, 0, 0, 1));
});
