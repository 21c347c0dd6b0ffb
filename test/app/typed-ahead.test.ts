import { describe, expect, test } from "vitest";
import { isolateProcess } from "../support/start-program.ts";
import { type Script, type Typed, typeScript } from "../support/typing.ts";

isolateProcess();

/** What a script leads to when the person waits for the screen before each key. */
const oracle = new Map<string, Promise<Typed>>();

function typedSlowly(script: Script): Promise<Typed> {
	const key = JSON.stringify(script);
	const known = oracle.get(key) ?? typeScript(script, { pace: "slowly", cold: false, busy: false });
	oracle.set(key, known);
	return known;
}

const SCRIPTS: readonly Script[] = [
	["etimedout", "<resume>", "<resume>"],
	["parser", "<resume>", "<resume>", "<down>", "<choose>"],
	["<down>", "<down>", "<resume>"],
	["weekly", "<delete>", "<choose>"],
	["weekly", "<delete>", "<choose>", "<undo>"],
	["flaky", "<rename>", "<erase-all>", "Typed", "<choose>", "<rename>", "!", "<choose>"],
	["parser", "<next-pane>", "<first>", "<label>", "here", "<choose>", "<down>", "<label>", "there", "<choose>"],
	["<down>", "<down>", "<down>", "<branch>", "<choose>"],
	["parser", "<branch>", "<down>", "<choose>", "<resume>"],
	["<down>", "<next-pane>", "<first>", "<resume>", "<down>", "<choose>"],
	["weekly", "<copy-path>", "<down>", "<copy-path>"],
	["<scope>", "<down>", "<next-pane>", "error", "<down>", "<copy>"],
	["<rename>", "A", "<choose>", "<rename>", "B", "<choose>", "<undo>", "<undo>"],
];

describe("what is typed does the same at any speed", () => {
	test.each(SCRIPTS.map((script) => [script.join(" "), script] as const))("%s", async (_, script) => {
		const slowly = await typedSlowly(script);
		const typed = script.slice(0, slowly.keys);
		for (const pace of ["at once", 1, 20] as const) {
			for (const cold of [true, false]) {
				const fast = await typeScript(typed, { pace, cold, busy: !cold });
				expect({ pace, cold, ...fast }).toEqual({ pace, cold, ...slowly });
			}
		}
	});
});
