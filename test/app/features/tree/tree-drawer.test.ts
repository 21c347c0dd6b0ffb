import { expect, test } from "vitest";
import type { Query } from "../../../../src/catalog/query/parse-query.ts";
import type { TreeDrawing, TreeInput } from "../../../../src/conversation/tree/draw-tree.ts";
import { idsOf, inputOf, treeDrawer } from "../../../support/draw-tree.ts";
import { queryOf } from "../../../support/follow-search.ts";
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

test.each(["needle", "re:ne+dle$"])("long entries are matched as all others: %s", async (text) => {
	const drawing = await treeDrawer()(await needles(queryOf(text)), undefined);
	expect(drawing && idsOf(drawing.tree)).toEqual(["u1", "u3"]);
});

/** More than is matched before the first result is shown. */
const MANY = 20_000;

async function manyEntries(): Promise<TreeInput> {
	const lines = Array.from({ length: MANY }, (_, index) =>
		user(`u${index}`, index === 0 ? null : `u${index - 1}`, index, `entry ${index} ${"with words ".repeat(20)}`),
	);
	return inputOf(await sessionOf(...lines), { query: queryOf("words") });
}

test("matches around the cursor are shown first, and counted with " + " until the rest is done", async () => {
	const input = await manyEntries();
	const shown: TreeDrawing[] = [];
	const draw = treeDrawer((drawing) => shown.push(drawing));
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
	const draw = treeDrawer();
	const input = await needles(queryOf("n"));
	const drawings = ["n", "ne", "nee"].map((text) => draw({ ...input, query: queryOf(text) }, undefined));
	const [first, second, third] = await Promise.all(drawings);
	expect([first, second, third?.tree.rows.length]).toEqual([undefined, undefined, 2]);
});

test("a later query cancels the drawing of the previous one", async () => {
	const input = await manyEntries();
	const begun = Promise.withResolvers<void>();
	const draw = treeDrawer(() => begun.resolve());
	const first = draw(input, undefined);
	await begun.promise;
	const second = draw({ ...input, query: queryOf("10000") }, undefined);
	expect((await second)?.tree.rows.length).toBe(1);
	expect(await first).toBeUndefined();
});
