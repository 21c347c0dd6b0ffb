import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DOCTOR } from "../../src/app/features/maintenance/maintenance-state.ts";
import { pageOf } from "../../src/app/world/state/overlays.ts";
import { createDemo } from "../../src/cli/browser/demo.ts";
import { staleName, turns } from "../support/rewound-session.ts";
import { NOW } from "../support/rows.ts";
import { paneTexts, questionText, ruleTexts } from "../support/screen-text.ts";
import { header, lines } from "../support/session-builder.ts";
import { type Driver, startProgram } from "../support/start-program.ts";

const TITLE = "Moved by a name";

/** The program on a session from whose end a name has moved the leaf, with a pi; what was added to it since. */
async function started(size: { columns: number; rows: number }) {
	const demo = await createDemo(NOW);
	onTestFinished(() => demo.remove());
	const path = join(demo.agentDir, "sessions", "--work--", "0198-moved.jsonl");
	mkdirSync(dirname(path), { recursive: true });
	const before = lines(header({ id: "0198-moved", cwd: demo.cwd }), ...turns(40), staleName(3, 500, TITLE));
	writeFileSync(path, before);
	const driver = await startProgram(size, { demo });
	driver.installPi();
	await driver.select(TITLE);
	const added = (): readonly Record<string, unknown>[] =>
		readFileSync(path, "utf8")
			.slice(before.length)
			.split("\n")
			.filter(Boolean)
			.map((line) => JSON.parse(line));
	return { driver, path, added };
}

const rowIn = ({ program }: Driver): string =>
	paneTexts(program.getState(), "list").find((row) => row.includes(TITLE)) ?? "";
const rulesOf = ({ program }: Driver): string => ruleTexts(program.getState()).join("\n");
const untilSaid = ({ until }: Driver, text: string) =>
	until(text, ({ message, changing }) => changing === 0 && message?.text.includes(text) === true);
const untilAsked = ({ until }: Driver, title: string) =>
	until(title, (state) => state.overlays.length > 0 && questionText(state).includes(title));

const ADDED = expect.objectContaining({ type: "custom", parentId: "a40" });

test("the list and the tree tell it; a command takes the leaf to the end at once, undo takes that back, resuming asks", async () => {
	const { driver, path, added } = await started({ columns: 160, rows: 45 });
	expect(rowIn(driver)).toContain(`${TITLE}  from turn 3/40`);
	expect(rulesOf(driver)).toContain("pi continues from turn 3 of 40");
	driver.press("forward");
	await untilSaid(driver, "continues from its end");
	await driver.until("the row", () => !rowIn(driver).includes("from turn"));
	expect(added()).toEqual([ADDED]);
	driver.press("undo");
	await untilSaid(driver, "Undone: ");
	await driver.until("the row", () => rowIn(driver).includes("from turn 3/40"));
	driver.press("resume");
	const asked = await untilAsked(driver, "Resume from where?");
	expect(questionText(asked)).toContain("From the end of the conversation: adds one line to the session");
	expect(added()).toHaveLength(2);
	driver.press("choose");
	expect(await driver.program.exited).toMatchObject({ kind: "resume", args: ["--session", path] });
	expect(added()[2]).toEqual(ADDED);
});

test("resuming that is canceled adds nothing; the end is reached from the tree, and from a finding of a check", async () => {
	const { driver, added } = await started({ columns: 100, rows: 24 });
	driver.send({ type: "resize", columns: 99, rows: 24 });
	expect(rowIn(driver)).toContain(`${TITLE}  continues from turn 3 of 40`);
	driver.press("next-pane", "resume");
	await untilAsked(driver, "Resume from where?");
	driver.press("cancel");
	await driver.idle();
	expect(added()).toEqual([]);
	driver.press("forward");
	await untilSaid(driver, "continues from its end");
	driver.press("undo");
	await untilSaid(driver, "Undone: ");
	driver.press("previous-pane");
	await driver.idle();
	driver.press("check");
	await driver.until(
		"the findings",
		(state) => DOCTOR.of(state).examining.size === 0 && pageOf(state) === "maintenance",
	);
	driver.press("forward");
	await untilSaid(driver, "continues from its end");
	// From the tree, back by undo, and from the finding.
	expect(added()).toHaveLength(3);
	expect(added().at(-1)).toEqual(ADDED);
});

test("to resume as pi would adds nothing", async () => {
	const { driver, path, added } = await started({ columns: 100, rows: 24 });
	driver.press("resume");
	await untilAsked(driver, "Resume from where?");
	driver.press("down", "choose");
	expect(await driver.program.exited).toMatchObject({ kind: "resume", args: ["--session", path] });
	expect(added()).toEqual([]);
});
