import type { SessionEntry } from "../../store/format/schema.ts";
import type { Branch, Branches } from "./branch.ts";

/** Two paths from the last entry that they have in common. */
export interface Parting {
	/** The last entry of both; undefined where they begin at different roots. */
	readonly ancestor: SessionEntry | undefined;
	/** What comes after it on each. */
	readonly left: readonly SessionEntry[];
	readonly right: readonly SessionEntry[];
}

/** A part of a branch: its entries up to this index belong to the path. */
interface Part {
	readonly branch: number;
	readonly to: number;
}

/** Where the paths to the ends of two branches part. */
export function partingOf({ list }: Branches, left: number, right: number): Parting {
	const ours = partsTo(list, left);
	const theirs = partsTo(list, right);
	const shared = ours.findLastIndex(({ branch }, index) => theirs[index]?.branch === branch);
	const last = ours[shared];
	const to = Math.min(last?.to ?? -1, theirs[shared]?.to ?? -1);
	const rest = (parts: readonly Part[]): SessionEntry[] =>
		parts.slice(Math.max(0, shared)).flatMap((part, index) => {
			const from = shared >= 0 && index === 0 ? to + 1 : 0;
			return list[part.branch]?.path.slice(from, part.to + 1) ?? [];
		});
	const ancestor = last === undefined ? undefined : list[last.branch]?.path[to];
	return { ancestor, left: rest(ours), right: rest(theirs) };
}

/** The parts that make up the path to the end of a branch, from the root on. */
function partsTo(list: readonly Branch[], index: number): Part[] {
	const parts: Part[] = [];
	let to = Number.POSITIVE_INFINITY;
	for (let at: number | undefined = index; at !== undefined; ) {
		const branch: Branch | undefined = list[at];
		if (branch === undefined) break;
		parts.push({ branch: at, to: Math.min(to, branch.path.length - 1) });
		to = branch.forkAt;
		at = branch.parent;
	}
	return parts.reverse();
}
