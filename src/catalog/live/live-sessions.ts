import { realpathSync } from "node:fs";
import { basename, resolve } from "node:path";
import { isRunning } from "../../shared/is-running.ts";
import type { RecentFile } from "../index/session-table.ts";
import { keyOf, type LiveEvidence, type LiveReport, NOTHING_LIVE, type RunningPi } from "../model/live.ts";
import type { SessionRoots } from "../model/session-roots.ts";
import { type HandOver, readHandOvers } from "./hand-overs.ts";
import { writersOf } from "./open-files.ts";
import { type PiNote, readPiNotes } from "./pi-notes.ts";
import { type PiProcess, runningPis } from "./processes.ts";

/** How long growth of which the writer cannot be seen shows a session to be in use, in milliseconds. */
const GROWN_MS = 30_000;
/** A file that is new or was replaced may still be being copied: for this long its growth shows nothing, in milliseconds. */
const COPIED_MS = 3_000;
/** The processes are looked at at most once in this time, unless a question needs them now; in milliseconds. */
const FRESH_MS = 1_000;
/**
 * A pi begins its session, or notes its settings in it, between these times after its start, in milliseconds. The start is
 * known from the start of the system, which is in whole seconds.
 */
const STARTING_MS = { from: -1_000, to: 15_000 };

/** What is looked at; tests give their own. */
export interface LiveSources {
	readonly pis: () => readonly PiProcess[];
	readonly handOvers: () => readonly HandOver[];
	/** What the extension in running pis says of them. */
	readonly notes: () => readonly PiNote[];
	/** pi's own directory, where the sessions are in it: a pi that has another one does not list them. */
	readonly agentDir: string | undefined;
	/** By path, who has these files open for writing, of all processes or of those given. */
	readonly writers: (
		paths: readonly string[],
		among?: readonly number[],
	) => ReadonlyMap<string, readonly LiveEvidence[]>;
	/** Whether the process runs that was started with this pid. */
	readonly runs: (pid: number) => boolean;
	/** Unix ms. */
	readonly now: () => number;
}

/** The sources of this machine; without `processes` only what was noted by pi-grove and its extension. */
export function liveSources(stateDir: string, processes: boolean, sessionRoots: SessionRoots): LiveSources {
	return {
		pis: processes ? runningPis : () => [],
		handOvers: () => readHandOvers(stateDir),
		notes: () => readPiNotes(stateDir),
		agentDir: sessionRoots.kind === "default" ? sessionRoots.agentDir : undefined,
		writers: processes ? writersOf : () => new Map(),
		runs: isRunning,
		now: Date.now,
	};
}

interface Growth {
	readonly atMs: number;
	/** The pi that has written it, where that can only have been one. */
	readonly by: PiProcess | undefined;
}

type Found = Map<string, LiveEvidence[]>;

/** Knows what shows which sessions to be in use: their growth, notes of pi-grove, and what can be seen of processes. */
export class LiveSessions {
	readonly #sources: LiveSources;
	readonly #grown = new Map<string, Growth>();
	/** When files were last seen as new or replaced, Unix ms. */
	readonly #replaced = new Map<string, number>();
	/** Who was found to have the session of a question open. */
	readonly #writers = new Map<string, readonly LiveEvidence[]>();
	#pis: readonly PiProcess[] = [];
	#handOvers: readonly HandOver[] = [];
	#notes: readonly PiNote[] = [];
	#lookedMs = Number.NEGATIVE_INFINITY;
	/** Paths by pid, of the last report. */
	#sessions = new Map<number, ReadonlySet<string>>();
	/** What the last report told, whenever it was seen. */
	#reported = keyOfReport(NOTHING_LIVE);

	constructor(sources: LiveSources) {
		this.#sources = sources;
	}

	/** The file is new, or something else than what was appended has changed in it. */
	replaced(path: string): void {
		this.#replaced.set(path, this.#sources.now());
		this.#grown.delete(path);
	}

