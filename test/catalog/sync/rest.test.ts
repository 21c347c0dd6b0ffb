import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { followSearch } from "../../support/follow-search.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** A catalog of two sessions that has listed them. */
async function listed() {
	const folder = tempAgentDir();
	const [a, b] = ["a", "b"].map((name) =>
		folder.write(
			`--p--/${name}.jsonl`,
			lines(header({ id: name, cwd: "/p" }), user(`${name}1`, null, 1, `said in ${name}`)),
		),
	) as [string, string];
	const open = (cacheDir: string) =>
		openCatalog({ sessionRoots: folder.sessionRoots, cacheDir, stateDir: folder.base, processes: false });
	const catalog = open(folder.cache);
	const seen = startCatalog(catalog);
	await catalog.listed();
	/** Resolves when another catalog, which does not rest, knows what was written until now. */
	const heardElsewhere = async (path: string, condition: (row: SessionRow | undefined) => boolean): Promise<void> => {
		await other.until(`the change of ${path}`, () => condition(other.rows.get(path)));
	};
	const awake = open(join(folder.base, "other-cache"));
	const other = startCatalog(awake);
	await awake.listed();
	return { folder, catalog, seen, a, b, heardElsewhere };
}

test("what has changed while it rested is known afterwards, and growth during the rest is attributed to nobody", async () => {
	const { folder, catalog, seen, a, b, heardElsewhere } = await listed();
	await catalog.rest();
	appendFileSync(a, lines(assistant("a2", "a1", 2, "more")));
	rmSync(b);
	const c = folder.write("--p--/c.jsonl", lines(header({ id: "c", cwd: "/p" }), user("c1", null, 1, "new")));
	// A watching catalog would know all three by now.
	await heardElsewhere(a, (row) => row?.messageCount === 2);
	await heardElsewhere(b, (row) => row === undefined);
	await heardElsewhere(c, (row) => row !== undefined);
	expect([...seen.rows.keys()].sort()).toEqual([a, b]);
	expect(seen.rows.get(a)?.messageCount).toBe(1);
	await catalog.wake();
	expect([...seen.rows.keys()].sort()).toEqual([a, c]);
	expect(seen.rows.get(a)?.messageCount).toBe(2);
	expect(seen.live().sessions.size).toBe(0);
	// And it watches again.
	appendFileSync(c, lines(assistant("c2", "c1", 2, "more")));
	await seen.until("the appended line", () => seen.rows.get(c)?.messageCount === 2);
});

test("an interrupted search continues, and a finished one keeps its results and gets changes", async () => {
	const { catalog, a, b } = await listed();
	const first = followSearch(catalog, "said");
	await catalog.rest();
	await catalog.wake();
	await first.until("both sessions", () => first.found.size === 2);
	expect([...first.found.keys()].sort()).toEqual([a, b]);
	first.stop();
	const later = followSearch(catalog, "more");
	expect(await later.settled()).toEqual([]);
	await catalog.rest();
	appendFileSync(a, lines(assistant("a2", "a1", 2, "more")));
	await catalog.wake();
	await later.until("the session with the word", () => later.found.size > 0);
	expect([...later.found.keys()]).toEqual([a]);
});

test("it can be closed while it rests, and rest twice", async () => {
	const { catalog } = await listed();
	await Promise.all([catalog.rest(), catalog.rest()]);
	const waking = catalog.wake();
	await catalog.rest();
	await catalog.close();
	await waking;
});
