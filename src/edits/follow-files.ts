import { homedir } from "node:os";
import { roleOf } from "../conversation/entries/entry-kind.ts";
import { runToEnd, type Steps } from "../shared/steps.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { SessionEntry } from "../store/format/schema.ts";
import type { Session } from "../store/read/read-session.ts";
import { formatCounted } from "../ui/text/format.ts";
import { either, type FileState, lost, NEVER_SEEN } from "./file-state.ts";
import { FilesWatcher, type RanCommand, type UnseenCommand, type WatchOptions } from "./file-watcher.ts";
import { type EditGatherer, TurnCounter } from "./session-files.ts";
import { lastTouch, namesFile } from "./shell-changes.ts";

/** The content of a file when an entry was written, as far as the session shows. */
export interface RebuiltFile extends Pick<FileState, "base" | "edits"> {
	/** "exact": pi's tools left it like that, and nothing that may have changed it has run since. */
	readonly answer: "exact" | "candidates" | "unknown";
	/** One text if the answer is exact, the possible texts if there are candidates, none if it is unknown. */
	readonly texts: readonly string[];
	/** Whether it did not exist; of candidates, whether that is possible. If it is exact, there are no texts. */
	readonly isAbsent: boolean;
	/** Why the answer is not exact; "" if it is. */
	readonly why: string;
	/** The same where the commands are said in another way (`ranSince`). */
	readonly whyBeside: string;
	/** What has run since its whole content was last seen, and may have changed it. */
	readonly commands: readonly RanCommand[];
}

/** What a file may have held before the session first saw it: from a commit, or from another session. */
export interface StartText {
	/** Undefined: it did not exist. */
	readonly text: string | undefined;
	/** It existed, and was no text. */
	readonly isBinary?: boolean;
	/** Where that is from, and so why it is not certain, as a clause: "before the session it is taken from commit 4be19c2". */
	readonly why: string;
}

export interface FollowOptions {
	/** The home directory of the person whose session it is. */
	readonly home: string;
	/** Ids of the entries at which states are asked for. States at others are not kept: of large sessions they would fill the memory. */
	readonly stops: ReadonlySet<string>;
	/** By absolute path. */
	readonly starts?: ReadonlyMap<string, StartText> | undefined;
	/** Only these files, by absolute path. @default all that its tools have touched */
	readonly paths?: ReadonlySet<string> | undefined;
	/** Sessions that worked on the same files: what they did is taken by time. What a fork has copied is not done again. */
	readonly others?: readonly Session[] | undefined;
	/** Gathers the edits on the way; `around` tells of those at the entries `within`. */
	readonly gather?: { readonly gatherer: EditGatherer; readonly within: ReadonlySet<string> };
}

/** The files of a session, followed to its end. */
export interface FollowedFiles {
	/** Absolute, as pi resolves them, in the order in which the tools first touched them (read, edited or written). */
	readonly paths: readonly string[];
	/** What ran on all branches, and may have changed files, in the order of the session's file. */
	readonly commands: readonly RanCommand[];
	/** The file as a tool first saw it, whole or missing, if none had changed it before. Its commands: those before that name it. */
	firstSight(path: string): RebuiltFile | undefined;
	/** The file when the entry was written. `path`: absolute; `entryId`: one of `stops`. */
	at(path: string, entryId: string): RebuiltFile;
	/** The file before the first and after the last of the edits that were gathered `within`. */
	around(path: string): readonly [before: RebuiltFile, after: RebuiltFile];
}

/** The state of a file, and how many commands had run by then. */
type StateThen = readonly [state: FileState, ranUntil: number];

/** Entries taken between two checks of the clock: an edit of a large file takes milliseconds. */
const ENTRIES_AT_ONCE = 16;

/**
 * Follows all files of a session in one pass: each from the last time that its whole content was seen, edit by edit. A disk has no
 * branches, so a file keeps the changes of a branch that was left; but an extension may have restored it. If that makes a difference,
 * both states are kept until something that was seen decides.
 */
