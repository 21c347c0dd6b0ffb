import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { programPath, sandboxOfTest, threeSessions } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

test("the built library lists, searches and counts all sessions, and lets the process end", () => {
	const { parser, retry, site } = threeSessions(sandbox);
	const library = pathToFileURL(join(dirname(programPath), "index.js")).href;
	const program = join(sandbox.home, "use.mjs");
	const source = `
		import { list, listAll, searchAll, statsAll } from ${JSON.stringify(library)};
		const paths = (found) => found.map(({ path }) => path);
		const stats = await statsAll();
		console.log(JSON.stringify({
			all: paths(await listAll()),
			site: paths(await list("work/site")),
			found: paths(await searchAll("newline")),
			sessions: stats.sessions,
			counted: stats.counted,
		}));`;
	writeFileSync(program, source);
	const { PI_CODING_AGENT_SESSION_DIR, ...own } = process.env;
	const { stdout, stderr, status } = spawnSync(process.execPath, [program], {
		encoding: "utf8",
		env: { ...own, ...sandbox.env },
		cwd: sandbox.home,
	});
	expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
	expect(JSON.parse(stdout)).toEqual({
		all: [retry, parser, site],
		site: [site],
		found: [parser],
		sessions: 3,
		counted: 3,
	});
});
