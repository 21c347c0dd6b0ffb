import { expect, test } from "vitest";
import { collectionOfFile } from "../../../support/collection.ts";
import { startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

const SIZES: readonly (readonly [columns: number, rows: number, isRead: boolean])[] = [
	[160, 45, true],
	[80, 24, true],
	[40, 10, false],
];

test.each(SIZES)(
	"the last answer, its code and the digest are copied from the list at %i×%i",
	async (columns, rows, isRead) => {
		const driver = await startProgram({ columns, rows }, { collection: collection() });
		await driver.idle();
		const [id = "", ...others] = ["copy-answer", "copy-block", "copy-digest"];
		const said = async (command: string): Promise<string> => {
			driver.press(command);
			const { message } = await driver.until(command, (state) => state.message !== undefined);
			return message?.text ?? "";
		};
		expect(await said(id)).toMatch(/the answer/);
		// Only where no pane shows the session, it is opened for that.
		expect(driver.program.getState().focus).toBe(isRead ? "list" : "tree");
		for (const other of others) expect(await said(other)).toMatch(/digest|code block/);
	},
);

test("in the branches, the last answer is that of the branch under the cursor", async () => {
	const driver = await startProgram({ columns: 160, rows: 45 }, { collection: collection() });
	await driver.select("Refactor the import parser");
	driver.press("branches");
	await driver.idle();
	const texts = new Set<string>();
	for (const _ of [1, 2]) {
		driver.press("copy-answer");
		const { message } = await driver.until("the copy", (state) => state.message !== undefined);
		texts.add(message?.text ?? "");
		driver.press("down");
		await driver.idle();
	}
	expect(texts.size).toBe(2);
});