export function* followFiles(session: Session, options: FollowOptions): Steps<FollowedFiles> {
	const { entries, tree, header } = session;
	const { home, paths, starts, gather } = options;
	const first = (path: string): FileState => {
		const start = starts?.get(path);
		if (start === undefined) return NEVER_SEEN;
		return { ...NEVER_SEEN, contents: start.isBinary ? [] : [start.text], why: start.why, firstText: start.text };
	};
	const watcher = new FilesWatcher({ cwd: header?.cwd ?? "", home, paths, first });
	const followers = (options.others ?? []).map(
		(other) => new OtherFollower(other, session, { home, paths, first }, watcher),
	);
	const [befores, afters] = [new Map<string, StateThen>(), new Map<string, StateThen>()];
	const turns = new TurnCounter(tree);
	const stops = stopsOf(session, options.stops);
	const log = new StateLog();
	const ranUntil = new Map<number, number>();
	const { parent: parents } = tree.table;
	for (const [index, entry] of entries.entries()) {
		if (index % ENTRIES_AT_ONCE === 0) yield;
		if (followers.length > 0) yield* takeUntil(timeOf(entry.timestamp), followers);
		const parent = parents[index] ?? -1;
		if (parent !== index - 1)
			watcher.jump((path, disk) => jumped(disk, log.at(path, parent < index ? parent : -1) ?? first(path)));
		const role = roleOf(entry);
		const turn = turns.add(index, role);
		const newEdits = gather?.gatherer.take(entry, role, turn) ?? [];
		const editedPaths = newEdits.length > 0 && gather?.within.has(entry.id) ? newEdits.map(({ path }) => path) : [];
		const stateThen = (path: string, ran: number): StateThen => [watcher.states.get(path) ?? first(path), ran];
		for (const path of editedPaths)
			if (!befores.has(path)) befores.set(path, stateThen(path, watcher.ranUntil("assistant")));
		watcher.take(entry, role, turn);
		for (const path of editedPaths) afters.set(path, stateThen(path, watcher.ranUntil(role)));
		if (!stops.has(index)) continue;
		ranUntil.set(index, watcher.ranUntil(role));
		for (const path of watcher.takeChanged()) log.add(path, index, watcher.stateOf(path, role) ?? first(path));
	}
	const { commands } = watcher;
	return {
		paths: [...watcher.states.keys()],
		commands,
		firstSight(path) {
			const state = watcher.firstSights.get(path);
			if (state === undefined) return undefined;
			const namers = commands.slice(0, state.since).filter(({ changes }) => namesFile(changes, path));
			return { ...answerOf(path, { ...state, since: 0 }, []), commands: namers };
		},
		at(path, entryId) {
			const index = tree.table.indexOf(entryId) ?? -1;
			return answerOf(path, log.at(path, index) ?? first(path), commands.slice(0, ranUntil.get(index) ?? 0));
		},
		around(path) {
			const answerThen = ([state, ran]: StateThen = [first(path), 0]): RebuiltFile =>
				answerOf(path, state, commands.slice(0, ran));
			return [answerThen(befores.get(path)), answerThen(afters.get(path))];
		},
	};
}

/** Takes what other sessions wrote before a time, in order. */
function* takeUntil(timeMs: number, followers: readonly OtherFollower[]): Steps<void> {
	for (let count = 1; ; count++) {
		const next = followers.reduce((first, other) => (other.nextMs < first.nextMs ? other : first));
		if (!(next.nextMs < timeMs)) return;
		if (count % ENTRIES_AT_ONCE === 0) yield;
		next.take();
	}
}

/** Follows another session on the same disk. */
class OtherFollower {
	/** When its next entry was written; infinite behind the last one. */
	nextMs = Number.NEGATIVE_INFINITY;
	readonly #entries: readonly SessionEntry[];
	readonly #watcher: FilesWatcher;
	readonly #turns: TurnCounter;
	readonly #session: Session;
	readonly #isCopy: (entry: SessionEntry) => boolean;
	#index = 0;

	constructor(session: Session, first: Session, options: Omit<WatchOptions, "cwd">, beside: FilesWatcher) {
		this.#session = session;
		this.#isCopy = ({ id, timestamp }) => first.tree.byId.get(id)?.timestamp === timestamp;
		this.#entries = session.entries;
		this.#watcher = new FilesWatcher({ ...options, cwd: session.header?.cwd ?? "" }, beside);
		this.#turns = new TurnCounter(session.tree);
		this.#advance();
	}

	take(): void {
		const index = this.#index++;
		const entry = this.#entries[index];
		if (entry === undefined) return;
		const role = roleOf(entry);
		const turn = this.#turns.add(index, role);
		if (!this.#isCopy(entry)) {
			const isElsewhere = (this.#session.tree.table.parent[index] ?? -1) !== index - 1;
			if (isElsewhere) this.#watcher.jump((_, disk) => either(disk, lost(disk, PUT_BACK)));
			this.#watcher.take(entry, role, turn);
		}
		this.#advance();
	}

	/** What does not say its time was written right behind the entry before it. */
	#advance(): void {
		const next = this.#entries[this.#index];
		const timeMs = next === undefined ? Number.POSITIVE_INFINITY : timeOf(next.timestamp);
		if (!(timeMs < this.nextMs) && !Number.isNaN(timeMs)) this.nextMs = timeMs;
	}
}

