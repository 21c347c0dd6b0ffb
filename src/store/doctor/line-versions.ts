import { ENTRY_FIELDS } from "../format/entry-fields.ts";
import { isHookMessage, versionOf } from "../format/migrate.ts";
import type { RawEntry } from "../format/parse.ts";

/** Finds lines of several versions in one file: headers that say so, and entries as only an older version has them. */
export class LineVersions {
	/** The first line of each version that was found. */
	readonly #lines = new Map<number, number>();
	/** Of the header: what pi takes all lines for. */
	#version: number | undefined;

	/** Takes the next line; `number` is 1-based. */
	add(value: RawEntry, number: number): void {
		if (value.type === "session") {
			const version = versionOf(value);
			this.#version ??= version;
			this.#note(version, number);
		} else if (isOfFirst(value)) this.#note(1, number);
		else if (isHookMessage(value)) this.#note(2, number);
	}

	/** Undefined where all are of one version. */
	mixed(): { readonly message: string; readonly line: number } | undefined {
		const own = this.#version ?? 1;
		// What is said as in version 2 is said so in version 1, too.
		const others = [...this.#lines].filter(([version]) => version !== own && !(version === 2 && own === 1));
		const [first] = others.toSorted((a, b) => a[1] - b[1]);
		if (first === undefined) return undefined;
		const versions = [...new Set([own, ...others.map(([version]) => version)])].sort((a, b) => a - b);
		const message = `There are lines of the versions ${versions.join(" and ")} in the file, the first of another version on line ${first[1]}.`;
		return { message, line: first[1] };
	}

	#note(version: number, number: number): void {
		if (!this.#lines.has(version)) this.#lines.set(version, number);
	}
}

/** Version 1 has neither ids nor parents. */
function isOfFirst({ type, id, parentId }: RawEntry): boolean {
	return id === undefined && parentId === undefined && typeof type === "string" && Object.hasOwn(ENTRY_FIELDS, type);
}
