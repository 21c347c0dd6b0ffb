import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractTexts } from "../../../src/catalog/query/extract.ts";
import { bare, fold } from "../../../src/catalog/query/fold.ts";
import { withOtherForms } from "../../../src/catalog/query/other-forms.ts";
import type { Query } from "../../../src/catalog/query/parse-query.ts";
import { stemForms } from "../../../src/catalog/query/stems.ts";
import type { Term } from "../../../src/catalog/query/term.ts";
import { batchesOf } from "../../../src/catalog/search/batches.ts";
import { findRipgrep, type Ripgrep } from "../../../src/catalog/search/find-ripgrep.ts";
import type { SearchResult } from "../../../src/catalog/search/search.ts";
import { FileSearch } from "../../../src/catalog/search/search-files.ts";
import { Searcher } from "../../../src/catalog/search/searcher.ts";
import { isObject } from "../../../src/shared/json.ts";
import { editDistance } from "../../../src/shared/nearest.ts";
import { TimeSlice } from "../../../src/shared/steps.ts";
import { caseCount } from "../../support/cases.ts";
import { queryOf } from "../../support/follow-search.ts";
import { oracle } from "../../support/search-oracle.ts";
import { assistant, entry, header, lines, toolResult, user } from "../../support/session-builder.ts";
import { tempAgentDir } from "../../support/temp-dir.ts";

/** The rules once more, without any pattern: each part of a text between two edges is compared with the word. */
function levelOfPart(typed: string, part: string): number | undefined {
	const word = typed.toLowerCase().replace(/[.,;:!?]+$/, "");
	const parts = typed.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)?.map((one) => one.toLowerCase()) ?? [];
	const found = part.toLowerCase();
	if (parts.length === 1 && stemForms(word).includes(found) && !found.includes(typed.toLowerCase())) return 2;
	const isNumber = /^0\d$/.test(word);
	if (parts.length > 1 || isNumber) {
		const last = parts.at(-1) ?? "";
		const plain = (text: string) => text.replace(/0(?=\d)/g, "");
		for (const end of stemForms(last)) {
			// What joins the parts may be any one of these, or nothing.
			const joined = parts.toSpliced(-1, 1, end);
			const source = joined.map((one) => one.replace(/^0?(\d)$/, "0?$1")).join("[ _-]?");
			if (plain(found).length <= plain(joined.join("")).length + parts.length && new RegExp(`^${source}$`).test(found))
				return 3;
		}
	}
	if (!/^[a-z]{6,24}$/.test(word)) return undefined;
	// A search for the word itself finds what begins with it, but "word?" is not in "wordd".
	if (found.startsWith(word))
		return found === word + word.slice(-1) && !found.includes(typed.toLowerCase()) ? 4 : undefined;
	const isOneWord = /^[a-z]+$/.test(found);
	if (!isOneWord) return /^[a-z]+[ _-][a-z]+$/.test(found) && found.replace(/[ _-]/, "") === word ? 4 : undefined;
	const isBegun = found[0] === word[0] || found === word.charAt(1) + word.charAt(0) + word.slice(2);
	return isBegun && editDistance(word, found) === 1 ? 4 : undefined;
}

function isEdge(text: string, at: number): boolean {
	const [before, after] = [text.slice(0, at), text.slice(at)];
	if (/\d[.,]?$/.test(before) && /^\d/.test(after)) return false;
	if (/\d$/.test(before) && /^[.,]?\d/.test(after)) return false;
	if (!/\p{L}$/u.test(before) || !/^\p{L}/u.test(after)) return true;
	return (
		(/\p{Ll}$/u.test(before) && /^\p{Lu}/u.test(after)) || (/\p{Lu}$/u.test(before) && /^\p{Lu}\p{Ll}/u.test(after))
	);
}

/** The nearest form in which a text has a word; undefined if it does not. */
function levelIn(typed: string, text: string): number | undefined {
	const edges = Array.from({ length: text.length + 1 }, (_, at) => at).filter((at) => isEdge(text, at));
	let nearest: number | undefined;
	for (const [index, start] of edges.entries())
		for (const end of edges.slice(index + 1).filter((one) => one <= start + 40)) {
			const level = levelOfPart(typed, text.slice(start, end));
			if (level !== undefined && level < (nearest ?? 9)) nearest = level;
		}
	return nearest;
}

