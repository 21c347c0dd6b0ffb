import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { memoEqual, memoLast, sameItems } from "../../../shared/memo.ts";
import { LEVEL, matching } from "../../../ui/field/match-names.ts";
import { capital, formatCounted } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import { PANES } from "../../world/keys/key.ts";
import { typeQuery } from "../../world/list/list-actions.ts";
import { areMarkedChosen } from "../../world/list/marked.ts";
import { selectedRow } from "../../world/list/select-list.ts";
import { quoteEntry } from "../../world/opened/quote-entry.ts";
import { entryUnderCursor } from "../../world/opened/select-branches.ts";
import { focusOn } from "../../world/screen/layout.ts";
import {
	type Binding,
	boundHere,
	type Context,
	contextOf,
	keyLabel,
	nameNow,
	plainName,
	SECTIONS,
	SUBJECT_PLACE,
	sectionsOf,
} from "../../world/state/binding.ts";
import { type CommandsOverlay, closeOverlay, isPage } from "../../world/state/overlays.ts";
import { defineSlice, type State, transition } from "../../world/state/state.ts";

interface CommandsState {
	/** Ids of the commands, the last one first. */
	readonly recent: readonly string[];
}

export const USED_COMMANDS = defineSlice<CommandsState>("commands", { recent: [] });

/** A command: all bindings with the same id, which has a name. */
interface Command {
	readonly id: string;
	/** The ones for where the person is; none if it is for another place. */
	readonly here: readonly Binding[];
	/** Without what it acts on. */
	readonly name: string;
	/** Where in the name that stands, with the word before it; undefined if it is not named. */
	readonly subject: { readonly at: number; readonly before: string } | undefined;
	readonly synonyms: string;
	/** The first key, as people read it; "" for none. */
	readonly key: string;
	readonly section: string;
	readonly contexts: readonly Context[];
	readonly group: CommandGroup;
}

/** The heading of a command: what is chosen in the list, the session or the entry under the cursor, “go to” for views, or its section. */
type CommandGroup =
	| { readonly kind: "chosen" | "session" | "entry" | "go" }
	| { readonly kind: "section"; readonly name: string };

export interface ShownCommand {
	readonly command: Command;
	readonly heading: string;
	/** The one to run; undefined if it is for another place. */
	readonly binding: Binding | undefined;
	/** What is shown behind its name: "archive 3 sessions", of "Undo". It is not searched: who types "archive" wants to archive. */
	readonly about: string | undefined;
	/** What it acts on, in so many cells, where no heading says it. */
	readonly subject: ((cells: number) => string) | undefined;
	/** Why it cannot act now; undefined if it can. */
	readonly reason: string | undefined;
	/** How well it matches: one of `LEVEL`. */
	readonly level: number;
	/** Index of each letter of the name that was typed. */
	readonly matched: ReadonlySet<number>;
}

/** The rows of the box: in groups the commands that can act now, or those of them that match what is typed, the best first. */
export function shownCommands(state: State, overlay: CommandsOverlay): readonly ShownCommand[] {
	return commandsIn(state, overlay).filter(isRow);
}

/** The others that match what is typed: why they cannot act is said where there is no row. */
export function refusedCommands(state: State, overlay: CommandsOverlay): readonly ShownCommand[] {
	return commandsIn(state, overlay).filter((each) => !isRow(each));
}

/** Who types a whole name wants to know why not. */
function isRow({ reason, level }: ShownCommand): boolean {
	return reason === undefined || level === LEVEL.whole;
}

function commandsIn(state: State, { query }: CommandsOverlay): readonly ShownCommand[] {
	const typed = query.text.trim();
	if (typed !== "") return matchingCommands(stateBelow(state), typed);
	return commandsHere(stateBelow(state)).filter(({ command }) => !ONLY_TYPED.has(command.id));
}

/** How many commands can act now that are only found by typing. */
export function typedOnlyCount(state: State): number {
	return commandsHere(stateBelow(state)).filter((each) => ONLY_TYPED.has(each.command.id) && isRow(each)).length;
}

/** The pane or page below the box, on which a command acts; the same object as long as only the box changes. */
const stateBelow = memoEqual(closeOverlay, (last, now) =>
	Object.keys(now).every((name) => {
		const field = name as keyof State;
		if (field === "overlays") return sameItems(last.overlays, now.overlays);
		return field === "typing" || last[field] === now[field];
	}),
);

/** Both are asked for several times a key, to draw the box and to place it. */
const commandsHere = memoLast((below: State) => commandsNow(below, ""));
const matchingCommands = memoLast(commandsNow);

