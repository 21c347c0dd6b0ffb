import { homedir } from "node:os";
import { notedWorktree, readGitNotes, topOf } from "../catalog/git/git-notes.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import { isOfThisSystem, isUnder, isWithin, nameFrom } from "../shared/paths.ts";
import { TimeSlice } from "../shared/steps.ts";
import { rulesOf } from "../shared/system.ts";
import { isDirectory } from "../store/files/paths.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { Session } from "../store/read/read-session.ts";
import { pathTo } from "../store/tree/session-table.ts";
import { isReason } from "./git-process.ts";
import type { TreeFile } from "./git-trees.ts";
import type { CloneOf, WorktreeGround } from "./grounds.ts";
import { clauses, eventName, isLeft, type Known, knownAt } from "./known.ts";
import type { Ledger } from "./ledger.ts";
import type { FileEvent, May } from "./ledger-events.ts";
import { type LedgerOptions, openLedger } from "./open-ledger.ts";
import { Repository } from "./repository.ts";
import { sessionEvents } from "./session-events.ts";

/** The commit that was checked out in a directory at a time. */
export interface GitBase {
	/** The top of the working tree: that of the directory, even if it is gone. */
	readonly root: string;
	/** An existing directory of the same repository, in which Git can be run. */
	readonly repository: string;
	readonly commit: string;
	readonly subject: string;
	/** "reflog": Git noted that it was checked out; "newest": the newest one of the branch before that time. */
	readonly how: "reflog" | "newest";
}

/** The files of a directory when an entry of a session was written, as far as the ledger tells. */
export interface FilesAt {
	/** The commit that was checked out then; undefined outside of a repository. */
	readonly base: GitBase | undefined;
	/** Why there is none: the beginning of a sentence; "" with one, and outside of any repository. */
	readonly baseReason: string;
	/** Whether it is not known, since Git could not be asked. */
	readonly hasGitFailed: boolean;
	/** Where they were: the top of the repository, else the directory of the session. */
	readonly root: string;
	/** The directory of the session, relative to the root; "" for the root itself. */
	readonly inside: string;
	/** When the entry was written, Unix ms. */
	readonly timeMs: number;
	/** What is known of them, in the order in which they were first touched. Others are as the commit has them. */
	readonly files: readonly FileAt[];
	/** Commands of the session that had run by then, and may have changed more below the root than these, in order. */
	readonly commands: readonly RanCommand[];
	/** Those of other sessions. */
	readonly otherCommands: readonly OtherCommand[];
	/** Files outside of the root that the session had changed: they are not among `files`. */
	readonly outside: readonly string[];
	/** What could not be read, or will be missing: one sentence each. */
	readonly unread: readonly string[];
}

/** A command that may have changed files. */
export interface RanCommand {
	readonly entryId: string;
	readonly text: string;
	/** From 1. */
	readonly turn: number;
	/** Whether it ran on a branch that was left. */
	readonly isLeft: boolean;
}

interface OtherCommand {
	readonly text: string;
	/** The title of the session. */
	readonly title: string;
}

/** A file when an entry was written. */
export interface FileAt extends Pick<Known, "answer" | "why"> {
	/** Relative to the root. */
	readonly name: string;
	/** Undefined if it is as the commit has it, does not exist, or is not known; of a link, where it leads to. */
	readonly text: string | undefined;
	readonly isLink?: boolean;
	/** Whether it does not exist, although the commit has it. */
	readonly isAbsent: boolean;
	/** Whether it is executable; undefined: as the commit has it. */
	readonly isExecutable?: boolean | undefined;
	/** Path of the session that changed it last, and the entry there. */
	readonly session: string;
	readonly entryId: string | undefined;
}

export interface FilesAtOptions {
	/** The home directory of the person whose session it is. */
	readonly home: string;
	/** Sessions that may have worked in the same directory. */
	readonly rows: readonly SessionRow[];
	/** A clone of its repository on this machine, for a session of another one. */
	readonly clone?: string | undefined;
	readonly slice?: TimeSlice;
}

/** In which Git notes submodules. */
const MODULES = ".gitmodules";

/**
 * Finds out what the files were when an entry was written: those of the commit that was checked out then, with what the ledger knows of the
 * files that sessions touched. Nothing is written. Rejects with an `Error` if the session does not say its directory.
 */
