import type { SessionRow } from "../../../catalog/model/row.ts";
import type { SessionEntry } from "../../../store/format/schema.ts";
import { type Line, type Span, span } from "../../../ui/text/line.ts";
import { lineWidth } from "../../../ui/text/width.ts";
import { areMarkedChosen, chosenRows } from "../list/marked.ts";
import { selectedRow } from "../list/select-list.ts";
import { entryUnderCursor } from "../opened/select-branches.ts";
import { type Binding, bindingsFor, keyLabel } from "../state/binding.ts";
import { isPage, type PageKind } from "../state/overlays.ts";
import { asTransition, type State, say, type Transition, transition } from "../state/state.ts";

/** A row of the keymap; `keymap.ts` adds the section. */
export type Key = Omit<Binding, "section">;

/** How a key acts on something that may be missing. */
type GuardedKey = Required<Pick<Binding, "needs" | "acts" | "run">>;

/** The contexts of a command that acts in every pane. */
export const PANES = ["list", "tree", "reader", "branches"] as const;

/** Opens pages above everything else, the topmost last, in place of those that are open. */
export function openPage(state: State, ...kinds: readonly PageKind[]): State {
	const pages = kinds.map((kind) => ({ kind, isPage: true as const }));
	return { ...state, overlays: [...state.overlays.filter((overlay) => !isPage(overlay)), ...pages] };
}

export function change(next: (state: State) => State): Binding["run"] {
	return (state) => transition(next(state));
}

/** A key that acts on what `select` finds. `missing`: the reason if it finds nothing; `refuse`: why the key may not act on it. */
export function onSelected<Thing>(
	select: (state: State) => Thing | undefined,
	missing: string,
	run: (state: State, thing: Thing) => State | Transition,
	refuse?: (state: State, thing: Thing) => string | undefined,
): Omit<GuardedKey, "acts"> {
	return {
		needs(state) {
			const thing = select(state);
			return thing === undefined ? missing : refuse?.(state, thing);
		},
		run(state) {
			const thing = select(state);
			return asTransition(thing === undefined ? state : run(state, thing));
		},
	};
}

/** Why a session cannot be changed: it is in another place. */
export function whyOnlyRead({ place }: SessionRow): string | undefined {
	return place === undefined ? undefined : `This session is in ${place}, which is read-only: bring it here first`;
}

/** Whether a key also acts on sessions of other places, which it may if it changes nothing there. */
type Where = "here" | "anywhere";

/** A key that acts on the session under the cursor; `refuse`: why it may not act on this one. */
export function onSession(
	verb: string,
	run: (state: State, row: SessionRow) => Transition,
	{ refuse, where = "here" }: { refuse?: (state: State, row: SessionRow) => string | undefined; where?: Where } = {},
): GuardedKey {
	const whyNot = (state: State, row: SessionRow) =>
		(where === "here" ? whyOnlyRead(row) : undefined) ?? refuse?.(state, row);
	return { acts: "session", ...onSelected(selectedRow, `There is no session to ${verb}`, run, whyNot) };
}

/** A key that acts on all chosen sessions; `refuse`: why it may not act on this one, if it is the only one. */
export function onChosen(
	verb: string,
	run: (state: State, rows: readonly SessionRow[]) => Transition,
	{ refuse, where = "here" }: { refuse?: (row: SessionRow) => string | undefined; where?: Where } = {},
): GuardedKey {
	return {
		acts: "chosen",
		// Called for every key, so it does not sort what may be ten thousand marked sessions.
		needs(state) {
			if (areMarkedChosen(state)) return undefined;
			const row = selectedRow(state);
			if (row === undefined) return `There is no session to ${verb}`;
			return (where === "here" ? whyOnlyRead(row) : undefined) ?? refuse?.(row);
		},
		run(state) {
			const rows = chosenRows(state);
			const other = where === "here" ? rows.find(({ place }) => place !== undefined) : undefined;
			if (other !== undefined) {
				const why = `Some of the marked sessions are in ${other.place}, which is read-only: unmark them`;
				return transition(say(state, why, "warning"));
			}
			return rows.length === 0 ? transition(state) : run(state, rows);
		},
	};
}