function commandsNow(below: State, typed: string): readonly ShownCommand[] {
	const from = contextOf(below);
	const bound = commandsFor(boundHere(below.environment), from).map((command) => namedNow(command, below));
	const all = typed === "" ? bound : [...commandsFor(savedBindings(below.saved.queries, from), from), ...bound];
	const { recent } = USED_COMMANDS.of(below);
	const commands = matching(all, typed).flatMap(({ item: command, ...match }) => {
		const binding = command.here.find(({ when }) => when?.(below) ?? true);
		// A command that exists only at other times, such as in pi, is left out.
		if (binding === undefined && command.here.length > 0) return [];
		const reason = binding === undefined ? placeWords(command.contexts) : whyNot(below, binding);
		const about = binding?.about?.(below);
		const at = recent.indexOf(command.id);
		const heading = typed === "" ? headingNow(below, command.group) : "";
		const subject = typed === "" ? undefined : subjectOf(below, binding, about);
		const words = command.subject === undefined ? { about, subject: undefined } : { about: undefined, subject };
		return [{ command, heading, binding, reason, ...words, ...match, age: at === -1 ? recent.length : at }];
	});
	if (typed === "") {
		const isLast = ({ command }: ShownCommand): boolean => ONLY_TYPED.has(command.id);
		const isFirst = ({ command }: ShownCommand): boolean => command.group.kind === "chosen" && areMarkedChosen(below);
		const ordered = commands.toSorted(
			(a, b) => Number(isLast(a)) - Number(isLast(b)) || Number(isFirst(b)) - Number(isFirst(a)),
		);
		return [...Map.groupBy(ordered, ({ heading }) => heading).values()].flat();
	}
	// As in vi, unless a saved query begins so.
	const isLeaving =
		LEAVES.test(typed) && below.saved.queries.every(({ name }) => !name.toLowerCase().startsWith(typed));
	const leaves = ({ command }: ShownCommand): boolean => isLeaving && command.id === "leave";
	return commands.toSorted(
		(a, b) =>
			Number(leaves(b)) - Number(leaves(a)) ||
			a.level - b.level ||
			Number(isElsewhere(a)) - Number(isElsewhere(b)) ||
			a.age - b.age ||
			a.start - b.start,
	);
}

/** What acts on this comes before places to go. */
function isElsewhere({ command }: ShownCommand): boolean {
	return command.group.kind === "go";
}

/** Whether a command can act on an entry is known once the session is read: until then it waits. */
function whyNot(below: State, { acts, needs }: Binding): string | undefined {
	const { overlays, detail } = below;
	const isUnread =
		acts === "entry" && !overlays.some(isPage) && (detail.status === "none" || detail.status === "loading");
	return isUnread && selectedRow(below) !== undefined ? undefined : needs?.(below);
}

/** What a command acts on, as its row says it; on a page only the command itself knows. */
function subjectOf(below: State, binding: Binding | undefined, about: string | undefined): ShownCommand["subject"] {
	if (about !== undefined) return () => about;
	if (binding === undefined || below.overlays.some(isPage)) return undefined;
	if (binding.acts === "chosen" && areMarkedChosen(below)) {
		const marked = formatCounted(below.list.marked.size, "marked session");
		return () => marked;
	}
	const [row, entry, { session }] = [selectedRow(below), entryUnderCursor(below), below.detail];
	if (binding.acts === "entry" && below.focus !== "list")
		return entry && session && ((cells) => quoteEntry(below, session, entry, cells));
	return row && ((cells) => quote(sessionTitle(row), cells));
}

/** What people type behind a colon to leave vi and other programs. */
const LEAVES = /^(?:q|qa|wq|x|quit|exit)!?$/;

/** The saved queries as commands: a colon and the name search for one. */
const savedBindings = memoLast((queries: State["saved"]["queries"], from: Context): readonly Binding[] =>
	queries.map(({ name, text }) => ({
		...{ id: `saved ${name}`, name, synonyms: text, keys: [], contexts: [from], section: SAVED_SECTION },
		help: `search for ${text}`,
		about: () => text,
		run: (state) => transition(typeQuery(focusOn("list")({ ...state, overlays: [] }), text)),
	})),
);

/** Found only by typing, since hardly anybody needs them, or everybody uses their key, the title row or a menu. */
const ONLY_TYPED: ReadonlySet<string> = new Set([
	...["previous-hit", "next-hit", "previous-prompt", "next-prompt", "previous-error", "next-error"],
	...[
		"previous-label",
		"next-label",
		"previous-branch",
		"next-branch",
		"toggle-branch",
		"all-branches",
		"branches",
		"timeline",
	],
	...["filter-turns", "filter-errors", "details", "pager", "full-page"],
	...[
		"copy-block",
		"copy-turn",
		"copy-digest",
		"open-image",
		"next-pane",
		"search",
		"zoom",
		"done-with",
		"places",
		"move-project",
	],
	...["changes-since", "changes-branch", "mark", "unmark-all", "only-project", "scope-archived", "named", "path"],
	...[
		"fold-project",
		"fold-projects",
		"toggle-all-runs",
		"copy-turn",
		"forward",
		"changes-turn",
		"comment",
		"put-branch",
	],
	...["resume-in-window", "moved", "problems", "check", "keys", "settings", "redraw", "suspend", "tour"],
]);

