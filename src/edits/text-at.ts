import { isUtf8 } from "node:buffer";
import { prefixOf } from "../shared/paths.ts";
import { applyChange, fitsPart, reverseEdit, showsAll } from "./edit-text.ts";
import type { TreeFile } from "./git-trees.ts";
import type { FileEvent, May, NamedFile } from "./ledger-events.ts";
import { changeOf, resultDiff, shownBy } from "./session-events.ts";
import type { TreeSnapshot } from "./snapshots.ts";

/** What a file may hold: a text, or undefined where it does not exist. */
export type Content = string | undefined;

/** A stretch of the history of a file, from one text that is known, through the changes that follow from it. */
export interface Chain {
	/** What shows the text that it begins with; undefined where nothing is known. */
	readonly base: FileEvent | "commit" | undefined;
	readonly order: number;
	/** Why the text that it begins with may be another one; "" for no reason. */
	readonly doubt: string;
	/** What is known of the text at its end. */
	end?: ChainEnd;
}

interface ChainEnd {
	readonly order: number;
	readonly event: FileEvent;
	/** Whether the text was then as the chain says; undefined: nobody saw it. */
	readonly agrees: boolean | undefined;
	/** What it was, if that is known. */
	readonly content?: Content;
	readonly isKnown: boolean;
	/** The file that it became. */
	readonly to?: string;
}

/** A file after an event. */
export interface Version {
	readonly order: number;
	/** What it may hold; none if nothing is known. */
	readonly contents: readonly Content[];
	readonly event: FileEvent | undefined;
	readonly chain: Chain;
	readonly isExecutable: boolean;
}

/** What the history of a file needs of the others, and of Git. */
export interface TrackSources {
	readonly path: string;
	readonly events: readonly FileEvent[];
	/** What Git had when the first event happened; "unknown" without Git. */
	readonly base: TreeFile | undefined | "unknown";
	blob(id: string): Buffer | undefined;
	fileIn(file: NamedFile): TreeFile | undefined | "unknown";
	/** What pi-grove had replaced, or put there, by its mark; none if that is no longer kept. */
	replaced(mark: string): readonly Content[];
	track(path: string): Track | undefined;
	/** Whether a session went to another branch between two orders. */
	wasLeft(from: number, to: number): boolean;
}

/** More possible texts are of no use. */
const MAX_CONTENTS = 8;
/** Earlier texts that are tried where an edit does not fit. */
const MAX_EARLIER = 12;
const CHANGED = "something else had changed it before";
const LINE_ENDS = "what a command prints does not show its line ends";
const NO_TEXT = "what the commit has is not UTF-8 text";
/** What Git has instead of a large file, with the SHA-256 of that. */
export const LFS = /^version https:\/\/git-lfs(?:[\s\S]*\noid sha256:([0-9a-f]{64})\n)?/;

/** The history of one file: every event is applied to what was known before. */
export class Track {
	readonly path: string;
	readonly versions: Version[] = [];
	readonly #sources: TrackSources;
	readonly #heads: readonly FileEvent[];
	#chain: Chain;
	#contents: readonly Content[];
	#isExecutable = false;
	/** What the last snapshot had; "none": there was none before. */
	#lastSnapshot: TreeFile | undefined | "none" = "none";
	#next = 0;
	/** By the stash that is open: the text when it was made, or undefined where the file was not in it. */
	readonly #stashed: { readonly version: Version | undefined; readonly isTaken: boolean }[] = [];

	constructor(sources: TrackSources) {
		this.#sources = sources;
		this.path = sources.path;
		this.#heads = sources.events.filter(({ what }) => what.kind === "head");
		const { base } = sources;
		const isGit = base !== "unknown";
		const contents = isGit ? this.#textsOf(base) : [];
		const doubt = isGit && contents.length === 0 ? NO_TEXT : "";
		this.#chain = { base: isGit && contents.length > 0 ? "commit" : undefined, order: -1, doubt };
		this.#contents = contents;
		if (isGit) this.#isExecutable = base?.mode === "100755";
		this.#push(-1, undefined);
	}

	/** Applies the events up to an order: no more, since two files may have got the content of each other. */
	#advance(order: number): void {
		const { events } = this.#sources;
		for (let event = events[this.#next]; event !== undefined && event.order <= order; event = events[this.#next]) {
			this.#next++;
			this.#take(event);
		}
	}

	/** The version after all events up to an order. */
	at(order: number): Version {
		this.#advance(order);
		const version = this.versions[firstAfter(this.versions, order) - 1];
		if (version === undefined) throw new Error("a history has a first version");
		return version;
	}

