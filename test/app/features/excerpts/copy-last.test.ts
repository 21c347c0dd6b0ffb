import { expect, test } from "vitest";
import { copyCode } from "../../../../src/app/features/excerpts/copied-text.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { listed, run } from "../../../support/listed-state.ts";
import { assistant, sessionOf, user } from "../../../support/session-builder.ts";
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

test("where the last answer has no code, the last code block before it is copied, and whose it is is said", async () => {
	const session = await sessionOf(
		user("one", null, 1, "question"),
		assistant("two", "one", 2, "Do\n```sh\nls\n```"),
		user("three", "two", 3, "thanks"),
		assistant("four", "three", 4, "You are welcome."),
	);
	const { state } = run(listed, { type: "session-read", request: listed.request, session });
	const [entry] = session.entries.slice(-1);
	if (entry === undefined) return expect.fail("the session is empty");
	const [, effects] = copyCode(state, entry);
	expect(effects).toMatchObject([
		{
			text: "ls\n",
			what: expect.stringMatching(/^the code block of the answer of .+, 1 turn before the last$/),
		},
	]);
});
