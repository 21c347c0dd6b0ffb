import { resolve } from "node:path";
import { type RunningPi, runningPi } from "./running-pi.ts";

/** How long a session is live after it has grown, in milliseconds. Answers can take minutes, but then pi is running. */
const GROWN_MS = 30_000;

/** The watcher sees a change of this program within this time, in milliseconds. */
const OWN_CHANGE_MS = 500;

/** A session that may belong to a running pi. */
export interface LiveCandidate {
	readonly path: string;
	readonly cwd: string;
	readonly mtimeMs: number;
}

/** Knows which sessions are being written: those that grew while being watched, and those of running pi processes. */
export class LiveSessions {
	readonly #grown = new Map<string, number>();
	#reported = "";

	/** The session has grown just now. */
	grew(path: string, now = Date.now()): void {
		this.#grown.set(path, now);
	}

	/** This program has changed the session, so no pi need be running; the watcher may have seen the change first. */
	changedHere(path: string, now = Date.now()): void {
		if (now - (this.#grown.get(path) ?? 0) <= OWN_CHANGE_MS) this.#grown.delete(path);
	}

	/** All live sessions. `candidates`: the newest sessions, newest first, asked for only while a pi is running. */
	current(
		candidates: () => readonly LiveCandidate[],
		running: readonly RunningPi[] = runningPi(),
		now = Date.now(),
	): string[] {
		const live = new Set<string>();
		for (const [path, when] of this.#grown) {
			if (now - when <= GROWN_MS) live.add(path);
			else this.#grown.delete(path);
		}
		const sessions = running.length > 0 ? candidates() : [];
		for (const pi of running) {
			const path = sessionOf(pi, sessions, live);
			if (path !== undefined) live.add(path);
		}
		return [...live].sort();
	}

	/** The live sessions, when they differ from those reported before. */
	changes(candidates: () => readonly LiveCandidate[]): string[] | undefined {
		const live = this.current(candidates);
		const key = live.join("\n");
		if (key === this.#reported) return undefined;
		this.#reported = key;
		return live;
	}
}

/** The session that a pi writes: the one it was given, else the newest in its directory written since it started. */
function sessionOf(pi: RunningPi, sessions: readonly LiveCandidate[], taken: ReadonlySet<string>): string | undefined {
	if (pi.session?.endsWith(".jsonl")) {
		const path = resolve(pi.cwd, pi.session);
		return sessions.find((session) => session.path === path)?.path;
	}
	const own = sessions.filter((session) => session.cwd === pi.cwd && session.mtimeMs >= pi.started);
	// A session of this directory that was seen growing is most likely this pi's.
	return own.some((session) => taken.has(session.path)) ? undefined : own[0]?.path;
}
