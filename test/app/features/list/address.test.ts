import { expect, test } from "vitest";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

test("a pasted address lists its session alone, and opens it at its entry", async () => {
	const driver = await startProgram({ columns: 160, rows: 45 }, { collection: collection() });
	const { detail } = await driver.select("Refactor the import parser");
	const { session } = detail;
	const [first] = session?.entries.filter(({ type }) => type === "message") ?? [];
	for (const address of [`${session?.header?.id}#${first?.id}`, `${session?.header?.id.slice(0, 13)}#${first?.id}`]) {
		driver.type(address);
		await driver.idle();
		const { rows } = selectList(driver.program.getState());
		expect(rows.map(({ row }) => row.path)).toEqual([session?.path]);
		driver.press("next-pane");
		expect(selectedEntry(await driver.idle())?.id).toBe(first?.id);
		driver.send({ type: "keys", keys: ["left", "escape"] });
		await driver.idle();
	}
});
