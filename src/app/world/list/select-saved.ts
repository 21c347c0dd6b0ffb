import type { SavedQuery } from "../../../changes/noted/saved-queries.ts";
import { memoLast } from "../../../shared/memo.ts";
import { layoutFor } from "../layout.ts";
import type { State } from "../state/state.ts";
import { type Command, parseTyped, type TypedLine } from "./command.ts";

/** A list of fewer rows has no room for what is not asked for. */
const LEAST_HEIGHT = 12;
/** Rows for saved queries in a list of that height, and in one of twice as many rows. */
const FEW = 3;
const MANY = 5;

const NONE: readonly SavedQuery[] = [];

const typedLine = memoLast((text: string): TypedLine => parseTyped(text));

/** What is typed in the list, apart: the query, and what to do with it. */
export function typedIn({ list }: State): TypedLine {
	return typedLine(list.query.text);
}

/** The command that is typed in the list. */
export function commandIn(state: State): Command | undefined {
	return typedIn(state).command;
}

/** The saved queries to choose from: those that `:…` means, the best first, or while nothing is typed all of them. */
export function savedChoices(state: State): readonly SavedQuery[] {
	const { queries, shown } = state.saved;
	const { command, query } = typedIn(state);
	if (command?.kind === "open") return matching(queries, command.typed);
	return shown && query === "" && command === undefined ? queries : NONE;
}

const matching = memoLast((queries: readonly SavedQuery[], typed: string): readonly SavedQuery[] => {
	const wanted = typed.toLowerCase();
	const rank = ({ name, text }: SavedQuery): number => {
		if (name.toLowerCase().startsWith(wanted)) return 0;
		return name.toLowerCase().includes(wanted) ? 1 : text.toLowerCase().includes(wanted) ? 2 : 3;
	};
	return queries.filter((query) => rank(query) < 3).sort((a, b) => rank(a) - rank(b));
});

/** How many rows above the sessions the saved queries have. */
export function savedHeight(state: State): number {
	const count = savedChoices(state).length;
	if (count === 0) return 0;
	const height = layoutFor(state).list?.height ?? 0;
	if (commandIn(state) !== undefined) return Math.min(count, Math.floor(height / 2));
	return height < LEAST_HEIGHT ? 0 : Math.min(count, height < 2 * LEAST_HEIGHT ? FEW : MANY);
}

/** The first of them that is in sight. */
export function firstSaved(state: State): number {
	const last = Math.max(0, savedChoices(state).length - savedHeight(state));
	return Math.max(0, Math.min((state.saved.index ?? 0) - savedHeight(state) + 1, last));
}

/** The one under the cursor. */
export function chosenSaved(state: State): SavedQuery | undefined {
	return state.saved.index === undefined ? undefined : savedChoices(state)[state.saved.index];
}
