import { expect, test } from "vitest";
import { type EntryTexts, holdsAll, SearchText } from "../../../../src/catalog/query/match.ts";
import type { Query } from "../../../../src/catalog/query/parse-query.ts";
import type { Drawing, TreeInput } from "../../../../src/conversation/tree/draw-tree.ts";
import { idsOf, inputOf, queryOf, treeDrawer } from "../../../support/draw-tree.ts";
import { assistant, sessionOf, toolResult, user } from "../../../support/session-builder.ts";

async function needles(query: Query): Promise<TreeInput> {
	const session = await sessionOf(
		user("u1", null, 1, "needle"),
		assistant("u2", "u1", 2, "hay"),
		toolResult("u3", "u2", 3, `${"hay ".repeat(100_000)}needle`),
		toolResult("u4", "u3", 4, "hay ".repeat(100_000)),
	);
	return inputOf(session, { query, filter: "all" });
}

/** A fake of the other thread: matches what it is given, and records how much that was. */
function otherThread(lost = 0) {
	const asked: number[] = [];
	return {
		asked,
		async matches(query: Query, entries: readonly EntryTexts[]) {
			asked.push(entries.length);
			if (asked.length <= lost) return undefined;
			return entries.map((texts) =>
				holdsAll(
					texts.map(([kind, text, tool]) => new SearchText(kind, text, tool)),
					query,
				),
			);
		},
	};
}

test.each(["needle", "re:ne+dle$"])("entries too long for a frame are matched in another thread: %s", async (text) => {
	const { asked, matches } = otherThread();
	const input = await needles(queryOf(text));
	const draw = treeDrawer(matches);
	const drawing = await draw(input, undefined);
	expect(drawing && idsOf(drawing.tree)).toEqual(["u1", "u3"]);
	expect(asked).toEqual([2]);
	await draw({ ...input, folded: new Set(["u1"]) }, drawing);
	expect(asked).toEqual([2]);
});

test("a matching interrupted by a search is retried, a limited number of times", async () => {
	const once = otherThread(1);
	const input = await needles(queryOf("needle"));
	const drawing = await treeDrawer(once.matches)(input, undefined);
	expect(drawing?.tree.rows.length).toBe(2);
	expect(once.asked).toEqual([2, 2]);
	const always = otherThread(Number.POSITIVE_INFINITY);
	const without = await treeDrawer(always.matches)({ ...input, query: queryOf("needle") }, undefined);
	expect(without && idsOf(without.tree)).toEqual(["u1"]);
});

/** More than is matched before the first result is shown. */
const MANY = 20_000;

test("matches around the cursor are shown first, and counted with " + " until the rest is done", async () => {
	const lines = Array.from({ length: MANY }, (_, index) =>
		user(`u${index}`, index === 0 ? null : `u${index - 1}`, index, `entry ${index} ${"with words ".repeat(20)}`),
	);
	const input = inputOf(await sessionOf(...lines), { query: queryOf("words") });
	const shown: Drawing[] = [];
	const draw = treeDrawer(
		async () => undefined,
		(drawing) => shown.push(drawing),
	);
	const whole = await draw(input, undefined, "u10000");
	expect(whole?.tree.hits).toEqual({ count: MANY, isComplete: true });
	const [first] = shown;
	expect(first?.isComplete).toBe(false);
	expect(first?.tree.hits?.isComplete).toBe(false);
	expect(first?.tree.hits?.count).toBeLessThan(MANY);
	const ids = first === undefined ? [] : idsOf(first.tree);
	expect(ids).toHaveLength(first?.tree.hits?.count ?? 0);
	expect(ids).toContain("u10000");
	expect(ids).not.toContain("u0");
});

test("of filters that arrive together, only the last one is drawn", async () => {
	const { asked, matches } = otherThread();
	const draw = treeDrawer(matches);
	const input = await needles(queryOf("n"));
	const drawings = ["n", "ne", "nee"].map((text) => draw({ ...input, query: queryOf(text) }, undefined));
	const [first, second, third] = await Promise.all(drawings);
	expect([first, second, third?.tree.rows.length]).toEqual([undefined, undefined, 2]);
	expect(asked).toEqual([2]);
});

test("a later query cancels the drawing of the previous one", async () => {
	const never = Promise.withResolvers<undefined>();
	const { matches } = otherThread();
	let calls = 0;
	const draw = treeDrawer((query, entries) => (calls++ === 0 ? never.promise : matches(query, entries)));
	const input = await needles(queryOf("re:hay"));
	const first = draw(input, undefined);
	await expect.poll(() => calls).toBe(1);
	const second = draw({ ...input, query: queryOf("needle") }, undefined);
	expect((await second)?.tree.rows.length).toBe(2);
	never.resolve(undefined);
	expect(await first).toBeUndefined();
});
