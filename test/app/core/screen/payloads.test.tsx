import { expect, test } from "vitest";
import { Screen } from "../../../../components/Screen.tsx";
import { initialState } from "../../../../src/app/core/initial-state.ts";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import { COMPARISON } from "../../../../src/app/features/branches/compare-state.ts";
import { openPage } from "../../../../src/app/world/keys/key.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { compareEnds } from "../../../../src/conversation/branches/compare-ends.ts";
import { runToEnd } from "../../../../src/shared/steps.ts";
import { stateAfter } from "../../../support/listed-state.ts";
import { draw } from "../../../support/render.tsx";
import { LISTED, makeRow, NOW } from "../../../support/rows.ts";
import { assistant, label, sessionOf, user } from "../../../support/session-builder.ts";

/** What a terminal obeys or hides. */
const PAYLOADS = [
	"\u001b]52;c;cHduZWQ=\u0007",
	"\u009d52;c;cHduZWQ=\u009c",
	"\u009b31m",
	"\u001b]8;;http://example.com\u001b\\link\u001b]8;;\u001b\\",
	"\u001b[2J\u001b[H",
	"\u001bP1$r\u001b\\",
	"\u0007\u0008\u000e\u000f\u0000\u007f",
	"\t\r\n\u0085\u2028",
	"\u202eabc\u2066\u200f",
	"\u200b\u2060\u00ad\ufeff\u3164",
	"\u{e0041}",
	"\ue000\uf8ff\u{f0000}\u{10fffd}",
];

/** Presses the keys of the bindings with these ids, or runs them by their names. */
const keys = (...ids: readonly string[]): Action => ({
	type: "keys",
	keys: ids.map((id) => KEYMAP.find((binding) => binding.id === id)?.keys[0] ?? `<${id}>`),
});

/** The output without the sequences of the frame stream and of Ink. */
async function printed(state: State): Promise<string> {
	const view = selectScreen(state);
	const { terminal, ink } = draw(<Screen view={view} />, view.columns, view.rows);
	await ink.waitUntilRenderFlush();
	ink.unmount();
	return terminal.written.replace(/\x1b\[(?:\?\d+[hl]|[\d;]*[mHGKJ])/g, "");
}

test.each(PAYLOADS)(
	"%j in a name, a label, a directory, an error or a pattern reaches no terminal",
	async (payload) => {
		const bad = `a${payload}b`;
		const start = initialState(
			{
				home: "/home/me",
				cwd: `/home/me/${bad}`,
				demo: false,
				keymap: KEYMAP,
				problems: [{ path: `/${bad}`, message: bad }],
			},
			{ columns: 120, rows: 40 },
			NOW,
		);
		const row = makeRow("one", { name: bad, firstMessage: bad, cwd: `/${bad}` });
		const session = await sessionOf(
			user("u", null, 1, bad),
			assistant("a", "u", 2, bad),
			user("v", "a", 3, bad),
			user("w", "a", 4, bad),
			label("l", "w", 5, "u", bad),
		);
		const listed = stateAfter(start, { type: "catalog", event: { type: "rows", rows: [row] } }, LISTED);
		const opened = stateAfter(listed, { type: "session-read", request: listed.request, session });
		const typed = stateAfter(opened, { type: "text", text: bad });
		const inBranches = stateAfter(opened, keys("next-pane", "branches"));
		const { path } = session;
		const ends = [
			{ path, entryId: undefined },
			{ path: `/${bad}`, entryId: "a" },
		] as const;
		const comparing = openPage(COMPARISON.with(inBranches, { ends }), "comparison");
		const sessions = [
			{ session, entryId: undefined },
			{ session: { ...session, path: `/${bad}` }, entryId: "a" },
		] as const;
		const outcome = { part: runToEnd(compareEnds(sessions, "/home/me")) };
		const loaded = { type: "loaded", query: "comparison", request: 1, outcome, isLast: true } as const;
		const request = { path: row.path, cwd: `/${bad}` };
		const screens: Readonly<Record<string, State>> = {
			list: opened,
			rename: stateAfter(opened, keys("rename")),
			label: stateAfter(opened, keys("next-pane", "first", "down", "label"), { type: "text", text: bad }),
			branch: stateAfter(opened, keys("branch")),
			branches: stateAfter(inBranches, { type: "text", text: bad.slice(0, 1) }),
			compared: stateAfter(comparing, { type: "resize", columns: 120, rows: 40 }, loaded),
			delete: stateAfter(opened, keys("delete")),
			"missing directory": stateAfter(opened, { type: "directory-missing", request }),
			problems: stateAfter(opened, keys("problems")),
			failure: stateAfter(opened, { type: "done", message: { text: `Cannot: ${bad}`, tone: "error" } }),
			query: typed,
			"unread session": stateAfter(listed, { type: "session-failed", request: listed.request, message: bad }),
		};
		const overlaid = Object.entries(screens).filter(([, { overlays }]) => overlays.length === 1);
		expect(overlaid.map(([name]) => name)).toEqual([
			"rename",
			"label",
			"branch",
			"compared",
			"delete",
			"missing directory",
			"problems",
		]);
		for (const [name, state] of Object.entries(screens)) {
			const text = await printed(state);
			expect(text, name).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
			expect(text, name).not.toMatch(/\p{Default_Ignorable_Code_Point}|\p{Cf}|\p{Co}/u);
		}
	},
);
