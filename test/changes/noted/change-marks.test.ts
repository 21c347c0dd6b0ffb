import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeChange } from "../../../src/changes/engine/make-change.ts";
import type { ChangesTools } from "../../../src/changes/engine/tools.ts";
import { openJournal } from "../../../src/changes/journal/journal.ts";
import type { ChangeRequest } from "../../../src/changes/kinds/kinds.ts";
import { type MarkChange, marksPath, openMarksFile } from "../../../src/changes/noted/marks.ts";
import { madeChanges } from "../../support/made-changes.ts";
import { tempDir } from "../../support/temp-dir.ts";

const ROOT = "/home/ada/.pi/agent/sessions";
const PATH = `${ROOT}/--x--/a.jsonl`;
const PIN: readonly MarkChange[] = [{ id: "a", on: true }];

function start() {
	const home = tempDir();
	const path = marksPath({ XDG_STATE_HOME: join(home, "state") }, home);
	const notes = join(home, "state", "pi-grove", "journal.jsonl");
	return {
		path,
		notes,
		journal: openJournal({ path: notes, root: ROOT }),
		marks: openMarksFile(path),
		titleOf: () => "Lexer",
	};
}

/** Pinning needs no more. */
const changeMarks = async (request: Extract<ChangeRequest, { type: "mark" }>, tools: Partial<ChangesTools>) =>
	(await makeChange(request, { changed: () => undefined, refresh: () => undefined, ...tools } as ChangesTools)).message;

const full = (): Promise<never> => Promise.reject(new Error("the undo journal cannot be written: the disk is full"));

test("without its note in the journal nothing is changed", async () => {
	const { path, ...tools } = start();
	const journal = { ...tools.journal, begin: full };
	await expect(changeMarks({ type: "mark", paths: [PATH], changes: PIN }, { ...tools, journal })).rejects.toThrow(
		"Cannot pin “Lexer”: the undo journal cannot be written: the disk is full",
	);
	expect(existsSync(path)).toBe(false);
});

test("what was changed but cannot be noted is told as it is", async () => {
	const { journal, notes, ...tools } = start();
	const message = await changeMarks(
		{ type: "mark", paths: [PATH], changes: PIN },
		{ ...tools, journal: { ...journal, done: full } },
	);
	expect(message).toEqual({
		text: "Pinned “Lexer”; undo may not know of it, since the undo journal cannot be written: the disk is full",
		tone: "warning",
	});
	// The line is there, so the next run knows that it was made.
	const [change] = await madeChanges(notes, ROOT);
	expect(change?.plan?.type === "mark" && tools.marks.has(change.plan.token)).toBe(true);
});

test("where the marks cannot be written, the journal says that nothing was made", async () => {
	const { path, notes, journal, ...tools } = start();
	const marks = {
		...tools.marks,
		append: () => {
			throw new Error("the pins and tags cannot be written: the disk is full (ENOSPC); make room and try again");
		},
	};
	await expect(
		changeMarks({ type: "mark", paths: [PATH], changes: PIN }, { ...tools, journal, marks }),
	).rejects.toThrow(/^Cannot pin “Lexer”: the pins and tags cannot be written: the disk is full/);
	expect(await madeChanges(notes, ROOT)).toEqual([]);
	expect(existsSync(path)).toBe(false);
});

test("only what makes a difference is noted and told", async () => {
	const { path, ...tools } = start();
	const tag = (id: string, name: string, on = true): MarkChange => ({ id, tag: name, on });
	const change = (changes: readonly MarkChange[], paths = [PATH]) =>
		changeMarks({ type: "mark", paths, changes }, tools);
	const several = [PATH, `${ROOT}/--x--/b.jsonl`, `${ROOT}/--x--/c.jsonl`];
	expect((await change([tag("a", "wip"), tag("b", "wip")], several)).text).toBe("Tagged 2 sessions #wip");
	expect((await change([tag("a", "wip"), tag("b", "wip"), tag("c", "wip")], several)).text).toBe(
		"Tagged 1 session #wip",
	);
	expect((await change([tag("a", "idea"), tag("a", "wip", false)])).text).toBe("Tagged “Lexer” #idea, removed #wip");
	// A redo of several has the path of the first only.
	expect((await change([tag("b", "more"), tag("c", "more")])).text).toBe("Tagged 2 sessions #more");
	const before = readFileSync(path, "utf8");
	expect(await change([tag("a", "idea")])).toEqual({ text: "Nothing to change", tone: "muted" });
	expect(readFileSync(path, "utf8")).toBe(before);
});
