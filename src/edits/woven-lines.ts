import type { DiffLine } from "../conversation/render/diff-lines.ts";
import { sameLines } from "./align-lines.ts";
import { type PatchHunk, patchHunks } from "./patch-hunks.ts";

/** A line of two texts together, in an order that fits both and every version between them. */
export interface WovenLine<By> {
	/** With its line end. */
	readonly text: string;
	readonly side: "same" | "removed" | "added";
	/** Who removed or added it; undefined if no version tells. */
	readonly by: By | undefined;
	/** The index of the line in the new text at which it is, or would be. */
	readonly at: number;
}

/** A line that was in some version. */
interface Thread<By> {
	readonly text: string;
	readonly isOld: boolean;
	readonly isThere: boolean;
	readonly addedBy: By | undefined;
	readonly removedBy: By | undefined;
}

/** Weaves two texts by a diff; `versions`, those between them, say where a line is among others, and who changed it. */
export function wovenLines<By>(
	before: readonly string[],
	after: readonly string[],
	versions: readonly { readonly lines: readonly string[]; readonly by: By | undefined }[],
): readonly WovenLine<By>[] {
	let threads = before.map(
		(text): Thread<By> => ({ text, isOld: true, isThere: true, addedBy: undefined, removedBy: undefined }),
	);
	for (const { lines, by } of [...versions, { lines: after, by: undefined }]) threads = stepped(threads, lines, by);
	const [old, now] = [indexesOf(threads, ({ isOld }) => isOld), indexesOf(threads, ({ isThere }) => isThere)];
	const result: WovenLine<By>[] = [];
	let [nextOld, nextNow] = [0, 0];
	for (const [at, same] of [...increasing(sameLines(after, before)), before.length].entries()) {
		if (same === -1) continue;
		while (nextOld < same || nextNow < at) {
			const [atOld, atNow] = [old[nextOld] ?? 0, now[nextNow] ?? 0];
			const isRemoved = nextNow === at || (nextOld < same && atOld <= atNow);
			const thread = threads[isRemoved ? atOld : atNow];
			const text = (isRemoved ? before[nextOld] : after[nextNow]) ?? "";
			result.push({
				...{ text, side: isRemoved ? "removed" : "added", at: nextNow },
				by: isRemoved ? thread?.removedBy : thread?.addedBy,
			});
			if (isRemoved) nextOld++;
			else nextNow++;
		}
		if (at < after.length) result.push({ text: after[at] ?? "", side: "same", by: undefined, at });
		[nextOld, nextNow] = [same + 1, at + 1];
	}
	return result;
}

/** The next version: new lines stand behind those that they replace. */
function stepped<By>(threads: readonly Thread<By>[], lines: readonly string[], by: By | undefined): Thread<By>[] {
	const there = threads.filter(({ isThere }) => isThere);
	const counterparts = increasing(
		sameLines(
			lines,
			there.map(({ text }) => text),
		),
	);
	const lineOf = new Map(
		counterparts.flatMap((at, line) => (there[at] === undefined ? [] : [[there[at], line] as const])),
	);
	/** The last removed lines of each gap, and where the new lines end that stand behind them. */
	const newEnds = new Map<Thread<By>, number>();
	let gapEnd: number | undefined = lines.length;
	for (const thread of there.toReversed()) {
		const line = lineOf.get(thread);
		if (line === undefined && gapEnd !== undefined) newEnds.set(thread, gapEnd);
		gapEnd = line;
	}
	const result: Thread<By>[] = [];
	let next = 0;
	const putUntil = (end: number): void => {
		for (; next < end; next++)
			result.push({ text: lines[next] ?? "", isOld: false, isThere: true, addedBy: by, removedBy: undefined });
	};
	for (const thread of threads) {
		const line = lineOf.get(thread);
		if (line !== undefined) {
			putUntil(line);
			result.push(thread);
			next++;
		} else {
			result.push(thread.isThere ? { ...thread, isThere: false, removedBy: by } : thread);
			putUntil(newEnds.get(thread) ?? 0);
		}
	}
	putUntil(lines.length);
	return result;
}