/** The stops by the index of their entries, with those that the session left for another branch and came back to. */
function stopsOf({ entries, tree }: Session, ids: ReadonlySet<string>): ReadonlySet<number> {
	const stops = new Set<number>();
	for (const id of ids) stops.add(tree.table.indexOf(id) ?? -1);
	for (const index of entries.keys()) {
		const parent = tree.table.parent[index] ?? -1;
		if (parent !== index - 1) stops.add(parent);
	}
	return stops;
}

/** The states of files at the stops, where they differ from those at the stop before. */
class StateLog {
	readonly #states = new Map<string, { readonly indexes: number[]; readonly states: FileState[] }>();

	add(path: string, index: number, state: FileState): void {
		const ofFile = this.#states.get(path) ?? { indexes: [], states: [] };
		this.#states.set(path, ofFile);
		ofFile.indexes.push(index);
		ofFile.states.push(state);
	}

	/** The state at the entry of this index; undefined if no tool had touched the file. */
	at(path: string, index: number): FileState | undefined {
		const states = this.#states.get(path);
		if (states === undefined) return undefined;
		let [low, high] = [0, states.indexes.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((states.indexes[middle] ?? 0) <= index) low = middle + 1;
			else high = middle;
		}
		return states.states[low - 1];
	}
}

const PUT_BACK = "when the branch before was left, it may have been restored to a state that is not known";

/** The state after another branch was left. `there`: that at the entry with which it goes on. */
function jumped(disk: FileState, there: FileState): FileState {
	return either(disk, disk.contents.length > 0 && there.contents.length === 0 ? lost(there, PUT_BACK) : there);
}

/** `commands`: all that had run. */
function answerOf(
	path: string,
	{ contents, why, since, base, edits }: FileState,
	commands: readonly RanCommand[],
): RebuiltFile {
	const ran = commands.slice(since).filter(({ changes }) => lastTouch(changes, path) !== undefined);
	const texts = contents.filter((content) => content !== undefined);
	const facts = { texts, isAbsent: texts.length < contents.length, commands: ran, base, edits };
	if (contents.length === 0) {
		const reason = why ?? "nothing is known about it";
		return { ...facts, answer: "unknown", why: reason, whyBeside: reason };
	}
	const [ranText, textsText] = [
		ran.length > 0
			? `${formatCounted(ran.length, "command")} ran since it was last fully seen (${nameCommands(ran)})`
			: "",
		contents.length > 1 ? `${contents.length} texts are possible` : "",
	];
	const reason = clauses(textsText, ranText, why ?? "");
	const whyBeside = clauses(textsText, why ?? "");
	return { ...facts, answer: reason === "" ? "exact" : "candidates", why: reason, whyBeside };
}

/** Clauses with a semicolon between them, without those that are empty. */
export function clauses(...texts: readonly string[]): string {
	return texts.filter((text) => text !== "").join("; ");
}

/** "3 commands ran since (sed -i 1d a.ts, …)": only those that name the file are named, since the others may have changed any. */
export function ranSince(path: string, commands: readonly UnseenCommand[]): string {
	const namers = commands.filter(({ changes }) => namesFile(changes, path));
	const names = namers.length === 0 ? "" : ` (${nameCommands(namers)}${namers.length < commands.length ? ", …" : ""})`;
	return commands.length === 0 ? "" : `${formatCounted(commands.length, "command")} ran since${names}`;
}

/** Commands that are named, and UTF-16 units of each. */
const MOST_NAMED = 3;
const MOST_UNITS = 40;

/** "npm run format, make, … and 3 more": each once. */
export function nameCommands(commands: readonly Pick<RanCommand, "text">[]): string {
	const names = [...new Set(commands.map(({ text }) => commandName(text)))];
	const more = names.length - MOST_NAMED;
	return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** The first line of a command, without a `cd` before it. */
export function commandName(text: string): string {
	const [line = "", ...more] = text
		.replace(/^\s*cd\s+[^\s&;]+\s*(?:&&|;)\s*/, "")
		.trim()
		.split("\n");
	return more.length > 0 || line.length > MOST_UNITS ? `${line.slice(0, MOST_UNITS).trimEnd()}…` : line;
}

/**
 * Rebuilds a file as of an entry. `path`: absolute, as pi resolves it. For several files or entries, `followFiles` needs only one pass.
 */
export function rebuildFile(session: Session, path: string, entryId: string, home = homedir()): RebuiltFile {
	const options = { home, stops: new Set([entryId]), paths: new Set([path]) };
	return runToEnd(followFiles(session, options)).at(path, entryId);
}