/** A key that acts on the entry under the cursor: see `entryUnderCursor`. */
export function onEntry(
	verb: string,
	run: (state: State, entry: SessionEntry) => Transition,
	where: Where = "anywhere",
): GuardedKey {
	const refuse = (state: State): string | undefined => {
		const row = where === "here" ? selectedRow(state) : undefined;
		return row && whyOnlyRead(row);
	};
	return { acts: "entry", ...onSelected(entryUnderCursor, `There is no entry to ${verb}`, run, refuse) };
}

/** Whether Enter only chooses, as in `pi-grove pick`: nothing is resumed, asked or written. */
export function isPicking({ environment: { picks } }: State): boolean {
	return picks !== undefined;
}

/** Last row: the keys that work now; an open overlay shows its own. */
export function selectFooter(state: State): Line {
	return state.overlays.some((overlay) => !isPage(overlay)) ? [] : keyHints(state, state.size.columns);
}

/** Ids of the keys that are always shown, last: how to get out, and how to find all others. */
const WAYS_OUT: readonly string[] = ["stop-work", "filter-clear", "back", "go-out", "previous-pane", "cancel", "leave"];
const ALL_OTHERS = "help";
/** Keys, or ids of commands, that come first, since they are used most or are what a page is for; the others follow in the order of the keymap. */
const FIRST: readonly string[] = [
	...[
		"enter",
		"right",
		"x",
		"comments",
		"u",
		"next-span",
		"toggle-branch",
		"mark",
		"mark-branch",
		"compare",
		"changes",
	],
	...["next-match", "y", "comment", "/", "ctrl+d"],
];
/** Keys at most, besides those that are always shown. */
const MOST = 5;

/**
 * Keys with their short names, as many as fit, in the same order at every width; the way out and all commands are always last.
 * The way out is left out only where Enter would not fit beside it: everybody tries esc. `keepsOut`: not even there.
 */
export function keyHints(state: State, width: number, keepsOut = false): Line {
	const shownBindings = bindingsFor(state).filter(({ short }) => short !== undefined);
	const hints = [...Map.groupBy(shownBindings, ({ id }) => id).values()].flatMap((same) => same.slice(0, 1));
	const spansOf = (binding: Binding) => hintSpans(binding, state);
	const out = WAYS_OUT.flatMap((name) => hints.filter(({ id }) => id === name)).slice(0, 1);
	const all = hints.filter(({ id }) => id === ALL_OTHERS);
	const otherHints = hints
		.filter(({ id }) => id !== ALL_OTHERS && !WAYS_OUT.includes(id))
		.toSorted((a, b) => rank(a) - rank(b));
	const enter = otherHints.filter(({ keys }) => keys[0] === FIRST[0]);
	const isTight = !keepsOut && enter.length > 0 && lineWidth([...enter, ...out, ...all].flatMap(spansOf)) >= width;
	const always = [...(isTight ? [] : out), ...all].flatMap(spansOf);
	const line: Span[] = [];
	let room = width - lineWidth(always) - 1;
	for (const binding of otherHints.slice(0, MOST)) {
		const spans = spansOf(binding);
		if (lineWidth(spans) > room) break;
		line.push(...spans);
		room -= lineWidth(spans);
	}
	return [...line, ...always];
}

function hintSpans({ id, keys, short }: Binding, state: State): Span[] {
	const parts = [span(` ${keyLabel(keys[0] ?? "")}`, "accent"), span(` ${shortWords(short, state)} `, "muted")];
	return parts.map((part): Span => ({ ...part, press: id }));
}

export function shortWords(short: Binding["short"], state: State): string {
	return (typeof short === "function" ? short(state) : short) ?? "";
}

function rank({ id, keys }: Binding): number {
	const at = FIRST.findIndex((name) => name === keys[0] || name === id);
	return at === -1 ? FIRST.length : at;
}

/** Follows a filter with a mistake; the reason is in the bottom row of the screen. */
export const WRONG: Line = [span("  ✗", "error")];

/** The key that waits for the results of the text typed before it, if the pane has the focus. */
export function waitingNote({ waiting: [first], focus }: State, pane: State["focus"]): Line | undefined {
	if (first === undefined || focus !== pane) return undefined;
	const what = first.type === "key" ? keyLabel(first.key) : first.type === "text" ? "text" : "the command";
	return [span(` ${what} is waiting, esc cancels it`, "muted")];
}
