import { expect, test } from "vitest";
import { KEYMAP } from "../../../../src/app/core/keys/keymap.ts";
import { selectOverlay } from "../../../../src/app/core/screen/overlay.ts";
import { update } from "../../../../src/app/core/update.ts";
import { branchMenu } from "../../../../src/app/features/sessions/resume-menus.ts";
import { tagPrompt } from "../../../../src/app/features/sessions/tag-prompt.ts";
import { askToChange, questionMenu } from "../../../../src/app/world/questions/ask.ts";
import { destinationPrompt } from "../../../../src/app/world/questions/destination-prompt.ts";
import { archivedQuestion, resumeMenu } from "../../../../src/app/world/questions/resume-question.ts";
import { shareMenu } from "../../../../src/app/world/questions/share-menu.ts";
import type { Overlay } from "../../../../src/app/world/state/overlays.ts";
import { openOverlay } from "../../../../src/app/world/state/overlays.ts";
import type { State } from "../../../../src/app/world/state/state.ts";
import type { SessionRow } from "../../../../src/catalog/model/row.ts";
import type { SessionsChange } from "../../../../src/changes/kinds/kinds.ts";
import { startOf } from "../../../support/listed-state.ts";
import { makeRow } from "../../../support/rows.ts";

/** A log that was pasted as the first message. */
const row = makeRow("a", { age: 1, firstMessage: "ERROR pasted line of a log with words ".repeat(30) });
const other = makeRow("b", { age: 2, name: "ERROR pasted ".repeat(40) });
const request = { path: row.path, cwd: row.cwd };

const after =
	(command: string) =>
	(state: State): Overlay | undefined =>
		KEYMAP.find(({ id, contexts }) => id === command && contexts.includes("list"))
			?.run(state)[0]
			.overlays.at(-1);
const asked = (change: SessionsChange, rows: readonly SessionRow[]) => (state: State) =>
	askToChange(state, change, rows)[0].overlays.at(-1);

const DIALOGS: Readonly<Record<string, (state: State) => Overlay | undefined>> = {
	delete: asked({ type: "trash" }, [row]),
	branch: (state) => branchMenu(state, row, undefined),
	rename: after("rename"),
	tags: (state) => tagPrompt(state, [row]),
	"label of the end": after("label"),
	"move to a project": (state) => destinationPrompt(state, { rows: [row], archives: false }),
	"resume from the archive": (state) => questionMenu(state, archivedQuestion(row, "/p")),
	"resume in spite of use": (state) => resumeMenu(state, { type: "resume", request }, { row, uses: [] }),
	"a question of an effect": (state) =>
		questionMenu(state, { title: "Resume from where?", about: row.firstMessage, body: [], choices: [], danger: false }),
	"delete several": asked({ type: "trash" }, [row, other]),
	"save several": (state) => shareMenu(state, [row, other]),
};

const SIZES = [
	{ columns: 200, rows: 60 },
	{ columns: 80, rows: 24 },
	{ columns: 40, rows: 14 },
];

test.each(Object.entries(DIALOGS))("%s: a title is one row, however long it is", (name, dialog) => {
	for (const size of SIZES) {
		const start = startOf(size, { cwd: "/p" });
		const rows = update(start, { type: "catalog", event: { type: "rows", rows: [row, other] } })[0];
		const state = update(rows, { type: "catalog", event: { type: "progress", read: 2, total: 2 } })[0];
		const overlay = dialog(state);
		const view = overlay && selectOverlay(openOverlay(state, overlay));
		if (view?.kind !== "menu" && view?.kind !== "prompt") throw new Error("no dialog");
		const texts = view.body.map((line) => line.map(({ text }) => text).join(""));
		const titles = texts.filter((text) => /pasted|\bwords/.test(text));
		expect(titles, JSON.stringify(texts)).toHaveLength(name.endsWith("several") ? 2 : 1);
		for (const title of titles) expect(title).toMatch(/^ERROR pasted.*…$/);
		expect(view.width).toBeLessThanOrEqual(80);
	}
});