export async function filesAtEntry(session: Session, entryId: string, options: FilesAtOptions): Promise<FilesAt> {
	const { home, rows, slice = new TimeSlice() } = options;
	const cwd = session.header?.cwd ?? "";
	if (cwd === "") throw new Error("the session does not say which directory it ran in");
	const rules = rulesOf(cwd);
	const timeMs = writtenAt(session, entryId);
	const clone = await cloneFor(session, cwd, options);
	const { ledger, unread } = await openLedger(session, { home, rows, clone, slice });
	try {
		const index = session.tree.table.indexOf(entryId) ?? -1;
		const order = ledger.orderAt(session, index, timeMs);
		const ground = ledger.grounds.of(rules.join(cwd, "."));
		const root = ground?.top ?? cwd;
		const base = ground && (await baseAt(ledger, ground, order));
		const modules =
			ground === undefined || base === undefined ? [] : await submodulesOf(ground.repository, base.commit);
		const files: FileAt[] = [];
		const outside: string[] = [];
		const touched = ledger.paths.filter((path) =>
			ledger.eventsOf(path).some((event) => event.step !== undefined && event.order <= order),
		);
		for await (const path of ledger.each(touched, (one) => one, slice)) {
			const isOurs = ground === undefined || ledger.grounds.of(path) === ground || !ledger.grounds.isKnown(path);
			const name = isOurs ? nameIn(root, path) : undefined;
			// Git fetches a submodule only into an empty directory.
			const isInModule = name !== undefined && modules.some((module) => isUnder(path, rules.join(root, module)));
			if (name !== undefined && !isInModule) files.push(...fileAt(ledger, path, name, order, base !== undefined));
			else if (isChangedBy(ledger, path, order, session)) outside.push(path);
		}
		const exactPaths = new Set(
			files.filter(({ answer }) => answer === "exact").map(({ name }) => rules.join(root, name)),
		);
		return {
			...{
				base,
				...reasonFor(ledger, ground, base, clone?.here ?? cwd),
				root,
				inside: nameFrom(cwd, root),
				timeMs,
				files,
				outside,
			},
			...commandsUntil(ledger, order, root, exactPaths, session),
			unread: [
				...(clone !== undefined && clone.count === 0
					? [`${clone.here} has none of the session's files: is it a clone of its repository?`]
					: []),
				...(modules.length === 0 ? [] : ["Submodules are left empty: git submodule update --init fetches them."]),
				...(base === undefined || ground === undefined || ground.reason === ""
					? []
					: [`Git could not be asked for all: ${ground.reason}.`]),
				...unread,
			],
		};
	} finally {
		ledger.grounds.close();
	}
}

/** The directories of a commit that are submodules, as far as it notes any. */
async function submodulesOf(repository: Repository, commit: string): Promise<readonly string[]> {
	const noted = await repository.find([{ commit, path: MODULES }]);
	if (isReason(noted) || noted[0] === undefined) return [];
	const tree = await repository.tree(commit);
	return isReason(tree) ? [] : [...tree].flatMap(([path, { mode }]) => (mode === "160000" ? [path] : []));
}

/** The name of a file below a root; undefined if it is not below it, or belongs to Git. */
function nameIn(root: string, path: string): string | undefined {
	const name = nameFrom(path, root);
	return isUnder(path, root) && !name.split(/[/\\]/).some((part) => part.toLowerCase() === ".git") ? name : undefined;
}

/** When an entry was written, Unix ms: if it does not say so, when the nearest one before it was. */
function writtenAt({ tree }: Session, entryId: string): number {
	const times = pathTo(tree, entryId).map(({ timestamp }) => timeOf(timestamp));
	return times.findLast((time) => !Number.isNaN(time)) ?? Date.now();
}

/** Nothing can be wrong with Git where this is the reason. */
const NO_COMMITS = "nothing is committed yet";

/** Why there is no base, in the directory in which Git was asked. */
function reasonFor(
	ledger: Ledger,
	ground: WorktreeGround | undefined,
	base: GitBase | undefined,
	directory: string,
): Pick<FilesAt, "baseReason" | "hasGitFailed"> {
	const reason = ground === undefined ? (ledger.grounds.reasons.get(directory) ?? "") : ground.reason;
	if (base !== undefined) return { baseReason: "", hasGitFailed: false };
	if (reason !== "" && reason !== NO_COMMITS) {
		const why = reason.replace(/^git (?:failed|cannot be started): /, "");
		return { baseReason: `Git cannot be asked: ${why}`, hasGitFailed: true };
	}
	if (ground !== undefined) return { baseReason: "Its repository has no commit from then", hasGitFailed: false };
	if (isDirectory(directory)) return { baseReason: "", hasGitFailed: false };
	const advice = "--repo DIR names its clone, or `pi-grove move OLD NEW` says where it is now";
	return {
		baseReason: `${directory} is ${isOfThisSystem(directory) ? "gone" : "on another system"} (${advice})`,
		hasGitFailed: false,
	};
}

