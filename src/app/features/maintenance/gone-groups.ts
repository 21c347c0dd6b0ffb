import { isAbsolute } from "node:path";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { largest } from "../../../shared/columns.ts";
import { memoLast } from "../../../shared/memo.ts";
import { familiesOf } from "../../world/list/families.ts";
import type { State } from "../../world/state/state.ts";
import {
	type DestinationProposal,
	type DestinationReason,
	type DirectoryFate,
	type FoundDestination,
	MOVED,
	type MovedState,
	TIDY,
} from "./maintenance-state.ts";

/** The sessions of one directory, without archived ones. */
export interface SessionGroup {
	/** The directory as the headers of the sessions name it. */
	readonly key: string;
	readonly rows: readonly SessionRow[];
	/** Latest activity, Unix ms. */
	readonly latest: number;
	/** Number of its archived sessions, which stay in the archive. */
	readonly archived: number;
}

/**
 * All directories of sessions that have an absolute path, with their sessions; the latest activity first. Runs of subagents go
 * where their sessions go: many have worked in a copy of the project that was made for them and is gone.
 */
export const sessionGroups = memoLast((rows: ReadonlyMap<string, SessionRow>): readonly SessionGroup[] => {
	const groups = new Map<string, SessionRow[]>();
	const archived = new Map<string, number>();
	const { parents } = familiesOf(rows);
	for (const row of rows.values()) {
		if (parents.has(row)) continue;
		if (row.archived === true) {
			archived.set(row.cwd, (archived.get(row.cwd) ?? 0) + 1);
			continue;
		}
		const known = groups.get(row.cwd);
		if (known !== undefined) known.push(row);
		else if (isAbsolute(row.cwd)) groups.set(row.cwd, [row]);
	}
	return [...groups]
		.map(([key, each]): SessionGroup => {
			const latest = largest(each.map(({ modified }) => modified.getTime()));
			return { key, rows: each, latest, archived: archived.get(key) ?? 0 };
		})
		.sort((a, b) => b.latest - a.latest || (a.key < b.key ? -1 : 1));
});

/** Missing directories, the latest first, then those that cannot be checked; as of the last time that all had been checked. */
export function goneGroups(state: State): readonly SessionGroup[] {
	return groupsOf(state.catalog.here, TIDY.of(state).fates);
}

const groupsOf = memoLast(
	(rows: ReadonlyMap<string, SessionRow>, fates: ReadonlyMap<string, DirectoryFate>): readonly SessionGroup[] => {
		const groups = sessionGroups(rows);
		const ofFate = (kind: DirectoryFate["kind"]): SessionGroup[] =>
			groups.filter(({ key }) => fates.get(key)?.kind === kind);
		return [...ofFate("gone"), ...ofFate("unknown")];
	},
);

/** Missing directories whose candidates have not been searched yet. */
export function unsearchedGroups(state: State): readonly SessionGroup[] {
	const { fates, found } = MOVED.of(state);
	return unsearchedIn(state.catalog.here, fates, found);
}

const unsearchedIn = memoLast(
	(rows: ReadonlyMap<string, SessionRow>, fates: MovedState["fates"], found: MovedState["found"]) =>
		groupsOf(rows, fates).filter(({ key }) => fates.get(key)?.kind === "gone" && !found.has(key)),
);

/** The directories proposed for the sessions of a missing one, the likeliest first. */
export function proposalsFor(state: State, directory: string): readonly DestinationProposal[] {
	return proposalsIn(MOVED.of(state).found).get(directory) ?? [];
}

const proposalsIn = memoLast(
	(found: MovedState["found"]): ReadonlyMap<string, readonly DestinationProposal[]> =>
		new Map([...found].map(([directory, places]) => [directory, proposalsOf(places)])),
);

/** The directory in which the sessions of a missing one belong: the chosen one, otherwise the likeliest. */
export function destinationOf(state: State, directory: string): string | undefined {
	return MOVED.of(state).chosen.get(directory) ?? proposalsFor(state, directory)[0]?.directory;
}

/** Directories that have not been checked yet. */
export function uncheckedDirectories(state: State): readonly string[] {
	return uncheckedIn(state.catalog.here, MOVED.of(state).fates);
}

const uncheckedIn = memoLast((rows: ReadonlyMap<string, SessionRow>, fates: MovedState["fates"]): readonly string[] =>
	sessionGroups(rows).flatMap(({ key }) => (fates.has(key) ? [] : [key])),
);

/** At most this many directories are proposed for one. */
const MAX_PROPOSALS = 9;

/**
 * The directories proposed for a missing one, the likeliest first. One reason makes a directory likely (or just possible, if only
 * its last folder has the same name); another one makes it more certain.
 */
export function proposalsOf(found: readonly FoundDestination[]): readonly DestinationProposal[] {
	const places = Map.groupBy(found, ({ directory }) => directory);
	const copies = new Set(found.flatMap(({ directory, reason }) => (reason.kind === "remote" ? [directory] : []))).size;
	return [...places]
		.map(([directory, each]) => proposalOf(directory, each, copies))
		.sort(
			(a, b) =>
				b.certainty - a.certainty ||
				b.reasons.length - a.reasons.length ||
				sharedIn(b) - sharedIn(a) ||
				a.directory.length - b.directory.length ||
				(a.directory < b.directory ? -1 : 1),
		)
		.slice(0, MAX_PROPOSALS);
}

function proposalOf(directory: string, found: readonly FoundDestination[], copies: number): DestinationProposal {
	// The first reason of each kind is the strongest.
	const reasons = [...Map.groupBy(found, ({ reason }) => reason.kind).values()]
		.flatMap(([first]) => first?.reason ?? [])
		.sort((a, b) => weightOf(b, copies) - weightOf(a, copies));
	const strongest = Math.max(...reasons.map((reason) => weightOf(reason, copies)));
	const certainty = Math.min(3, strongest + (reasons.length > 1 ? 1 : 0));
	return { directory, reasons, certainty: certainty >= 3 ? 3 : certainty === 2 ? 2 : 1 };
}

function weightOf(reason: DestinationReason, copies: number): number {
	switch (reason.kind) {
		case "remote":
			return copies === 1 ? 3 : 2;
		case "worktree":
		case "files":
			return 2;
		case "name":
			return reason.shared > 1 ? 2 : 1;
	}
}

function sharedIn({ reasons }: DestinationProposal): number {
	const reason = reasons.find(({ kind }) => kind === "name");
	return reason?.kind === "name" ? reason.shared : 0;
}

const REASONS = { name: "same name", remote: "same remote", worktree: "its repository", files: "same files" } as const;

/** A reason in a few words. */
export function reasonWords(reason: DestinationReason): string {
	return reason.kind === "remote" ? `${REASONS.remote} ${reason.remote}` : REASONS[reason.kind];
}