	/** What Git has of it: in the index, or the commit that is checked out, after the events before an order. */
	gitAt(order: number): TreeFile | undefined | "unknown" {
		// Orders are of a quarter at least.
		const last = this.#heads[firstAfter(this.#heads, order - 0.1) - 1];
		return last?.what.kind === "head" ? last.what.after : this.#sources.base;
	}

	/**
	 * Whether a text fits what was last seen of a version: if the version is known, only by an edit, which says that it had been made; else
	 * also by a part that was read. Undefined if nothing was seen.
	 */
	fitsSight({ chain, order }: Version, content: Content): boolean | undefined {
		const last = this.versions.findLast(
			(one) =>
				one.chain === chain &&
				one.order <= order &&
				one.order === one.event?.order &&
				!/^(?:mode|added|named|popped)$/.test(one.event.what.kind),
		);
		const step = last?.event?.step;
		if (last === undefined || step === undefined || (last.contents.length !== 0 && step.act.kind !== "edit"))
			return undefined;
		const change = changeOf(step);
		const sight = shownBy(step);
		if (step.act.kind === "edit" && change?.tool === "edit") {
			const isReversible = content !== undefined && reverseEdit(content, change, resultDiff(step).diff) !== undefined;
			return isReversible || last.contents.includes(content);
		}
		if (sight === undefined || "text" in sight) return undefined;
		return content !== undefined && fitsPart(content, sight.from, sight.lines);
	}

	/** Undoes what the chain says happened after an order, from what was seen at its end. */
	textBehind(version: Version, order: number, end: Content): Content | "unknown" {
		this.#advance(Number.POSITIVE_INFINITY);
		let text = end;
		const later = this.versions.filter(
			(one) => one.chain === version.chain && one.order > order && one.event !== undefined,
		);
		for (const { event } of later.reverse()) {
			const step = event?.step;
			if (event !== undefined && /^(?:mode|added|named|popped)$/.test(event.what.kind)) continue;
			if (event?.what.kind === "appended" && text?.endsWith(event.what.text)) {
				text = text.slice(0, text.length - event.what.text.length);
				continue;
			}
			if (event?.what.kind !== "step" || step === undefined || text === undefined) return "unknown";
			if (step.act.kind === "read" || step.act.kind === "refused") continue;
			const change = changeOf(step);
			if (step.act.kind !== "edit" || change?.tool !== "edit") return "unknown";
			const textBefore = reverseEdit(text, change, resultDiff(step).diff);
			if (textBefore === undefined) return "unknown";
			text = textBefore;
		}
		return text;
	}

	#push(order: number, event: FileEvent | undefined): void {
		const { versions } = this;
		versions.push({ order, contents: this.#contents, event, chain: this.#chain, isExecutable: this.#isExecutable });
	}

	/** The text is known anew, and what was before ends. */
	#begin(
		event: FileEvent,
		contents: readonly Content[],
		end?: Omit<ChainEnd, "order" | "event">,
		doubt = "",
		order = event.order,
	): void {
		if (end !== undefined) this.#chain.end ??= { order: event.order, event, ...end };
		this.#chain = { base: contents.length === 0 ? undefined : event, order, doubt };
		this.#contents = contents;
		this.#push(order, event);
	}

