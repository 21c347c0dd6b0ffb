import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { update } from "../../../../src/app/core/update.ts";
import { NOTHING_REMEMBERED } from "../../../../src/app/features/memory/memory-state.ts";
import { isHeading } from "../../../../src/app/world/list/headings.ts";
import { selectList } from "../../../../src/app/world/list/select-list.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import { commandFor } from "../../../../src/app/world/state/binding.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { NOTHING_IN_IT } from "../../../../src/catalog/model/counts.ts";
import type { Ending } from "../../../../src/catalog/model/ending.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import { applyChanges } from "../../../../src/changes/noted/marks.ts";
import type { Line } from "../../../../src/ui/text/line.ts";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { rulesOf } from "../../../support/screen-text.ts";

const environment = {
	home: "/home/me",
	cwd: "/home/me/api",
	repo: "/home/me/api",
	demo: false,
	keymap: KEYMAP,
	problems: [],
} as const;
export const DAY = 24 * 60;

/** Sessions a, b, c …, each a day older than the one before, the first from now; every third one is of another project. */
const LETTERS = "abcdefghijklmnopqrstuvwx";
export const ROWS = [...LETTERS].map((id, days) =>
	makeRow(id, {
		age: days * DAY,
		cwd: `/home/me/${days % 3 ? "api" : "site"}`,
		...(id < "d" && { name: `name ${id}` }),
	}),
);
export const pathOf = (id: string): string => `/sessions/--p--/${id}.jsonl`;

export const keys = (...pressed: readonly string[]): Action => ({ type: "keys", keys: pressed });
export const listed = (some: readonly SessionRow[]): Action => ({
	type: "catalog",
	event: { type: "rows", rows: some },
});
export const ended = (endings: Readonly<Record<string, Ending>>): Action => ({
	type: "catalog",
	event: {
		type: "counts",
		counts: Object.entries(endings).map(([id, ending]) => [pathOf(id), { ...NOTHING_IN_IT, ending }] as const),
	},
});
export const used = (ids: string): Action => ({
	type: "catalog",
	event: {
		type: "live",
		report: {
			sessions: new Map(
				[...ids].map((id) => [pathOf(id), [{ kind: "open", pid: 7, startedMs: NOW - 1000, program: "pi" }]]),
			),
			pis: [],
		},
	},
});

export const fresh = (size: Partial<State["size"]> = {}, pinned = ""): State =>
	initialState(environment, { columns: 160, rows: 45, ...size }, NOW, {
		...NOTHING_REMEMBERED,
		marks: applyChanges([...pinned].map((id) => ({ id, on: true }))),
	});
export function run(state: State, ...actions: readonly Action[]): State {
	return actions.reduce((before, action) => update(before, action, NOW)[0], state);
}
/** The last one is more than two weeks old. */
const ENDINGS = {
	b: "asks",
	c: "failed",
	d: "aborted",
	e: "open-call",
	f: "unanswered",
	h: "asks",
	p: "asks",
} as const;

/** All of them listed and counted. */
export const whole = (size: Partial<State["size"]> = {}, pinned = ""): State =>
	run(fresh(size, pinned), listed(ROWS), ended(ENDINGS), LISTED);

/** "abc": the sessions in their order; a project's heading is a "-". */
export const shown = (state: State): string =>
	selectList(state)
		.items.map((item) => (isHeading(item) ? "-" : item.row.id))
		.join("");
export const selected = (state: State): string | undefined => state.catalog.rows.get(state.list.selected ?? "")?.id;
export const textOf = (line: Line): string => line.map(({ text }) => text).join("");
export const header = (state: State): string => textOf(selectScreen(state).header);
/** The search in the header: its chips, what is typed, and how it goes. */
export const title = (state: State): string => /❯ .*?(?= {2,}|$)/.exec(header(state))?.[0] ?? "";
export const does = (state: State, id: string): State =>
	run(commandFor(state, id)?.run(state)[0] ?? state, { type: "tick", now: NOW });

/** A press on the first place of the screen that says this, in the header or a title row. */
export function press(state: State, text: string): State {
	const rows = [{ x: 0, y: 0, line: selectScreen(state).header }, ...rulesOf(state)];
	const row = rows.find(({ line }) => textOf(line).includes(text));
	const x = (row?.x ?? 0) + textOf(row?.line ?? []).indexOf(text) + 1;
	return run(state, { type: "mouse", event: { kind: "press", x, y: row?.y ?? 0 } });
}
