import { ENTRIES_PER_STEP, type Steps } from "../../shared/steps.ts";
import type { Fields } from "../../store/format/fields.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { EntryKind } from "../entries/entry-kind.ts";
import { asRead, conversationLeaf } from "../entries/leaf.ts";
import { indexAt } from "../entries/outline-columns.ts";
import { CODES, type EntryColumns, HAS_FAILED } from "./entry-columns.ts";
import type { RunsByStep } from "./tree-rows.ts";

/** Hidden by pi's default filter (pi 1.5.2): what only keeps books, and answers whose results stand for them. */
const QUIET: readonly EntryKind[] = [
	"calls",
	"model",
	"thinking-level",
	"label",
	"name",
	"custom",
	"usage",
	"context-edit",
];
const HIDDEN_BY_DEFAULT = kindTable(QUIET);
const HIDDEN_WITHOUT_TOOLS = kindTable([...QUIET, "result"]);

function kindTable(kinds: readonly EntryKind[]): Uint8Array {
	const table = new Uint8Array(Object.keys(CODES).length);
	for (const kind of kinds) table[CODES[kind]] = 1;
	return table;
}

/** A turn of fewer steps needs no row for their sum. */
export const STEPS_OF_SUM = 4;

export type Shows = (index: number) => boolean;

export function filterOf(columns: EntryColumns, session: Session, filter: TreeFilter, runs: RunsByStep): Shows {
	const { kind, outline } = columns;
	const leafId = conversationLeaf(session);
	const leaf = leafId === undefined ? -1 : indexAt(outline, leafId);
	switch (filter) {
		case "all":
			return () => true;
		case "user-only":
			return (index) => kind[index] === CODES.prompt;
		case "labeled-only": {
			const labeled = new Set(session.tree.labels.keys().map((id) => indexAt(outline, id)));
			return (index) => labeled.has(index);
		}
		case "errors":
			return (index) =>
				((columns.flags[index] ?? 0) & HAS_FAILED) !== 0 ||
				(runs.get(session.entries[index]?.id ?? "")?.failed ?? 0) > 0;
		case "turns":
			return (index) => index === leaf || isOfTurns(columns, index);
		case "no-tools":
			return (index) =>
				HIDDEN_WITHOUT_TOOLS[kind[index] ?? 0] === 0 || (index === leaf && kind[index] !== CODES.result);
		case "default":
			return (index) => index === leaf || HIDDEN_BY_DEFAULT[kind[index] ?? 0] === 0;
	}
}

/** Each turn is what was asked and its last answer; without one, the last that was done. */
function isOfTurns({ kind, turn, lastAnswer, lastSaid }: EntryColumns, index: number): boolean {
	if (kind[index] === CODES.prompt || kind[index] === CODES.compaction) return true;
	const first = turn[index] ?? index;
	return lastAnswer[first] === -1 ? lastSaid[first] === index : lastAnswer[first] === index;
}

/** How many entries a session has up to the last of its file: columns, and the list of its entries, may be those of a later reading. */
export function entryCount({ outline }: EntryColumns, session: Session): number {
	const { tree } = asRead(session);
	return tree.leafId === null ? 0 : indexAt(outline, tree.leafId) + 1;
}

export interface ShownEntries {
	/** Of how many entries these are some. */
	readonly count: number;
	/** 1 by entry index. */
	readonly shown: Uint8Array;
	/** By place in the drawing: how many are shown before it. */
	readonly before: Int32Array;
	/** By the first entry of a turn: the last entry of the turn that is shown; -1 for none. */
	readonly lastOfTurn: Int32Array;
}

export function* shownEntries(columns: EntryColumns, count: number, shows: Shows): Steps<ShownEntries> {
	const { turn } = columns;
	const { order } = columns.outline;
	const isShownAt = new Uint8Array(count);
	const countBefore = new Int32Array(count + 1);
	const lastOfTurn = new Int32Array(count).fill(-1);
	for (let place = 0; place < count; place++) {
		if (place % ENTRIES_PER_STEP === 0) yield;
		const index = order[place] ?? 0;
		const isShown = shows(index);
		countBefore[place + 1] = (countBefore[place] ?? 0) + (isShown ? 1 : 0);
		if (!isShown) continue;
		isShownAt[index] = 1;
		if (isSaid(columns, index)) lastOfTurn[turn[index] ?? index] = index;
	}
	return { count, shown: isShownAt, before: countBefore, lastOfTurn };
}

const LAST_SAID = CODES.command;

/** Whether an entry is one that a turn consists of, so that its sum comes after it. */
export function isSaid({ kind }: EntryColumns, index: number): boolean {
	return (kind[index] ?? 0) <= LAST_SAID;
}

/** pi's five tree filters, the turns and the errors, in the order of their chips, which is also that of ctrl+o. */
export const TREE_FILTERS = ["default", "turns", "no-tools", "all", "user-only", "labeled-only", "errors"] as const;
export type TreeFilter = (typeof TREE_FILTERS)[number];

/**
 * The filter that pi's tree starts with (pi 1.5.2, docs/settings.md). `settings`: contents of pi's settings files, the
 * project's before the person's. Undefined if none is set, or the first one set is not a filter.
 */
export function treeFilterSetting(settings: readonly Fields[]): TreeFilter | undefined {
	const mode = settings.map(({ treeFilterMode }) => treeFilterMode).find((value) => value !== undefined);
	return TREE_FILTERS.find((filter) => filter === mode);
}
