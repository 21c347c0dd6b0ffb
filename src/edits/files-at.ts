import { isUtf8 } from "node:buffer";
import { join, relative } from "node:path";
import type { SessionRow } from "../catalog/model/row.ts";
import { TimeSlice } from "../shared/steps.ts";
import { isUnder } from "../store/files/paths.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import { readHeld } from "../store/held/hold-session.ts";
import type { Session } from "../store/read/read-session.ts";
import { pathTo } from "../store/tree/session-table.ts";
import { committedTexts, type FirstChange } from "./committed-texts.ts";
import type { UnseenCommand } from "./file-watcher.ts";
import { clauses, followFiles, nameCommands, ranSince } from "./follow-files.ts";
import { cloneOfGone, filesAt, type GitBase, gitBases } from "./git-base.ts";
import { putsBack } from "./git-resets.ts";
import { type KnownFile, ownEdits, ownFiles, type ShownContent, type TurnCommand } from "./known-files.ts";
import { leftByOthers, type OtherCommand } from "./left-by-others.ts";
import { lastTouch } from "./shell-changes.ts";

/** The files of a directory when an entry of a session was written, as far as sessions and Git show. */
export interface FilesAt {
	/** The commit that was checked out then; undefined outside of a repository. */
	readonly base: GitBase | undefined;
	/** Where they were: the top of the repository, else the directory of the session. */
	readonly root: string;
	/** The directory of the session, relative to the root; "" for the root itself. */
	readonly inside: string;
	/** When the entry was written, Unix ms. */
	readonly timeMs: number;
	/** What sessions show of them, in the order in which they touched them. Others are as the commit has them. */
	readonly files: readonly FileAt[];
	/** Commands of the session that had run by then, and may have changed more below the root than these, in order. */
	readonly commands: readonly TurnCommand[];
	/** Those of other sessions that ran since the session last saw a file, and may have changed it and others. */
	readonly otherCommands: readonly OtherCommand[];
	/** Files outside of the root that the session had changed: they are not among `files`. */
	readonly outside: readonly string[];
	/** What could not be read, or will be missing: one sentence each. */
	readonly unread: readonly string[];
}

