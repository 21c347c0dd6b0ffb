import { NO_QUERY } from "../../src/catalog/query/parse-query.ts";
import { readUse } from "../../src/catalog/uses/read-use.ts";
import { type FoundUses, searchUses, type UsesSearched } from "../../src/catalog/uses/search-uses.ts";
import type { Use, UseKind } from "../../src/catalog/uses/use.ts";
import { runToEnd } from "../../src/shared/steps.ts";

/** A use with its whole text. */
export interface ToldUse extends Use {
	readonly said: string;
}

/** All prompts or commands of a file, with what came of them, in its order. */
export async function readUses(path: string, kind: UseKind): Promise<ToldUse[]> {
	const found = await findUses({ kind, query: NO_QUERY, dates: [], files: [{ path, size: 1, modified: 1 }] });
	const { texts } = runToEnd(found.select({ order: "newest", limit: Number.POSITIVE_INFINITY }));
	const uses = texts.flatMap((text) => text.uses).sort((a, b) => a.offset - b.offset || a.part - b.part);
	return uses.map((use) => ({ ...use, said: readUse(path, use).text }));
}

/** What a search finds; `onProgress`: called with the number of files searched so far. */
export async function findUses(searched: UsesSearched, onProgress?: (read: number) => void): Promise<FoundUses> {
	let found: FoundUses | undefined;
	for await (found of searchUses(searched, { signal: new AbortController().signal })) onProgress?.(found.read);
	if (found === undefined) throw new Error("a search that does not end");
	return found;
}