/** Where a command is that is not here: "only in the tree". */
function placeWords(contexts: readonly Context[]): string {
	const pane = contexts.find((each) => IN_PANES.includes(each));
	const [context = "list"] = pane === undefined ? contexts.filter((each) => each !== "saved") : [pane];
	return VIEWS.has(context) ? `only in ${capital(context)}` : `only in the ${context}`;
}

const VIEWS: ReadonlySet<Context> = new Set(["prompts", "statistics", "maintenance", "history"]);

/** The command with the half of its name that it does now, "Unpin", and where in it what it acts on is named. */
function namedNow(command: Command, state: State): Command {
	const isOn = command.here.find((binding) => binding.isOn !== undefined)?.isOn?.(state) ?? false;
	const name = nameNow(command.name, isOn);
	const place = SUBJECT_PLACE.exec(name);
	const [first = ""] = command.synonyms.split(", or ");
	return {
		...command,
		name: plainName(name),
		subject: place === null ? undefined : { at: place.index, before: place[0].replace("{}", "") },
		// Who types the first half wants to do that, or to undo it.
		synonyms: isOn ? `${command.synonyms.replace(", or ", ", ")}, ${plainName(nameNow(command.name, false))}` : first,
	};
}

/** Asked for several times a key, and the keymap has 300 rows. */
const commandsFor = memoLast((keymap: readonly Binding[], from: Context): readonly Command[] => {
	const commands = [...Map.groupBy(keymap, ({ id }) => id).values()].flatMap((same): Command[] => {
		const here = same.filter(({ contexts }) => contexts.includes(from));
		// Another page may call it otherwise.
		const named = [...here, ...same].find(({ name }) => name !== undefined);
		if (named?.name === undefined) return [];
		const keys = (here.length > 0 ? here : same).flatMap((each) => each.keys);
		const first = here[0] ?? named;
		return [
			{
				id: named.id,
				here,
				name: named.name,
				subject: undefined,
				synonyms: named.synonyms ?? "",
				key: keys[0] === undefined ? "" : keyLabel(keys[0]),
				section: first.section,
				contexts: [...new Set(same.flatMap(({ contexts }) => contexts))],
				group: groupOf(first, from),
			},
		];
	});
	const sections = sectionsOf(keymap);
	return commands.toSorted((a, b) => placeOf(a, sections) - placeOf(b, sections));
});

/** Sections of commands that act on the session or the entry under the cursor. */
const SUBJECT: ReadonlySet<string> = new Set(["Session", "In pi", "Copy and save"]);
const IN_PANES: readonly Context[] = PANES;

function groupOf({ contexts, acts, section }: Binding, from: Context): CommandGroup {
	if (acts === "chosen") return { kind: "chosen" };
	if (acts === "session") return { kind: "session" };
	if (SUBJECT.has(section) && acts !== undefined) return { kind: from === "list" ? "session" : "entry" };
	const isOfPage = !SECTIONS.includes(section) && section !== OWN_SECTION;
	if (isOfPage && contexts.some((context) => IN_PANES.includes(context))) return { kind: "go" };
	return { kind: "section", name: section };
}

const OWN_SECTION = "Own commands";
export const SAVED_SECTION = "Saved queries";

const SECTION_OF: Readonly<Partial<Record<Context, string>>> = {
	list: "List",
	saved: "List",
	tree: "Tree",
	reader: "Reader",
	branches: "Branches",
};

/** Order of the groups: the entry or session under the cursor, own commands, the pane itself, the views, everything else. */
function placeOf({ group, here, section, contexts }: Command, sections: readonly string[]): number {
	if (here.length === 0) return 1000 + sections.indexOf(section);
	if (group.kind === "entry") return 0;
	if (group.kind === "chosen" || group.kind === "session") return 1;
	if (section === OWN_SECTION) return 50;
	if (group.kind === "go") return 200;
	const isOfPage = here.every((binding) => !binding.contexts.some((context) => IN_PANES.includes(context)));
	const isOwn =
		isOfPage || (contexts.some((context) => SECTION_OF[context] === section) && contexts.length < IN_PANES.length);
	return (isOwn ? 100 : 300) + sections.indexOf(section);
}

/** The heading of a group, above which the pane or page is that the commands act on. */
function headingNow(below: State, group: CommandGroup): string {
	if (group.kind === "go") return "go to";
	if (group.kind === "section") return group.name.toLowerCase();
	if (below.overlays.some(isPage)) return group.kind === "chosen" ? "marked rows, else this row" : "this row";
	if (group.kind === "entry") return entryHeading(below);
	if (group.kind === "chosen" && areMarkedChosen(below)) return formatCounted(below.list.marked.size, "marked session");
	const row = selectedRow(below);
	return row === undefined ? "session" : `this session: “${sessionTitle(row)}”`;
}

function entryHeading(state: State): string {
	const [entry, session] = [entryUnderCursor(state), state.detail.session];
	return entry === undefined || session === undefined ? "entry" : `this entry: ${quoteEntry(state, session, entry)}`;
}