function indexesOf<Value>(values: readonly Value[], isWanted: (value: Value) => boolean): readonly number[] {
	return values.flatMap((value, index) => (isWanted(value) ? [index] : []));
}

/** Without counterparts in another order. */
function increasing(counterparts: readonly number[]): readonly number[] {
	let last = -1;
	return counterparts.map((at) => {
		if (at <= last) return -1;
		last = at;
		return at;
	});
}

/** A line of the new text, or one that a patch removes. `isCut`: others removed lines before it. */
interface Row extends DiffLine {
	readonly isOther: boolean;
	readonly isCut: boolean;
}

const CONTEXT = 3;

/**
 * The hunks of the woven lines that are wanted: they take the new text back to what it is without them. Lines that others changed are
 * no context, so that they fit the old text as well; `isTight`: somewhere that cannot be, as lines of two authors touch.
 */
export function hunksFor<By>(
	lines: readonly WovenLine<By>[],
	isWanted: (line: WovenLine<By>) => boolean,
): { readonly hunks: readonly PatchHunk[]; readonly isTight: boolean } {
	const rows: Row[] = [];
	let isCut = false;
	let [before, after] = [1, 1];
	for (const line of lines) {
		const isOurs = line.side !== "same" && isWanted(line);
		if (line.side === "removed" && !isOurs) {
			isCut = true;
			continue;
		}
		const kind = isOurs ? line.side : "same";
		rows.push({ kind, before, after, text: line.text, isOther: line.side === "added" && !isOurs, isCut });
		isCut = false;
		if (kind !== "added") before++;
		if (kind !== "removed") after++;
	}
	const end = rows.length;
	const isShared = (index: number): boolean => rows[index]?.kind === "same" && !rows[index]?.isOther;
	const isCutAt = (index: number): boolean => (index === end ? isCut : (rows[index]?.isCut ?? false));
	const spans: { from: number; to: number }[] = [];
	let isTight = false;
	for (const [index, { kind }] of rows.entries()) {
		if (kind === "same") continue;
		let [from, to] = [index, index + 1];
		while (from > 0 && index - from < CONTEXT && isShared(from - 1) && !isCutAt(from)) from--;
		while (to < end && to - index <= CONTEXT && isShared(to) && !isCutAt(to)) to++;
		const last = spans.at(-1);
		const isApart = last === undefined || from > last.to || (from === last.to && isCutAt(from));
		if (isApart) spans.push({ from, to });
		else last.to = Math.max(last.to, to);
		if (to > index + 1 || (!isCutAt(to) && (to === end || rows[to]?.kind !== "same"))) continue;
		// Git takes a hunk without a line behind it for the end of the file.
		isTight = true;
		const span = spans.at(-1);
		if (span !== undefined) span.to = Math.min(end, index + 1 + CONTEXT);
	}
	for (const span of spans) {
		if (span.from > 0 || !isCutAt(0)) continue;
		// A hunk at line 1 fits nowhere else.
		if (isShared(0) && rows.slice(1, span.to).some(({ kind }) => kind !== "added")) span.from = 1;
		else isTight = true;
	}
	const lastOld = rows.findLast(({ kind }) => kind !== "added");
	const ended = (row: Row): DiffLine => {
		return row.kind === "added" || row === lastOld ? row : { ...row, text: row.text.replace(/\n?$/, "\n") };
	};
	const gap: DiffLine = { kind: "gap", text: "" };
	const hunks = patchHunks(spans.flatMap(({ from, to }) => [gap, ...rows.slice(from, to).map(ended)])) ?? [];
	isTight ||= hunks.some((hunk) => hunk.old === 1 && hunk.lines.every(({ kind }) => kind === "added"));
	return { hunks, isTight };
}