/** A file when an entry was written. */
export interface FileAt extends ShownContent {
	/** Relative to the root. */
	readonly name: string;
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

/**
 * Finds out what the files were when an entry was written: those of the commit that was checked out then, with what this session had made of
 * them on the way to the entry, and other sessions of the directory, by time. Nothing is written. Rejects with a `RipgrepError` if ripgrep
 * cannot be used, and with an `Error` if the session does not say its directory.
 */
export async function filesAtEntry(session: Session, entryId: string, options: FilesAtOptions): Promise<FilesAt> {
	const { home, rows, slice = new TimeSlice() } = options;
	const cwd = session.header?.cwd ?? "";
	if (cwd === "") throw new Error("the session does not say in which directory it was");
	const timeMs = writtenAt(session, entryId);
	const edits = await slice.run(ownEdits(session, entryId, home));
	let clone = options.clone;
	let baseAt = await gitBases(clone ?? cwd);
	let base = await baseAt(timeMs);
	if (base === undefined && clone === undefined) {
		clone = cloneOfGone(cwd);
		if (clone !== undefined) baseAt = await gitBases(clone);
		base = await baseAt(timeMs);
	}
	// All that its tools touched says where the root of its repository was.
	const touched = clone === undefined ? undefined : await slice.run(followFiles(session, { home, stops: new Set() }));
	const there = touched === undefined || base === undefined ? undefined : await rootThere(base, cwd, touched.paths);
	const root = there?.root ?? base?.root ?? cwd;
	const inClone = (path: string): string | undefined => {
		const name = nameIn(root, path);
		return name === undefined ? undefined : join(base?.root ?? root, name);
	};
	const firstChanges = [...edits.edits.values()].flatMap(({ first: { path, timeMs: firstMs, tool } }) =>
		tool === "edit" ? [{ path, firstMs, isEdit: true }] : [],
	);
	const startsOf = (changes: readonly FirstChange[]) => committedTexts(changes, baseAt, inClone);
	const starts = await startsOf(firstChanges);
	const ownShown = await slice.run(ownFiles(session, entryId, edits, { home, starts }));
	const sinceMs = ownShown.files.reduce(
		(first, { seenMs }) => Math.min(first, seenMs || first),
		Number.POSITIVE_INFINITY,
	);
	const otherFiles = await leftByOthers({
		...{ rows, own: session, ownEdits: edits, root, sinceMs, timeMs, home, startsOf, slice },
	});
	// What the session made of files that others had changed since it saw them whole.
	const between = ownShown.files.flatMap(({ path, seenMs, touchedMs }) => {
		const other = otherFiles.files.get(path);
		return other === undefined || touchedMs < other.touchedMs || seenMs >= other.touchedMs ? [] : [other];
	});
	const sessionsBetween = await Promise.all(
		[...new Set(between.map((other) => other.session))].map((path) => readHeld(path)),
	);
	const paths = new Set(between.map(({ path }) => path));
	const afterOthers =
		paths.size === 0
			? ownShown
			: await slice.run(ownFiles(session, entryId, edits, { home, starts, paths, others: sessionsBetween }));
	const files = new Map<string, KnownFile>();
	for (const one of ownShown.files) {
		const file = afterOthers.files.find(({ path }) => path === one.path) ?? one;
		if (nameIn(root, file.path) !== undefined) files.set(file.path, besideCommands(file, otherFiles.commands));
	}
	for (const [path, file] of otherFiles.files)
		if (nameIn(root, path) !== undefined) files.set(path, lastOf(files.get(path), file));
	const ownCommands = ownShown.commands.map((command) => {
		return { ...command, timeMs: timeOf(session.tree.byId.get(command.entryId)?.timestamp) };
	});
	const resets = [...ownCommands, ...otherFiles.commands].filter(({ text }) => putsBack(text));
	const filesThen = await againstCommits([...files.values()], root, base, baseAt, resets);
	const knownPaths = new Set(filesThen.map(({ name }) => join(root, name)));
	const hasModules = base !== undefined && (await bytesIn(base, [MODULES])).get(MODULES) !== undefined;
	const outside = ownShown.files.filter(({ path, isChanged }) => isChanged && nameIn(root, path) === undefined);
	return {
		...{ base, root, inside: relative(root, cwd), timeMs, files: filesThen },
		commands: ownShown.commands.filter((command) => mayChangeMore(command, root, knownPaths)),
		otherCommands: otherFiles.commands.filter(
			(command) =>
				mayChangeMore(command, root, knownPaths) && ownShown.files.some((file) => mayHaveChanged(command, file)),
		),
		outside: outside.map(({ path }) => path),
		unread: [
			...(there?.count === 0 ? [`${clone} has none of the session's files: is it a clone of its repository?`] : []),
			...(hasModules ? ["Submodules are left empty: git submodule update --init fetches them."] : []),
			...otherFiles.unread,
		],
	};
}

/** In which Git notes submodules. */
const MODULES = ".gitmodules";

/** The name of a file below a root; undefined if it is not below it, or belongs to Git. */
function nameIn(root: string, path: string): string | undefined {
	const name = relative(root, path);
	return isUnder(path, root) && !name.split(/[/\\]/).some((part) => part.toLowerCase() === ".git") ? name : undefined;
}

/** When an entry was written, Unix ms: if it does not say so, when the nearest one before it was. */
function writtenAt({ tree }: Session, entryId: string): number {
	const times = pathTo(tree, entryId).map(({ timestamp }) => timeOf(timestamp));
	return times.findLast((time) => !Number.isNaN(time)) ?? Date.now();
}

/** The same file, given that commands of other sessions may have changed it. */
function besideCommands(file: KnownFile, commands: readonly OtherCommand[]): KnownFile {
	const ran = commands.filter((command) => mayHaveChanged(command, file));
	if (file.answer !== "exact" || ran.length === 0) return file;
	const titles = [...new Set(ran.map(({ title }) => `“${title}”`))].join(", ");
	return { ...file, answer: "likely", why: clauses(file.why, `in ${titles}, ${ranSince(file.path, ran)}`) };
}

/** Whether a command of another session ran since a file was seen, and may have changed it. */
function mayHaveChanged({ timeMs, changes }: OtherCommand, { seenMs, path }: KnownFile): boolean {
	return timeMs >= seenMs && lastTouch(changes, path) !== undefined;
}

/** Whether a command may have changed files below a root that are not known. */
function mayChangeMore({ changes }: UnseenCommand, root: string, known: ReadonlySet<string>): boolean {
	return changes.touches.some(({ name }) => {
		if (name === undefined) return true;
		const path = name.replace(/(?<=.)\/$/, "");
		const isInside = nameIn(root, path) !== undefined || lastTouch(changes, root)?.name === name;
		return isInside && !(path === name && known.has(name));
	});
}

/** What two sessions show of a file, by time. */
function lastOf(own: KnownFile | undefined, other: KnownFile): KnownFile {
	if (own === undefined || !(own.touchedMs >= other.touchedMs)) return other;
	if (own.seenMs >= other.touchedMs || own.answer === "unknown") return own;
	return { ...own, answer: "likely", why: `${own.why}; another session changed it in between: ${other.why}` };
}

interface RootThere {
	readonly root: string;
	/** How many of the files that the session touched a commit of the clone has below it. */
	readonly count: number;
}

/** The root of a session's repository on its machine, whose clone is here: the directory of the session or one above it. */
async function rootThere(base: GitBase, cwd: string, paths: readonly string[]): Promise<RootThere> {
	let best: RootThere = { root: cwd, count: -1 };
	const parts = cwd.split("/");
	for (let length = parts.length; length > 1; length--) {
		const root = parts.slice(0, length).join("/");
		const names = paths.flatMap((path) => nameIn(root, path) ?? []);
		const files = await bytesIn(base, names);
		const count = [...files.values()].filter((bytes) => bytes !== undefined).length;
		if (count > best.count) best = { root, count };
	}
	return best;
}

/** Files of a commit by name; undefined for what it does not have. */
async function bytesIn(base: GitBase, names: readonly string[]): Promise<ReadonlyMap<string, Uint8Array | undefined>> {
	const paths = names.map((name) => join(base.root, name));
	const files = await filesAt(base, paths);
	return new Map(names.map((name, index) => [name, files.get(paths[index] ?? "")]));
}

/** Whether two files are the same to the byte, or neither of them is there. */
function areSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
	return one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
}

