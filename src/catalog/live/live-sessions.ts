import { realpathSync } from "node:fs";
import { attempt } from "../../shared/attempt.ts";
import { basename, projectKey, resolve } from "../../shared/paths.ts";
import { isRunning } from "../../shared/system.ts";
import type { RecentFile } from "../index/session-table.ts";
import { type LiveEvidence, type LiveReport, NOTHING_LIVE, type ProcessId, useKey } from "../model/live.ts";
import { runAt } from "../model/run-place.ts";
import type { SessionRoots } from "../model/session-roots.ts";
import { type GrownFile, isMoreThanMarks } from "./growth.ts";
import { writersOf } from "./open-files.ts";
import { type HandOver, type PiNote, readHandOvers, readPiNotes } from "./process-notes.ts";
import { type PiProcess, runningPis } from "./processes.ts";

/** How long growth by an unknown writer shows a session to be in use, in milliseconds. */
const GROWN_MS = 30_000;
/** A new or replaced file may still be being copied: its growth within this time means nothing, in milliseconds. */
const COPIED_MS = 3_000;
/** The processes are checked at most once in this time, unless a question needs them now; in milliseconds. */
const FRESH_MS = 1_000;
/**
 * A pi begins its session, or notes its settings in it, between these times after its start, in milliseconds. The start is
 * relative to the start of the system, which is known in whole seconds.
 */
const STARTING_MS = { from: -1_000, to: 15_000 };

/** The sources of evidence; tests pass their own. */
export interface LiveSources {
	readonly pis: () => readonly PiProcess[];
	readonly handOvers: () => readonly HandOver[];
	/** What the extension in running pis reports. */
	readonly notes: () => readonly PiNote[];
	/** pi's own directory, if the sessions are in it: a pi with another one does not list them. */
	readonly agentDir: string | undefined;
	/** Whether a session belongs to a subagent: the pi that writes it, or that started it, has another one open. */
	readonly isRun: (path: string) => boolean;
	/** Which processes have these files open for writing, by path; of all processes or of those given. */
	readonly writers: (
		paths: readonly string[],
		among?: readonly number[],
	) => ReadonlyMap<string, readonly LiveEvidence[]>;
	readonly runs: (pid: number) => boolean;
	/** Unix ms. */
	readonly now: () => number;
}

/** The sources of this machine; without `processes` only the notes of pi-grove and its extension. */
export function liveSources(stateDir: string, processes: boolean, sessionRoots: SessionRoots): LiveSources {
	return {
		pis: processes ? runningPis : () => [],
		handOvers: () => readHandOvers(stateDir),
		notes: () => readPiNotes(stateDir),
		agentDir: sessionRoots.kind === "default" ? sessionRoots.agentDir : undefined,
		isRun: (path) => runAt(path, sessionRoots) !== undefined,
		writers: processes ? writersOf : () => new Map(),
		runs: isRunning,
		now: Date.now,
	};
}

interface Growth {
	readonly atMs: number;
	/** The pi that wrote it, if only one can have done so. */
	readonly by: PiProcess | undefined;
}

type EvidenceByPath = Map<string, LiveEvidence[]>;

/** Determines which sessions are in use and by what evidence: growth, notes of pi-grove, and what is visible of processes. */
export class LiveSessions {
	readonly #sources: LiveSources;
	readonly #grown = new Map<string, Growth>();
	/** When files were last seen as new or replaced, Unix ms. */
	readonly #replaced = new Map<string, number>();
	/** Processes that were found to have a session of a question open. */
	readonly #writers = new Map<string, readonly LiveEvidence[]>();
	#pis: readonly PiProcess[] = [];
	#handOvers: readonly HandOver[] = [];
	#notes: readonly PiNote[] = [];
	#refreshedMs = Number.NEGATIVE_INFINITY;
	/** Paths by pid, of the last report. */
	#sessions = new Map<number, ReadonlySet<string>>();
	/** Identifies the last report, regardless of when its evidence was seen. */
	#reported = keyOfReport(NOTHING_LIVE);

	constructor(sources: LiveSources) {
		this.#sources = sources;
	}

	/** A file was read because it has changed; `from`: its previous size if it was only appended to. */
	changed({ path, cwd, from, stamp }: GrownFile): void {
		if (from === undefined) this.replaced(path);
		else if (from < stamp.size && isMoreThanMarks(path, from, stamp.size)) this.grew(path, cwd, stamp.mtimeMs);
	}

