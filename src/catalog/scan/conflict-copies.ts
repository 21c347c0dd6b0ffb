import { createHash } from "node:crypto";
import { attempt } from "../../shared/attempt.ts";
import { runToEnd } from "../../shared/steps.ts";
import { readBytes, withFile } from "../../store/files/open-file.ts";
import { readLinesSteps } from "../../store/read/line-reader.ts";
import { readHeader } from "../../store/read/read-header.ts";
import { type ConflictCopy, type Conflicts, mayBeConflictCopy, originalsOf } from "../model/conflict-copies.ts";
import type { ScanStamp } from "./scan-stamp.ts";

/** Bytes that are compared at a time. */
const BLOCK = 256 * 1024;
const NEWLINE = 0x0a;

/** A file that may be a conflict copy; `key`: of the state in which it was compared. */
interface Compared {
	readonly key: string;
	readonly found: ConflictCopy | undefined;
}

/** Finds conflict copies among files by their names and ids, and compares them with the sessions that they are copies of. */
export class ConflictCopies {
	/** By path of the copy. */
	#compared = new Map<string, Compared>();

	/** Those among all files. Blocks its thread while it reads those that have changed. Never throws. */
	find(files: ReadonlyMap<string, ScanStamp>): Conflicts {
		const compared = new Map<string, Compared>();
		for (const path of files.keys()) {
			if (!mayBeConflictCopy(path)) continue;
			const originals = [...originalsOf(path)].filter((original) => files.has(original));
			const key = [path, ...originals].map((one) => `${one}\n${keyOf(files.get(one))}`).join("\n");
			const known = this.#compared.get(path);
			compared.set(path, known?.key === key ? known : { key, found: compare(path, originals) });
		}
		this.#compared = compared;
		return new Map([...compared].flatMap(([path, { found }]) => (found === undefined ? [] : [[path, found] as const])));
	}
}

function keyOf(stamp: ScanStamp | undefined): string {
	return stamp === undefined ? "" : `${stamp.ino} ${stamp.size} ${stamp.mtimeMs}`;
}

/** The first of these that has the same id; undefined if none has, or a file cannot be read, which the list reports. */
function compare(copy: string, originals: readonly string[]): ConflictCopy | undefined {
	if (originals.length === 0) return undefined;
	const id = readHeader(copy)?.id;
	const path = id === undefined ? undefined : originals.find((original) => readHeader(original)?.id === id);
	if (path === undefined) return undefined;
	const own = attempt(() => ownEntries(copy, path));
	return own === undefined ? undefined : { path, own };
}

/**
 * How many entries of a copy its original lacks. A session only grows, so usually one file is the beginning of the other, or both have
 * the same beginning; only what follows that is compared line by line.
 */
export function ownEntries(copy: string, original: string): number {
	return withFile(copy, (one) =>
		withFile(original, (other) => {
			const { from, isWhole } = commonStart(one, other);
			if (isWhole) return 0;
			const known = new Set<string>();
			forEachEntry(other, from, (digest) => known.add(digest));
			let own = 0;
			forEachEntry(one, from, (digest) => {
				if (!known.has(digest)) own += 1;
			});
			return own;
		}),
	);
}

/** Where the first line begins in which two files differ; `isWhole`: the second one begins with all of the first. */
function commonStart(one: number, other: number): { readonly from: number; readonly isWhole: boolean } {
	let from = 0;
	for (let at = 0; ; at += BLOCK) {
		const [a, b] = [readBytes(one, at, BLOCK), readBytes(other, at, BLOCK)];
		const isSame = a.length <= b.length && a.equals(b.subarray(0, a.length));
		const end = isSame ? a.length : firstDifference(a, b);
		const line = a.lastIndexOf(NEWLINE, Math.max(0, end - 1));
		if (end > 0 && line >= 0) from = at + line + 1;
		if (!isSame) return { from, isWhole: false };
		if (a.length < BLOCK) return { from, isWhole: true };
	}
}

function firstDifference(a: Buffer, b: Buffer): number {
	for (let at = 0; ; at += 1) if (a[at] !== b[at] || a[at] === undefined) return at;
}

/** Digests of the lines from an offset on, without the header and blank ones. */
function forEachEntry(fd: number, from: number, take: (digest: string) => void): void {
	const hashed = readLinesSteps(fd, {
		from,
		onLine: ({ bytes, start, end, offset, length }) => {
			const line = bytes.subarray(start, end);
			const isHeader = offset === 0;
			if (length > 0 && !isHeader) take(createHash("sha256").update(line).digest("base64"));
			return true;
		},
	});
	runToEnd(hashed);
}
