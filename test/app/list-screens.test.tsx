import { join } from "node:path";
import { expect, test } from "vitest";
import { BRANCHES_OF_DIRECTORIES } from "../../src/app/features/list/git-facts.ts";
import { CODE_COLORS } from "../../src/app/features/reader/feature.ts";
import { RENDERERS } from "../../src/app/world/opened/select-reader.ts";
import { collectionOfFile } from "../support/collection.ts";
import { withCommands } from "../support/command.ts";
import { GOLDEN_SIZES, shownScreen } from "../support/shown-screen.tsx";
import { startProgram } from "../support/start-program.ts";
import { GOLDEN_TEMPORARY } from "../support/temp-dir.ts";

const collection = collectionOfFile(undefined, GOLDEN_TEMPORARY);

const SIZES = [{ columns: 200, rows: 60 }, ...GOLDEN_SIZES] as const;

const BY_PROJECT = ["ctrl+s", "down", "down", "down", "enter"] as const;

/** A scene: its name, then keys. */
const SCENES: readonly (readonly [name: string, ...keys: string[]])[] = [
	["plain"],
	["by-project", ...BY_PROJECT],
	["folded", ...BY_PROJECT, "end", "<fold-project>", "home", "<fold-project>"],
	["paths", "<path>"],
	["projects", "<projects>", "down"],
	["one-project", "down", "<only-project>"],
	["whole-screen", "<zoom>"],
];

/** One program shows a scene at all sizes, except where it depends on the size that the terminal had before. */
const STARTS = SCENES.flatMap(([name, ...keys]) => {
	const groups = name === "folded" ? SIZES.map((size) => [size]) : [SIZES];
	return groups.map((sizes) => ({ name, keys, sizes }));
});

/** Golden screens of the list: `vitest -u` rewrites them; look at the difference before you commit it. */
test.each(STARTS)("the list: $name, started at $sizes.0.columns columns", async ({ name, keys, sizes }) => {
	const driver = await startProgram(sizes[0], { collection: collection() });
	for (const action of withCommands([{ type: "keys", keys }])) driver.send(action);
	for (const { columns, rows } of sizes) {
		driver.send({ type: "resize", columns, rows });
		await driver.until("what is shown beside the list", ({ detail, list, waiting }) => {
			const isRead = columns < 100 || list.selected?.startsWith("project ") === true || detail.status !== "loading";
			return isRead && waiting.length === 0;
		});
		await driver.until("the branches of the directories", (state) => !BRANCHES_OF_DIRECTORIES.of(state).isLoading);
		await driver.until(
			"what reads Markdown and code, where it is needed",
			(state) => !RENDERERS.of(state).isLoading && !CODE_COLORS.of(state).isLoading,
		);
		const screen = await shownScreen(driver, columns, rows);
		await expect(screen).toMatchFileSnapshot(join("golden", "list", `${name}-${columns}x${rows}.txt`));
	}
});
