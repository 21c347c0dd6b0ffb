import type { SectionHeading } from "../list/headings.ts";
import { SECTION_INFO } from "../list/home.ts";
import type { State } from "../model/state.ts";
import { typeQuery } from "./saved.ts";

/** All sessions of a section: its rule is typed as a query. The heading of all others leads nowhere: they are all there. */
export function openSection(state: State, { section }: SectionHeading): State {
	return section === "others" ? state : typeQuery(state, SECTION_INFO[section].query);
}
