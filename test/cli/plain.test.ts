import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { sandboxOfTest } from "../support/sandbox.ts";

const sandbox = sandboxOfTest();

/** What is drawn, or stands in columns made by blanks. */
const DRAWN = /[\u2500-\u259f›◐◌◉●○★⚑]|\S {2,}\S/;

/** Starts the demo as a person who cannot see it does; `heard` presses a key, and returns the rows that are written then. */
async function started(env: Readonly<Record<string, string>> = {}) {
	const args = env.PI_GROVE_PLAIN === undefined ? ["--demo", "--plain"] : ["--demo"];
	const terminal = sandbox.start(args, { env, columns: 100, rows: 24 });
	// Everything is listed and counted.
	await terminal.waitFor((screen) => screen.includes("3 labels") && !screen.includes(", …"));
	const heard = async (key: string, until: string): Promise<readonly string[]> => {
		const from = terminal.written.length;
		terminal.press(key);
		await terminal.waitFor(() => stripVTControlCharacters(terminal.written.slice(from)).includes(until));
		return terminal.written
			.slice(from)
			.split(/\x1b\[\d+;\d+H/)
			.map(stripVTControlCharacters)
			.filter((row) => row.trim() !== "");
	};
	return { terminal, heard };
}

test("each key writes the selected row, at which the cursor stands, and what has changed: in list, tree, text and a dialog", async () => {
	const { terminal, heard } = await started();
	expect((await terminal.cursor())?.before).toBe("");
	const worker = await heard("down", "The worker hangs");
	expect(worker).toEqual([expect.stringMatching(/^The worker hangs .* api, here, 3h$/)]);
	const below = await terminal.cursor();
	expect((await terminal.screen())[below?.y ?? 0]).toBe(worker[0]);
	expect(await heard("up", "Weekly note")).toEqual([expect.stringMatching(/^Weekly note .* notes, /)]);
	await heard("down", "The worker hangs");

	// The tree is another page: its rows, and last the selected one.
	const tree = await heard("right", "It gives up after five attempts");
	expect(tree.at(-1)).toMatch(/^end, It gives up after five attempts/);
	// Where the footer has another key, that is read before.
	const step = await heard("up", "npm test");
	expect([step.length, step.at(-1)]).toEqual([2, expect.stringMatching(/^command, npm test/)]);
	await heard("down", "It gives up");

	// The text scrolls in the terminal: only what comes into sight is written.
	await heard("right", "npm test");
	await terminal.waitFor("charge as postponed");
	expect(await heard("up", "rate_limited")).toHaveLength(1);

	await heard("left", "asked 2");
	await heard("left", "title, project, age");
	const question = await heard("ctrl+d", "Cancel");
	expect(question[0]).toMatch(/^ *Move this session to the trash\?/);
	expect(question.at(-1)?.trim()).toBe("1 Move to the trash");
	expect((await heard("down", "2 Cancel")).map((row) => row.trim())).toEqual(["2 Cancel"]);
	const after = await heard("2", "The worker hangs");
	expect(after.at(-1)).toMatch(/^The worker hangs/);
	expect((await terminal.screen()).filter((row) => DRAWN.test(row.trim()))).toEqual([]);
	terminal.press("ctrl+q");
	expect((await terminal.exit()).code).toBe(0);
});

test("what is typed is heard as it is typed, and then what was found", async () => {
	const { terminal, heard } = await started({ PI_GROVE_PLAIN: "1" });
	const first = await heard("d", "d");
	expect(first.at(-1)).toMatch(/^d/);
	expect((await terminal.cursor())?.before).toMatch(/demo, d$/);
	await terminal.waitFor("Dark mode");
	expect(await heard("down", ",")).toHaveLength(1);
});
