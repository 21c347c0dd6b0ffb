import { type Comment, commentedTexts } from "../catalog/model/marks.ts";
import { pairLines } from "../conversation/render/diff-hunks.ts";
import { sameItems } from "../shared/memo.ts";
import { type Steps, TimeSlice } from "../shared/steps.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { Session } from "../store/read/read-session.ts";
import type { Ledger } from "./ledger.ts";
import type { FileEvent } from "./ledger-events.ts";
import { bareLine, changesBetween, contentOf, type DifferingPart, differingPart } from "./lines.ts";
import { type LedgerOptions, openLedger } from "./open-ledger.ts";
import { firstAfter } from "./text-at.ts";

/** The lines of a comment after all that is known of their file. */
export interface CarriedLines {
	/** The absolute path of the file now. */
	readonly path: string;
	/** Undefined if it is gone. */
	readonly text: readonly string[] | undefined;
	/** The indices of those that are left, in order. */
	readonly indices: readonly number[];
	/** What changed or removed one of them last; undefined if they are as they were. */
	readonly event: FileEvent | undefined;
}

export type CarryOptions = Pick<LedgerOptions, "home" | "rows" | "slice">;

/** Carries the lines of comments through what became of their files since; a comment is left out whose lines the ledger does not know. */
export async function carryComments(
	comments: readonly Comment[],
	session: Session,
	{ home, rows, slice = new TimeSlice() }: CarryOptions,
): Promise<ReadonlyMap<Comment, CarriedLines>> {
	const times = comments.map(({ entry }) => timeOf(session.tree.byId.get(entry)?.timestamp) || 0);
	// What ended before changed nothing since.
	const laterRows = rows.filter(({ modified }) => modified.getTime() >= Math.min(...times));
	const { ledger } = await openLedger(session, { home, rows: laterRows, slice });
	try {
		const byPath = Map.groupBy(comments, ({ path = "" }) => ledger.grounds.canonical(path));
		await ledger.prepare(byPath.keys());
		const carried = new Map<Comment, CarriedLines>();
		for (const [path, ofFile] of byPath) {
			const begun = ofFile.map((comment) => ({ comment, order: orderOf(comment, path, session, ledger) }));
			for (const [comment, lines] of await slice.run(carriedLines(begun, path, ledger))) carried.set(comment, lines);
		}
		return carried;
	} finally {
		ledger.grounds.close();
	}
}

/** Of the entry that shows the line: that of a step with its file, which may be one of a run, else of the session. */
function orderOf({ entry }: Comment, path: string, session: Session, ledger: Ledger): number {
	const { byId, table } = session.tree;
	const event = ledger.eventsOf(path).find(({ step }) => step?.entryId === entry);
	const timeMs = timeOf(byId.get(entry)?.timestamp) || Number.NEGATIVE_INFINITY;
	return event?.order ?? ledger.orderAt(session, table.indexOf(entry) ?? -1, timeMs);
}

interface BegunComment {
	readonly comment: Comment;
	readonly order: number;
}

interface PlacedLines extends BegunComment {
	/** None while they are not there; undefined before they were seen. */
	readonly indices: readonly number[] | undefined;
	readonly event: FileEvent | undefined;
}

function* carriedLines(
	begun: readonly BegunComment[],
	path: string,
	ledger: Ledger,
): Steps<ReadonlyMap<Comment, CarriedLines>> {
	const texts = textsOf(ledger, path, Math.min(...begun.map(({ order }) => order)));
	let places = begun.map((one): PlacedLines => ({ ...one, indices: undefined, event: undefined }));
	let last: { readonly text: string; readonly lines: readonly string[] } = { text: "", lines: [] };
	for (const [at, { text = "", event, order }] of texts.entries()) {
		yield;
		const part = differingPart(last, text);
		const { start, end, newLines } = part;
		const lines = last.lines.slice(0, start).concat(newLines, last.lines.slice(end));
		const move = mover(last.lines, part);
		last = { text, lines };
		const until = texts[at + 1]?.order ?? Number.POSITIVE_INFINITY;
		places = places.map((place) => {
			// Its entry comes later.
			if (place.order >= until) return place;
			const isFirst = at === 0 || order <= place.order;
			return moved(place, { lines, move, event, part: isFirst ? undefined : part });
		});
	}
	const end = texts.at(-1);
	const text = end?.text === undefined ? undefined : last.lines.map(bareLine);
	return new Map(
		places.flatMap(({ comment, indices, event }) =>
			end === undefined || indices === undefined ? [] : [[comment, { path: end.path, text, indices, event }]],
		),
	);
}

