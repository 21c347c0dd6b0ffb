import { compareLines } from "../conversation/render/compare-text.ts";
import { parseDiff } from "../conversation/render/diff-lines.ts";
import type { TextChange } from "../conversation/render/renderers.ts";
import type { Ledger } from "./ledger.ts";
import type { FileEvent } from "./ledger-events.ts";
import { changeOf, resultDiff, type SessionEvent } from "./session-events.ts";
import { type Content, firstAfter, type Track, type Version } from "./text-at.ts";

/** Who put a line into a file. */
export type LineOrigin =
	/** A session did, by an edit or a command. `since`: what became of the line. */
	| { readonly kind: "step"; readonly step: SessionEvent; readonly since: "kept" | "reformatted" | "put back" }
	/** Somebody did whose commit has it first. */
	| { readonly kind: "commit"; readonly commit: string }
	/** One of these commands, or a person, between two sights of the file. */
	| { readonly kind: "between"; readonly steps: readonly SessionEvent[] }
	/** It was there before all that is known. */
	| { readonly kind: "before" };

/** A text of a file, and who wrote each of its lines. */
interface LinedText {
	readonly text: string;
	/** With their line ends. Texts share those that stayed: there may be thousands of texts. */
	readonly lines: readonly string[];
	readonly origins: readonly LineOrigin[];
	/** The indices of the lines that the text before it did not have. */
	readonly fresh: readonly number[];
}

const BEFORE: LineOrigin = { kind: "before" };
const EMPTY: LinedText = { text: "", lines: [], origins: [], fresh: [] };

/** The lines of a text, each without its line end. */
export function linesOfText(text: string): readonly string[] {
	if (text === "") return [];
	const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n/);
	if (lines.at(-1) === "") lines.pop();
	return lines;
}

/** The lines of a text, each with its line end. */
export function linesWithEnds(text: string): readonly string[] {
	return text === "" ? [] : text.split(/(?<=\n)/);
}

/** A line as it is compared with one that may end in another way. */
export function lineKey(line: string): string {
	return line.replace(/\r?(\n?)$/, "$1");
}

/**
 * Follows the lines of a file through its history, under all names that it had and in all worktrees: each event that has a text before and
 * one after carries the lines that stayed over, and gives new ones to who made it.
 */
export class LineHistory {
	readonly #ledger: Ledger;
	/** All texts that were known, by their lengths, so that one that comes back keeps its authors. */
	readonly #texts = new Map<number, LinedText[]>();
	/** Who last put a distinctive line into the file. */
	readonly #byLine = new Map<string, LineOrigin>();
	readonly #current = new Map<string, LinedText>();

	/** `paths`: the file in each worktree, and its former names; all prepared. `until`: the last order that counts. */
	constructor(ledger: Ledger, paths: readonly string[], until = Number.POSITIVE_INFINITY) {
		this.#ledger = ledger;
		const tracks = paths.map((path) => ledger.track(path));
		for (const track of tracks) track.at(Number.POSITIVE_INFINITY);
		const all = tracks.flatMap((track) => {
			// What was checked out before anything happened is known when the first thing does.
			const [base, ...later] = track.versions;
			const first = later[0]?.order ?? Number.POSITIVE_INFINITY;
			return base === undefined
				? []
				: [
						{ track, version: base, order: first - 0.1 },
						...later.map((version) => ({ track, version, order: version.order })),
					];
		});
		all.sort((one, other) => one.order - other.order);
		for (const { track, version, order } of all) if (order <= until) this.#take(track, version);
	}

	/** The lines of a file as it was last known, and who wrote them; undefined if it never was. */
	lastOf(path: string): Pick<LinedText, "lines" | "origins"> | undefined {
		const last = this.#current.get(path);
		return last && { lines: last.lines.map(bareLine), origins: last.origins };
	}

