import type { Distance } from "../../../ui/page/page-rows.ts";
import { change, type Key } from "../../world/keys/key.ts";
import { selectReader } from "../../world/opened/select-reader.ts";
import { backOnePane } from "../../world/screen/layout.ts";
import type { Binding } from "../../world/state/binding.ts";
import { type State, say, type Transition, transition } from "../../world/state/state.ts";
import { endFind, goToMatch, openFind, submitFind } from "./find.ts";
import { toggleFold, toggleSideBySide, toggleThinking, toggleTools } from "./fold.ts";
import { jumpTo, jumpToBranch, type Landmark } from "./jump.ts";
import { scrollReader } from "./scroll.ts";
import { goToHit } from "./search-results.ts";

/** Nothing is typed here, so letters are commands, as in less and vi. */
const READER = ["reader"] as const;
const FIND = ["find"] as const;

// biome-ignore format: a table
export const READER_KEYS: readonly Key[] = [
	{ id: "find-submit", keys: ["enter"], contexts: FIND, short: "find", pi: "tui.input.submit",
		help: "search for the typed text; n and N go to the matches", run: change(submitFind) },
	{ id: "find-cancel", keys: ["escape", "ctrl+c"], contexts: FIND, short: "cancel", pi: "tui.select.cancel",
		help: "back to where the search began", run: change(endFind) },
	{ id: "find-next", keys: ["down", "ctrl+n"], contexts: FIND, help: "to the next match", run: change((state) => goToMatch(state, 1)) },
	{ id: "find-previous", keys: ["up", "ctrl+p"], contexts: FIND, help: "to the previous match",
		run: change((state) => goToMatch(state, -1)) },
	{ id: "back", keys: ["escape"], contexts: READER, when: isFinding, short: "end find", pi: "tui.select.cancel",
		help: "end the search", run: change(endFind) },
	{ id: "up", keys: ["k"], contexts: READER, help: "one row up", ...scroll({ rows: -1 }) },
	{ id: "down", keys: ["j"], contexts: READER, help: "one row down", ...scroll({ rows: 1 }) },
	{ id: "page-down", keys: [" ", "f", "ctrl+f"], contexts: READER, short: "page", help: "one page down", ...scroll({ pages: 1 }) },
	{ id: "page-up", keys: ["b", "ctrl+b"], contexts: READER, help: "one page up", ...scroll({ pages: -1 }) },
	{ id: "half-page-down", keys: ["ctrl+d"], contexts: READER, help: "half a page down", ...scroll({ pages: 0.5 }) },
	{ id: "half-page-up", keys: ["ctrl+u"], contexts: READER, help: "half a page up", ...scroll({ pages: -0.5 }) },
	{ id: "first", keys: ["g"], contexts: READER, help: "to the first row", ...scroll({ end: "first" }) },
	{ id: "last", keys: ["G"], contexts: READER, help: "to the last row", ...scroll({ end: "last" }) },
	{ id: "find", name: "Find in the conversation…", synonyms: "search, text", keys: ["/"], contexts: READER, short: "find", help: "search in this conversation",
		acts: "cursor", run: change(openFind) },
	{ id: "next-match", keys: ["n"], contexts: READER, when: isFinding, short: "match", help: "to the next match of what was searched for last: with /, or in the list",
		run: change((state) => goToMatch(state, 1)) },
	{ id: "previous-match", keys: ["N"], contexts: READER, when: isFinding, help: "to the previous match",
		run: change((state) => goToMatch(state, -1)) },
	{ id: "next-hit", keys: ["n"], contexts: READER, short: "next hit", needs: whyNoHit,
		help: "to the next match of what was searched for last: with /, or in the list", acts: "entry", run: change((state) => goToHit(state, 1)) },
	{ id: "previous-hit", keys: ["N"], contexts: READER, needs: whyNoHit, help: "to the previous match",
		acts: "entry", run: change((state) => goToHit(state, -1)) },
	{ id: "next-prompt", name: "Next prompt", synonyms: "jump, down", keys: ["}", "alt+down"], contexts: READER, short: "prompt",
		help: "to your next prompt", ...jump("prompt", 1) },
	{ id: "previous-prompt", name: "Previous prompt", synonyms: "jump, up", keys: ["{", "alt+up"], contexts: READER, help: "to your previous prompt", ...jump("prompt", -1) },
	{ id: "next-error", name: "Next error", synonyms: "jump, failure", keys: ["e"], contexts: READER, help: "to the next error", ...jump("error", 1) },
	{ id: "previous-error", name: "Previous error", synonyms: "jump, failure", keys: ["E"], contexts: READER, help: "to the previous error", ...jump("error", -1) },
	{ id: "next-branch", name: "Next branch", synonyms: "jump, fork, other, alternative", keys: ["]"], contexts: READER, help: "to the next branch at the nearest fork",
		...branch(1) },
	{ id: "previous-branch", name: "Previous branch", synonyms: "jump, fork, other, alternative", keys: ["["], contexts: READER, help: "to the previous branch at the nearest fork",
		...branch(-1) },
	{ id: "unfold", keys: ["o"], contexts: READER, short: "unfold", help: "unfold what is visible and folded, or fold it again",
		acts: "cursor", run: unfold },
	{ id: "tools", name: "Whole outputs, or head and tail", synonyms: "tools, diffs, expand", keys: ["t"], contexts: READER, help: "outputs and diffs as a whole, or head and tail",
		acts: "cursor", run: change(toggleTools) },
	{ id: "thinking", name: "Thinking, or one line", synonyms: "thoughts, reasoning", keys: ["h"], contexts: READER, help: "all that the model thought, or one line",
		acts: "cursor", run: change(toggleThinking) },
	{ id: "diffs", name: "Diffs side by side, or not", synonyms: "split, unified", keys: ["d"], contexts: READER, help: "diffs side by side, or one below the other",
		acts: "cursor", run: change(toggleSideBySide) },
	{ id: "previous-pane", keys: ["q"], contexts: READER, help: "back to the tree", run: change(backOnePane) },
];

function scroll(distance: Distance): Pick<Binding, "acts" | "run"> {
	return { acts: "cursor", run: change((state) => scrollReader(state, distance)) };
}

function jump(landmark: Landmark, direction: 1 | -1): Pick<Binding, "acts" | "run"> {
	const missing = direction === 1 ? `There is no ${landmark} further on` : `There is no ${landmark} before`;
	return { acts: "cursor", run: (state) => orSay(state, jumpTo(state, landmark, direction), missing) };
}

function branch(direction: 1 | -1): Pick<Binding, "acts" | "run"> {
	return {
		acts: "cursor",
		run: (state) => orSay(state, jumpToBranch(state, direction), "There is no fork at or above this entry"),
	};
}

function unfold(state: State): Transition {
	return orSay(state, toggleFold(state), "Nothing visible is folded");
}

function orSay(state: State, next: State | undefined, missing: string): Transition {
	if (next !== undefined) return transition(next);
	return selectReader(state) === undefined ? transition(state) : transition(say(state, missing, "warning"));
}

function isFinding({ reader: { find } }: State): boolean {
	return find?.job !== undefined;
}

function whyNoHit({ tree }: State): string | undefined {
	return (tree.hits?.ids.length ?? 0) > 0 ? undefined : "Nothing was searched for: / searches in this conversation";
}
