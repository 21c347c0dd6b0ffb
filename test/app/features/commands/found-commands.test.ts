import { expect, test } from "vitest";
import { update } from "../../../../src/app/core/update.ts";
import { shownCommands } from "../../../../src/app/features/commands/list-commands.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { editedText } from "../../../../src/ui/field/edit.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { assistant, sessionOf, user } from "../../../support/session-builder.ts";

type Pane = "list" | "tree" | "reader" | "branches";

/** A session that has been read, with the focus on this pane. */
async function stateOn(focus: Pane): Promise<State> {
	const event = { type: "rows", rows: [makeRow("one", { name: "Alpha" })] } as const;
	const start = startOf({ columns: 160, rows: 45 }, { cwd: "/home/me" });
	const listed = stateAfter(start, { type: "catalog", event }, LISTED);
	const session = await sessionOf(user("p", null, 1, "question"), assistant("a", "p", 2, "the answer"));
	return { ...update(listed, { type: "session-read", request: listed.request, session })[0], focus };
}

/** Names of the commands that are found and can act, in order. */
function found(state: State, text: string): readonly string[] {
	const overlay = { kind: "palette", query: editedText(text), index: 0, top: 0 } as const;
	return shownCommands({ ...state, overlays: [overlay] }, overlay).map(({ command }) => command.name);
}

const FIRST: readonly (readonly [Pane, string, string])[] = [
	["list", "res", "Resume"],
	["list", "bran", "Branch…"],
	["tree", "only err", "Only errors"],
	["tree", "err", "Next error"],
	["tree", "label", "Label…"],
	["list", "label", "Label…"],
	["tree", "file", "Files as they were here…"],
	["list", "file", "Copy the path"],
	["list", "id", "Copy the id"],
	["tree", "address", "Copy the address of this entry"],
	["tree", "link", "Copy the address of this entry"],
	["tree", "answer", "Copy the answer"],
	["list", "stats", "Statistics"],
	["list", "stat", "Statistics"],
	["list", "group", "Sort…"],
	["list", "preview", "Maximize the pane"],
	["list", "cost", "Sort…"],
	["list", "star", "Pin"],
	["list", "dead", "Missing directories"],
	["list", "gone", "Missing directories"],
	["list", "page", "Save or share…"],
	["tree", "web page", "Save or share…"],
	["list", "clone", "Branch…"],
	["list", "colors", "Colors…"],
	["list", "theme", "Colors…"],
	["list", "settings", "Colors…"],
	["list", "co pa", "Copy the path"],
	["list", "trash", "Trash"],
	["list", "mo tr", "Move to trash…"],
	["list", "del", "Move to trash…"],
	["list", "quit", "Leave"],
	["list", "help", "Keys and signs"],
	["list", "undo", "Undo"],
	["list", "delete", "Move to trash…"],
	["list", "dele", "Move to trash…"],
	["tree", "delete", "Move to trash…"],
	["list", "undelete", "Trash"],
	["list", "deleted", "Trash"],
	["list", "archive", "Archive"],
	["list", "unarchive", "Show the archive"],
	["list", "bring back", "Show the archive"],
	["list", "open", "Open"],
	["list", "find", "Search all sessions"],
	["tree", "find", "Filter…"],
	["reader", "find", "Find in the conversation…"],
	["list", "columns", "Columns…"],
	["list", "rename", "Rename…"],
	["list", "title", "Rename…"],
	["list", "share", "Save or share…"],
	["tree", "undo", "Undo"],
	["list", "project", "Show one project…"],
	["list", "tour", "Take the tour"],
	["list", "demo", "Take the tour"],
	["list", "bin", "Trash"],
	["list", "mark", "Mark"],
	["list", "arch", "Archive"],
	["list", "tag", "Tag…"],
	["list", "save", "Save or share…"],
	["list", "export", "Save or share…"],
	["list", "projects", "Show one project…"],
	["list", "proj", "Show one project…"],
	["list", "sh", "Show…"],
	["list", "his", "History"],
	["list", "prom", "Prompts"],
	["list", "bash", "Shell commands"],
	["list", "answer", "Copy the answer"],
	["branches", "answer", "Copy the answer"],
	["tree", "archive", "Archive"],
	["reader", "trash", "Trash"],
	["branches", "delete", "Move to trash…"],
	["list", "branches", "Branches"],
	["list", "digest", "Copy the digest"],
	["tree", "filt", "Filter…"],
	["tree", "turns", "Only turns"],
	["tree", "full", "Read on the full screen"],
	["tree", "zoom", "Maximize the pane"],
	["reader", "think", "Show thinking"],
	["reader", "diff", "Side-by-side diffs"],
	["reader", "next", "Next prompt"],
	["reader", "code", "Copy the code block"],
];
/** What comes first for some typed beginnings, with the real keymap. */
test.each(FIRST)("in the %s, %s finds %s first", async (pane, typed, name) => {
	expect(found(await stateOn(pane), typed)[0]).toBe(name);
});

test("letters scattered over a name or a synonym find nothing", async () => {
	const state = await stateOn("tree");
	expect(found(state, "only err")).toEqual(["Only errors"]);
	// "clipboard, yank" has these letters in order.
	expect(found(state, "ynk")).toEqual([]);
	expect(found(state, "file")).not.toContain("Only turns");
	expect(found(state, "label").indexOf("Show entries…")).toBeGreaterThan(
		found(state, "label").indexOf("Previous label"),
	);
	expect(found(state, "cymd")).toEqual([]);
});

test("a word's beginning in the name comes before a synonym, and that before its middle", async () => {
	expect(found(await stateOn("list"), "tag")).toEqual(["Tag…", "Label…"]);
	expect(found(await stateOn("list"), "his").slice(0, 3)).toEqual(["History", "Prompts", "Show only this project"]);
});

test("what is archived can be brought back, and who types what was done to it wants that", () => {
	const event = { type: "rows", rows: [makeRow("one", { name: "Alpha", archived: true })] } as const;
	const start = startOf({ columns: 160, rows: 45 }, { cwd: "/home/me" });
	const listed = stateAfter(start, { type: "catalog", event }, LISTED);
	const [now] = update({ ...listed, list: { ...listed.list, scope: "archived" } }, { type: "tick", now: NOW });
	for (const text of ["archive", "bring back", "unarchive"]) expect(found(now, text)[0]).toBe("Bring back");
});

test("what cannot be done now is no command, and why not is said where nothing else matches", async () => {
	const state = await stateOn("list");
	expect(found(state, "unmark")).not.toContain("Unmark all");
	expect(found(state, "image")).toEqual([]);
});
