import { describe, expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectOverlay } from "../../../../src/app/core/screen/overlay.ts";
import { update } from "../../../../src/app/core/update.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { Effect, GuardedEffect } from "../../../../src/app/world/state/effect.ts";
import type { MenuOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { LiveEvidence, RunningPi, UseEvidence } from "../../../../src/catalog/model/live.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { keys, startOf } from "../../../support/listed-state.ts";
import { makeRow, NOW } from "../../../support/rows.ts";
import { assistant, sessionOf, user } from "../../../support/session-builder.ts";

const start = startOf({ columns: 80, rows: 24 });

function run(state: State, ...actions: readonly Action[]): { readonly state: State; readonly effects: Effect[] } {
	const effects: Effect[] = [];
	for (const action of actions) {
		const [next, more] = update(state, action);
		state = next;
		effects.push(
			...more.filter(({ type }) =>
				["change-sessions", "resume", "resume-from", "resume-fork", "branch", "leave"].includes(type),
			),
		);
	}
	return { state, effects };
}

const rows = (...list: readonly SessionRow[]): Action => ({ type: "catalog", event: { type: "rows", rows: list } });
const gone = (path: string): Action => ({ type: "catalog", event: { type: "gone", paths: [path] } });

/** What is in use: one session certainly, and pis that run somewhere. */
function live(path: string | undefined, evidence: readonly LiveEvidence[], pis: readonly RunningPi[] = []): Action {
	const sessions = new Map(path === undefined ? [] : [[path, evidence]]);
	return { type: "catalog", event: { type: "live", report: { sessions, pis } } };
}

/** 14:02 of the day, wherever the tests run. */
const startedMs = new Date(new Date(NOW).setHours(14, 2)).getTime();
const started = { kind: "handed-over", pid: 123, startedMs } as const;
const idle: RunningPi = { pid: 77, startedMs, cwd: "/home/me/project", sessions: [], reportsSession: false };

const a = makeRow("a", { age: 1, name: "Alpha" });
const b = makeRow("b", { age: 2, cwd: "/elsewhere" });
const complete: Action = { type: "catalog", event: { type: "progress", read: 2, total: 2 } };
const listed = run(start, rows(a, b), complete).state;

function menuOf({ overlays }: State): MenuOverlay {
	const top = overlays.at(-1);
	if (top?.kind !== "menu") throw new Error("no menu is open");
	return top;
}

/** The open menu as text: title, body and items, the highlighted one marked. */
function read(state: State): string {
	const { title, body, items, index } = menuOf(state);
	const texts = body.map((line) => line.map(({ text }) => text).join(""));
	return [title, ...texts, ...items.map(({ label }, at) => (at === index ? `> ${label}` : label))].join("\n");
}

/** The last requested effect, as one that is guarded. */
function guarded({ effects }: { readonly effects: readonly Effect[] }): GuardedEffect {
	const effect = effects.at(-1);
	if (effect?.type !== "resume" && effect?.type !== "change-sessions" && effect?.type !== "resume-from")
		throw new Error(`${effect?.type} is not checked`);
	return effect;
}

/** The deletion of one session. */
const trashOf = (shown: object) => ({ type: "change-sessions", change: { type: "trash" }, sessions: [shown] });

const inUse = (effect: GuardedEffect, row: SessionRow, uses: readonly UseEvidence[]): Action => ({
	type: "in-use",
	effect,
	now: { row, uses },
});

describe("enter on a session in use", () => {
	test("asks, shows the evidence, and offers a copy first", () => {
		const asked = run(listed, live(a.path, [started]), keys("enter"));
		expect(asked.effects).toEqual([]);
		expect(read(asked.state)).toMatch(
			/^This session is in use\nAlpha\npi \(pid 123, since .*14:02\) was started with it\.\n[^>]*\n> Open a copy: fork it, and resume the fork\nResume anyway\nCancel$/,
		);
		expect(run(asked.state, keys("escape"))).toMatchObject({ effects: [], state: { overlays: [] } });
		expect(run(asked.state, keys("end", "enter"))).toMatchObject({ effects: [], state: { overlays: [] } });
	});

	test("in tmux the window of the pi that has it is the first choice, and only there", () => {
		const inTmux = { ...listed, environment: { ...listed.environment, tmux: true } };
		const asked = run(inTmux, live(a.path, [started]), keys("enter"));
		expect(read(asked.state)).toContain("> Go to it, in its tmux window\nOpen a copy: ");
		expect(update(asked.state, keys("enter"))[1]).toContainEqual({ type: "go-to-use", pid: 123 });
		// Which session it has is not known.
		expect(read(run(inTmux, live(undefined, [], [idle]), keys("enter")).state)).not.toContain("Go to it");
		expect(read(run(inTmux, live(a.path, [{ kind: "grew", grewMs: NOW }]), keys("enter")).state)).not.toContain(
			"Go to",
		);
	});

	test("resumes it, or a fork of it, whichever is chosen", () => {
		const asked = run(listed, live(a.path, [started]), keys("enter"));
		expect(run(asked.state, keys("down", "enter")).effects).toEqual([
			{ type: "resume", request: { path: a.path, cwd: a.cwd, shown: { row: a, uses: [started] } } },
		]);
		expect(run(asked.state, keys("enter")).effects).toEqual([
			{ type: "resume-fork", request: { path: a.path, cwd: a.cwd } },
		]);
	});

	test("asks if a pi whose session is unknown runs in its directory", () => {
		const asked = run(listed, live(undefined, [], [idle]), keys("enter"));
		expect(asked.effects).toEqual([]);
		expect(read(asked.state)).toContain("This session may be in use");
		expect(read(asked.state).replaceAll("\n", " ")).toContain("which session it has open cannot be seen.");
		// It usually has another one, so a fork is not the first choice.
		expect(read(asked.state)).toMatch(/\n> Resume anyway\nOpen a copy: [^\n]*\nCancel$/);
		expect(run(listed, live(undefined, [], [idle]), keys("down", "enter")).effects).toMatchObject([{ type: "resume" }]);
	});

	test("that only grows says that, and not that a pi has it", () => {
		const grew = { kind: "grew", grewMs: NOW - 2000 } as const;
		const text = read(run(listed, live(a.path, [grew]), keys("enter")).state);
		expect(text).toMatch(/^This session was written to just now\nAlpha\nIt was written to at /);
		expect(text.replaceAll("\n", " ")).toContain("by which program cannot be seen");
		const refused = read(run(listed, live(a.path, [grew]), keys("ctrl+d")).state);
		expect(refused).toMatch(/^Written to just now: this session is not deleted\n/);
	});

	test("does not ask about every session of a directory where a pi works on another one", () => {
		const busy = { ...idle, startedMs: NOW - 30_000, sessions: ["/sessions/--p--/other.jsonl"] };
		expect(run(listed, live(undefined, [], [busy]), keys("enter")).effects).toMatchObject([{ type: "resume" }]);
		// It was used after that pi was started, so that pi may have switched to it.
		const before = { ...busy, startedMs: NOW - 3_600_000 };
		expect(run(listed, live(undefined, [], [before]), keys("enter")).effects).toEqual([]);
	});

	test("offers to resume when the session is free again, without the highlight on it", () => {
		const asked = run(listed, live(a.path, [started]), keys("enter")).state;
		const free = run(asked, live(undefined, [])).state;
		expect(read(free)).toMatch(
			/^Resume this session\?\nAlpha\nThis has changed[^\n]*\nIt is no longer in use\.\n> Cancel\nResume$/,
		);
		expect(run(free, keys("down", "enter")).effects).toEqual([
			{ type: "resume", request: { path: a.path, cwd: a.cwd, shown: { row: a, uses: [] } } },
		]);
		const again = run(free, live(a.path, [{ ...started, pid: 124 }])).state;
		expect(read(again)).toMatch(/^This session is in use\nAlpha\nThis has changed[^\n]*\npi \(pid 124/);
	});

	test("the choices are visible on the smallest screen, however much evidence there is", () => {
		const many = [1, 2, 3, 4, 5, 6].map((pid) => ({ ...idle, pid }));
		for (const key of ["enter", "ctrl+d"]) {
			const { state } = run({ ...listed, size: { columns: 40, rows: 10 } }, live(undefined, [], many), keys(key));
			const view = selectOverlay(state);
			if (view?.kind !== "menu") throw new Error("no menu is drawn");
			expect(view.body.length + view.items.length + 3).toBeLessThanOrEqual(view.height);
			expect(
				view.body
					.flat()
					.map(({ text }) => text)
					.join(" "),
			).toContain("pi (pid 1, since");
		}
	});

	test("no sentence of the question is wider than a screen of 80 columns", () => {
		const open = { kind: "open", pid: 1_234_567, startedMs: 0, program: "a-long-name-of-a-program" } as const;
		const { state } = run(listed, live(a.path, [open, started, { kind: "grew", grewMs: 0 }], [idle]), keys("enter"));
		for (const row of read(state).split("\n")) expect(row.length).toBeLessThanOrEqual(76);
	});
});

describe("evidence found only when the action is carried out", () => {
	test("opens the question, and its answer is not asked again", () => {
		const resumed = run(listed, keys("enter"));
		const asked = run(resumed.state, inUse(guarded(resumed), a, [started]));
		expect(read(asked.state)).toContain("resume the fork\nResume anyway\nCancel");
		const again = guarded(run(asked.state, keys("down", "enter")));
		expect(again).toMatchObject({ type: "resume", request: { shown: { uses: [started] } } });
	});

	test("from an entry: refused with the reason, offering a branch instead of the fork", async () => {
		const session = await sessionOf(user("one", null, 1, "question"), assistant("two", "one", 2, "answer"));
		const focused = run(listed, keys("right"));
		const state = run(focused.state, { type: "session-read", request: focused.state.request, session }).state;
		const chosen = run(state, keys("home", "enter", "enter"));
		expect(guarded(chosen)).toMatchObject({ type: "resume-from", entryId: "one" });
		const refused = run(chosen.state, inUse(guarded(chosen), a, [started]));
		expect(read(refused.state)).toMatch(
			/^In use: nothing is added to this session\nAlpha\npi \(pid 123[^>]*Leave that pi first\.\n> Branch: [^\n]*\nClose$/,
		);
		expect(run(refused.state, keys("end", "enter"))).toMatchObject({ effects: [], state: { overlays: [] } });
		expect(run(refused.state, keys("enter")).effects).toEqual([{ type: "branch", path: a.path, entryId: "one" }]);
		const maybe = { kind: "may-have", pid: 77, startedMs } as const;
		const asked = run(chosen.state, inUse(guarded(chosen), a, [maybe]));
		expect(run(asked.state, keys("enter")).effects).toMatchObject([
			{ type: "resume-from", entryId: "one", request: { shown: { uses: [maybe] } } },
		]);
	});

	test("does not interrupt what the person has opened meanwhile", () => {
		const resumed = run(listed, keys("enter"));
		const help = KEYMAP.find(({ id }) => id === "help")?.keys[0] ?? "";
		// Keys typed while pi starts are dropped, so this was opened just before.
		const { state } = run(run(listed, keys(help)).state, inUse(guarded(resumed), a, [started]));
		expect(state.overlays).toMatchObject([{ kind: "palette" }]);
		expect(state.message?.text).toContain("nothing was done. pi (pid 123");
	});
});

describe("ctrl+d", () => {
	test("names every pi in the directory, with Cancel highlighted", () => {
		const other = { ...idle, pid: 78, sessions: ["/sessions/--p--/other.jsonl"] };
		const { state } = run(listed, live(undefined, [], [idle, other]), keys("ctrl+d"));
		expect(read(state)).toMatch(/pid 77[^>]*pid 78/s);
		expect(run(state, keys("enter")).effects).toEqual([]);
		expect(run(state, keys("up", "enter")).effects).toMatchObject([
			trashOf({ row: a, uses: [{ kind: "may-have", pid: 77 }, { pid: 78 }] }),
		]);
	});

	test("shows changes while it is open, and then highlights Cancel", () => {
		const asked = run(listed, keys("ctrl+d")).state;
		const grown = { ...a, messageCount: 11, size: 2000 };
		const changed = run(asked, rows(grown)).state;
		expect(read(changed)).toContain("11 messages");
		expect(read(changed)).toContain("This has changed since you were asked.");
		expect(run(changed, keys("enter")).effects).toEqual([]);
		expect(run(changed, keys("up", "enter")).effects).toMatchObject([trashOf({ row: grown })]);
		// Changes elsewhere do not matter.
		expect(menuOf(run(asked, rows({ ...b, size: 5 })).state)).toBe(menuOf(asked));
	});

	test("becomes a refusal when the session is opened meanwhile, and a question again afterwards", () => {
		const asked = run(listed, keys("ctrl+d")).state;
		const refused = run(asked, live(a.path, [{ kind: "wrote", pid: 5, startedMs, wroteMs: NOW }])).state;
		expect(menuOf(refused).items).toMatchObject([{ label: "Close" }]);
		expect(run(refused, keys("enter")).effects).toEqual([]);
		expect(read(run(refused, live(undefined, [])).state)).toContain("Move to the trash\n> Cancel");
	});

	test("does nothing to another session if the file disappears while it is open", () => {
		const asked = run(listed, keys("ctrl+d")).state;
		const after = run(asked, gone(a.path));
		expect(read(after.state)).toContain("no longer there");
		expect(run(after.state, keys("enter"))).toMatchObject({ effects: [], state: { overlays: [] } });
	});

	test("is not carried out if the session is in use when it is answered", () => {
		const answered = run(listed, keys("ctrl+d", "enter"));
		const { state } = run(answered.state, live(a.path, [started]), inUse(guarded(answered), a, [started]));
		expect(read(state)).toMatch(/^In use: this session is not deleted\nAlpha\nThis has changed[^\n]*\npi \(pid 123/);
		const maybe = { kind: "may-have", pid: 77, startedMs } as const;
		const asked = run(answered.state, live(undefined, [], [idle]), inUse(guarded(answered), a, [maybe]));
		expect(read(asked.state)).toContain("> Cancel");
	});
});

describe("a file that is not a session", () => {
	const message = "The file has no session header; pi does not list or open it.";
	const junk = makeRow("junk", { age: 0, diagnostics: [{ code: "not-a-session", severity: "damage", message }] });

	test("is never passed to pi: enter says why, and what can be done", () => {
		const { state, effects } = run(start, rows(a, junk), complete, keys("up", "enter"));
		expect(state.list.selected).toBe(junk.path);
		expect(effects).toEqual([]);
		expect(state.overlays).toEqual([]);
		expect(state.message?.text).toBe(
			`junk.jsonl is not a pi session: ${message} It is left as it is; ctrl+d moves it to the trash.`,
		);
	});

	test("can be moved to the trash", () => {
		expect(run(start, rows(junk), complete, keys("ctrl+d", "enter")).effects).toMatchObject([
			trashOf({ row: { path: junk.path } }),
		]);
	});
});
