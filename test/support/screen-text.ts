import { selectScreen } from "../../src/app/core/screen/select-screen.ts";
import type { AppPane, State } from "../../src/app/world/state/state.ts";
import { screenRules } from "../../src/ui/pane-title.ts";
import type { RuleView } from "../../src/ui/view.ts";
import { rowTexts, textOfRow } from "./drawn-rows.ts";

/** The header of the screen as text. */
export function headerText(state: State): string {
	return textOfRow(selectScreen(state).header);
}

/** The rules of the screen, with the titles of the panes. */
export function rulesOf(state: State): readonly RuleView[] {
	return screenRules(selectScreen(state));
}

/** The rules as text, one a row. */
export function ruleTexts(state: State): string[] {
	return rulesOf(state).map(({ line }) => textOfRow(line));
}

/** The rows of a pane as text, without the blanks at their ends; the pane by its id, or by its place on the screen. */
export function paneTexts(state: State, pane: AppPane["id"] | number = 0): string[] {
	const { panes } = selectScreen(state);
	const shown = typeof pane === "number" ? panes[pane] : panes.find(({ id }) => id === pane);
	return rowTexts((shown?.rows ?? []).map(({ line }) => line));
}

/** The menu that is open as text: its title, body and choices, one a row. */
export function questionText({ overlays }: State): string {
	const top = overlays.at(-1);
	if (top?.kind !== "menu") throw new Error("no menu is open");
	return [top.title, ...top.body.map(textOfRow), ...top.items.map(({ label }) => label)].join("\n");
}
