import { extractTexts } from "../../src/catalog/query/extract.ts";
import { fold } from "../../src/catalog/query/fold.ts";
import { KINDS } from "../../src/catalog/query/kinds.ts";
import { holdsTerm, SearchText } from "../../src/catalog/query/match.ts";
import type { Query } from "../../src/catalog/query/parse-query.ts";
import { batchesOf } from "../../src/catalog/search/batches.ts";
import type { Ripgrep } from "../../src/catalog/search/find-ripgrep.ts";
import { FileSearch } from "../../src/catalog/search/search-files.ts";
import { searchSessions } from "../../src/catalog/search/search-session.ts";
import { isObject } from "../../src/shared/json.ts";
import { TimeSlice } from "../../src/shared/steps.ts";
import type { RawEntry } from "../../src/store/format/raw-entry.ts";

/**
 * What must be found: every line is parsed and its text searched, without any of the search's own code. A session is found by the words
 * as typed, and in other forms also by those with accents that were not typed; `lines` are all lines with any of these.
 */
export function oracle(bytes: Buffer, query: Query): { isFound: boolean; isFoundInForms: boolean; lines: number[] } {
	const lines = bytes.toString("latin1").split("\n");
	const entries = lines.map((line, index) => {
		const entry = entryOf(Buffer.from(line, "latin1"), index);
		// The same line twice is one entry.
		return typeof entry?.id === "string" && lines.indexOf(line) < index ? undefined : entry;
	});
	const title = entries.findIndex((entry) => entry && extractTexts(entry).some(({ kind }) => kind === "user"));
	const lastName = entries.findLastIndex((entry) => entry?.type === "session_info");
	const isPresent = (entry: RawEntry, index: number): boolean => {
		if (entry.type === "session_info") return index === lastName;
		if (entry.type !== "label") return true;
		return index === entries.findLastIndex((one) => one?.type === "label" && one.targetId === entry.targetId);
	};
	const texts = entries.map((entry, index) => {
		const found = entry && isPresent(entry, index) ? extractTexts(entry) : [];
		const said = index === title ? found.filter(({ kind }) => kind === "user") : [];
		return [...found, ...said.map((text) => new SearchText("title", text.text))];
	});
	const holdsIn = (inForms: boolean) =>
		texts.map((some) => query.terms.map((term) => some.some((text) => plainlyHolds(text, term, inForms))));
	const hasNone = query.without.every((term) => texts.flat().every((text) => !plainlyHolds(text, term, false)));
	const [typed, all] = [holdsIn(false), holdsIn(true)];
	const isIn = (holds: readonly (readonly boolean[])[]): boolean => {
		const has = (term: number): boolean => holds.some((line) => line[term]);
		const hasEach = query.terms.every(({ isOptional }, term) => isOptional || has(term));
		return hasNone && hasEach && meetsEither(query, has);
	};
	const linesWithSome = all.flatMap((line, index) => (line.includes(true) ? [index + 1] : []));
	return { isFound: isIn(typed), isFoundInForms: isIn(all), lines: linesWithSome };
}

/** Whether what is joined by "or" holds, beside words of which one suffices. */
function meetsEither({ conditions }: Query, has: (term: number) => boolean): boolean {
	return conditions.every(
		({ field, value }) => field !== "either" || value.some((one) => one.field === "term" && has(one.value) !== one.not),
	);
}

/** `inForms`: also with accents that were not typed. */
function plainlyHolds(text: SearchText, term: Query["terms"][number], inForms: boolean): boolean {
	if (term.anyOf !== undefined) return term.anyOf.some((one) => plainlyHolds(text, one, inForms));
	if (term.regex !== undefined) return holdsTerm(text, term);
	if ((KINDS[text.kind].bit & term.kinds) === 0 || text.text === "") return false;
	if (term.tool !== undefined && !text.tool.includes(term.tool)) return false;
	if (term.needle === undefined) return true;
	// Another way than the search's own: each letter of the word with any accents behind it.
	const seen = fold(asSeen(text.text));
	const letters = term.accents || !inForms ? seen : [...seen].map(withoutAccents).join("");
	return letters.includes(term.needle);
}

/** The first and the last character of each range of those that do not show. */
const UNSEEN: readonly (readonly [first: number, last: number])[] = [
	[0xad, 0xad],
	[0x34f, 0x34f],
	[0x61c, 0x61c],
	[0x180b, 0x180f],
	[0x200b, 0x200f],
	[0x202a, 0x202e],
	[0x2060, 0x206f],
	[0xfe00, 0xfe0f],
	[0xfeff, 0xfeff],
	[0xe0000, 0xe0fff],
];

/** The text without what does not show, and with plain quotes and dashes. */
function asSeen(text: string): string {
	return [...text]
		.filter((one) => !UNSEEN.some(([first, last]) => first <= codeOf(one) && codeOf(one) <= last))
		.map((one) => (/[‘’‚‛′ʼ]/.test(one) ? "'" : /[“”„‟″«»]/.test(one) ? '"' : /[‐‑‒–—―−]/.test(one) ? "-" : one))
		.join("");
}

function codeOf(character: string): number {
	return character.codePointAt(0) ?? 0;
}

function withoutAccents(letter: string): string {
	return /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]/u.test(letter)
		? letter
				.normalize("NFD")
				.replace(/[\u0300-\u036f]/g, "")
				.normalize("NFC")
				.toLowerCase()
		: letter;
}

function entryOf(bytes: Buffer, index: number): RawEntry | undefined {
	try {
		const text = bytes.toString("utf8");
		const value: unknown = JSON.parse(index === 0 ? text.replace(/^\uFEFF/, "") : text);
		return isObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/** The paths in which the search itself finds the query. */
export async function searchPaths(
	ripgrep: Ripgrep,
	query: Query,
	paths: readonly string[],
	thorough: boolean,
): Promise<string[]> {
	const found = new Set<string>();
	const options = {
		ripgrep,
		signal: new AbortController().signal,
		timeSlice: new TimeSlice(),
		onUnreadable: () => undefined,
	};
	const files = new FileSearch(query, {
		...options,
		thorough,
		onMatch: (one) => {
			const result = one.result();
			if (result && meetsEither(query, (term) => result.lacks?.includes(term) !== true)) found.add(one.file.path);
		},
	});
	for (const batch of batchesOf(paths.map((path) => ({ path, size: 1, modified: 1 })))) await files.search(batch);
	await files.improve();
	return [...found].sort();
}

/** The lines of one file in which it finds some of the terms. */
export async function hitLines(ripgrep: Ripgrep, query: Query, path: string): Promise<number[]> {
	const options = {
		ripgrep,
		signal: new AbortController().signal,
		timeSlice: new TimeSlice(),
		onUnreadable: () => undefined,
	};
	for await (const { matches } of searchSessions(query, [{ path, size: 1, modified: 1 }], options))
		return matches.map(({ hit }) => hit.line);
	return [];
}