	/** The file is new, or was changed other than by appending. */
	replaced(path: string): void {
		this.#replaced.set(path, this.#sources.now());
		this.#grown.delete(path);
	}

	/** Lines of a conversation were appended to a session of this directory; `atMs` is the time of its file, Unix ms. */
	grew(path: string, cwd: string, atMs: number): void {
		const now = this.#sources.now();
		if (now - atMs > GROWN_MS || now - (this.#replaced.get(path) ?? Number.NEGATIVE_INFINITY) <= COPIED_MS) return;
		this.#replaced.delete(path);
		this.#grown.set(path, {
			atMs: Math.min(atMs, now),
			by: this.#sources.isRun(path) ? undefined : this.#writer(path, cwd),
		});
	}

	/**
	 * What is in use now. `candidates`: the newest sessions; called only while a pi is running. With `paths`, the
	 * sessions of a question, everything is checked again, including which processes have their files open.
	 */
	report(candidates: () => readonly RecentFile[], paths?: readonly string[]): LiveReport {
		if (paths !== undefined) this.#refreshedMs = Number.NEGATIVE_INFINITY;
		const pis = this.#refresh();
		const sessions = pis.length > 0 ? candidates() : [];
		const evidenceByPath: EvidenceByPath = new Map();
		for (const { path, pid, startedMs } of this.#notes)
			if (path !== undefined) add(evidenceByPath, path, { kind: "noted", pid, startedMs });
		for (const { path, pid, startedMs } of this.#handOvers)
			if (!this.#reportsSession(pid)) add(evidenceByPath, path, { kind: "handed-over", pid, startedMs });
		this.#addGrowth(evidenceByPath, pis);
		const silent = pis.filter(({ pid }) => !this.#reportsSession(pid));
		const here = silent.filter((pi) => this.#isHere(pi));
		addNamed(evidenceByPath, here, sessions);
		// For these an id means a session of their own agent directory.
		const elsewhere = silent.filter((pi) => !here.includes(pi));
		addNamed(evidenceByPath, elsewhere, []);
		const ownSessions = sessions.filter(({ path }) => !this.#sources.isRun(path));
		addInferred(evidenceByPath, here, ownSessions);
		const listed = asListed(evidenceByPath, [...(paths ?? []), ...sessions.map(({ path }) => path)]);
		this.#addWriters(listed, paths);
		this.#sessions = byProcess(listed);
		const report = {
			sessions: listed,
			pis: pis
				.filter((pi) => this.#isHere(pi))
				.map((pi) => ({
					...idOf(pi),
					cwd: pi.cwd,
					sessions: this.#sessionsOf(pi),
					reportsSession: this.#reportsSession(pi.pid),
				})),
		};
		this.#reported = keyOfReport(report);
		return report;
	}

	/** Whether a process in the last report has ended. Cheap, so that a pi that is gone is noticed soon. */
	hasEnded(): boolean {
		const ended = [...this.#sessions.keys(), ...this.#pis.map(({ pid }) => pid)].some(
			(pid) => !this.#sources.runs(pid),
		);
		if (ended) this.#refreshedMs = Number.NEGATIVE_INFINITY;
		return ended;
	}

	/** The report, if it differs from the last one. */
	changes(candidates: () => readonly RecentFile[]): LiveReport | undefined {
		const lastKey = this.#reported;
		const report = this.report(candidates);
		return this.#reported === lastKey ? undefined : report;
	}

	#refresh(): readonly PiProcess[] {
		const now = this.#sources.now();
		if (now - this.#refreshedMs >= FRESH_MS) {
			this.#pis = this.#sources.pis();
			this.#handOvers = this.#sources.handOvers();
			this.#notes = this.#sources.notes();
			this.#refreshedMs = now;
		}
		return this.#pis;
	}

	/** The pi that has appended to a session: the one known to have it, else the only one that may have it. */
	#writer(path: string, cwd: string): PiProcess | undefined {
		const pis = this.#refresh();
		const owner = pis.find((pi) => this.#sessions.get(pi.pid)?.has(path));
		if (owner) return owner;
		const [only, ...more] = pis.filter(
			(pi) =>
				projectKey(pi.cwd) === projectKey(cwd) &&
				this.#sessionsOf(pi).length === 0 &&
				!this.#reportsSession(pi.pid) &&
				this.#isHere(pi),
		);
		return more.length === 0 ? only : undefined;
	}

	/** Whether the extension in this pi reports its session: then it has exactly that one. */
	#reportsSession(pid: number): boolean {
		return this.#notes.some((note) => note.pid === pid);
	}

	/** Whether a pi can list the sessions under these roots. */
	#isHere({ agentDir }: PiProcess): boolean {
		const here = this.#sources.agentDir;
		return here === undefined || agentDir === undefined || realPathOf(agentDir) === realPathOf(here);
	}

	#sessionsOf({ pid }: PiProcess): string[] {
		return [...(this.#sessions.get(pid) ?? [])].sort();
	}

	/** Finds which processes have the files of a question open, and keeps checking these until they have closed them. */
	#addWriters(evidenceByPath: EvidenceByPath, paths: readonly string[] | undefined): void {
		for (const [path, writers] of this.#writers) {
			const pids = writers.flatMap((one) => ("pid" in one ? [one.pid] : []));
			this.#writers.set(path, this.#sources.writers([path], pids).get(path) ?? []);
		}
		if (paths !== undefined)
			for (const [path, writers] of this.#sources.writers(paths)) this.#writers.set(path, writers);
		for (const [path, writers] of this.#writers) {
			if (writers.length === 0) this.#writers.delete(path);
			for (const evidence of writers) add(evidenceByPath, path, evidence);
		}
	}

	/** A pi that has written to a session has it until it ends; then no process has. Growth of unknown origin expires soon. */
	#addGrowth(evidenceByPath: EvidenceByPath, pis: readonly PiProcess[]): void {
		const now = this.#sources.now();
		for (const [path, { atMs, by }] of this.#grown) {
			// A pi that reports its session has left all others.
			const isBy = ({ pid, startedMs }: PiProcess) => pid === by?.pid && startedMs === by.startedMs;
			if (by ? !pis.some(isBy) || this.#reportsSession(by.pid) : now - atMs > GROWN_MS) this.#grown.delete(path);
			else if (by) add(evidenceByPath, path, { kind: "wrote", ...idOf(by), wroteMs: atMs });
			else add(evidenceByPath, path, { kind: "grew", grewMs: atMs });
		}
	}
}

/** Adds the sessions in the arguments of pi processes, and those for which they run commands. */
function addNamed(evidenceByPath: EvidenceByPath, pis: readonly PiProcess[], candidates: readonly RecentFile[]): void {
	for (const pi of pis) {
		const named = namedSession(pi, candidates);
		if (named !== undefined) add(evidenceByPath, named, { kind: "named", ...idOf(pi) });
		if (pi.commandSession !== undefined) add(evidenceByPath, pi.commandSession, { kind: "command", ...idOf(pi) });
	}
}

/** Adds sessions that pi processes continue, have begun, or were the only ones to write. */
function addInferred(
	evidenceByPath: EvidenceByPath,
	pis: readonly PiProcess[],
	candidates: readonly RecentFile[],
): void {
	for (const pi of pis.filter(({ continues, sessionArgument }) => continues && sessionArgument === undefined)) {
		const there = candidates.filter(({ cwd }) => projectKey(cwd) === projectKey(pi.cwd));
		const last = newest(there.map(({ path, mtimeMs }) => ({ path, wroteMs: mtimeMs })));
		if (last !== undefined) add(evidenceByPath, last.path, { kind: "continued", ...idOf(pi) });
	}
	for (const { pi, path } of beginnings(pis, candidates)) {
		if (!has(evidenceByPath, pi) && !evidenceByPath.has(path))
			add(evidenceByPath, path, { kind: "begun", ...idOf(pi) });
	}
	const otherPis = pis.filter((one) => !has(evidenceByPath, one));
	for (const pi of otherPis.filter(({ cwd }) => otherPis.filter((other) => other.cwd === cwd).length === 1)) {
		const free = candidates.filter(
			({ path, cwd }) => projectKey(cwd) === projectKey(pi.cwd) && !evidenceByPath.has(path),
		);
		const wrote = newest(free.map((session) => ({ path: session.path, wroteMs: writtenBy(pi, session) })));
		if (wrote) add(evidenceByPath, wrote.path, { kind: "wrote", ...idOf(pi), wroteMs: wrote.wroteMs });
	}
}

/** Sessions that were begun when and where a pi started; the nearest in time first. */
function beginnings(pis: readonly PiProcess[], candidates: readonly RecentFile[]) {
	const pairs = pis.flatMap((pi) =>
		candidates
			.filter(
				(session) =>
					projectKey(session.cwd) === projectKey(pi.cwd) && isStarting(pi, session.createdMs) && hasOwnName(session),
			)
			.map(({ path, createdMs }) => ({ pi, path, distance: Math.abs(createdMs - pi.startedMs) })),
	);
	return pairs.sort((a, b) => a.distance - b.distance);
}

/** pi names a file by the time when its session was begun; a copy has another name. */
function hasOwnName({ path, createdMs }: RecentFile): boolean {
	const created = new Date(createdMs);
	return !Number.isNaN(createdMs) && basename(path).startsWith(created.toISOString().replace(/[:.]/g, "-"));
}

/** When a session was written in the lifetime of a pi; 0 if it was not. Files get touched and copied, messages do not. */
function writtenBy(pi: PiProcess, { modifiedMs, mtimeMs }: RecentFile): number {
	if (modifiedMs >= pi.startedMs) return modifiedMs;
	// A pi that resumes a session notes its settings there.
	return isStarting(pi, mtimeMs) ? mtimeMs : 0;
}

/** The one written last; undefined if none was, or if a copy makes it ambiguous. */
function newest<Session extends { readonly wroteMs: number }>(sessions: readonly Session[]): Session | undefined {
	const [first, second] = sessions.filter(({ wroteMs }) => wroteMs > 0).sort((a, b) => b.wroteMs - a.wroteMs);
	return first?.wroteMs === second?.wroteMs ? undefined : first;
}

function isStarting({ startedMs }: PiProcess, timeMs: number): boolean {
	return timeMs >= startedMs + STARTING_MS.from && timeMs <= startedMs + STARTING_MS.to;
}

/** The session of the `--session` option: by its path, or by the start of an id, which ends the file's name. */
function namedSession({ cwd, sessionArgument }: PiProcess, candidates: readonly RecentFile[]): string | undefined {
	if (sessionArgument === undefined) return undefined;
	if (sessionArgument.endsWith(".jsonl")) return resolve(cwd, sessionArgument);
	return candidates.find(({ path }) => basename(path).includes(`_${sessionArgument}`))?.path;
}

function keyOfReport({ sessions, pis }: LiveReport): string {
	return JSON.stringify([[...sessions].map(([path, all]) => [path, ...all.map(useKey)]).sort(), pis]);
}

/** The same evidence by the paths in the list: programs may name a session by another path, through symbolic links. */
function asListed(evidenceByPath: EvidenceByPath, paths: readonly string[]): EvidenceByPath {
	const listedPaths = new Set(paths);
	const otherPaths = [...evidenceByPath.keys()].filter((path) => !listedPaths.has(path));
	if (otherPaths.length === 0) return evidenceByPath;
	const byRealPath = new Map(paths.map((path) => [realPathOf(path), path]));
	const listed: EvidenceByPath = new Map();
	for (const [path, all] of evidenceByPath) {
		const listedPath = listedPaths.has(path) ? path : (byRealPath.get(realPathOf(path)) ?? path);
		for (const one of all) add(listed, listedPath, one);
	}
	return listed;
}

/** The path without symbolic links; the path itself if it does not exist. */
function realPathOf(path: string): string {
	return attempt(() => realpathSync.native(path)) ?? path;
}

/** Adds evidence unless there is some of the same process: the first is the best. */
function add(evidenceByPath: EvidenceByPath, path: string, evidence: LiveEvidence): void {
	const all = evidenceByPath.get(path);
	if (!all) evidenceByPath.set(path, [evidence]);
	else if (!("pid" in evidence) || !all.some((one) => "pid" in one && one.pid === evidence.pid)) all.push(evidence);
}

function has(evidenceByPath: EvidenceByPath, { pid }: PiProcess): boolean {
	return [...evidenceByPath.values()].some((all) => all.some((one) => "pid" in one && one.pid === pid));
}

function byProcess(evidenceByPath: EvidenceByPath): Map<number, Set<string>> {
	const sessions = new Map<number, Set<string>>();
	for (const [path, all] of evidenceByPath) {
		for (const one of all) {
			if ("pid" in one) sessions.set(one.pid, (sessions.get(one.pid) ?? new Set()).add(path));
		}
	}
	return sessions;
}

function idOf({ pid, startedMs }: PiProcess): ProcessId {
	return { pid, startedMs };
}

/**
 * Checks, in this thread and without listing sessions, which programs have these ones: the notes, and what is visible of
 * processes and open files. Leaves out what can only be inferred from other sessions of the directory.
 */
export function checkUseOnce(stateDir: string, sessionRoots: SessionRoots, paths: readonly string[]): LiveReport {
	return new LiveSessions(liveSources(stateDir, true, sessionRoots)).report(() => [], paths);
}