	/** Who put a line into one of the files last, if it is distinctive. */
	#authorOf(line: string): LineOrigin | undefined {
		return isDistinctive(line) ? this.#byLine.get(line) : undefined;
	}

	/** Who wrote each line of a text of the file: that of the disk, or of a commit. */
	originsOf(path: string, text: string): readonly LineOrigin[] {
		return (this.#known(text) ?? this.#carried(this.#current.get(path), text, () => BEFORE)).origins;
	}

	#known(text: string): LinedText | undefined {
		return this.#texts.get(text.length)?.findLast((one) => one.text === text);
	}

	#take(track: Track, version: Version): void {
		const { event } = version;
		const text = contentOf(track, version);
		if (text === undefined || text === "unknown") return;
		const lastText = this.#current.get(track.path);
		if (lastText?.text === text) return;
		const lined = this.#linedText(track, version, event, lastText, text);
		this.#current.set(track.path, lined);
		const sameLength = this.#texts.get(text.length);
		if (sameLength === undefined) this.#texts.set(text.length, [lined]);
		else sameLength.push(lined);
		for (const index of lined.fresh) {
			const [line, origin] = [bareLine(lined.lines[index] ?? ""), lined.origins[index]];
			if (origin !== undefined && isDistinctive(line)) this.#byLine.set(line, origin);
		}
	}

	#linedText(
		track: Track,
		version: Version,
		event: FileEvent | undefined,
		before: LinedText | undefined,
		text: string,
	): LinedText {
		const step = event?.step;
		const what = event?.what;
		// Where a chain begins anew, the text before the edit is nobody's.
		const isOwn =
			version.order === event?.order &&
			((what?.kind === "step" && (step?.act.kind === "edit" || step?.act.kind === "write")) ||
				what?.kind === "written" ||
				what?.kind === "appended" ||
				what?.kind === "rewritten");
		if (isOwn && step !== undefined) {
			const origin: LineOrigin = { kind: "step", step, since: "kept" };
			// Of a text that was not known before it, only what the edit itself says is new.
			const isDerived = before === undefined || version.contents.length === 0;
			const ownLines = isDerived && what?.kind !== "written" ? newLinesOf(step) : undefined;
			const isWhole = step.act.kind === "write" || what?.kind === "written";
			return this.#carried(
				before,
				text,
				(line) => (ownLines === undefined || ownLines.has(line) ? origin : BEFORE),
				isWhole ? "whole" : resultDiff(step).diff,
			);
		}
		const knownText = this.#known(text);
		if (knownText !== undefined) return knownText;
		const fallback = this.#fallback(track, version, event);
		const base = what?.kind === "from" ? (this.#current.get(what.path) ?? before) : before;
		return this.#carried(base, text, (line) => {
			const earlier = this.#authorOf(line);
			if (earlier?.kind !== "step") return earlier ?? fallback;
			// What another worktree has now was merged; what nobody has was put back.
			const isMerged = [...this.#current.values()].some(
				(one) => one !== before && one.lines.some((other) => other.startsWith(line) && bareLine(other) === line),
			);
			return isMerged ? earlier : { ...earlier, since: "put back" };
		});
	}

	/** Who may have written what nobody is seen writing. */
	#fallback(track: Track, version: Version, event: FileEvent | undefined): LineOrigin {
		if (event === undefined) return BEFORE;
		if (event.what.kind === "lost" && event.step !== undefined) return { kind: "between", steps: [event.step] };
		// Orders are of a quarter at least.
		const last = track.versions[firstAfter(track.versions, version.order - 0.1) - 1];
		const mays = this.#ledger.maysBetween(track.path, last?.chain.order ?? -1, version.order).named;
		const steps = mays.flatMap(({ step }) => step ?? []);
		if (steps.length > 0) return { kind: "between", steps };
		if (event.what.kind === "head") return { kind: "commit", commit: event.what.head.commit };
		return BEFORE;
	}

	/**
	 * Lines that stayed keep their authors; of the others, those that only changed in form, too. `diff`: what an edit itself says of them, ""
	 * for nothing; "whole": all of it was written.
	 */
	#carried(before: LinedText | undefined, text: string, originFor: (line: string) => LineOrigin, diff = ""): LinedText {
		const { text: textBefore, lines: linesBefore, origins: originsBefore } = before ?? EMPTY;
		const part = differingPart(before ?? EMPTY, text);
		const { start, end, newLines, changes } =
			diff === "whole"
				? changesOfWhole(linesBefore, part)
				: (changesIn(diff, linesBefore, part) ?? {
						...part,
						changes: changesBetween(linesBefore.slice(part.start, part.end).map(bareLine), part.newLines.map(bareLine)),
					});
		const oldLines = linesBefore.slice(start, end);
		const lines = [...linesBefore.slice(0, start), ...newLines, ...linesBefore.slice(end)];
		const origins = originsBefore.slice(0, start);
		const fresh: number[] = [];
		const isConverted = (): boolean => textBefore.includes("\r\n") !== text.includes("\r\n");
		let [old, now] = [0, 0];
		let removed = new Map<string, LineOrigin[]>();
		for (const { kind, count } of changes) {
			for (let index = 0; index < count; index++) {
				const [oldLine = "", newLine = ""] = [oldLines[old], newLines[now]];
				const origin = originsBefore[start + old] ?? BEFORE;
				if (kind === "same") {
					const isReformatted = origin.kind === "step" && oldLine !== newLine && isConverted();
					origins.push(isReformatted ? { ...origin, since: "reformatted" } : origin);
				} else if (kind === "removed") {
					const form = plain(oldLine);
					if (removed.get(form)?.push(origin) === undefined) removed.set(form, [origin]);
				} else {
					const same = plain(newLine) === "" ? undefined : removed.get(plain(newLine))?.shift();
					const author = originFor(bareLine(newLine));
					fresh.push(origins.length);
					origins.push(same?.kind === "step" && author.kind !== "step" ? { ...same, since: "reformatted" } : author);
				}
				if (kind !== "added") old++;
				if (kind !== "removed") now++;
			}
			if (kind === "same") removed = new Map();
		}
		return { text, lines, origins: [...origins, ...originsBefore.slice(end)], fresh };
	}
}