/** For each term the nearest form in a session, 0 as typed. */
function levelsIn(bytes: Buffer, { terms }: Query): (number | undefined)[] {
	const texts = bytes
		.toString()
		.split("\n")
		.filter((line) => line !== "")
		.map((line): unknown => JSON.parse(line))
		.flatMap((one) => (isObject(one) ? extractTexts(one) : []));
	return terms.map((term) => {
		const found = oracle(bytes, { ...queryOf("x"), terms: [term] });
		if (found.isFound || found.isFoundInForms) return found.isFound ? 0 : 1;
		const { typed } = term;
		if (typed === undefined) return undefined;
		const levels = texts
			.filter(({ bit, tool }) => (bit & term.kinds) !== 0 && tool.includes(term.tool ?? ""))
			.map(({ text }) => levelIn(typed, text) ?? 9);
		const nearest = Math.min(9, ...levels);
		return nearest === 9 ? undefined : nearest;
	});
}

/** Words that are typed, and what may stand for them or nearly so. */
const FAMILIES: readonly (readonly [typed: string, pieces: string])[] = [
	["migrating migrations", "migration Migrate runMigrations premigration migraiton migrat"],
	["pods pods? Pods", "pod podList tripod PODS podding"],
	[
		"retryLoop retry_loop retry-loops retryloop",
		"retry loop Loops retryLoop RETRY_LOOPS retry-loop retryloop myRetryLoop",
	],
	["day-07 day7 07 7", "day 7 07 17 7.5 day7 1,7 Day-7 007"],
	[
		"kuberentes kubernetes? kubernets",
		"kubernetes Kubernetes kuberntes KUBERNETES aKubernetes \u212aubernetes kubernetess",
	],
	["HTTPServer http-server utf8", "http_server HttpServer HTTPServers UTF-8 utf_8 utf 8 https server"],
	["stopped crashes failing wrtiting", "stop stopper crash Crashed failure fails write writing stopp é"],
];
const style = fc.constantFrom(
	(one: string) => one,
	(one: string) => one.replace(/[^\x00-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`),
	(one: string) => one.replace(/(?<=[a-z])[_-](?=[a-z])/gi, (sign) => `\\u00${sign === "_" ? "5F" : "2d"}`),
);
/** Sessions about a few of these words, and queries for them. */
const collection = fc.subarray([...FAMILIES], { minLength: 1, maxLength: 2 }).chain((some) => {
	const typed = fc.constantFrom(...some.flatMap(([words]) => words.split(" ")));
	const piece = fc.constantFrom(...some.flatMap(([, pieces]) => pieces.split(" ")));
	const between = fc.constantFrom(" ", " ", " ", "", "_", "-", "\n", ".", '"', "\\", "  ", "é", "0");
	const text = fc
		.array(fc.tuple(piece, between), { minLength: 1, maxLength: 3 })
		.map((all) => all.map((one) => one.join("")).join(""));
	const args = fc.oneof(
		fc.record({ command: text }),
		fc.record({ path: text }),
		fc.record({ n: fc.integer({ min: 0, max: 90 }), text }),
	);
	const line = fc.oneof(
		{ weight: 3, arbitrary: text.map((one) => user("b1", null, 1, one)) },
		{ weight: 2, arbitrary: text.map((one) => assistant("b2", "b1", 2, one)) },
		text.map((one) => toolResult("b3", "b2", 3, one)),
		args.map((one) => assistant("b4", "b2", 4, "", [{ type: "toolCall", id: "c", name: "bash", arguments: one }])),
		text.map((one) => entry("compaction", "c1", "b1", 5, { summary: one })),
	);
	const session = fc
		.array(fc.tuple(line, style), { minLength: 1, maxLength: 3 })
		.map((all) => Buffer.from(lines(header({ cwd: "/w" }), ...all.map(([one, write]) => write(one)))));
	const more = fc.constantFrom("", "", "", "", " role:user", " tool:bash", " in:output", ' "pod"', " -crash", " cmd:e");
	const query = fc
		.tuple(fc.array(typed, { minLength: 1, maxLength: 2 }), more)
		.map(([words, rest]) => words.join(" ") + rest);
	return fc.record({
		sessions: fc.array(session, { minLength: 2, maxLength: 8 }),
		queries: fc.uniqueArray(query, { minLength: 1, maxLength: 3 }),
	});
});

/** What a search for the words in other forms finds in sessions that lack some of them as typed. */
async function findOthers(ripgrep: Ripgrep, query: Query, paths: readonly string[], thorough: boolean) {
	const found = new Map<string, SearchResult>();
	const search = new FileSearch(query, {
		ripgrep,
		signal: new AbortController().signal,
		timeSlice: new TimeSlice(),
		onUnreadable: () => undefined,
		thorough,
		onMatch: (one) => {
			const result = one.result();
			if (result) found.set(result.path, result);
		},
	});
	for (const batch of batchesOf(paths.map((path) => ({ path, size: 1, modified: 1 })))) await search.search(batch);
	await search.improve();
	return found;
}

/** What the browser's search finds as typed, and with which words in other forms. */
async function searchAsShown(query: Query, paths: readonly string[]) {
	const found = new Map<string, SearchResult>();
	const over = Promise.withResolvers<void>();
	const searcher = new Searcher((_, event) => {
		if (event.type === "results") for (const result of event.results) found.set(result.path, result);
		else if (event.type === "lost") for (const path of event.paths) found.delete(path);
		else if (event.type === "error") over.reject(new Error(event.message));
		else if (event.type === "settled" && !event.inForms) over.resolve();
	});
	searcher.update(paths.map((path) => ({ path, size: 1, modified: 1 })));
	searcher.search(1, query);
	await over.promise;
	await searcher.close();
	const all = [...found.values()].map(({ path, other }) => [path, other?.map(({ word }) => word)] as const);
	return {
		typed: all.flatMap(([path, words]) => (words === undefined ? [path] : [])).sort(),
		others: all.filter(([, words]) => words !== undefined).sort(),
	};
}

describe("what stands in other forms is found by its own rule, and nothing else is", () => {
	const count = caseCount(2, 20);
	test.each([true, false])(`in ${count} collections, with PCRE2: %s`, async (pcre2) => {
		const ripgrep = { ...(await findRipgrep()), pcre2 };
		const folder = tempAgentDir();
		await fc.assert(
			fc.asyncProperty(collection, fc.boolean(), async ({ sessions, queries }, thorough) => {
				const paths = sessions.map((bytes, index) => folder.write(`--p--/${index}.jsonl`, bytes));
				for (const text of queries) {
					const query = queryOf(text);
					const widened = withOtherForms(query);
					if (!widened) continue;
					const lacking = sessions.flatMap((bytes, index) => {
						const path = paths[index] ?? "";
						return oracle(bytes, query).isFound ? [] : [{ path, bytes, levels: levelsIn(bytes, query) }];
					});
					const expected = lacking
						.filter(
							({ bytes, levels }) => !levels.includes(undefined) && oracle(bytes, { ...query, terms: [] }).isFound,
						)
						.map(({ path, levels }) => [
							path,
							query.terms.filter((_, term) => levels[term] !== 0).map((one) => one.typed ?? one.needle),
						]);
					const found = await findOthers(
						ripgrep,
						widened,
						lacking.map(({ path }) => path),
						thorough,
					);
					const words = [...found].map(([path, { other = [] }]) => [path, other.map(({ word }) => word)]);
					expect([text, words.sort()]).toEqual([text, expected.sort()]);
					for (const { path, levels } of lacking) checkMatched(found.get(path), query.terms, levels);
					// The browser has the same below what it finds as typed.
					const shown = await searchAsShown(query, paths);
					const lacks = new Set(lacking.map(({ path }) => path));
					expect([text, shown.typed]).toEqual([text, paths.filter((path) => !lacks.has(path)).sort()]);
					expect([text, shown.others]).toEqual([text, words]);
				}
			}),
			{ numRuns: count },
		);
	});

	/** What was matched is the nearest form of the word. */
	function checkMatched(
		result: SearchResult | undefined,
		terms: readonly Term[],
		levels: readonly (number | undefined)[],
	) {
		const changed = terms
			.map((term, index) => [term.typed ?? term.needle, levels[index]] as const)
			.filter(([, level]) => level !== 0);
		for (const [index, { word, matched }] of (result?.other ?? []).entries()) {
			const level = bare(fold(matched)) === fold(word) ? 1 : levelOfPart(word, matched.normalize("NFC"));
			expect([word, matched, level]).toEqual([word, matched, changed[index]?.[1]]);
		}
	}
});
