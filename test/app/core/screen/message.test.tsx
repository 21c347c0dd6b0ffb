import { expect, test } from "vitest";
import { Screen } from "../../../../components/Screen.tsx";
import { selectScreen } from "../../../../src/app/core/screen/select-screen.ts";
import type { Action } from "../../../../src/app/world/state/action.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import { startOf, stateAfter } from "../../../support/listed-state.ts";
import { draw } from "../../../support/render.tsx";
import { LISTED, makeRow } from "../../../support/rows.ts";

function listed(columns: number, rows: number): State {
	const event = { type: "rows", rows: [makeRow("one")] } as const;
	return stateAfter(startOf({ columns, rows }), { type: "catalog", event }, LISTED);
}

const failed = (text: string): Action => ({ type: "done", message: { text, tone: "error" } });

async function shown(state: State): Promise<string[]> {
	const view = selectScreen(state);
	const { terminal, ink } = draw(<Screen view={view} />, view.columns, view.rows);
	await ink.waitUntilRenderFlush();
	const screen = await terminal.screen();
	ink.unmount();
	return screen;
}

const SIZES = [
	{ columns: 140, rows: 45 },
	{ columns: 80, rows: 24 },
	{ columns: 40, rows: 10 },
] as const;

const PATH = "/home/me/.pi/agent/sessions/--home-me-work-api--/2026-11-19T07-30-11-123Z_0198aa-bb-cc.jsonl";
const LONG = `Cannot move ${PATH} to the trash: EACCES: permission denied, mkdir '/home/me/.local/share/Trash'. Make it writable, then press ctrl+d again`;

test.each(SIZES)(
	"a message is shown completely, in as many rows as it needs: $columns×$rows",
	async ({ columns, rows }) => {
		const said = stateAfter(listed(columns, rows), failed(LONG));
		const screen = (await shown(said)).join("");
		expect(screen.replaceAll(/\s/g, "")).toContain(LONG.replaceAll(/\s/g, ""));
		const cleared = await shown(stateAfter(said, { type: "keys", keys: ["down"] }));
		expect(cleared).toEqual(await shown(listed(columns, rows)));
	},
);

test("it covers an open menu too, and one longer than the screen is marked as cut", async () => {
	const menu = stateAfter(listed(40, 10), { type: "keys", keys: ["ctrl+d"] });
	expect(menu.overlays).toHaveLength(1);
	expect((await shown(stateAfter(menu, failed(LONG)))).join("")).toContain("EACCES");
	const endless = await shown(stateAfter(listed(40, 10), failed("word ".repeat(200))));
	expect(endless.slice(0, -1).every((row) => row.startsWith(" word word"))).toBe(true);
	expect(endless.at(-1)).toMatch(/ word …$/);
});

test("a terminal that is too small says so in any size", async () => {
	for (let columns = 1; columns < 40; columns++) {
		for (const rows of [1, 2, 3, 9]) {
			const screen = await shown(listed(columns, rows));
			const text = screen.join("").replaceAll(" ", "");
			if (columns * rows >= 60) expect(text).toMatch(/^pi-groveneeds40×10/);
			if (columns >= 5 || columns * rows >= 10) expect(text).toContain("40×10");
			expect(text).not.toContain("…");
		}
	}
});