	#change(event: FileEvent, contents: readonly Content[]): void {
		this.#contents = contents.length > MAX_CONTENTS ? [] : contents;
		this.#push(event.order, event);
	}

	/** The whole content was seen. `isGit`: as Git stores it, which may convert line ends. */
	#see(event: FileEvent, content: Content, isGit: boolean, order = event.order): void {
		const converts = isGit && this.#mayConvert(event.order);
		const same = this.#contents.find((held) => held === content || (converts && areConverted(held, content)));
		const isKnown = this.#contents.length > 0;
		const isSame = same !== undefined || (content === undefined && this.#contents.includes(undefined));
		const seenContent = isSame ? same : content;
		const agrees = isKnown ? isSame : undefined;
		this.#begin(event, [seenContent], { agrees, content: seenContent, isKnown: true }, "", order);
	}

	/** An event shows that the text was as it was known to be. */
	#seen(event: FileEvent, held: Content): void {
		const { base } = this.#chain;
		this.#chain.end ??= { order: event.order, event, agrees: true, content: held, isKnown: true };
		this.#chain = { base, order: event.order - 0.5, doubt: "" };
	}

	#take(event: FileEvent): void {
		const { what, step } = event;
		switch (what.kind) {
			case "step":
				if (step !== undefined) this.#step(event, step);
				return;
			case "written":
				this.#begin(event, [what.text]);
				return;
			case "appended":
				this.#change(
					event,
					this.#contents.map((held) => (held ?? "") + what.text),
				);
				return;
			case "created":
				this.#change(event, [...new Set(this.#contents.map((held) => held ?? ""))]);
				return;
			case "removed": {
				const file = what.isCommitted ? this.gitAt(event.order) : "unknown";
				const [held] = file === "unknown" ? [] : this.#textsOf(file);
				if (held !== undefined) this.#see(event, held, true, event.order - 0.5);
				this.#begin(event, [undefined]);
				return;
			}
			case "mode":
				this.#isExecutable = what.isExecutable;
				this.#change(event, this.#contents);
				return;
			case "added":
			case "named":
				this.#change(event, this.#contents);
				return;
			case "rewritten": {
				const results = this.#contents.flatMap((held) => (held === undefined ? [] : [what.apply(held)]));
				const texts = results.filter((text) => text !== undefined);
				if (texts.length > 0) this.#change(event, texts);
				else this.#begin(event, []);
				return;
			}
			case "from": {
				const source = this.#sources.track(what.path)?.at(event.order - 0.25);
				if (source !== undefined && source.contents.length === 1 && source.contents[0] === undefined) return;
				this.#isExecutable = source?.isExecutable ?? false;
				this.#begin(event, source?.contents.filter((held) => held !== undefined) ?? []);
				return;
			}
			case "away":
				if (this.#contents.length === 1 && this.#contents[0] === undefined) return;
				this.#begin(event, [undefined], { agrees: undefined, isKnown: false, to: what.to });
				return;
			case "lost":
			case "linked":
				this.#begin(event, []);
				return;
			case "head":
				this.#head(event, what.head.message, what.after);
				return;
			case "snapshot":
				this.#snapshot(event, what.snapshot);
				return;
			case "clean": {
				const file = this.gitAt(event.order + 0.25);
				const [content] = file === "unknown" || file === undefined ? [] : this.#textsOf(file);
				if (content !== undefined) this.#see(event, content, true);
				return;
			}
			case "restored":
				this.#restore(event, typeof what.file === "object" ? this.#sources.fileIn(what.file) : what.file);
				return;
			case "stashed": {
				const file = this.gitAt(event.order);
				const isTracked = (file !== undefined && file !== "unknown") || this.#wasAdded(event.order);
				const isTaken = isTracked || what.untracked !== "none";
				this.#stashed.push({ version: this.versions.at(-1), isTaken });
				if (isTracked && file !== "unknown") this.#restore(event, file);
				else if (!isTracked && what.untracked === "all") this.#begin(event, [undefined]);
				// Ignored files stay, and nobody knows which they were.
				else if (isTaken && this.#contents.length > 0) this.#begin(event, [...new Set([undefined, ...this.#contents])]);
				return;
			}
			case "popped": {
				const { version, isTaken } = this.#stashed.pop() ?? {};
				if (version === undefined || !isTaken) return;
				// What is known of the text, and what is not, goes on.
				this.#chain = version.chain;
				this.#change(event, version.contents);
				return;
			}
			case "replaced":
				for (const held of this.#sources.replaced(what.before)) this.#see(event, held, false, event.order - 0.5);
				this.#begin(event, this.#sources.replaced(what.after));
				return;
			case "disk":
				if (what.content === "unread") return;
				if (what.content === "other") {
					this.#begin(event, [], { agrees: false, isKnown: false });
					return;
				}
				this.#see(event, what.content.text, false);
				return;
		}
	}

	#step(event: FileEvent, step: NonNullable<FileEvent["step"]>): void {
		const { act } = step;
		const change = act.kind === "read" ? undefined : changeOf(step);
		switch (act.kind) {
			case "read": {
				const sight = shownBy(step);
				if (sight === undefined) return;
				if ("text" in sight) {
					if (sight.isPrinted) this.#print(event, sight.text);
					else this.#see(event, sight.text, false);
					return;
				}
				this.#part(event, (held) => fitsPart(held, sight.from, sight.lines));
				return;
			}
			case "missing":
				this.#see(event, undefined, false);
				return;
			case "write":
				if (change?.tool === "write") this.#begin(event, [change.content]);
				return;
			case "edit": {
				if (change?.tool !== "edit") return;
				const { diff } = resultDiff(step);
				const results = applyChange(this.#contents, change, diff);
				if (results.length > 0) {
					const [held] = this.#contents;
					if (this.#contents.length === 1 && showsAll(diff, held)) this.#seen(event, held);
					this.#change(event, results);
					return;
				}
				this.#reground(event, (held) => applyChange([held], change, diff), diff);
				return;
			}
			case "refused": {
				if (change?.tool !== "edit") return;
				const isThere = (held: string) => change.edits.every(({ oldText }) => held.split(oldText).length === 2);
				this.#part(event, (held) => !isThere(held));
				return;
			}
			case "perhaps": {
				if (change === undefined) return;
				const otherTexts = change.tool === "write" ? [change.content] : applyChange(this.#contents, change, "");
				this.#change(event, [...new Set([...this.#contents, ...otherTexts])]);
				return;
			}
			default:
				return;
		}
	}

	/** All of it was printed, without its carriage returns: at best a text that is known. */
	#print(event: FileEvent, text: string): void {
		const texts = [...this.#contents, ...this.#earlierTexts(event.order).map(([earlier]) => earlier)];
		const same = texts.find((held) => held?.replaceAll("\r", "") === text);
		const isKnown = this.#contents.length > 0;
		if (same !== undefined) this.#see(event, same, false);
		// Escape sequences are left out, too.
		else if (!this.#contents.some((held) => held?.includes("\x1b")))
			this.#begin(event, [text], { agrees: isKnown ? false : undefined, isKnown: false }, LINE_ENDS);
	}

	/** A part of it was seen. */
	#part(event: FileEvent, holds: (text: string) => boolean): void {
		const rest = this.#contents.filter((held) => held !== undefined && holds(held));
		if (rest.length === 0) {
			this.#reground(event, (held) => (holds(held) ? [held] : []), "");
			return;
		}
		if (rest.length < this.#contents.length) this.#change(event, rest);
	}

	/** Where a change does not fit: the text may be that of the commit then, or an earlier one again. */
	#reground(event: FileEvent, fits: (held: string) => readonly string[], diff: string): void {
		const wasKnown = this.#contents.length > 0;
		for (const [held, name] of this.#earlierTexts(event.order)) {
			// An extension may have restored a file when another branch was gone to.
			if (diff === "" && name !== "commit" && !this.#sources.wasLeft(this.#chain.order, event.order)) continue;
			const results = fits(held);
			if (results.length === 0) continue;
			const like = name === "commit" ? "as the commit from then has it" : "as it had been before";
			const doubt = wasKnown ? `${CHANGED}: it was ${like}` : `part of it is ${like}`;
			this.#begin(
				event,
				[held],
				{ agrees: wasKnown ? false : undefined, content: held, isKnown: false },
				showsAll(diff, held) ? "" : doubt,
				event.order - 0.5,
			);
			this.#change(event, results);
			return;
		}
		if (wasKnown) this.#begin(event, [], { agrees: false, isKnown: false }, CHANGED, event.order - 0.5);
		this.#change(event, []);
	}

	*#earlierTexts(order: number): Generator<readonly [text: string, name: "commit" | "earlier"]> {
		const tried = new Set<Content>(this.#contents);
		const file = this.gitAt(order);
		for (const text of file === "unknown" ? [] : this.#textsOf(file))
			if (text !== undefined && !tried.has(text)) yield [text, "commit"];
		let count = 0;
		for (const { contents } of this.versions.toReversed()) {
			if (count >= MAX_EARLIER) return;
			for (const text of contents) {
				if (text === undefined || tried.has(text)) continue;
				tried.add(text);
				count++;
				yield [text, "earlier"];
			}
		}
	}

	#head(event: FileEvent, message: string, after: TreeFile | undefined): void {
		const texts = this.#textsOf(after);
		const [content] = texts;
		const isReset = /^reset/.test(message);
		// Of a reset it is not known whether it changed the files.
		if (isReset && event.step === undefined) {
			this.#change(event, [...new Set([...this.#contents, ...texts])]);
			return;
		}
		if (isReset) return;
		if (texts.length === 0) {
			this.#begin(event, [], { agrees: undefined, isKnown: false }, NO_TEXT);
			return;
		}
		this.#isExecutable = after === undefined ? this.#isExecutable : after.mode === "100755";
		if (!message.startsWith("commit")) {
			this.#moved(event, content, /^(?:revert|cherry-pick|merge|pull|rebase)/.test(message));
			return;
		}
		// What was staged before is committed; the disk may have been changed since.
		if (!this.#isSame(content)) {
			const staged = this.#stagedText(event.order);
			if (staged !== undefined && (staged === content || areConverted(staged, content))) {
				this.#change(event, this.#contents);
				return;
			}
		}
		this.#see(event, content, true);
	}

	/** HEAD was moved, and the file with it. `isStrict`: only if the file was as the commit before has it. */
	#moved(event: FileEvent, content: Content, isStrict: boolean): void {
		const file = this.gitAt(event.order);
		const [before] = file === "unknown" ? [] : this.#textsOf(file);
		// A file that is missing does not keep Git from putting another one there.
		const isClean = isStrict && !this.#contents.includes(undefined);
		if (file !== "unknown" && (isClean || this.#isSame(before))) this.#see(event, before, true, event.order - 0.5);
		this.#begin(event, [content]);
	}

	#snapshot(event: FileEvent, { changes, hasNewRules }: TreeSnapshot): void {
		const last = this.#lastSnapshot;
		const file = changes.has(this.path) ? changes.get(this.path) : last === "none" ? this.#sources.base : last;
		if (file === "unknown") return;
		this.#lastSnapshot = file;
		// Ignored and large files are in none, though they are there.
		if (file === undefined && (last === undefined || last === "none" || hasNewRules)) return;
		const [content] = this.#textsOf(file);
		if (file !== undefined && content === undefined) return;
		this.#isExecutable = file?.mode === "100755";
		this.#see(event, content, true);
	}

	/** Whether Git may convert the line ends of the file: not if it has stored others than line feeds. */
	#mayConvert(order: number): boolean {
		const stored = this.gitAt(order);
		return stored === undefined || stored === "unknown" || this.#textsOf(stored)[0]?.includes("\r\n") !== true;
	}

	#isSame(content: Content): boolean {
		return this.#contents.some((held) => held === content || areConverted(held, content));
	}

	/** The text when it was last added to the index, since the last commit. */
	#stagedText(order: number): Content {
		for (const version of this.versions.toReversed()) {
			if (version.order >= order) continue;
			const kind = version.event?.what.kind;
			if (kind === "added") return version.contents[0];
			if (kind === "head" || kind === "restored") return undefined;
		}
		return undefined;
	}

	#wasAdded(order: number): boolean {
		return this.#stagedText(order) !== undefined;
	}

	#restore(event: FileEvent, file: "index" | "head" | "unknown" | TreeFile | undefined): void {
		const inIndex = file === "index" ? this.#indexAt(event.order) : undefined;
		if (inIndex !== undefined) {
			this.#begin(event, inIndex);
			return;
		}
		const at = file === "index" || file === "head" ? this.gitAt(event.order) : file;
		// What Git does not know stays.
		if (at === undefined && file !== undefined) return;
		this.#begin(event, at === "unknown" ? [] : this.#textsOf(at));
	}

	/** What was put into the index since the last commit; undefined if it is as the commit has it. */
	#indexAt(order: number): readonly Content[] | undefined {
		for (const { order: at, event, contents } of this.versions.toReversed()) {
			if (at >= order || event === undefined) continue;
			const { what } = event;
			if (what.kind === "added") return contents;
			if (what.kind === "restored" && what.file !== "index") return contents;
			if (what.kind === "head" || what.kind === "clean") return undefined;
			if (what.kind === "from" && what.byGit && what.isMove) {
				const source = this.#sources.track(what.path);
				source?.at(at);
				const file = source?.gitAt(at);
				return (
					(source === undefined ? undefined : source.#indexAt(at)) ??
					(file === undefined || file === "unknown" ? [] : this.#textsOf(file))
				);
			}
		}
		return undefined;
	}

	/** The text of a file of Git, none if it has none; a file that is not there is undefined. */
	#textsOf(file: TreeFile | undefined): readonly Content[] {
		if (file === undefined) return [undefined];
		if (file.mode === "160000" || file.mode === "120000") return [];
		const bytes = this.#sources.blob(file.id);
		if (bytes === undefined || !isUtf8(bytes)) return [];
		const text = bytes.toString("utf8");
		return LFS.test(text) ? [] : [text];
	}
}

/** Whether two texts differ only in their line ends, which Git may convert. */
function areConverted(held: Content, stored: Content): boolean {
	if (held === undefined || stored === undefined || !(held.includes("\r\n") || stored.includes("\r\n"))) return false;
	return held.replaceAll("\r\n", "\n") === stored.replaceAll("\r\n", "\n");
}

/** The index of the first thing after an order, of things in order. */
export function firstAfter(things: readonly { readonly order: number }[], order: number): number {
	let [low, high] = [0, things.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((things[middle]?.order ?? 0) <= order) low = middle + 1;
		else high = middle;
	}
	return low;
}

/** Whether a command may have changed a file: "named" if its words say so. */
export function touchOf({ paths, named, isWide }: May, path: string): "named" | "any" | undefined {
	const isBelow = (one: string): boolean => path === one || path.startsWith(prefixOf(one));
	if (paths !== undefined) return paths.some(isBelow) ? "named" : undefined;
	return isWide || named.some(isBelow) ? "named" : "any";
}