async function baseAt(ledger: Ledger, ground: WorktreeGround, order: number): Promise<GitBase | undefined> {
	const last = ledger.heads.findLast((one) => one.ground === ground && one.order <= order)?.head;
	const commit = last?.commit ?? ground.base;
	if (commit === undefined) return undefined;
	const isGuess = last?.isGuess ?? ground.isBaseGuessed;
	const names = await ground.repository.firstParents({ revision: commit, most: 1 });
	const { top: repository } = ground.repository;
	return {
		root: ground.top,
		repository,
		commit,
		subject: (isReason(names) ? undefined : names[0]?.summary) ?? "",
		how: isGuess ? "newest" : "reflog",
	};
}

const CHANGES = /^(?:edit|write|perhaps)$/;

/** Whether an event may have changed the file, and is not only a sight of it. */
export function mayHaveChanged({ step, what }: FileEvent): boolean {
	if (what.kind === "step") return step !== undefined && CHANGES.test(step.act.kind);
	return step !== undefined && what.kind !== "added" && what.kind !== "head";
}

function isChangedBy(ledger: Ledger, path: string, order: number, session: Session): boolean {
	return ledger
		.eventsOf(path)
		.some((event) => event.order <= order && event.step?.witness.session === session && mayHaveChanged(event));
}

/** The row of a file; none if it was only looked at, and is as the commit has it. `hasBase`: whether there is a commit. */
function fileAt(ledger: Ledger, path: string, name: string, order: number, hasBase: boolean): readonly FileAt[] {
	const file = knownAt(ledger, path, order);
	const track = ledger.track(path);
	const inCommit = hasBase ? track.gitAt(order + 0.5) : "unknown";
	const events = ledger.eventsOf(path).filter((event) => event.order <= order);
	const change = events.findLast(mayHaveChanged);
	const last = change ?? events.findLast(({ step }) => step !== undefined);
	const source = { session: last?.step?.witness.session.path ?? "", entryId: last?.step?.entryId };
	const shared = { name, answer: file.answer, ...source };
	const sight = sightOf(events, file);
	const hasCommit = inCommit !== "unknown";
	const isThere = hasCommit && inCommit !== undefined;
	if (change?.what.kind === "linked" && !isThere) {
		const { target } = change.what;
		const isSure = ledger.maysBetween(path, change.order, order).named.length === 0;
		return [
			{
				...shared,
				answer: isSure ? "exact" : "likely",
				why: eventName(change),
				text: target,
				isAbsent: false,
				isLink: true,
			},
		];
	}
	if (file.answer === "unknown") {
		const rest = isThere ? "left as the commit has it" : "left out";
		return [{ ...shared, why: clauses(sight, file.why, rest), text: undefined, isAbsent: false }];
	}
	if (hasCommit && isAsCommitted(ledger, path, file, inCommit)) {
		if (change === undefined) return [];
		return [
			{
				...shared,
				why: clauses(sight, file.why, isThere ? "as the commit has it" : "gone, and not in the commit either"),
				text: undefined,
				isAbsent: false,
			},
		];
	}
	if (file.isAbsent && !isThere)
		return change === undefined ? [] : [{ ...shared, why: clauses(sight, file.why), text: undefined, isAbsent: true }];
	const isNew = hasCommit && !isThere ? "new: the commit does not have it" : "";
	return [
		{
			...shared,
			why: clauses(sight, file.why, isNew),
			text: file.text,
			isAbsent: file.isAbsent,
			isExecutable: file.isExecutable,
		},
	];
}

function isAsCommitted(ledger: Ledger, path: string, known: Known, file: TreeFile | undefined): boolean {
	if (file === undefined) return known.isAbsent;
	if (known.text === undefined) return false;
	const bytes = ledger.grounds.of(path)?.blob(file.id);
	return bytes?.equals(Buffer.from(known.text)) === true && (file.mode === "100755") === known.isExecutable;
}

/** "read whole in turn 1, edited in turn 2" */
function sightOf(events: readonly FileEvent[], known: Known): string {
	const words: string[] = [];
	const { base } = known;
	if (base !== undefined && base !== "commit") words.push(eventName(base));
	const change = events.findLast(mayHaveChanged);
	if (change !== undefined && change !== base) words.push(eventName(change));
	return [...new Set(words)].filter((word) => word !== "").join(", ");
}

