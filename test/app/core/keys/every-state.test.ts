import { expect, test } from "vitest";
import { fieldOf } from "../../../../src/app/core/input/keyboard.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { selectedChangesRow } from "../../../../src/app/features/changes/changes-state.ts";
import { targetOf } from "../../../../src/app/features/statistics/stats-rows.ts";
import { shortWords } from "../../../../src/app/world/keys/key.ts";
import { searchOf } from "../../../../src/app/world/list/list-search.ts";
import { bindingFor, bindingsFor, contextOf, keyLabel } from "../../../../src/app/world/state/binding.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { Line } from "../../../../src/ui/text/line.ts";
import { type Driver, startProgram } from "../../../support/start-program.ts";

/** The keys that mean one thing everywhere, and space, which marks where it cannot be text. */
const KEYS = ["enter", "right", "escape", "tab", "ctrl+u", " "] as const;

/** What brings about a state: ids of bindings, text in quotes, and what to wait for. */
type Steps = readonly (string | ((state: State) => boolean))[];

/** A state, how one gets there, and the bindings of `KEYS` in it; "" for none, "text" for what is typed. */
type Row = readonly [name: string, steps: Steps, ...bindings: string[]];

const IN_TREE = ["next-pane"];
const IN_READER = [...IN_TREE, "next-pane"];
const IN_BRANCHES = [...IN_TREE, "branches"];
const QUERY = '"parser';
const NOTHING = '"zzzyyyxxx';

// biome-ignore format: a table
const STATES: readonly Row[] = [
	// name, steps,                                  enter, right, escape, tab, ctrl+u, space
	["list", [],                                     "resume", "next-pane", "back", "scope", "erase-all", "mark"],
	["list, the name of a project", [QUERY],         "resume", "next-pane", "back", "complete", "erase-all", "text"],
	["list, text without hits", [NOTHING],           "", "", "back", "scope", "erase-all", "text"],
	["list, a field being typed", ['"is:na'],        "resume", "next-pane", "back", "complete", "erase-all", "text"],
	["list, marks", ["mark", "mark"],                "resume", "next-pane", "back", "scope", "erase-all", "mark"],
	["list, marks and text", ["mark", QUERY],        "resume", "next-pane", "back", "complete", "erase-all", "text"],
	["tree, on the leaf", IN_TREE,                   "resume", "next-pane", "back", "branches", "filter-user-only", ""],
	["tree, before the leaf", [...IN_TREE, "up"],    "resume", "next-pane", "back", "branches", "filter-user-only", ""],
	["tree, typing", [...IN_TREE, "filter-text", '"a'], "filter-done", "filter-open", "filter-clear", "", "erase-all", "text"],
	["tree, filtered", [...IN_TREE, "filter-text", '"a', "filter-done"], "resume", "next-pane", "back", "branches", "filter-user-only", ""],
	["tree, filtered without hits", [...IN_TREE, "filter-text", NOTHING, "filter-done"], "", "next-pane", "back", "branches", "filter-user-only", ""],
	["reader", IN_READER,                            "resume", "full-page", "back", "branches", "half-page-up", "next-page"],
	["reader, the full page", [...IN_READER, "full-page"], "resume", "", "back", "branches", "half-page-up", "next-page"],
	["reader, finding", [...IN_READER, "find", '"a'], "find-submit", "cursor-forward", "find-cancel", "", "erase-all", "text"],
	["branches", IN_BRANCHES,                        "resume", "read-branch", "back", "changes", "", "mark-branch"],
	["branches, typing", [...IN_BRANCHES, "filter-text", '"a'], "filter-done", "filter-open", "filter-clear", "", "erase-all", "text"],
	["branches, filtered", [...IN_BRANCHES, "filter-text", '"a', "filter-done"], "resume", "read-branch", "back", "changes", "", "mark-branch"],
	["changes, none", [...IN_TREE, "changes"],       "", "", "cancel", "to-tree", "", "next-page"],
	["changes", ['"import parser', ...IN_TREE, "changes", hasFiles], "go-to-turn", "go-to-turn", "cancel", "to-tree", "", "next-page"],
	["changes, typing", ['"import parser', ...IN_TREE, "changes", hasFiles, "filter-text"], "filter-done", "filter-open", "filter-clear", "", "erase-all", "text"],
	["maintenance", ["maintenance"],                 "fold", "unfold", "cancel", "next-view", "", "mark"],
	["maintenance, marks", ["maintenance", "mark"],  "fold", "unfold", "unmark-rows", "next-view", "", "mark"],
	["history, nothing yet", ["history"],            "", "", "cancel", "next-view", "", ""],
	["statistics", ["stats", isCounted],             "show-in-list", "later-week", "cancel", "next-view", "", ""],
	["prompts", ["prompts"],                         "go-to-use", "open-text", "cancel", "next-view", "erase-all", "text"],
	["prompts, text", ["prompts", '"a'],             "go-to-use", "open-text", "back", "next-view", "erase-all", "text"],
	["keys", ["keys"],                               "", "", "cancel", "next-sign", "", "next-page"],
	["a menu", ["sort"],                             "choose", "cursor-forward", "cancel", "", "erase-all", "text"],
	["a question", ["delete"],                       "choose", "cursor-forward", "cancel", "", "erase-all", ""],
	["a text to type", ["rename"],                   "choose", "cursor-forward", "cancel", "", "erase-all", "text"],
	["commands", ["help"],                           "choose", "cursor-forward", "cancel", "", "erase-all", "text"],
	["projects", ["projects"],                       "choose", "cursor-forward", "cancel", "", "erase-all", "text"],
];

