import type { UseKind } from "../../../catalog/uses/use.ts";
import { FIRST_CURSOR } from "../../../ui/page/page-rows.ts";
import { choose } from "../../world/state/effect.ts";
import { openPage } from "../../world/state/overlays.ts";
import { type State, type Transition, transition } from "../../world/state/state.ts";
import { reparsed } from "./reconcile-uses.ts";
import { selectedUseRow, usedAt } from "./use-rows.ts";
import { FIRST_LIMIT, USES } from "./uses-state.ts";

/** Opens the page of prompts or commands as it was left. */
export function openUses(kind: UseKind): (state: State) => State {
	return (state) => {
		const open = openPage(USES.with(state, { openings: USES.of(state).openings + 1 }), "prompts");
		return kind === USES.of(state).kind ? open : showKind(kind)(open);
	};
}

/** Switches to a kind, with the same filter. */
export function showKind(kind: UseKind): (state: State) => State {
	return (state) => reparsed(USES.with(state, { cursor: FIRST_CURSOR, limit: FIRST_LIMIT, opened: new Set() }), kind);
}

/** Shows or hides the uses of the text under the cursor. */
export function openText(state: State, isOpen: boolean): State {
	const row = selectedUseRow(USES.of(state));
	if (row === undefined || row.kind === "more") return state;
	const opened = new Set(USES.of(state).opened);
	if (isOpen) opened.add(row.text.key);
	else opened.delete(row.text.key);
	const { cursor } = USES.of(state);
	const selected = isOpen ? row.key : String(row.text.key);
	return USES.with(state, { opened, cursor: { ...cursor, selected } });
}

/** Copies the text under the cursor, or passes it to the editor of the pi that started the browser. */
export function sendText(to: "clipboard" | "pi"): (state: State) => Transition {
	return (state) => {
		const use = usedAt(selectedUseRow(USES.of(state)));
		return use === undefined ? transition(state) : transition(state, { type: "send-use", use, to });
	};
}

/** Ends the browser with a text for the editor of the pi that started it. */
export function editInPi(state: State, text: string): Transition {
	return transition(state, choose({ action: "edit", text }));
}
