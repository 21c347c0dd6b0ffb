import type { MenuOverlay } from "../model/overlays.ts";
import type { Question } from "../model/question.ts";
import type { State } from "../model/state.ts";
import { menu, sentence } from "./menus.ts";

/** A question of an effect. */
export function questionMenu(state: State, { title, body, choices, danger }: Question): MenuOverlay {
	const rows = body.flatMap((text) => sentence(state, text));
	return menu(title, rows, { items: choices, danger });
}