function commandsUntil(
	ledger: Ledger,
	order: number,
	root: string,
	known: ReadonlySet<string>,
	session: Session,
): Pick<FilesAt, "commands" | "otherCommands"> {
	const mays = ledger.mays.filter(
		({ paths, order: at }) => at <= order && (paths?.some((path) => isWithin(path, root) && !known.has(path)) ?? true),
	);
	const otherCommands = new Map<string, OtherCommand>();
	for (const { step, text } of mays)
		if (step?.act.kind === "command" && step.witness.session !== session)
			otherCommands.set(`${text} ${step.witness.title}`, { text, title: step.witness.title });
	return { commands: ranCommands(session, mays), otherCommands: [...otherCommands.values()] };
}

/** The commands of a session among what may have changed files, each once. */
export function ranCommands(session: Session, mays: readonly May[]): readonly RanCommand[] {
	const commands = new Map<string, RanCommand>();
	for (const { step, text } of mays) {
		if (step?.act.kind !== "command" || step.witness.session !== session) continue;
		const { entryId, turn } = step;
		commands.set(`${entryId} ${text}`, { entryId, text, turn, isLeft: isLeft(entryId, session) });
	}
	return [...commands.values()];
}

interface CountedClone extends CloneOf {
	/** How many of the files that the session touched a commit of the clone has. */
	readonly count: number;
}

/** The clone that stands for the repository of the session: the one that is named, or that of a directory that is gone. */
async function cloneFor(
	session: Session,
	cwd: string,
	{ clone, home, slice = new TimeSlice() }: FilesAtOptions,
): Promise<CountedClone | undefined> {
	const here = clone ?? cloneOfGone(cwd);
	if (here === undefined) return undefined;
	const repository = await Repository.open(here);
	if (repository === undefined || isReason(repository)) return { top: cwd, here, count: 0 };
	try {
		const { events } = await slice.run(sessionEvents({ session, home, title: "" }));
		const paths = new Set(events.flatMap(({ act }) => ("path" in act ? act.path : [])));
		const commit = await repository.resolve("HEAD");
		if (isReason(commit)) return { top: cwd, here: repository.top, count: 0 };
		let best: CountedClone = { top: cwd, here: repository.top, count: -1 };
		const { dirname } = rulesOf(cwd);
		for (let top = cwd; top !== dirname(top); top = dirname(top)) {
			const names = [...paths].flatMap((path) => nameIn(top, path) ?? []);
			const committed = await repository.find(names.map((path) => ({ commit, path })));
			const count = isReason(committed) ? 0 : committed.filter((file) => file !== undefined).length;
			if (count > best.count) best = { top, here: repository.top, count };
		}
		return best;
	} finally {
		repository.close();
	}
}

/** An existing directory of the repository of one that is gone, as far as that was noted: a clone of the same remote. */
function cloneOfGone(directory: string): string | undefined {
	if (isDirectory(directory) || notedWorktree(directory, { env: process.env, home: homedir() }) !== undefined)
		return undefined;
	const notes = readGitNotes({ env: process.env, home: homedir() });
	const remote = notes.get(directory)?.remote ?? "";
	if (remote === "") return undefined;
	const clones = [...notes].filter(([path, note]) => note.remote === remote && isDirectory(path));
	return clones.map(([path, note]) => topOf(path, note))[0];
}

/** A file as it was when an entry of a session was written. */
export interface FileAtEntry {
	/** Absolute. */
	readonly path: string;
	readonly session: Session;
	readonly entryId: string;
}

/** What is known of some files at entries, in the order of the requests. */
export async function knownFiles(
	asked: (ledger: Ledger) => readonly FileAtEntry[],
	session: Session,
	options: LedgerOptions,
): Promise<readonly (FileAtEntry & { readonly known: Known })[]> {
	const { ledger } = await openLedger(session, options);
	try {
		const files = asked(ledger).map((file) => ({ ...file, path: ledger.grounds.canonical(file.path) }));
		await ledger.prepare(files.map(({ path }) => path));
		return files.map((file) => {
			const { session: of, entryId } = file;
			const order = ledger.orderAt(of, of.tree.table.indexOf(entryId) ?? -1, writtenAt(of, entryId));
			return { ...file, known: knownAt(ledger, file.path, order) };
		});
	} finally {
		ledger.grounds.close();
	}
}
