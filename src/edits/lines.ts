import { parseDiff } from "../conversation/render/diff-lines.ts";
import type { Renderers } from "../conversation/render/renderers.ts";
import type { Ledger } from "./ledger.ts";
import type { FileEvent } from "./ledger-events.ts";
import { changeOf, resultDiff, type SessionEvent } from "./session-events.ts";
import type { Content, Track, Version } from "./text-at.ts";

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
	readonly lines: readonly string[];
	readonly origins: readonly LineOrigin[];
	/** The indices of the lines that the text before it did not have. */
	readonly fresh: readonly number[];
}

const BEFORE: LineOrigin = { kind: "before" };

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
	readonly #renderers: Renderers;
	/** All texts that were known, so that one that comes back keeps its authors. */
	readonly #texts = new Map<string, LinedText>();
	/** Who last put a distinctive line into the file. */
	readonly #byLine = new Map<string, LineOrigin>();
	readonly #current = new Map<string, LinedText>();

	/** `paths`: the file in each worktree, and its former names; all prepared. `until`: the last order that counts. */
	constructor(ledger: Ledger, paths: readonly string[], renderers: Renderers, until = Number.POSITIVE_INFINITY) {
		this.#ledger = ledger;
		this.#renderers = renderers;
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
		return this.#current.get(path);
	}

	/** Who put a line into one of the files last, if it is distinctive. */
	#authorOf(line: string): LineOrigin | undefined {
		return isDistinctive(line) ? this.#byLine.get(line) : undefined;
	}

	/** Who wrote each line of a text of the file: that of the disk, or of a commit. */
	originsOf(path: string, text: string): readonly LineOrigin[] {
		const knownText = this.#texts.get(text);
		if (knownText !== undefined) return knownText.origins;
		return this.#carried(this.#current.get(path), text, () => BEFORE).origins;
	}

	#take(track: Track, version: Version): void {
		const { event } = version;
		const text = contentOf(track, version);
		if (text === undefined || text === "unknown") return;
		const lastText = this.#current.get(track.path);
		if (lastText?.text === text) return;
		const lined = this.#linedText(track, version, event, lastText, text);
		this.#current.set(track.path, lined);
		this.#texts.set(text, lined);
		for (const index of lined.fresh) {
			const [line, origin] = [lined.lines[index], lined.origins[index]];
			if (line !== undefined && origin !== undefined && isDistinctive(line)) this.#byLine.set(line, origin);
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
				// Who writes a file with other line ends writes all of it.
				isWhole ? linesWithEnds : linesOfText,
			);
		}
		const knownText = this.#texts.get(text);
		if (knownText !== undefined) return knownText;
		const fallback = this.#fallback(track, version, event);
		const base = what?.kind === "from" ? (this.#current.get(what.path) ?? before) : before;
		return this.#carried(base, text, (line) => {
			const earlier = this.#authorOf(line);
			if (earlier?.kind !== "step") return earlier ?? fallback;
			// What another worktree has now was merged; what nobody has was put back.
			const isMerged = [...this.#current.values()].some((one) => one !== before && one.lines.includes(line));
			return isMerged ? earlier : { ...earlier, since: "put back" };
		});
	}

	/** Who may have written what nobody is seen writing. */
	#fallback(track: Track, version: Version, event: FileEvent | undefined): LineOrigin {
		if (event === undefined) return BEFORE;
		if (event.what.kind === "lost" && event.step !== undefined) return { kind: "between", steps: [event.step] };
		const last = track.versions.findLast(({ order }) => order < version.order);
		const mays = this.#ledger.maysBetween(track.path, last?.chain.order ?? -1, version.order).named;
		const steps = mays.flatMap(({ step }) => step ?? []);
		if (steps.length > 0) return { kind: "between", steps };
		if (event.what.kind === "head") return { kind: "commit", commit: event.what.head.commit };
		return BEFORE;
	}

	/** Lines that stayed keep their authors; of the others, those that only changed in form, too. */
	#carried(
		before: LinedText | undefined,
		text: string,
		originFor: (line: string) => LineOrigin,
		comparedLines = linesOfText,
	): LinedText {
		const lines = linesOfText(text);
		if (before === undefined) return { text, lines, origins: lines.map(originFor), fresh: [...lines.keys()] };
		const origins: LineOrigin[] = [];
		const fresh: number[] = [];
		let [old, now] = [0, 0];
		let removed: { readonly line: string; readonly origin: LineOrigin }[] = [];
		const isConverted = before.text.includes("\r\n") !== text.includes("\r\n");
		for (const { kind, count } of this.#compare(comparedLines(before.text), comparedLines(text))) {
			if (kind === "same") {
				for (const origin of before.origins.slice(old, old + count))
					origins.push(origin.kind === "step" && isConverted ? { ...origin, since: "reformatted" } : origin);
				old += count;
				now += count;
				removed = [];
			} else if (kind === "removed") {
				for (let index = old; index < old + count; index++)
					removed.push({ line: plain(before.lines[index] ?? ""), origin: before.origins[index] ?? BEFORE });
				old += count;
			} else {
				for (const line of lines.slice(now, now + count)) {
					const form = plain(line);
					const at = removed.findIndex((one) => one.line === form && form.length > 0);
					const [same] = at === -1 ? [] : removed.splice(at, 1);
					const origin = originFor(line);
					fresh.push(origins.length);
					origins.push(
						same?.origin.kind === "step" && origin.kind !== "step" ? { ...same.origin, since: "reformatted" } : origin,
					);
				}
				now += count;
			}
		}
		return { text, lines, origins, fresh };
	}

	#compare(before: readonly string[], after: readonly string[]) {
		let start = 0;
		while (start < before.length && start < after.length && before[start] === after[start]) start++;
		let end = 0;
		while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++;
		const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
		const middle = old.length === 0 || now.length === 0 ? undefined : this.#renderers.compareLines(old, now);
		return [
			...(start > 0 ? [{ kind: "same", count: start } as const] : []),
			...(middle ?? [
				...(old.length > 0 ? [{ kind: "removed", count: old.length } as const] : []),
				...(now.length > 0 ? [{ kind: "added", count: now.length } as const] : []),
			]),
			...(end > 0 ? [{ kind: "same", count: end } as const] : []),
		];
	}
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