/**
 * Compares what sessions show with the commit that was checked out when the entry was written, and with the one that was when they last saw
 * the file: if these two differ in it, it was committed, or another commit was checked out, and it is as the later one has it; and so is what
 * a command has put back since (`resets`).
 */
async function againstCommits(
	known: readonly KnownFile[],
	root: string,
	base: GitBase | undefined,
	baseAt: (timeMs: number) => Promise<GitBase | undefined>,
	resets: readonly (UnseenCommand & Pick<OtherCommand, "timeMs">)[],
): Promise<readonly FileAt[]> {
	const named = known.map((file) => ({ ...file, name: relative(root, file.path) }));
	if (base === undefined)
		return named.flatMap((file) => {
			const isNothing = file.text === undefined && file.isAbsent;
			const rest = file.text === undefined && !file.isAbsent ? "; left out" : "";
			return isNothing && !file.isChanged ? [] : [{ ...fileAt(file, file.name), why: `${file.why}${rest}` }];
		});
	const now = await bytesIn(
		base,
		named.map(({ name }) => name),
	);
	const earlier = new Map<string, { readonly commit: GitBase; readonly names: string[] }>();
	for (const { name, touchedMs } of named) {
		const then = await baseAt(touchedMs);
		if (then === undefined || then.commit === base.commit) continue;
		const group = earlier.get(then.commit) ?? { commit: then, names: [] };
		group.names.push(name);
		earlier.set(then.commit, group);
	}
	const movedNames = new Set<string>();
	for (const { commit, names } of earlier.values())
		for (const [name, bytes] of await bytesIn(commit, names)) if (!areSame(bytes, now.get(name))) movedNames.add(name);
	return named.flatMap((file): readonly FileAt[] => {
		const bytes = now.get(file.name);
		if (file.text === undefined && file.isAbsent) {
			if (bytes === undefined && !file.isChanged) return [];
		} else if (file.text === undefined) {
			const binary = bytes === undefined || isUtf8(bytes) ? "" : ", which is not UTF-8 text";
			const rest = bytes === undefined ? "left out" : `left as the commit has it${binary}`;
			return [{ ...fileAt(file, file.name), why: `${file.why}; ${rest}` }];
		}
		if (bytes !== undefined && file.text !== undefined && areSame(bytes, Buffer.from(file.text))) {
			// What was only read, and is as the commit has it, needs no word.
			if (!file.isChanged) return [];
			return [{ ...fileAt(file, file.name), why: `${file.why}; the commit has it so`, text: undefined }];
		}
		const reset = resets.find(
			({ timeMs, changes }) => timeMs > file.touchedMs && lastTouch(changes, file.path) !== undefined,
		);
		if (reset !== undefined && bytes !== undefined) {
			const why = `${file.why}; ${nameCommands([reset])} has put it back to what the commit has`;
			return [{ ...fileAt(file, file.name), answer: "likely", why, text: undefined, isAbsent: false }];
		}
		if (!movedNames.has(file.name)) return [fileAt(file, file.name)];
		const why = `${file.why}; a later commit ${bytes === undefined ? "does not have it" : "has it in another form"}`;
		return [{ ...fileAt(file, file.name), answer: "likely", why, text: undefined, isAbsent: false }];
	});
}

function fileAt({ answer, why, text, isAbsent, session, entryId }: KnownFile, name: string): FileAt {
	return { name, answer, why, text, isAbsent, session, entryId };
}
