import type { FoundPlace, PlaceProposal, PlaceReason } from "./moved-state.ts";

/** At most this many directories are proposed for one. */
const MAX_PROPOSALS = 9;

/**
 * The directories proposed for a missing one, the likeliest first. One reason makes a directory likely (or just possible, if only
 * its last folder has the same name); another one makes it more certain.
 */
export function proposalsOf(found: readonly FoundPlace[]): readonly PlaceProposal[] {
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

function proposalOf(directory: string, found: readonly FoundPlace[], copies: number): PlaceProposal {
	// The first reason of each kind is the strongest.
	const reasons = [...Map.groupBy(found, ({ reason }) => reason.kind).values()]
		.flatMap(([first]) => first?.reason ?? [])
		.sort((a, b) => weightOf(b, copies) - weightOf(a, copies));
	const strongest = Math.max(...reasons.map((reason) => weightOf(reason, copies)));
	const certainty = Math.min(3, strongest + (reasons.length > 1 ? 1 : 0));
	return { directory, reasons, certainty: certainty >= 3 ? 3 : certainty === 2 ? 2 : 1 };
}

function weightOf(reason: PlaceReason, copies: number): number {
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

function sharedIn({ reasons }: PlaceProposal): number {
	const reason = reasons.find(({ kind }) => kind === "name");
	return reason?.kind === "name" ? reason.shared : 0;
}

/** A reason in a few words. */
export function reasonWords(reason: PlaceReason): string {
	switch (reason.kind) {
		case "name":
			return "same name";
		case "remote":
			return `same remote ${reason.remote}`;
		case "worktree":
			return "its repository";
		case "files":
			return "same files";
	}
}
