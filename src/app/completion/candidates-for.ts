import type { State } from "../model/state.ts";
import type { Candidate } from "../text/typing.ts";

/** What the word before the cursor may become, in the filter of the focused pane. */
export function candidatesFor(state: State): readonly Candidate[] {
	if (state.overlays.length > 0 || state.focus !== "list") return [];
	const { text, cursor } = state.list.query;
	return text === "" ? [] : (commandCandidates(state, text, cursor) ?? []);
}

/** The commands and the names of saved queries; undefined where something else is typed. */
function commandCandidates({ saved }: State, text: string, cursor: number): readonly Candidate[] | undefined {
	const half = /(^|\s):([\p{L}\p{N}]*)$/u.exec(text.slice(0, cursor));
	if (half === null || cursor < text.length) return undefined;
	const [whole, before = "", typed = ""] = half;
	const start = cursor - whole.length + before.length;
	const candidate = (name: string, meaning: string): Candidate => {
		return { text: `:${name}`, start, end: cursor, meaning, isWhole: true };
	};
	const names = start === 0 ? saved.queries.map(({ name, text: query }) => candidate(name, query)) : [];
	const all = [...names, candidate("save", "saves the query before it under a name")];
	return all.filter((one) => one.text.toLowerCase().startsWith(`:${typed.toLowerCase()}`));
}
