import { basename, resolve } from "node:path";
import { isRunning } from "../../shared/is-running.ts";
import type { RecentFile } from "../index/session-table.ts";
import { keyOf, type LiveEvidence, type LiveReport, NOTHING_LIVE, type RunningPi } from "../model/live.ts";
import { type HandOver, readHandOvers } from "./hand-overs.ts";
import { writersOf } from "./open-files.ts";
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

/** The sources of this machine; without `processes` only what pi-grove itself has noted. */
export function liveSources(stateDir: string, processes: boolean): LiveSources {
	return {
		pis: processes ? runningPis : () => [],
		handOvers: () => readHandOvers(stateDir),
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
		const found: Found = new Map();
		for (const { path, pid, startedMs } of this.#handOvers) add(found, path, { kind: "handed-over", pid, startedMs });
		this.#addGrowth(found, pis);
		addOwn(found, pis, pis.length > 0 ? candidates() : []);
		this.#addWriters(found, asked);
		this.#sessions = byProcess(found);
		const report = {
			sessions: found,
			pis: pis.map((pi) => ({ ...idOf(pi), cwd: pi.cwd, sessions: this.#sessionsOf(pi) })),
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
			this.#lookedMs = now;
		}
		return this.#pis;
	}

	/** The pi that has appended to a session: the one that is known to have it, else the only one that may have. */
	#writer(path: string, cwd: string): PiProcess | undefined {
		const pis = this.#look();
		const owner = pis.find((pi) => this.#sessions.get(pi.pid)?.has(path));
		if (owner) return owner;
		const [only, ...others] = pis.filter((pi) => pi.cwd === cwd && this.#sessionsOf(pi).length === 0);
		return others.length === 0 ? only : undefined;
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
			if (by ? !pis.some((pi) => isSame(pi, by)) : now - atMs > GROWN_MS) this.#grown.delete(path);
			else if (by) add(found, path, { kind: "wrote", ...idOf(by), wroteMs: atMs });
			else add(found, path, { kind: "grew", grewMs: atMs });
		}
	}
}

/** Adds what can be seen of pi processes: what they were given, run, began, and were the only ones to write. */
function addOwn(found: Found, pis: readonly PiProcess[], candidates: readonly RecentFile[]): void {
	for (const pi of pis) {
		const named = namedSession(pi, candidates);
		if (named !== undefined) add(found, named, { kind: "named", ...idOf(pi) });
		else if (pi.continues) {
			const last = lastOf(candidates, pi);
			if (last !== undefined) add(found, last, { kind: "continued", ...idOf(pi) });
		}
		if (pi.commandSession !== undefined) add(found, pi.commandSession, { kind: "command", ...idOf(pi) });
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