	/** Lines of a conversation were appended to a session of this directory; `atMs` is the time of its file, Unix ms. */
	grew(path: string, cwd: string, atMs: number): void {
		const now = this.#sources.now();
		if (now - atMs > GROWN_MS || now - (this.#replaced.get(path) ?? Number.NEGATIVE_INFINITY) <= COPIED_MS) return;
		this.#replaced.delete(path);
		this.#grown.set(path, { atMs: Math.min(atMs, now), by: this.#writer(path, cwd) });
	}

	/**
	 * What is in use now. `candidates`: the newest sessions, asked for only while a pi is running. With `asked`, the
	 * sessions that a question is about, everything is looked at anew, and who has their files open as well.
	 */
	report(candidates: () => readonly RecentFile[], asked?: readonly string[]): LiveReport {
		if (asked !== undefined) this.#lookedMs = Number.NEGATIVE_INFINITY;
		const pis = this.#look();
		const known = pis.length > 0 ? candidates() : [];
		const found: Found = new Map();
		for (const { path, pid, startedMs } of this.#notes)
			if (path !== undefined) add(found, path, { kind: "noted", pid, startedMs });
		for (const { path, pid, startedMs } of this.#handOvers)
			if (!this.#tells(pid)) add(found, path, { kind: "handed-over", pid, startedMs });
		this.#addGrowth(found, pis);
		const silent = pis.filter(({ pid }) => !this.#tells(pid));
		const here = silent.filter((pi) => this.#isHere(pi));
		addNamed(found, here, known);
		// There an id means a session of the pi's own agent directory.
		const elsewhere = silent.filter((pi) => !here.includes(pi));
		addNamed(found, elsewhere, []);
		addInferred(found, here, known);
		const listed = asListed(found, [...(asked ?? []), ...known.map(({ path }) => path)]);
		this.#addWriters(listed, asked);
		this.#sessions = byProcess(listed);
		const report = {
			sessions: listed,
			pis: pis
				.filter((pi) => this.#isHere(pi))
				.map((pi) => ({
					...idOf(pi),
					cwd: pi.cwd,
					sessions: this.#sessionsOf(pi),
					tells: this.#tells(pi.pid),
				})),
		};
		this.#reported = keyOfReport(report);
		return report;
	}

	/** Whether a process that the last report names has ended. Costs little, so that nobody waits for a pi that is gone. */
	hasEnded(): boolean {
		const ended = [...this.#sessions.keys(), ...this.#pis.map(({ pid }) => pid)].some(
			(pid) => !this.#sources.runs(pid),
		);
		if (ended) this.#lookedMs = Number.NEGATIVE_INFINITY;
		return ended;
	}

	/** The report, when it tells something else than the last one. */
	changes(candidates: () => readonly RecentFile[]): LiveReport | undefined {
		const before = this.#reported;
		const report = this.report(candidates);
		return this.#reported === before ? undefined : report;
	}

	#look(): readonly PiProcess[] {
		const now = this.#sources.now();
		if (now - this.#lookedMs >= FRESH_MS) {
			this.#pis = this.#sources.pis();
			this.#handOvers = this.#sources.handOvers();
			this.#notes = this.#sources.notes();
			this.#lookedMs = now;
		}
		return this.#pis;
	}

	/** The pi that has appended to a session: the one that is known to have it, else the only one that may have. */
	#writer(path: string, cwd: string): PiProcess | undefined {
		const pis = this.#look();
		const owner = pis.find((pi) => this.#sessions.get(pi.pid)?.has(path));
		if (owner) return owner;
		const [only, ...others] = pis.filter(
			(pi) => pi.cwd === cwd && this.#sessionsOf(pi).length === 0 && !this.#tells(pi.pid) && this.#isHere(pi),
		);
		return others.length === 0 ? only : undefined;
	}

	/** Whether the extension in this pi says which session it has open: then it has exactly that one. */
	#tells(pid: number): boolean {
		return this.#notes.some((note) => note.pid === pid);
	}

	/** Whether a pi can list the sessions that this is about. */
	#isHere({ agentDir }: PiProcess): boolean {
		const here = this.#sources.agentDir;
		return here === undefined || agentDir === undefined || isSamePlace(agentDir, here);
	}

	#sessionsOf({ pid }: PiProcess): string[] {
		return [...(this.#sessions.get(pid) ?? [])].sort();
	}

	/** Looks for who has files open when they are asked about, and then at these until they have closed them. */
	#addWriters(found: Found, asked: readonly string[] | undefined): void {
		for (const [path, writers] of this.#writers) {
			const pids = writers.flatMap((one) => ("pid" in one ? [one.pid] : []));
			this.#writers.set(path, this.#sources.writers([path], pids).get(path) ?? []);
		}
		if (asked !== undefined)
			for (const [path, writers] of this.#sources.writers(asked)) this.#writers.set(path, writers);
		for (const [path, writers] of this.#writers) {
			if (writers.length === 0) this.#writers.delete(path);
			for (const evidence of writers) add(found, path, evidence);
		}
	}

	/** A pi that has written to a session has it until it ends; then nobody has. Growth of unknown origin is soon past. */
	#addGrowth(found: Found, pis: readonly PiProcess[]): void {
		const now = this.#sources.now();
		for (const [path, { atMs, by }] of this.#grown) {
			// One that says which session it has open has left all others.
			if (by ? !pis.some((pi) => isSame(pi, by)) || this.#tells(by.pid) : now - atMs > GROWN_MS)
				this.#grown.delete(path);
			else if (by) add(found, path, { kind: "wrote", ...idOf(by), wroteMs: atMs });
			else add(found, path, { kind: "grew", grewMs: atMs });
		}
	}
}

/** Adds what pi processes were given, and for which sessions they run commands. */
function addNamed(found: Found, pis: readonly PiProcess[], candidates: readonly RecentFile[]): void {
	for (const pi of pis) {
		const named = namedSession(pi, candidates);
		if (named !== undefined) add(found, named, { kind: "named", ...idOf(pi) });
		if (pi.commandSession !== undefined) add(found, pi.commandSession, { kind: "command", ...idOf(pi) });
	}
}

/** Adds what pi processes go on with, have begun, and were the only ones to write. */
function addInferred(found: Found, pis: readonly PiProcess[], candidates: readonly RecentFile[]): void {
	for (const pi of pis.filter(({ continues, sessionArgument }) => continues && sessionArgument === undefined)) {
		const last = lastOf(candidates, pi);
		if (last !== undefined) add(found, last, { kind: "continued", ...idOf(pi) });
	}
	for (const { pi, path } of beginnings(pis, candidates)) {
		if (!has(found, pi) && !found.has(path)) add(found, path, { kind: "begun", ...idOf(pi) });
	}
	const others = pis.filter((one) => !has(found, one));
	for (const pi of others.filter(({ cwd }) => others.filter((other) => other.cwd === cwd).length === 1)) {
		const free = candidates.filter(({ path, cwd }) => cwd === pi.cwd && !found.has(path));
		const wrote = newest(free.map((session) => ({ path: session.path, wroteMs: writtenBy(pi, session) })));
		if (wrote) add(found, wrote.path, { kind: "wrote", ...idOf(pi), wroteMs: wrote.wroteMs });
	}
}

/** Sessions that were begun when a pi started, where it did; the nearest in time first. */
function beginnings(pis: readonly PiProcess[], candidates: readonly RecentFile[]) {
	const pairs = pis.flatMap((pi) =>
		candidates
			.filter((session) => session.cwd === pi.cwd && isStarting(pi, session.createdMs) && hasOwnName(session))
			.map(({ path, createdMs }) => ({ pi, path, distance: Math.abs(createdMs - pi.startedMs) })),
	);
	return pairs.sort((a, b) => a.distance - b.distance);
}

/** pi names a file by when its session was begun; a copy has another name. */
function hasOwnName({ path, createdMs }: RecentFile): boolean {
	const created = new Date(createdMs);
	return !Number.isNaN(createdMs) && basename(path).startsWith(created.toISOString().replace(/[:.]/g, "-"));
}

/** When a session was written in the lifetime of a pi; 0 when it was not. Files are touched and copied, messages are not. */
function writtenBy(pi: PiProcess, { modifiedMs, mtimeMs }: RecentFile): number {
	if (modifiedMs >= pi.startedMs) return modifiedMs;
	// A pi that resumes a session notes its settings there.
	return isStarting(pi, mtimeMs) ? mtimeMs : 0;
}

/** The one written last; undefined when none was, or a copy of it makes two of them. */
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

/** The session of its directory that was written last; undefined where a copy makes two of them. */
function lastOf(candidates: readonly RecentFile[], { cwd }: PiProcess): string | undefined {
	const there = candidates.filter((session) => session.cwd === cwd);
	return newest(there.map(({ path, mtimeMs }) => ({ path, wroteMs: mtimeMs })))?.path;
}

function keyOfReport({ sessions, pis }: LiveReport): string {
	return JSON.stringify([[...sessions].map(([path, all]) => [path, ...all.map(keyOf)]).sort(), pis]);
}

/** The same evidence by the paths that the list has: programs name a session by other ways to it, through symbolic links. */
function asListed(found: Found, paths: readonly string[]): Found {
	const known = new Set(paths);
	const others = [...found.keys()].filter((path) => !known.has(path));
	if (others.length === 0) return found;
	const byPlace = new Map(paths.map((path) => [placeOf(path), path]));
	const listed: Found = new Map();
	for (const [path, all] of found) {
		const own = known.has(path) ? path : (byPlace.get(placeOf(path)) ?? path);
		for (const one of all) add(listed, own, one);
	}
	return listed;
}

function isSamePlace(a: string, b: string): boolean {
	return a === b || placeOf(a) === placeOf(b);
}

/** The path without symbolic links; the path itself where nothing is there. */
function placeOf(path: string): string {
	try {
		return realpathSync.native(path);
	} catch {
		return path;
	}
}

/** The first evidence of a process is the best. */
function add(found: Found, path: string, evidence: LiveEvidence): void {
	const all = found.get(path);
	if (!all) found.set(path, [evidence]);
	else if (!("pid" in evidence) || !all.some((one) => "pid" in one && one.pid === evidence.pid)) all.push(evidence);
}

function has(found: Found, { pid }: PiProcess): boolean {
	return [...found.values()].some((all) => all.some((one) => "pid" in one && one.pid === pid));
}

function byProcess(found: Found): Map<number, Set<string>> {
	const sessions = new Map<number, Set<string>>();
	for (const [path, all] of found) {
		for (const one of all) {
			if ("pid" in one) sessions.set(one.pid, (sessions.get(one.pid) ?? new Set()).add(path));
		}
	}
	return sessions;
}

function isSame(a: PiProcess, b: PiProcess): boolean {
	return a.pid === b.pid && a.startedMs === b.startedMs;
}

function idOf({ pid, startedMs }: PiProcess): Pick<RunningPi, "pid" | "startedMs"> {
	return { pid, startedMs };
}
