import { selectList } from "../list/select-list.ts";
import type { Query } from "../query.ts";
import type { State } from "../state.ts";
import type { EditedText } from "../text/edit.ts";
import { cutText, cutTextStart, joinEnds, textWidth } from "../text/width.ts";
import { selectTree } from "../tree/select-tree.ts";
import type { Line, ScreenView } from "../view.ts";

/** Second row: the filter of the focused pane, with the reason when it cannot be used. */
export function selectQueryLine(state: State): ScreenView["query"] {
	const { columns } = state.size;
	if (state.focus === "entry") return { line: [{ text: " > ", tone: "muted" }], cursor: 3 };
	const tree = state.focus === "tree";
	const { query } = tree ? state.tree : state.list;
	const parsed = tree ? selectTree(state)?.query : selectList(state).query;
	const prompt = tree ? " tree > " : " > ";
	const room = Math.max(4, columns - textWidth(prompt) - 2);
	const { text, cursor } = showEdited(query, room);
	const left: Line = [{ text: prompt, tone: "accent" }, text === "" ? { text: hint(tree), tone: "muted" } : { text }];
	return { line: joinEnds(left, problem(parsed), columns), cursor: textWidth(prompt) + cursor };
}

/** The part of an edited text that fits in `room` cells with its cursor in sight, and the cursor's cell in it. */
export function showEdited(
	{ text, cursor }: EditedText,
	room: number,
): { readonly text: string; readonly cursor: number } {
	const before = cutTextStart(text.slice(0, cursor), room - 1);
	const at = textWidth(before);
	return { text: before + cutText(text.slice(cursor), room - at), cursor: at };
}

function hint(tree: boolean): string {
	return tree
		? 'type to filter the entries: words, "phrase", re:pattern'
		: 'type to filter: words, "phrase", re:pattern';
}

function problem(query: Query | undefined): Line {
	return query?.kind === "invalid" ? [{ text: ` ${query.reason} `, tone: "error" }] : [];
}
