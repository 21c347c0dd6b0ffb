import { appendFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { follow, scratch } from "../../support/scratch.ts";
import { assistant, header, lines, user } from "../../support/session-lines.ts";

test("a session that is known to be made, changed or removed is read at once, and nothing else is looked at", async () => {
	const folder = scratch();
	const catalog = openCatalog({ sessionRoots: folder.places, cacheDir: folder.cache, watch: false, numbers: false });
	const { rows, until } = follow(catalog);
	await catalog.listed();
	const other = folder.write("--a--/other.jsonl", lines(header(), user("a", null, 1, "other")));
	const made = folder.write("--a--/made.jsonl", lines(header(), user("a", null, 1, "made")));
	catalog.changed([made]);
	await until(() => rows.has(made));
	expect([...rows.keys()]).toEqual([made]);
	appendFileSync(made, lines(assistant("b", "a", 2, "answer")));
	catalog.changed([made]);
	await until(() => rows.get(made)?.messageCount === 2);
	rmSync(made);
	catalog.changed([made]);
	await until(() => rows.size === 0);
	await catalog.refresh();
	expect([...rows.keys()]).toEqual([other]);
});
