import { ENTRY_FIELDS } from "../format/entry-fields.ts";
import { isHookMessage, versionOf } from "../format/migrate.ts";
import type { RawEntry } from "../format/raw-entry.ts";

/** Detects lines of several versions in one file: headers with a version, and entries that only an older version has. */
export class LineVersions {
	/** First line of each version found. */
	readonly #lines = new Map<number, number>();
	/** Version in the first header: the one that pi applies to all lines. */
	#version: number | undefined;

	/** Adds the next line; `number` is 1-based. */
	add(value: RawEntry, number: number): void {
		if (value.type === "session") {
			const version = versionOf(value);
			this.#version ??= version;
			this.#note(version, number);
		} else if (isOfFirst(value)) this.#note(1, number);
		else if (isHookMessage(value)) this.#note(2, number);
	}

	/** Undefined if all lines have the same version. */
	mixed(): { readonly message: string; readonly line: number } | undefined {
		const own = this.#version ?? 1;
		// Version 1 has the form of messages of version 2, too.
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
