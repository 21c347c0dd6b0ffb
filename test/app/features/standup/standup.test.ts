import { expect, test } from "vitest";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { topOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { collectionOfFile } from "../../../support/collection.ts";
import { textOfRow } from "../../../support/drawn-rows.ts";
import { startProgram } from "../../../support/start-program.ts";

const collection = collectionOfFile();

test("Standup… asks since which day, shows what was done, and copies it as Markdown", async () => {
	const driver = await startProgram({ columns: 60, rows: 15 }, { collection: collection() });
	await driver.idle();
	driver.press("standup");
	const menu = topOverlay(driver.program.getState());
	if (menu?.kind !== "menu") return expect.fail("nothing is asked");
	expect(menu.items.map(({ label }) => label)).toContainEqual(
		expect.stringMatching(/^Since yesterday +[A-Z][a-z]{2} \d+ /),
	);
	// Of yesterday alone, too.
	const { effect } = menu.items.find(({ label }) => label.startsWith("Yesterday ")) ?? {};
	if (effect?.type !== "read-standup") return expect.fail("yesterday is not offered");
	expect((effect.to ?? 0) - effect.from).toBeGreaterThan(22 * 3_600_000);
	expect((effect.to ?? 0) - effect.from).toBeLessThan(26 * 3_600_000);
	// The last working day is highlighted.
	expect(menu.items[menu.index]?.label).not.toMatch(/ (?:Sat|Sun) /);
	driver.send({ type: "text", text: "two weeks" });
	driver.press("choose");
	const shownIn = (now: State): string => (selectScreen(now).overlay?.body ?? []).map(textOfRow).join("\n");
	const isDrawn = (now: State): boolean => topOverlay(now)?.kind === "help" && !shownIn(now).includes("##");
	const state = await driver.until("the page", isDrawn);
	expect(shownIn(state)).toMatch(/\d+ sessions · \d+ prompts/);
	const page = topOverlay(state);
	const text = page?.kind === "help" ? page.output?.text : undefined;
	expect(text).toContain("\n## ");
	driver.send({ type: "keys", keys: ["y"] });
	const copied = await driver.until("the copy", ({ message }) => message !== undefined);
	expect(copied.message?.text).toMatch(/the text/);
});
