import { expect, test } from "vitest";
import { statsAll } from "../../../src/catalog/list-all.ts";
import { NO_SUMS, placedStats } from "../../../src/catalog/stats/aggregate-stats.ts";
import { assistant, entry, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

const DAY = 86_400;

/** Six sessions of two projects, over several days, one with an abandoned branch, one with another model. */
function withSessions() {
	const { env, cache: cacheDir, write } = tempAgentDir();
	for (let index = 0; index < 6; index++)
		write(
			`--p--/${index}.jsonl`,
			lines(
				header({ id: `0198-${index}`, cwd: index < 4 ? "/work/api" : "/work/web" }),
				user("a1", null, 1, `Session ${index}.`),
				assistant("a2", "a1", index * DAY + 2, "Done."),
				assistant("a3", "a1", (index + 1) * DAY, "Done better."),
				entry("usage", "a4", "a3", index * DAY, { model: "m", usage: { input: index, cost: { total: 0.1 } } }),
			),
		);
	return (isAsked: (id: string) => boolean) => statsAll({ env, cacheDir, isAsked: ({ id }) => isAsked(id) });
}

test("sums of parts are the sums of the whole", async () => {
	const statsOf = withSessions();
	const parts = await Promise.all(
		["0198-0 0198-1", "0198-2", "0198-3 0198-4 0198-5"].map((ids) => statsOf((id) => ids.includes(id))),
	);
	const whole = await statsOf(() => true);
	const { places: _, ...sums } = placedStats(parts.map((part, at) => ({ name: `${at}`, sums: part })));
	expect(sums).toEqual(whole);
	expect(whole.cost).toBe(0.96);
	expect(placedStats([])).toEqual({ ...NO_SUMS, places: [] });
	const [first, second] = parts;
	if (first === undefined || second === undefined) throw new Error("there are three");
	const placed = placedStats([
		{ name: "here", sums: first },
		{ name: "mini", sums: second },
	]);
	expect(placed.places).toMatchObject([
		{ name: "here", sessions: 2, cost: 0.32 },
		{ name: "mini", sessions: 1, cost: 0.16 },
	]);
	expect(placed).toMatchObject({ sessions: 3, cost: 0.48 });
});
