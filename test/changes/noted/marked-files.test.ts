import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { selectList } from "../../../src/app/world/list/select-list.ts";
import { doneUntil, isPinned, NEVER, sessionTags } from "../../../src/catalog/model/marks.ts";
import { applyChanges, changedSession, openMarksFile, readMarks } from "../../../src/changes/noted/marks.ts";
import { keys, rows, run, start } from "../../support/listed-state.ts";
import { LISTED, makeRow } from "../../support/rows.ts";
import { tempDir } from "../../support/temp-dir.ts";

const SESSIONS = "/home/me/.pi/agent/sessions";
/** Two sessions with the id that a program chose, in two projects. */
const api = makeRow("nightly", { age: 1, cwd: "/w/api", path: `${SESSIONS}/--w-api--/2026-11-20_nightly.jsonl` });
const web = makeRow("nightly", { age: 2, cwd: "/w/web", path: `${SESSIONS}/--w-web--/2026-11-20_nightly.jsonl` });
const both = [api, web];

test("the chosen one of two sessions with the same id is pinned, tagged and done with, on the screen", () => {
	const listed = run(start, rows(...both), LISTED).state;
	const onWeb = run(listed, keys("down")).state;
	const { effects } = run(onWeb, keys("<pin>"));
	const pin = { type: "mark", paths: [web.path], changes: [{ ...changedSession(web), on: true }] };
	expect(effects).toEqual([pin]);
	const marks = applyChanges(pin.changes);
	const pinned = run(onWeb, { type: "marks", read: { marks, problems: [] } }).state;
	expect(selectList(pinned).rows.map(({ row }) => row.path)).toEqual([web.path, api.path]);
	const asked = run(pinned, { type: "text", text: "is:pinned" }).state;
	expect(selectList(asked).rows.map(({ row }) => row.path)).toEqual([web.path]);
	const done = applyChanges([
		{ ...changedSession(api), tag: "wip", on: true },
		{ ...changedSession(web), done: 7, on: true },
	]);
	expect(both.map((row) => sessionTags(row, done))).toEqual([["wip"], []]);
	expect(both.map((row) => doneUntil(row, done))).toEqual([NEVER, 7]);
});

test.each([
	["renamed", { name: "Every night" }],
	["archived", { archived: true as const, path: api.path.replace("/sessions/", "/session-archive/") }],
	["moved by hand", { path: `${SESSIONS}/--old--/2026-11-20_nightly.jsonl` }],
	["moved to the session directory of its project", { path: "/w/api/.pi/sessions/2026-11-20_nightly.jsonl" }],
	["of a project whose directory has a slash at its end", { cwd: "/w/api/" }],
])("a session keeps its marks when it is %s, and the other one gets none", (_what, fields) => {
	const marks = applyChanges([{ ...changedSession(api), on: true }]);
	expect(isPinned({ ...api, ...fields }, marks)).toBe(true);
	expect(isPinned(web, marks)).toBe(false);
});

function marksFile() {
	const path = join(tempDir(), "pi-grove", "marks.jsonl");
	mkdirSync(dirname(path), { recursive: true });
	const marks = openMarksFile(path);
	return { path, marks, pinned: () => both.map((row) => isPinned(row, readMarks(path).marks)) };
}

test("marks that name no file are of all with the id, until one of them is changed", () => {
	const { path, marks, pinned } = marksFile();
	const old =
		'{"version":1,"token":"1","changes":[{"id":"nightly","on":true},{"id":"nightly","tag":"wip","on":true}]}\n';
	writeFileSync(path, old);
	expect(pinned()).toEqual([true, true]);
	expect(both.map((row) => sessionTags(row, marks.content()))).toEqual([["wip"], ["wip"]]);

	const changes = [
		{ ...changedSession(api), on: false },
		{ ...changedSession(api), tag: "idea", on: true },
	];
	expect(marks.withEffect(changes)).toEqual(changes);
	marks.append("2", changes);
	expect(pinned()).toEqual([false, true]);
	expect(both.map((row) => sessionTags(row, marks.content()))).toEqual([["idea", "wip"], ["wip"]]);
	expect(marks.takeBack("2")).toBe(true);
	expect(pinned()).toEqual([true, true]);
	expect(readFileSync(path, "utf8").startsWith(old)).toBe(true);

	// An older program changes all of them, also where this one has named a file.
	marks.append("3", [{ ...changedSession(api), on: false }]);
	appendFileSync(path, '{"version":1,"token":"4","changes":[{"id":"nightly","on":true}]}\n');
	expect(pinned()).toEqual([true, true]);
	appendFileSync(path, '{"version":1,"token":"5","changes":[{"id":"nightly","on":false}]}\n');
	expect([pinned(), [...marks.content().pinned]]).toEqual([[false, false], []]);
});

test("an undo takes back the mark of its file alone", () => {
	const { marks, pinned } = marksFile();
	marks.append("api", [{ ...changedSession(api), on: true }]);
	marks.append("web", [{ ...changedSession(web), on: true }]);
	expect(marks.takeBack("api")).toBe(true);
	expect([pinned(), marks.takeBack("api")]).toEqual([[false, true], false]);
	marks.append("done", [{ ...changedSession(web), done: 1, on: true }]);
	marks.append("later", [{ ...changedSession(web), done: 2, on: true }]);
	expect(marks.takeBack("later")).toBe(true);
	expect(both.map((row) => doneUntil(row, marks.content()))).toEqual([NEVER, 1]);
});
