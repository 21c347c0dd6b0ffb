import { appendFileSync, mkdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import {
	FOUND_USES,
	isOfFilter,
	isUsesComplete,
	selectUseRows,
	USES,
} from "../../../../src/app/features/prompts/uses-state.ts";
import { selectedEntry } from "../../../../src/app/world/opened/select-tree.ts";
import { whyBlocked } from "../../../../src/app/world/state/binding.ts";
import { pageOf } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { NOW } from "../../../support/rows.ts";
import { ruleTexts } from "../../../support/screen-text.ts";
import { assistant, header, lines, message, toolResult, user } from "../../../support/session-builder.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

const LONG = `Explain this:\n${"a line of the log\n".repeat(400)}and the end`;

let one = "";
let two = "";
/** The demo with two sessions that have the same prompts and commands. */
const collection = collectionOfFile((demo) => {
	const directory = join(demo.agentDir, "sessions", "--uses--");
	mkdirSync(directory, { recursive: true });
	const bash = (command: string) => [{ type: "toolCall", id: "c1", name: "bash", arguments: { command } }];
	one = join(directory, "one.jsonl");
	writeFileSync(
		one,
		lines(
			header({ id: "0198-one", cwd: "/work/zebra" }),
			user("u1", null, 1, "Look at the zebra crossing"),
			assistant("a1", "u1", 2, "", bash("make zebra")),
			toolResult("r1", "a1", 4, "made"),
			user("u2", "r1", 9, LONG),
			assistant("a2", "u2", 10, "It is a **log**."),
		),
	);
	two = join(directory, "two.jsonl");
	writeFileSync(
		two,
		lines(
			header({ id: "0198-two", cwd: "/work/gnu" }),
			user("v1", null, 100, "Look at the zebra crossing"),
			message("p1", "v1", 101, { role: "bashExecution", command: "make zebra", output: "", exitCode: 2 }),
		),
	);
});

const start = (size = { columns: 100, rows: 30 }): Promise<Driver> => startProgram(size, { collection: collection() });

function isDone(state: State): boolean {
	return isUsesComplete(state) && isOfFilter(state, FOUND_USES.of(state).key) && state.catalog.complete;
}

async function open(driver: Driver, id: "prompts" | "commands", text = ""): Promise<State> {
	driver.press(id);
	driver.type(text);
	return driver.until("the findings", isDone);
}

const rows = (driver: Driver): string[] => {
	const [pane] = selectScreen(driver.program.getState()).panes;
	return (pane?.rows ?? []).map(({ line }) => textOfRow(line).trimEnd());
};

const title = (driver: Driver): string => ruleTexts(driver.program.getState())[0] ?? "";

test("shows all prompts of all sessions, with a typed filter; tab shows the commands with the same filter", async () => {
	const driver = await start();
	const uses = FOUND_USES.of(await open(driver, "prompts"));
	expect(uses.value?.found.total).toBeGreaterThan(20);
	expect(uses.value?.read).toBe(driver.program.getState().catalog.rows.size);
	driver.type("zebra");
	await driver.until("the zebra", isDone);
	expect(title(driver)).toMatch(/prompts ❯ zebra {2}newest first .* 1\/1 /);
	expect(rows(driver)).toHaveLength(1);
	expect(rows(driver)[0]).toMatch(/^› .*2× Look at the zebra crossing +gnu$/);
	driver.press("show-commands");
	await driver.until("the commands", isDone);
	expect(rows(driver)[0]).toMatch(/2× ! make zebra +✗ exit 2 {2}gnu$/);
	expect(title(driver)).toContain("● commands");
	driver.press("back");
	expect(FOUND_USES.of(await driver.until("all commands", isDone)).value?.found.total).toBeGreaterThan(1);
	expect(FOUND_USES.of(driver.program.getState()).isLoading).toBe(true);
	driver.press("cancel");
	expect(pageOf(driver.program.getState())).toBeUndefined();
	// Once its page is closed, nobody listens to the search any more.
	expect(FOUND_USES.of(driver.program.getState()).isLoading).toBe(false);
});

test("the mouse chooses the kind, and a second press goes there; ctrl+c closes the page whatever is typed", async () => {
	const driver = await start();
	await open(driver, "prompts", "make");
	const press = (x: number, y: number) => driver.send({ type: "mouse", event: { kind: "press", x, y } });
	press(title(driver).indexOf("commands"), 1);
	await driver.until("the commands", (state) => USES.of(state).kind === "command" && isDone(state));
	expect(textOfRow(selectScreen(driver.program.getState()).footer)).toMatch(/esc clear +ctrl\+k commands/);
	driver.send({ type: "keys", keys: ["ctrl+c"] });
	expect(pageOf(driver.program.getState())).toBeUndefined();
	await open(driver, "commands");
	press(20, 2);
	press(20, 2);
	await driver.until("its entry", (state) => selectedEntry(state)?.id === "p1");
});

test("enter goes to the last use, or to the one under the cursor", async () => {
	const driver = await start();
	await open(driver, "commands", "zebra");
	driver.press("go-to-use");
	const there = await driver.until("the last use", (state) => selectedEntry(state)?.id === "p1");
	expect([there.focus, there.detail.status !== "none" && there.detail.row.path, there.overlays]).toEqual([
		"tree",
		two,
		[],
	]);
	await open(driver, "commands");
	driver.press("open-text");
	await driver.until("both places", (state) => selectUseRows(state).length === 3 && isUsesComplete(state));
	driver.press("down", "down", "go-to-use");
	// The tree shows a command of the model in the row of its result.
	const other = await driver.until("the first use", (state) => selectedEntry(state)?.id === "r1");
	expect(other.detail.status !== "none" && other.detail.row.path).toBe(one);
	// Back to the page, and from there to the session that was open below it.
	driver.send({ type: "keys", keys: ["escape"] });
	await driver.until("the page", (state) => pageOf(state) !== undefined);
	driver.press("cancel");
	const back = await driver.until("the session below", ({ detail, overlays }) => {
		return overlays.length === 0 && detail.status === "ready" && detail.row.path === two;
	});
	expect(back.focus).toBe("tree");
});

test("pi is started with a new session for a prompt, whose text is on the clipboard; a command begins none", async () => {
	const driver = await start();
	driver.installPi();
	await open(driver, "commands", "zebra");
	expect(whyBlocked(driver.program.getState(), "alt+n")).toBe("A session begins with a prompt, not with a command");
	driver.press("show-prompts");
	await driver.until("the prompts", isDone);
	driver.send({ type: "keys", keys: ["alt+n"] });
	await driver.until("the directory", ({ overlays }) => JSON.stringify(overlays).includes("does not exist: /work/gnu"));
	driver.press("choose");
	expect(await driver.program.exited).toMatchObject({ kind: "resume", cwd: driver.demo.cwd });
	expect(Buffer.from(driver.written[0]?.split(";")[2] ?? "", "base64").toString()).toBe("Look at the zebra crossing");
});

test("an enter typed ahead acts on the results for the text before it", async () => {
	const driver = await start();
	driver.press("prompts");
	driver.send({ type: "keys", keys: [..."zebra", "enter"] });
	expect(driver.program.getState().waiting).toHaveLength(1);
	await driver.until("the prompt", (state) => selectedEntry(state)?.id === "v1");
});

test("sessions that the list hides are included; an invalid filter is reported, and the rows stay", async () => {
	const driver = await start();
	driver.type("nothing holds this");
	await driver.idle();
	await open(driver, "prompts", "zebra project:zebra");
	expect(rows(driver)[0]).toMatch(/ Look at the zebra crossing +zebra$/);
	expect(FOUND_USES.of(driver.program.getState()).value?.total).toBe(1);
	driver.type(" file:x");
	expect(title(driver)).toContain("Only prompts are searched here");
	expect(rows(driver)).toHaveLength(1);
	driver.send({ type: "keys", keys: ["enter"] });
	expect(driver.program.getState().message?.text).toContain("finish the filter");
	driver.send({ type: "keys", keys: Array.from({ length: 7 }, () => "backspace") });
	await driver.until("the filter before", isDone);
	driver.press("go-to-use");
	const { list } = await driver.until("its entry", (state) => selectedEntry(state)?.id === "u1");
	expect(list.query.text).toBe("");
});

test("a long text is copied, and passed to pi's editor, as a whole; nothing is run", async () => {
	const driver = await start();
	await open(driver, "prompts", "re:^explain");
	driver.press("copy");
	const { message: said } = await driver.until("a message", ({ message }) => message !== undefined);
	expect(said?.text).toContain("the prompt");
	const sent = Buffer.from(/52;c;([^\u0007]*)/.exec(driver.written.join(""))?.[1] ?? "", "base64").toString();
	expect(sent).toBe(LONG);

	const state = driver.program.getState();
	const host = { pi: "1.5.2", pid: 1, open: { id: "x", cwd: "/", leaf: null }, busy: false, reportedMs: NOW };
	const inPi: State = { ...state, message: undefined, environment: { ...state.environment, host } };
	const [asked, effects] = update(inPi, { type: "keys", keys: ["enter"] }, NOW);
	expect(effects).toMatchObject([{ type: "send-use", to: "pi", use: { path: one, entryId: "u2" } }]);
	expect(update(asked, { type: "use-text", text: LONG }, NOW)[1]).toEqual([
		{ type: "leave", outcome: { kind: "chosen", choice: { action: "edit", text: LONG } } },
	]);
});

test("beside a prompt stands what was said, and then what was answered, as in the reader", async () => {
	const driver = await start({ columns: 160, rows: 30 });
	const detail = (state: State): string =>
		(selectScreen(state).panes[1]?.rows ?? []).map(({ line }) => textOfRow(line).trim()).join("\n");
	await open(driver, "prompts", "re:^explain");
	const state = await driver.until("the answer", (now) => detail(now).includes("It is a log."));
	expect(detail(state)).toMatch(/\nExplain this:\na line of the log\n[\s\S]*\n…\n\nanswered\nIt is a log\.$/);
});

test("prompts sent while the page is open appear; those of a deleted session disappear", async () => {
	const driver = await start();
	await open(driver, "prompts", "quagga");
	expect(rows(driver).join(" ")).toContain("No prompt matches.");
	appendFileSync(one, lines(user("u9", "u2", 99, "Is a quagga a zebra?")));
	await driver.until("the new prompt", (state) => FOUND_USES.of(state).value?.found.total === 1);
	unlinkSync(one);
	await driver.until("nothing again", (state) => FOUND_USES.of(state).value?.found.total === 0);
});

test("the end is reached however many texts there are", async () => {
	const driver = await start({ columns: 80, rows: 24 });
	const many = Array.from({ length: 1500 }, (_, index) =>
		user(`m${index}`, index === 0 ? "p1" : `m${index - 1}`, 200 + index, `ask ${index}`),
	);
	appendFileSync(two, lines(...many));
	await open(driver, "prompts", "re:^ask");
	await driver.until("all", (state) => FOUND_USES.of(state).value?.found.total === 1500 && isUsesComplete(state));
	expect(FOUND_USES.of(driver.program.getState()).value?.found.texts).toHaveLength(300);
	driver.press(...Array.from({ length: 31 }, () => "page-down"));
	await driver.until("more", (state) => FOUND_USES.of(state).value?.found.texts.length === 1200);
	driver.press("last");
	await driver.until("the others", (state) => FOUND_USES.of(state).value?.found.texts.length === 1500);
	driver.press("last");
	expect(rows(driver).at(-1)).toContain("ask 0");
	expect(title(driver)).toContain("1,500/1,500");
});
