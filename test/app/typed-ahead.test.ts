import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { caseCount, FIRST_SEED, inLong } from "../support/cases.ts";
import { type Script, type TypingOptions, typeScript } from "../support/typing.ts";

const SLOWLY: TypingOptions = { pace: "slowly", cold: false, busy: false };

const WAYS: readonly TypingOptions[] = [
	{ pace: "at once", cold: true, busy: false },
	{ pace: 1, cold: false, busy: true },
	{ pace: 20, cold: true, busy: true },
];

/** In long runs only. */
const LONGER: readonly TypingOptions[] = [
	{ pace: "at once", cold: false, busy: true },
	{ pace: 1, cold: true, busy: false },
	{ pace: 20, cold: false, busy: false },
	{ pace: 200, cold: true, busy: true },
];

/** Types a script in these ways, and compares what comes of it with waiting for the screen before each key. */
async function expectSame(script: Script, ways: readonly TypingOptions[]): Promise<void> {
	const slowly = await typeScript(script, SLOWLY);
	// What follows when the program has been left is not typed into it.
	const typed = script.slice(0, slowly.keys);
	for (const way of ways) expect({ typed, way, ...(await typeScript(typed, way)) }).toEqual({ typed, way, ...slowly });
}

const SCRIPTS: readonly Script[] = [
	["weekly", "<delete>", "<choose>", "<undo>"],
	["<scope>", "<down>", "<next-pane>", "error", "<down>", "<copy>"],
	["weekly", "<sort>", "<scope>"],
];

/** In long runs only: each is much like one of those above. */
const MORE_SCRIPTS: readonly Script[] = [
	["parser", "<next-pane>", "<first>", "<label>", "here", "<choose>", "<down>", "<label>", "there", "<choose>"],
	["flaky", "<rename>", "<erase-all>", "Typed", "<choose>", "<rename>", "!", "<choose>"],
	["parser", "<branch>", "<down>", "<choose>", "<resume>"],
	["etimedout", "<resume>", "<resume>"],
	["the", "<down>", "<resume>", "<branch>", "<label>", "<resume>", "<sort>"],
	["parser", "<resume>", "<resume>", "<down>", "<choose>"],
	["<down>", "<down>", "<resume>"],
	["<down>", "<down>", "<down>", "<branch>", "<choose>"],
	["<down>", "<next-pane>", "<first>", "<resume>", "<down>", "<choose>"],
	["weekly", "<copy-path>", "<down>", "<copy-path>"],
	["<rename>", "A", "<choose>", "<rename>", "B", "<choose>", "<undo>", "<undo>"],
];

/**
 * What random scripts are made of. Not Escape, which ends the waiting for what was typed before it, and no way to the end
 * of the list, where the sessions of others are; nor what filters the list, which does not wait for it; nor what is no query,
 * under which the results of the last one stay that was.
 */
const TYPED = [
	...["parser", "error", "weekly", "the", "is:named "],
	...["<down>", "<down>", "<up>", "<first>", "<next-pane>", "<previous-pane>", "<resume>", "<resume>"],
	...["<delete>", "<rename>", "<branch>", "<label>", "<undo>", "<scope>", "<sort>", "<erase>", "<copy-path>"],
];

describe("what is typed does the same at any speed", () => {
	const all = inLong([...SCRIPTS, ...MORE_SCRIPTS], SCRIPTS);
	test.each(all.map((script, index) => [script.join(" "), script, index] as const))("%s", (_, script, index) =>
		// One way each, so that together they are typed in all.
		expectSame(script, inLong([...WAYS, ...LONGER], WAYS.slice(index % WAYS.length).slice(0, 1))),
	);

	const count = inLong(caseCount(1), 0);
	const scripts = fc.sample(fc.array(fc.constantFrom(...TYPED), { minLength: 3, maxLength: 9 }), {
		numRuns: count,
		seed: FIRST_SEED,
	});
	test.each(scripts.map((script, index) => [`${index + 1} of ${count}`, script] as const))(
		"random script %s: %j",
		(_, script) => expectSame(script, inLong([...WAYS, ...LONGER], WAYS.slice(-1))),
	);
});