/** Lines of a text, and what the text after it has instead. */
export interface DifferingPart {
	readonly start: number;
	readonly end: number;
	readonly newLines: readonly string[];
}

export function changesBetween(before: readonly string[], after: readonly string[]): readonly TextChange[] {
	const all = [
		{ kind: "removed", count: before.length },
		{ kind: "added", count: after.length },
	] as const;
	return compareLines(before, after) ?? all;
}

/** A part that has more lines of both texts, which are the same at its ends. */
function extended(
	lines: readonly string[],
	{ start, end, newLines }: DifferingPart,
	from: number,
	to: number,
): DifferingPart {
	return { start: from, end: to, newLines: [...lines.slice(from, start), ...newLines, ...lines.slice(end, to)] };
}

/** The changes that the diff of an edit shows: of lines that are equal, it says which is new. Undefined if it is not one of these texts. */
function changesIn(diff: string, lines: readonly string[], part: DifferingPart) {
	if (diff === "") return undefined;
	const [removed, added] = [new Set<number>(), new Set<number>()];
	const grown = part.newLines.length - (part.end - part.start);
	let [from, to] = [part.start, part.end];
	for (const { kind, before = 0, after = 0 } of parseDiff(diff)) {
		if (kind !== "removed" && kind !== "added") continue;
		const number = kind === "removed" ? before : after;
		(kind === "removed" ? removed : added).add(number - 1);
		from = Math.min(from, number - 1);
		to = Math.max(to, kind === "removed" ? number : number - grown);
	}
	if (from < 0 || to > lines.length) return undefined;
	const all = extended(lines, part, from, to);
	const changes: { kind: TextChange["kind"]; count: number }[] = [];
	let [old, now] = [from, from];
	while (old < to || now < to + grown) {
		const kind = removed.has(old) ? "removed" : added.has(now) ? "added" : "same";
		if (kind === "same" && (old >= to || bareLine(lines[old] ?? "") !== bareLine(all.newLines[now - from] ?? "")))
			return undefined;
		if (kind !== "added") old++;
		if (kind !== "removed") now++;
		const last = changes.at(-1);
		if (last?.kind === kind) last.count++;
		else changes.push({ kind, count: 1 });
	}
	return old === to && now === to + grown ? { ...all, changes } : undefined;
}

/**
 * The changes of what is written whole: lines that occur everywhere, such as a brace, are the same as before only beside one that does not.
 * Who writes a file with other line ends writes all of it.
 */
