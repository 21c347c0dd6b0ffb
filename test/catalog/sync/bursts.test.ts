import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { caseCount } from "../../support/cases.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { startCatalog } from "../../support/start-catalog.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test("the last line of every burst is seen, however close to the one before it", async () => {
	const folder = tempAgentDir();
	const path = folder.write("--a--/live.jsonl", lines(header(), user("a", null, 1, "first")));
	const catalog = openCatalog({ sessionRoots: folder.sessionRoots, cacheDir: folder.cache, numbers: false });
	const { rows, until } = startCatalog(catalog);
	await catalog.listed();
	let count = 1;
	const append = () => {
		count += 1;
		appendFileSync(path, lines(assistant(`b${count}`, "a", 2, "more")));
	};
	// Watching begins after the listing.
	append();
	await until("the first change", () => rows.get(path)?.messageCount === count);
	for (let burst = 0; burst < caseCount(8, 32); burst++) {
		append();
		await delay(burst % 8);
		append();
		if (burst % 3 === 0) append();
		await until(`burst ${burst}`, () => rows.get(path)?.messageCount === count);
	}
	expect(rows.get(path)?.messageCount).toBe(count);
});
