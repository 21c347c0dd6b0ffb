import { diffArrays } from "diff";
import type { DiskFile, Snapshot } from "./disk.ts";
import { linesOf } from "./texts.ts";

/** Who changed something: an entry of a session, or a person. */
export interface Author {
	/** The id of the session; "" for a person. */
	readonly session: string;
	readonly entryId: string;
	readonly how: "read" | "edit" | "write" | "bash" | "person" | "hand";
}

/** Who wrote a line. */
export interface Origin extends Author {
	/** Sessions that wrote it again, moved it or brought it back: to name one of them is not wrong. */
	readonly again: readonly string[];
}

/** Lines that stand everywhere say nothing of who wrote them. */
export function isTrivial(line: string): boolean {
	const words = line.trim();
	return words.length <= 4 || words === "return total;";
}

/** The writer of each line of each file, of all moments until now. */
export class Authors {
	readonly #origins = new Map<string, readonly Origin[]>();
	/** The last origin of a line of a file, and of a line anywhere: for what Git or a person brings back. */
	readonly #ofLine = new Map<string, Origin>();
	readonly #ofText = new Map<string, readonly Origin[]>();
	readonly #everWrote = new Map<string, Set<string>>();

	/** Of the lines of a file, by the path of its directory and its name. */
	of(root: string, name: string): readonly Origin[] {
		return this.#origins.get(`${root}\0${name}`) ?? [];
	}

	/** The sessions that wrote such a line into a file of that name at any time. */
	everWrote(name: string, line: string): ReadonlySet<string> {
		return this.#everWrote.get(`${name}\0${line.trim()}`) ?? new Set();
	}

	/** Takes what changed in a directory at once. */
	take(root: string, names: readonly string[], old: Snapshot, now: Snapshot, author: Author): void {
		const earlier = new Map(this.#origins);
		for (const name of names) {
			const file = now.get(name);
			if (file === undefined) this.#origins.delete(`${root}\0${name}`);
			else this.#carry(root, name, file, { earlier, old, author });
		}
	}

	#carry(
		root: string,
		name: string,
		file: DiskFile,
		{ earlier, old, author }: { earlier: ReadonlyMap<string, readonly Origin[]>; old: Snapshot; author: Author },
	): void {
		const isTool = author.how === "edit" || author.how === "write";
		const copied = isTool ? undefined : [...old].find(([, { blob }]) => blob === file.blob)?.[0];
		const from = old.has(name) ? name : copied;
		const lines = linesOf(file.bytes.toString());
		const before = from === undefined ? [] : linesOf(old.get(from)?.bytes.toString() ?? "");
		const origins = from === undefined ? [] : (earlier.get(`${root}\0${from}`) ?? []);
		const known = isTool ? undefined : this.#ofText.get(`${name}\0${file.blob}`);
		const stayed = keptLines(before, lines, origins);
		const result = lines.map((line, index): Origin => {
			const kept = stayed.get(index);
			const was = known?.[index];
			if (was !== undefined) return kept === was ? was : again(was, author);
			if (kept !== undefined) return author.how === "write" || from !== name ? again(kept, author) : kept;
			const last = isTool ? undefined : (this.#ofLine.get(`${name}\0${line}`) ?? this.#ofLine.get(line));
			return last === undefined ? { ...author, again: [] } : again(last, author);
		});
		for (const [index, line] of lines.entries()) {
			const origin = result[index];
			if (origin !== undefined) this.#note(name, line, origin);
		}
		this.#origins.set(`${root}\0${name}`, result);
		this.#ofText.set(`${name}\0${file.blob}`, result);
	}

	#note(name: string, line: string, origin: Origin): void {
		for (const key of [`${name}\0${line}`, line])
			if (!isTrivial(line) || !this.#ofLine.has(key)) this.#ofLine.set(key, origin);
		const key = `${name}\0${line.trim()}`;
		const sessions = this.#everWrote.get(key) ?? new Set<string>();
		for (const session of [origin.session, ...origin.again]) sessions.add(session);
		this.#everWrote.set(key, sessions);
	}
}

function again(origin: Origin, { session }: Author): Origin {
	return { ...origin, again: [...new Set([...origin.again, session])] };
}

/** The origins of the lines that stayed, by their places in the new text. */
function keptLines(
	before: readonly string[],
	after: readonly string[],
	origins: readonly Origin[],
): ReadonlyMap<number, Origin> {
	const kept = new Map<number, Origin>();
	let [old, now] = [0, 0];
	for (const { added, removed, count } of diffArrays([...before], [...after])) {
		for (let index = 0; !added && !removed && index < count; index++) {
			const origin = origins[old + index];
			if (origin !== undefined) kept.set(now + index, origin);
		}
		if (!added) old += count;
		if (!removed) now += count;
	}
	return kept;
}
