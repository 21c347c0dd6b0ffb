import { crc32 } from "node:zlib";

/** A set of paths with a signature, so that two threads can compare their sets without sending them. */
export class PathSet {
	readonly #paths = new Set<string>();
	#sum = 0;

	constructor(paths: Iterable<string> = []) {
		for (const path of paths) this.add(path);
	}

	/** The same for the same paths in any order. */
	get signature(): string {
		return `${this.#paths.size}:${this.#sum}`;
	}

	has(path: string): boolean {
		return this.#paths.has(path);
	}

	add(path: string): void {
		if (this.#paths.has(path)) return;
		this.#paths.add(path);
		this.#sum += crc32(path);
	}

	delete(path: string): void {
		if (this.#paths.delete(path)) this.#sum -= crc32(path);
	}

	/** The paths that are not in the other set. */
	without(other: PathSet): string[] {
		return [...this.#paths].filter((path) => !other.has(path));
	}
}
