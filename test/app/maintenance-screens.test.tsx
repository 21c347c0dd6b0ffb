import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { isLooking } from "../../src/app/world/list/gone-directories.ts";
import { selectTidying } from "../../src/app/world/list/tidy-groups.ts";
import { createDemo } from "../../src/cli/browser/demo.ts";
import { NOW } from "../support/rows.ts";
import { conversation, header, lines, user } from "../support/session-builder.ts";
import { GOLDEN_SIZES, shownScreen } from "../support/shown-screen.tsx";
import { startProgram } from "../support/start-program.ts";

/** Golden screens of maintenance: `vitest -u` rewrites them; look at the difference before you commit it. */

const DAY = 86_400_000;
/** Its length is in the size of each file; that of the demo is of any length. */
const CWD = "/usr/lib";

/** The demo with something of each kind. */
async function untidy() {
	const demo = await createDemo(NOW);
	onTestFinished(() => demo.remove());
	const dir = join(demo.agentDir, "sessions", "--more--");
	mkdirSync(dir, { recursive: true });
	const write = (name: string, ...all: readonly string[]): string => {
		const path = join(dir, `${name}.jsonl`);
		writeFileSync(path, lines(...all));
		return path;
	};
	const talk = (number: string, days: number, text: string, cwd = CWD): readonly string[] => {
		const messages = [
			{ role: "user", text },
			{ role: "assistant", text: "It is done." },
		] as const;
		return conversation({ number, cwd, endMs: NOW - days * DAY, messages }).lines;
	};
	for (const hours of [1, 2]) {
		const timestamp = new Date(NOW - hours * 3_600_000).toISOString();
		write(`empty ${hours}`, header({ id: `empty ${hours}`, cwd: CWD, timestamp }));
	}
	write("tiny", header({ id: "tiny", cwd: CWD }), user("a", null, 1, "検索を日本語に対応させて"));
	write("orphan", ...talk("0002", 9, "Where did the directory go?", "/nowhere/prototype"));
	return demo;
}

describe.each(GOLDEN_SIZES)("$columns×$rows", ({ columns, rows }) => {
	test("maintenance", async () => {
		const driver = await startProgram({ columns, rows }, { demo: await untidy() });
		driver.press("maintenance");
		await driver.until("all to be found", (state) => !isLooking(state) && selectTidying(state).sessions.length === 3);
		driver.press("first", "next-group", "unfold", "next-group", "unfold", "mark", "down");
		await driver.until("the tree, if any", ({ detail }) => columns < 80 || detail.status === "ready");
		const golden = (name: string) => join("golden", `${name}-${columns}x${rows}.txt`);
		await expect(await shownScreen(driver, columns, rows)).toMatchFileSnapshot(golden("maintenance"));
		driver.press("delete");
		await expect(await shownScreen(driver, columns, rows)).toMatchFileSnapshot(golden("maintenance-delete"));
	});
});
