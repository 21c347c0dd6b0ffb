import { expect, test } from "vitest";
import type { LiveReport } from "../../../src/catalog/model/live.ts";
import { NO_MARKS } from "../../../src/catalog/model/marks.ts";
import type { SessionRow } from "../../../src/catalog/model/row.ts";
import { questionAbout } from "../../../src/changes/engine/ask.ts";
import type { SessionsChange } from "../../../src/changes/kinds/kinds.ts";
import { makeRow, NOW } from "../../support/rows.ts";

const plain = ["a", "b", "c"].map((name) => makeRow(name));
const archived = plain.map((row): SessionRow => ({ ...row, archived: true }));
const run = makeRow("a/run");

function inUse(...rows: readonly (SessionRow | undefined)[]): LiveReport {
	const use = { kind: "open", pid: 7, startedMs: NOW, program: "vi" } as const;
	return { sessions: new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.path, [use]] as const]))), pis: [] };
}

/** The question as text: title, sentences, choices, the highlighted one marked. `runs`: below each session. */
function asked(change: SessionsChange, all: readonly SessionRow[], live = inUse(), runs: readonly SessionRow[] = []) {
	const rows = new Map(all.map((row) => [row.path, row]));
	const known = { rows, live, marks: NO_MARKS, now: NOW, home: "/home/me", runsBelow: () => runs };
	const { title, about, body, choices, index = 0 } = questionAbout(change, [...rows.keys()], known);
	const said = body.map((note) => (typeof note === "string" ? note : note.text));
	const labels = choices.map(({ label }, at) => (at === index ? `> ${label}` : label));
	return [title, ...(about === undefined ? [] : [about]), ...said, ...labels].join("\n");
}

const KINDS: readonly (readonly [change: SessionsChange, one: string, several: string, refused: string])[] = [
	[
		{ type: "trash" },
		"Move this session to the trash?\nfirst message of a\n.*\n> Move to the trash\nCancel",
		"Move 2 sessions to the trash?\n.*\n> Move 2 sessions to the trash\nCancel",
		"this session is not deleted",
	],
	[
		{ type: "archive" },
		"Archive this session?\n.*It stays readable .*\n> Archive\nCancel",
		"Archive 2 sessions?\n.*They stay readable .*\n> Archive\nCancel",
		"this session is not archived",
	],
	[
		{ type: "bring-back" },
		"Bring this session back from the archive?\n.*\n> Bring it back\nCancel",
		"Bring 2 sessions back from the archive?\n.*\n> Bring them back\nCancel",
		"this session is not brought back",
	],
	[
		{ type: "fork", to: "/home/me/new", archives: true },
		"Fork this session into ~/new?\n.*\n> Fork 1 session and archive the original\nCancel",
		"Fork 2 sessions into ~/new?\n.*\n> Fork 2 sessions and archive the originals\nCancel",
		"this session is not forked",
	],
	[
		{ type: "repair" },
		"Repair this session?\n.*\n> Repair\nCancel",
		"Repair 2 sessions?\n.*\n> Repair\nCancel",
		"this session is not repaired",
	],
	[
		{ type: "forward", entryId: "a1" },
		"Continue from the end again?\nfirst message of a\n.*\n> From the end: .*\nCancel",
		"",
		"nothing is added to this session",
	],
];

test.each(KINDS.map((kind) => [kind[0].type, ...kind] as const))(
	"%s: one, several of which one is in use, and one in use",
	(_, change, one, several, refused) => {
		const rows = change.type === "bring-back" ? archived : plain;
		expect(asked(change, rows.slice(0, 1))).toMatch(new RegExp(`^${one.replaceAll("?", "\\?")}$`, "s"));
		const left = "1 is in use and is left out:\n“first message of c”: vi \\(pid 7, .*";
		if (several !== "")
			expect(asked(change, rows, inUse(rows[2]))).toMatch(
				new RegExp(`^${several.replaceAll("?", "\\?").replace("\n.*", `\n.*${left}`)}$`, "s"),
			);
		expect(asked(change, rows.slice(0, 1), inUse(rows[0]))).toMatch(
			new RegExp(`^In use: ${refused}\nfirst message of a\nvi .*\n> Close$`),
		);
	},
);

test("what becomes of runs is said by each kind, of one session and of several", () => {
	const said = (change: SessionsChange, count: number) => asked(change, plain.slice(0, count), inUse(), [run]);
	expect(said({ type: "trash" }, 1)).toMatch(
		/\nIf you delete only this session, its subagent run stays in the list on its own\.\n.*Move it and its run to the/s,
	);
	expect(said({ type: "trash" }, 2)).toMatch(
		/\nIf you delete only these sessions, their subagent run stays .*\nMove them and their run to the trash\n/s,
	);
	expect(said({ type: "archive" }, 1)).toContain("\nIts subagent run is archived with it.\n");
	expect(said({ type: "archive" }, 2)).toContain("\nTheir subagent run is archived with them.\n");
	expect(said({ type: "fork", to: "/new", archives: false }, 2)).toContain(
		"\nTheir subagent run stays with the originals.",
	);
});

test("what is in use is not among what is changed", () => {
	const rows = new Map(plain.map((row) => [row.path, row]));
	const known = { rows, live: inUse(plain[1]), marks: NO_MARKS, now: NOW, home: "/home/me", runsBelow: () => [] };
	const { choices } = questionAbout({ type: "trash" }, [...rows.keys()], known);
	expect(choices[0]?.effect).toMatchObject({ sessions: [{ row: plain[0] }, { row: plain[2] }] });
});

test("a run that grows or comes into use makes another question of it", () => {
	const [session] = plain;
	if (session === undefined) throw new Error("there is one");
	const facts = (row: SessionRow, live = inUse()) =>
		questionAbout({ type: "trash" }, [session.path], {
			rows: new Map([[session.path, session]]),
			live,
			marks: NO_MARKS,
			now: NOW,
			home: "/home/me",
			runsBelow: () => [row],
		}).facts;
	expect(facts({ ...run, size: 2 })).not.toBe(facts({ ...run, size: 1 }));
	expect(facts(run, inUse(run))).not.toBe(facts(run));
});

test("what undo takes back is done at once, and says itself which sessions are in use; a doubt is asked about", () => {
	const rows = new Map(plain.map((row) => [row.path, row]));
	const known = { rows, live: inUse(plain[1]), marks: NO_MARKS, now: NOW, home: "/home/me", runsBelow: () => [] };
	const atOnce = (change: SessionsChange, live = known.live) =>
		questionAbout(change, [...rows.keys()], { ...known, live }).atOnce?.sessions.map(({ row }) => row.path);
	const [a, b, c] = plain.map(({ path }) => path);
	expect(atOnce({ type: "archive" })).toEqual([a, c, b]);
	expect(atOnce({ type: "forward", entryId: "a1" })).toEqual([a, c, b]);
	for (const type of ["trash", "repair"] as const) expect(atOnce({ type })).toBeUndefined();
	const pi = { pid: 7, startedMs: NOW, cwd: plain[0]?.cwd ?? "", sessions: [], reportsSession: false };
	expect(atOnce({ type: "archive" }, { sessions: new Map(), pis: [pi] })).toBeUndefined();
});
