import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { header, lines, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

test("the threads start whatever arguments Node itself was given", () => {
	const { env, cache, write } = tempAgentDir();
	const path = write("--p--/1.jsonl", lines(header(), user("u1", null, 1, "needle")));
	const program = `
		import { searchAll } from ${JSON.stringify(new URL("../../../src/catalog/search-all.ts", import.meta.url).href)};
		const found = await searchAll("needle", ${JSON.stringify({ env, cacheDir: cache })});
		console.log(JSON.stringify(found.map((one) => one.path)));
	`;
	const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
		encoding: "utf8",
	});
	expect([stdout, stderr]).toEqual([`${JSON.stringify([path])}\n`, ""]);
});
