import type { Steps } from "../../shared/steps.ts";
import { fieldsOf, listOf, textOf } from "../../store/format/fields.ts";
import { BOOKKEEPING, isOwnMark } from "../../store/format/raw-entry.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { CHANGING_TOOLS } from "../../store/format/tool-change.ts";
import type { Session } from "../../store/read/read-session.ts";
import { MOST_SEARCHED } from "../entries/branch-name.ts";
import { entryKind } from "../entries/entry-kind.ts";
import { imageEnding } from "../entries/images.ts";
import { type Outline, outlineOf } from "../entries/outline.ts";
import { indexAt, isBeside, lineFrom, saidAt, sizeAt } from "../entries/outline-columns.ts";
import type { Place } from "../entries/place.ts";
import { rowText } from "../entries/row-text.ts";
import { stepOf } from "../entries/step.ts";
import { addEntry, emptySum, type Sum } from "../entries/turn-sum.ts";

/** What is shared of a session: the branch through an entry, or all of them. */
export interface Shared {
	readonly session: Session;
	/** An entry of the branch. */
	readonly entryId: string;
	readonly all: boolean;
}

/** What is shared, in the order in which it is read. */
export type ShareItem =
	/** `turn`: the number of its turn on its branch, from 1; 0 before the first prompt. */
	{ readonly type: "entry"; readonly entry: SessionEntry; readonly turn: number } | OtherItem;

type OtherItem =
	/** An abandoned branch beside the line begins; it ends with the "end" that belongs to it. */
	| { readonly type: "branch"; readonly beginning: readonly SessionEntry[]; readonly entries: number }
	| { readonly type: "end" }
	/** Branches that are not shared begin here. */
	| { readonly type: "left-out"; readonly branches: number; readonly entries: number };

export function* shareItems(shared: Shared): Generator<ShareItem> {
	const outline = outlineOf(shared.session);
	/** The number of the last turn of each line that is open. */
	const turns = [0];
	for (const item of shared.all ? allItems(outline) : pathItems(outline, shared)) {
		if (item.type === "entry") {
			if (isOwnMark(item.entry)) continue;
			const turn = (turns.pop() ?? 0) + (entryKind(item.entry) === "prompt" ? 1 : 0);
			turns.push(turn);
			yield { ...item, turn };
			continue;
		}
		if (item.type === "branch") turns.push(turns.at(-1) ?? 0);
		else if (item.type === "end") turns.pop();
		yield item;
	}
}

/** An item before turns are numbered. */
type PlainItem = OtherItem | { readonly type: "entry"; readonly entry: SessionEntry };

/** All entries, those of other branches before the line goes on. */
function* allItems({ columns }: Outline): Generator<PlainItem> {
	/** Where the branches that are open end, by their place in the drawing. */
	const ends: number[] = [];
	for (let place = 0; place < columns.count; place++) {
		for (; place >= (ends.at(-1) ?? Number.POSITIVE_INFINITY); ends.pop()) yield { type: "end" };
		const index = columns.order[place] ?? 0;
		const entry = columns.session.entries[index];
		if (entry === undefined) continue;
		if (isBeside(columns, index) && saidAt(columns, index) > 0) {
			ends.push(place + sizeAt(columns, index));
			// It gets its name from the first entries of its line.
			const beginning = lineFrom(columns, index).take(MOST_SEARCHED).toArray();
			yield { type: "branch", beginning, entries: saidAt(columns, index) };
		}
		yield { type: "entry", entry };
	}
	for (const _ of ends) yield { type: "end" };
}

function* pathItems(outline: Outline, { session, entryId }: Shared): Generator<PlainItem> {
	const path = outline.pathThrough(entryId);
	const { roots, children } = session.tree;
	yield* leftOut(roots, path[0], outline);
	let size = outline.size(path[0]?.id ?? "");
	for (const [index, entry] of path.entries()) {
		yield { type: "entry", entry };
		const next = path[index + 1];
		const below = next === undefined ? 0 : outline.size(next.id);
		// Most entries have no other child: their children are not looked up.
		if (size > below + 1) yield* leftOut(children.get(entry.id) ?? [], next, outline);
		size = below;
	}
}

