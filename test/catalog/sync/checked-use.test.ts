import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCatalog } from "../../../src/catalog/catalog.ts";
import { listWith } from "../../../src/catalog/list-all.ts";
import { assistant, header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test("what is asked about is looked at again: growth since the listing is evidence of use", async () => {
	const { cache, write, sessionRoots, base } = tempAgentDir();
	const path = write("--p--/1.jsonl", lines(header({ cwd: "/p" }), user("a1", null, 1, "hello")));
	const stateDir = join(base, "state");
	const catalog = openCatalog({
		sessionRoots,
		cacheDir: cache,
		stateDir,
		watch: false,
		numbers: false,
	});
	const { rows } = await listWith(catalog, { numbers: false });
	const evidence = async () => (await catalog.checkUse([path])).sessions.get(path);
	expect(await evidence()).toBeUndefined();
	appendFileSync(path, lines(assistant("a2", "a1", 2, "an answer")));
	expect(await evidence()).toMatchObject([{ kind: "grew" }]);
	expect(rows.get(path)?.messageCount).toBe(2);
	await catalog.close();
});
