import type { DiffLine } from "./diff-lines.ts";

/** Successive lines of a file, or a single gap or note. */
export type Hunk = readonly DiffLine[];

/** Unchanged lines, or the lines removed and added in one place. */
export interface ChangeBlock {
	readonly same: readonly DiffLine[];
	readonly removed: readonly DiffLine[];
	readonly added: readonly DiffLine[];
}

/** Lines of a diff that are drawn together, with number columns of the same width. */
const LINES_PER_CHUNK = 2000;

/** The lines of a diff in chunks that are drawn together. */
export function* chunksOf(lines: Iterable<DiffLine>): Generator<readonly DiffLine[], void> {
	let chunk: DiffLine[] = [];
	for (const line of lines) {
		chunk.push(line);
		if (chunk.length < LINES_PER_CHUNK) continue;
		yield chunk;
		chunk = [];
	}
	if (chunk.length > 0) yield chunk;
}

/** The hunks of a chunk of a diff. */
export function* hunksOf(lines: readonly DiffLine[]): Generator<Hunk, void> {
	let hunk: DiffLine[] = [];
	for (const line of lines) {
		if (line.kind !== "gap" && line.kind !== "note") {
			hunk.push(line);
			continue;
		}
		if (hunk.length > 0) yield hunk;
		yield [line];
		hunk = [];
	}
	if (hunk.length > 0) yield hunk;
}

/** The blocks of a hunk; added lines that come before removed ones are a block of their own. */
export function* blocksOf(hunk: Hunk): Generator<ChangeBlock, void> {
	let same: DiffLine[] = [];
	let removed: DiffLine[] = [];
	let added: DiffLine[] = [];
	for (const line of hunk) {
		const isSame = line.kind === "same";
		// Removed lines behind added ones are another change.
		const ends = isSame
			? removed.length + added.length > 0
			: same.length > 0 || (line.kind === "removed" && added.length > 0);
		if (ends) {
			yield { same, removed, added };
			[same, removed, added] = [[], [], []];
		}
		if (isSame) same.push(line);
		else if (line.kind === "removed") removed.push(line);
		else added.push(line);
	}
	yield { same, removed, added };
}