interface KnownText {
	readonly path: string;
	readonly order: number;
	/** Undefined: there is no file. */
	readonly text: string | undefined;
	readonly event: FileEvent | undefined;
}

/** The texts of a file from an order on, as far as they are known, also where it was moved to. */
function textsOf(ledger: Ledger, path: string, from: number): readonly KnownText[] {
	const track = ledger.track(path);
	track.at(Number.POSITIVE_INFINITY);
	const { versions } = track;
	const texts: KnownText[] = [];
	for (const version of versions.slice(Math.max(0, firstAfter(versions, from) - 1))) {
		const { event, order } = version;
		if (event?.what.kind === "away" && order > from) return [...texts, ...textsOf(ledger, event.what.to, order)];
		const text = contentOf(track, version);
		if (text !== "unknown") texts.push({ path, order: Math.max(order, from), text, event });
	}
	return texts;
}

interface NextText {
	readonly lines: readonly string[];
	readonly move: (index: number) => MovedLine | undefined;
	readonly event: FileEvent | undefined;
	/** Where lines may be that were not there before. @default anywhere */
	readonly part: DifferingPart | undefined;
}

interface MovedLine {
	readonly index: number;
	readonly isChanged: boolean;
}

function moved(place: PlacedLines, { lines, move, event, part }: NextText): PlacedLines {
	const { comment, indices = [] } = place;
	const all = indices.map(move);
	const rest = all.filter((one) => one !== undefined);
	const restIndices = rest.map(({ index }) => index);
	const texts = restIndices.map((index) => bareLine(lines[index] ?? ""));
	// However often they were changed and changed back.
	if (sameItems(texts, commentedTexts(comment))) return { ...place, indices: restIndices, event: undefined };
	const isSame = rest.length === all.length && rest.every(({ isChanged }) => !isChanged);
	if (rest.length > 0 && isSame) return { ...place, indices: restIndices };
	const { start = 0, newLines = lines } = part ?? {};
	const newIndices = findLines(comment, lines, start, start + newLines.length);
	if (newIndices.length > 0) return { ...place, indices: newIndices, event: undefined };
	return indices.length === 0 ? place : { ...place, indices: restIndices, event };
}

/** Where the lines of a comment are in a part of a text, together with those around them: of several places the nearest. */
function findLines(
	{ lines: wanted, index, line = 1, count = 1 }: Comment,
	lines: readonly string[],
	from: number,
	to: number,
): readonly number[] {
	const starts: number[] = [];
	for (let start = Math.max(0, from - wanted.length); start < to; start++) {
		const isThere = (text: string, offset: number): boolean => bareLine(lines[start + offset] ?? "\n\n") === text;
		if (wanted.every(isThere)) starts.push(start + index);
	}
	const distance = (start: number): number => Math.abs(start + 1 - line);
	const [first] = starts.sort((one, other) => distance(one) - distance(other));
	return first === undefined ? [] : Array.from({ length: count }, (_, offset) => first + offset);
}

/** Where the lines of a text are in the next one, also those that were changed in place; undefined for one that is gone. */
function mover(
	lines: readonly string[],
	{ start, end, newLines }: DifferingPart,
): (index: number) => MovedLine | undefined {
	let inside: ReadonlyMap<number, MovedLine> | undefined;
	return (index) => {
		if (index < start) return { index, isChanged: false };
		if (index >= end) return { index: index + newLines.length - (end - start), isChanged: false };
		inside ??= movedInside(lines.slice(start, end).map(bareLine), newLines.map(bareLine), start);
		return inside.get(index);
	};
}

function movedInside(before: readonly string[], after: readonly string[], start: number): Map<number, MovedLine> {
	const lines = new Map<number, MovedLine>();
	let [removed, added]: [{ text: string; index: number }[], { text: string; index: number }[]] = [[], []];
	const endBlock = (): void => {
		const isOne = removed.length === 1 && added.length === 1;
		for (const { removed: old, added: now, isSimilar } of pairLines(removed, added))
			if (old !== undefined && now !== undefined && (isSimilar || isOne))
				lines.set(old.index, { index: now.index, isChanged: true });
		[removed, added] = [[], []];
	};
	let [old, now] = [0, 0];
	for (const { kind, count } of changesBetween(before, after)) {
		if (kind === "same") endBlock();
		for (let index = 0; index < count; index++) {
			if (kind === "same") lines.set(start + old, { index: start + now, isChanged: false });
			else if (kind === "removed") removed.push({ text: before[old] ?? "", index: start + old });
			else added.push({ text: after[now] ?? "", index: start + now });
			if (kind !== "added") old++;
			if (kind !== "removed") now++;
		}
	}
	endBlock();
	return lines;
}
