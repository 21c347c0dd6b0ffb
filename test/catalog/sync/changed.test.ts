import { appendFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test("a session that is known to be made, changed or removed is read immediately, and nothing else is checked", async () => {
	const folder = tempAgentDir();
	const catalog = openCatalog({
		sessionRoots: folder.sessionRoots,
		cacheDir: folder.cache,
		watch: false,
		numbers: false,
		processes: false,
	});
	const { rows, until } = startCatalog(catalog);
	await catalog.listed();
	const other = folder.write("--a--/other.jsonl", lines(header(), user("a", null, 1, "other")));
	const made = folder.write("--a--/made.jsonl", lines(header(), user("a", null, 1, "made")));
	await catalog.changed([made]);
	await until("the new row", () => rows.has(made));
	expect([...rows.keys()]).toEqual([made]);
	appendFileSync(made, lines(assistant("b", "a", 2, "answer")));
	await catalog.changed([made]);
	await until("the second message", () => rows.get(made)?.messageCount === 2);
	rmSync(made);
	await catalog.changed([made]);
	await until("no row", () => rows.size === 0);
	await catalog.refresh();
	expect([...rows.keys()]).toEqual([other]);
});
