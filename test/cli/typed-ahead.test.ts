import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inShort } from "../support/cases.ts";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

/** What pi was started with. */
function startedWith(): string {
	return readFileSync(join(sandbox.home, "arguments"), "utf8").trim();
}

const MOMENTS = ["with the first frame", "before anything is drawn"];

test.each(inShort(MOMENTS, (moment) => moment.startsWith("before")))(
	"Enter right after a query resumes the session that the query finds: typed %s",
	async (when) => {
		sandbox.installPi(`printf '%s\\n' "$@" > "${sandbox.home}/arguments"`);
		for (let index = 0; index < 60; index++)
			sandbox.session({
				project: `work/p${index % 7}`,
				age: index,
				messages: [{ role: "user", text: `quick ${index}` }],
			});
		const wanted = sandbox.session({
			project: "work/cache",
			age: 90,
			name: "etimedout in redis",
			messages: [{ role: "user", text: "why?" }],
		});
		const terminal = sandbox.start();
		if (when === "with the first frame") await terminal.waitFor("pi-grove");
		terminal.type("etimedout redis\r");
		await expect.poll(startedWith).toBe(`--session\n${wanted}`);
	},
);
