import { NO_QUERY } from "../../src/catalog/query/parse-query.ts";
import { findRipgrep } from "../../src/catalog/search/find-ripgrep.ts";
import { addOutcomes, findUses } from "../../src/catalog/uses/find-uses.ts";
import type { Use, UseKind } from "../../src/catalog/uses/use.ts";
import { runToEnd, TimeSlice } from "../../src/shared/steps.ts";

/** A use with its text. */
export interface ToldUse extends Use {
	readonly said: string;
}

/** All prompts or commands of a file, with what came of them. */
export async function readUses(path: string, kind: UseKind): Promise<ToldUse[]> {
	const options = {
		ripgrep: await findRipgrep(),
		signal: new AbortController().signal,
		timeSlice: new TimeSlice(),
		onUnreadable: () => undefined,
	};
	const told: ToldUse[] = [];
	for await (const found of findUses(kind, NO_QUERY, [{ path, size: 1, modified: 1 }], options)) {
		runToEnd(addOutcomes(found.map(({ use }) => use)));
		told.push(...found.map(({ use, text }) => ({ ...use, said: text })));
	}
	return told;
}
