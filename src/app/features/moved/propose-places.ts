import { dirname, join, relative } from "node:path";
import { memoLast } from "../../../shared/memo.ts";
import type { DirectoryFate, FoundPlace, PlaceProposal, PlaceReason } from "./moved-state.ts";

/** So many places are proposed for one directory. */
const MOST = 9;
/** So many of them are compared with the places of other directories. */
const MOST_COMPARED = 4;

/**
 * The places that are proposed for a directory that is gone, the likeliest first. One reason makes a place likely, or, where
 * it is only one last folder, possible; another one makes it more certain.
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
		.slice(0, MOST);
}

function proposalOf(directory: string, found: readonly FoundPlace[], copies: number): PlaceProposal {
	// Of each kind the first is the strongest.
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
			return 2;
		case "forks":
			return 2;
		case "neighbors":
			return reason.count > 1 ? 2 : 1;
		case "name":
			return reason.shared > 1 ? 2 : 1;
	}
}

function sharedIn({ reasons }: PlaceProposal): number {
	const reason = reasons.find(({ kind }) => kind === "name");
	return reason?.kind === "name" ? reason.shared : 0;
}

/**
 * Where a directory that is gone would be if it had been moved with others beside it; what of these is there has to be looked
 * at. A directory that is called as before was moved with all above it up to where the two ways part.
 */
export const neighborPlaces = memoLast(
	(found: ReadonlyMap<string, readonly FoundPlace[]>): ReadonlyMap<string, readonly FoundPlace[]> => {
		/** By the directory above, where it may be now, and of which directories that is known. */
		const moves = new Map<string, Map<string, Set<string>>>();
		for (const [gone, places] of found) {
			const proposals = proposalsOf(places);
			// Of several that are equally likely, the others will show which one it is.
			const likeliest = proposals.filter(({ certainty }) => certainty === proposals[0]?.certainty);
			for (const { directory } of likeliest.slice(0, MOST_COMPARED)) {
				const move = moveAbove(gone, directory);
				if (move === undefined) continue;
				const targets = moves.get(move.from) ?? new Map<string, Set<string>>();
				targets.set(move.to, (targets.get(move.to) ?? new Set()).add(gone));
				moves.set(move.from, targets);
			}
		}
		return new Map([...found.keys()].map((gone) => [gone, besideOthers(gone, moves)]));
	},
);

function besideOthers(
	gone: string,
	moves: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>,
): FoundPlace[] {
	const places: FoundPlace[] = [];
	for (let from = dirname(gone); dirname(from) !== from; from = dirname(from)) {
		for (const [to, moved] of moves.get(from) ?? []) {
			const count = moved.has(gone) ? moved.size - 1 : moved.size;
			if (count > 0) places.push({ directory: join(to, relative(from, gone)), reason: { kind: "neighbors", count } });
		}
	}
	return places;
}

/** The directory in which something is no longer, and in which it is now: "~/old", "~/new" of "~/old/a/b", "~/new/a/b". */
function moveAbove(gone: string, place: string): { readonly from: string; readonly to: string } | undefined {
	let [from, to] = [gone, place];
	while (dirname(from) !== from && dirname(to) !== to && lastOf(from) === lastOf(to))
		[from, to] = [dirname(from), dirname(to)];
	return from === gone ? undefined : { from, to };
}

function lastOf(path: string): string {
	return path.slice(dirname(path).length);
}

/** All that was found for each directory that is gone, with the neighbors of which it is known that they are there. */
export const withNeighbors = memoLast(
	(
		found: ReadonlyMap<string, readonly FoundPlace[]>,
		fates: ReadonlyMap<string, DirectoryFate>,
	): ReadonlyMap<string, readonly FoundPlace[]> => {
		const neighbors = neighborPlaces(found);
		return new Map(
			[...found].map(([gone, places]) => [
				gone,
				[...places, ...(neighbors.get(gone) ?? []).filter(({ directory }) => fates.get(directory)?.kind === "there")],
			]),
		);
	},
);
