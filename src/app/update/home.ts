import { SECTION_INFO, type SectionName } from "../list/home.ts";
import type { State } from "../model/state.ts";
import { typeInstead } from "./text-input.ts";

/** All sessions of a section: its rule is typed as a query. */
export function openSection(state: State, section: SectionName): State {
	return typeInstead(state, SECTION_INFO[section].query);
}
