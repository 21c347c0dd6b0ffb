import { formatCount, shortenHome } from "../../../ui/text/format.ts";
import { CHIP_TERMS } from "../state/list-state.ts";
import type { State } from "../state/state.ts";
import { toggleTerm, withScope } from "./list-actions.ts";
import { closeStage } from "./marked.ts";
import { placeOfScope } from "./scope.ts";

/** Something that narrows the list. It stands before the text of the query, at every size. */
export interface Chip {
	/** What it says, in full and where there is little room. */
	readonly label: string;
	readonly short: string;
	/** The command that a click on it runs, which takes it away. */
	readonly press: string;
}

/** All that narrows the list, apart from the typed text; the last one is taken away first. */
export function chipsOf(state: State): readonly Chip[] {
	const { terms, stage } = state.list;
	// What is marked is shown wherever it is.
	if (stage !== undefined) {
		const count = formatCount(stage.paths.size);
		return [...termChips(terms), { label: `${count} marked`, short: `✓${count}`, press: "stage" }];
	}
	return [...scopeChip(state), ...termChips(terms)];
}

function termChips(terms: State["list"]["terms"]): readonly Chip[] {
	return terms.map((term) => {
		const { label, command } = CHIP_TERMS[term];
		return { label, short: label, press: command };
	});
}

function scopeChip(state: State): readonly Chip[] {
	const { environment, list } = state;
	const { scope } = list;
	const press = "drop-scope";
	if (scope === "all") return [];
	if (scope === "archived") return [{ label: scope, short: scope, press }];
	const [directory = ""] = placeOfScope(state).directories;
	const label = `${scope} ${shortenHome(directory, environment.home) || "no directory"}`;
	return [{ label, short: scope, press }];
}

/** Whether anything besides the typed text narrows the list. */
export function hasChips({ list: { scope, terms, stage } }: State): boolean {
	return scope !== "all" || terms.length > 0 || stage !== undefined;
}

/** Takes away the last chip: the list shows more, and the cursor stays on its session. */
export function dropLastChip(state: State): State {
	const { terms, stage } = state.list;
	if (stage !== undefined) return closeStage(state);
	const last = terms.at(-1);
	return last === undefined ? dropScope(state) : toggleTerm(state, last);
}

/** Lists the sessions of all projects again; after a single project those of the scope before. */
export function dropScope(state: State): State {
	const { scope, scopeBefore } = state.list;
	if (scope !== "project") return withScope(state, "all");
	return { ...state, list: { ...state.list, scope: scopeBefore, cursorSet: true } };
}