test("what each key does in every state, and that the footer says the same", async () => {
	const driver = await startProgram();
	for (const [name, steps, ...expected] of STATES) {
		await reset(driver);
		for (const step of steps) {
			if (typeof step === "function") await driver.until("what is counted", step);
			else if (step.startsWith('"')) driver.type(step.slice(1));
			else driver.press(step);
			// A field without a value is no query yet: then there is no answer to wait for.
			if (searchOf(driver.program.getState()).mistake === undefined) await driver.idle();
		}
		const state = driver.program.getState();
		const found = KEYS.map((key) => meaning(state, key));
		expect.soft(found, name).toEqual(expected);
		for (const key of KEYS) expectFooter(state, name, key);
	}
});

function hasFiles(state: State): boolean {
	return selectedChangesRow(state) !== undefined;
}

function isCounted(state: State): boolean {
	return targetOf(state) !== undefined;
}

/** Goes out step by step, as far as escape leads without leaving. */
async function reset(driver: Driver): Promise<void> {
	for (let steps = 0; !isAtStart(driver.program.getState()); steps++) {
		if (steps > 12) throw new Error("escape does not lead back to the list");
		driver.send({ type: "keys", keys: ["escape"] });
		await driver.idle();
	}
}

function isAtStart({ overlays, focus, list, zoom }: State): boolean {
	return overlays.length === 0 && focus === "list" && list.query.text === "" && list.marked.size === 0 && !zoom;
}

function meaning(state: State, key: string): string {
	const id = bindingFor(state, key)?.id;
	if (id !== undefined || key !== " ") return id ?? "";
	return fieldOf(state) === undefined ? "" : "text";
}

/** What the footer, or the open box, says of a key is what its binding says; what Enter does is always said. */
function expectFooter(state: State, name: string, key: string): void {
	const { footer, overlay } = selectScreen(state);
	const line = state.overlays.length > 0 && overlay !== undefined ? (overlay.hint ?? []) : footer;
	const hints = hintsOf(line);
	const binding = bindingsFor(state).find(({ keys }) => keys.includes(key));
	const shown = hints.get(keyLabel(key));
	const isSaid = shown !== undefined || (key === "enter" && binding !== undefined);
	if (isSaid) expect.soft(shown, `${key} in ${name}`).toBe(shortWords(binding?.short, state));
	if (state.overlays.length === 0 && !["find", "filter"].includes(contextOf(state)))
		expect.soft([...hints].at(-1), name).toEqual(["ctrl+k", "commands"]);
}

/** The keys in a footer, and what it says of each. */
function hintsOf(line: Line): ReadonlyMap<string, string> {
	const parts = line.flatMap(({ text, press }) => (press === undefined ? [] : [text.trim()]));
	return new Map(parts.flatMap((part, index) => (index % 2 === 0 ? [[part, parts[index + 1] ?? ""] as const] : [])));
}