function changesOfWhole(lines: readonly string[], part: DifferingPart) {
	const places = Map.groupBy(lines, (line) => line);
	const isSure = (from: number, to: number): boolean =>
		lines.slice(from, to).some((line) => isDistinctive(line) && places.get(line)?.length === 1);
	const [isStart, isEnd] = [isSure(0, part.start), isSure(part.end, lines.length)];
	const all = extended(lines, part, isStart ? part.start : 0, isEnd ? part.end : lines.length);
	let old = all.start;
	const changes = changesBetween(lines.slice(all.start, all.end), all.newLines).flatMap(
		(change): readonly TextChange[] => {
			const { kind, count } = change;
			const from = old;
			if (kind !== "added") old += count;
			return kind !== "same" || isSure(from, old)
				? [change]
				: [
						{ kind: "removed", count },
						{ kind: "added", count },
					];
		},
	);
	return { ...all, changes };
}

/** The part in which a text differs from another one: the indices of the lines there, and what it has instead. */
export function differingPart({ text: other, lines }: Pick<LinedText, "text" | "lines">, text: string): DifferingPart {
	const [shortest, first] = [Math.min(text.length, other.length), sameStart(text, other)];
	let [start, from] = [0, 0];
	for (let line = lines[0]; line?.endsWith("\n") && from + line.length <= first; line = lines[start]) {
		from += line.length;
		start++;
	}
	const last = sameEnd(text, other, shortest - from);
	let [end, to] = [lines.length, text.length];
	for (
		let line = lines[end - 1] ?? "";
		end > start && text.length - to + line.length <= last;
		line = lines[end - 1] ?? ""
	) {
		const at = to - line.length;
		if (at > from && text[at - 1] !== "\n") break;
		to = at;
		end--;
	}
	return { start, end, newLines: linesWithEnds(text.slice(from, to)) };
}

/** UTF-16 units that are compared at once. */
const BLOCK = 4096;

function sameStart(one: string, other: string): number {
	const most = Math.min(one.length, other.length);
	let count = 0;
	while (count < most && one.slice(count, count + BLOCK) === other.slice(count, count + BLOCK)) count += BLOCK;
	while (count < most && one.charCodeAt(count) === other.charCodeAt(count)) count++;
	return Math.min(count, most);
}

function sameEnd(one: string, other: string, most: number): number {
	const isSame = (from: number, to: number): boolean =>
		one.slice(one.length - to, one.length - from) === other.slice(other.length - to, other.length - from);
	let count = 0;
	while (count + BLOCK <= most && isSame(count, count + BLOCK)) count += BLOCK;
	while (count < most && isSame(count, count + 1)) count++;
	return count;
}

/** What a version holds: what is known of it, else what follows from the next sight. */
export function contentOf(track: Track, version: Version): Content | "unknown" {
	const { contents, chain, order } = version;
	if (contents.length === 1) return contents[0];
	const { end } = chain;
	const behind = end?.isKnown ? track.textBehind(version, order, end.content) : "unknown";
	return behind === "unknown" && contents.length > 0 ? contents[0] : behind;
}

/** The lines that an edit puts in; undefined for all of the file. */
export function newLinesOf(step: SessionEvent): ReadonlySet<string> | undefined {
	const change = changeOf(step);
	if (change?.tool === "write") return undefined;
	if (change === undefined) return new Set();
	const { diff } = resultDiff(step);
	if (diff !== "") return new Set([...parseDiff(diff)].flatMap(({ kind, text }) => (kind === "added" ? [text] : [])));
	const old = new Set(change.edits.flatMap(({ oldText }) => oldText.split(/\r?\n/)));
	return new Set(change.edits.flatMap(({ newText }) => newText.split(/\r?\n/)).filter((line) => !old.has(line)));
}

/** Short lines, and those without a word, occur everywhere. */
export function isDistinctive(line: string): boolean {
	return /\w{3}/.test(line) && line.trim().length >= 8;
}

/** A line without its end, and without the mark at the beginning of a text. */
export function bareLine(line: string): string {
	return line.replace(/^\uFEFF|\r?\n$/g, "");
}

/** A text without what formatters change. */
export function plainText(text: string): string {
	return linesOfText(text).map(plain).join("");
}

/** A line without what formatters change. */
function plain(line: string): string {
	return line
		.replace(/\s+/g, "")
		.replace(/["`]/g, "'")
		.replace(/[;,]+$/, "");
}