/** The siblings that the path does not go on with; names and labels alone are not a branch. */
function* leftOut(
	siblings: readonly SessionEntry[],
	next: SessionEntry | undefined,
	outline: Outline,
): Generator<PlainItem> {
	const branches = siblings.filter((entry) => entry !== next && saysSomething(entry, outline));
	if (branches.length === 0) return;
	const { columns } = outline;
	const entries = branches.reduce((sum, { id }) => sum + saidAt(columns, indexAt(columns, id)), 0);
	yield { type: "left-out", branches: branches.length, entries };
}

function saysSomething({ id }: SessionEntry, { columns }: Outline): boolean {
	const index = indexAt(columns, id);
	const place = columns.place[index] ?? 0;
	const below = columns.order.subarray(place, place + sizeAt(columns, index));
	return below.some((at) => !BOOKKEEPING.has(columns.session.entries[at]?.type ?? ""));
}

export interface Survey {
	readonly sum: Sum;
	entries: number;
	leftOutBranches: number;
	leftOutEntries: number;
	images: number;
	/** Images of a form that no browser shows, or that are none. */
	oddImages: number;
	/** Answers by the model that gave them. */
	readonly models: Map<string, number>;
	readonly ids: Set<string>;
	/** The entries that have changed a file, with the path that the sum has of it, and the number of their turn. */
	readonly edits: SharedEdit[];
}

export interface SharedEdit {
	readonly path: string;
	readonly entry: SessionEntry;
	readonly turn: number;
}

/** Images that browsers show, by the endings of their files. */
export const SHOWN_IMAGES: ReadonlyMap<string, string> = new Map([
	["png", "image/png"],
	["jpg", "image/jpeg"],
	["gif", "image/gif"],
	["webp", "image/webp"],
	["avif", "image/avif"],
	["bmp", "image/bmp"],
]);

/** Looks at all that is shared once: whatever is to be masked in it has been found then. */
export function* surveySteps(shared: Shared, place: Place): Steps<Survey> {
	const survey: Survey = {
		sum: emptySum(),
		entries: 0,
		leftOutBranches: 0,
		leftOutEntries: 0,
		images: 0,
		oddImages: 0,
		models: new Map(),
		ids: new Set(),
		edits: [],
	};
	for (const item of shareItems(shared)) {
		yield;
		if (item.type === "left-out") {
			survey.leftOutBranches += item.branches;
			survey.leftOutEntries += item.entries;
		} else if (item.type === "entry") {
			survey.entries++;
			survey.ids.add(item.entry.id);
			addEntry(survey.sum, item.entry, shared.session, place);
			addContent(survey, item.entry);
			const { toolName } = fieldsOf(fieldsOf(item.entry).message);
			const file = CHANGING_TOOLS.has(textOf(toolName)) ? stepOf(item.entry, shared.session, place)?.file : undefined;
			if (file !== undefined) survey.edits.push({ path: file, entry: item.entry, turn: item.turn });
		}
	}
	return survey;
}

function addContent(survey: Survey, entry: SessionEntry): void {
	const fields = fieldsOf(entry);
	const message = entry.type === "message" ? fieldsOf(fields.message) : fields;
	const model = rowText(message.model);
	if (entryKind(entry) === "answer" && model !== "") survey.models.set(model, (survey.models.get(model) ?? 0) + 1);
	for (const block of listOf(message.content).map(fieldsOf)) {
		if (block.type !== "image") continue;
		if (SHOWN_IMAGES.has(imageEnding(textOf(block.data)) ?? "")) survey.images++;
		else survey.oddImages++;
	}
}
