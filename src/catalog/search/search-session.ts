import { isObject } from "../../shared/json.ts";
import { answerFailed } from "../../store/format/message.ts";
import type { RawEntry } from "../../store/format/raw-entry.ts";
import { readBranches } from "../branches/read-branches.ts";
import { extractTexts } from "../query/extract.ts";
import { KINDS } from "../query/kinds.ts";
import type { Query } from "../query/parse-query.ts";
import { type Snippet, startSnippet } from "../query/snippet.ts";
import { flatTerms, type Term } from "../query/term.ts";
import { grepAnyway } from "./grep.ts";
import { type LineMatch, labeledIds, matchLine, withBranch } from "./match-line.ts";
import { anyLinePattern, patternsForAny } from "./raw-pattern.ts";
import type { GrepLine } from "./read-matches.ts";
import type { SearchFile } from "./search.ts";
import type { SearchTools } from "./search-files.ts";
import { SessionLines } from "./session-lines.ts";
import { SessionMatches } from "./session-matches.ts";

/** A session that was searched in full, with the branch of each hit. */
interface SearchedSession {
	readonly session: SessionMatches;
	/** All entries with a hit, in file order. */
	readonly matches: readonly LineMatch[];
	/** The beginning of the first answer, if there are no hits but in the first message. */
	readonly answer: Snippet | undefined;
}

/** Searches some sessions in full: all entries that contain any of the terms, and the branches they are on. */
export async function* searchSessions(
	query: Query,
	files: readonly SearchFile[],
	tools: SearchTools,
): AsyncGenerator<SearchedSession> {
	const { signal, timeSlice } = tools;
	const asksForAnswers = query.terms.some(({ kinds }) => (kinds & KINDS.assistant.bit) !== 0);
	for await (const { file, read, lines } of linesWithAny(query.terms, files, tools)) {
		const session = new SessionMatches(file, query);
		const matches: LineMatch[] = [];
		for await (const line of lines) matches.push(...matchLine(read, line, query, true));
		const [first] = matches;
		if (first === undefined) continue;
		const isInTitle = asksForAnswers && matches.every(({ hit }) => hit.kind === "title");
		const answer = isInTitle ? read.firstAfter(first.line.offset, answerOf) : undefined;
		const branches = await timeSlice.run(readBranches(file.path, labeledIds(matches)), signal);
		if (branches === undefined) continue;
		const placedMatches = matches.map((match) => ({ ...match, hit: withBranch(match, branches) }));
		for (const match of placedMatches) session.add(match);
		yield { session, matches: placedMatches, answer };
	}
}

/** The lines of a file that may have a term. */
interface FileLines {
	readonly file: SearchFile;
	/** For reading them; closed with the last one. */
	readonly read: SessionLines;
	/** In file order; taken within the time slice. */
	readonly lines: AsyncIterable<GrepLine>;
}

/** The lines that may have any of the terms, file by file. Rejects with a `RipgrepError`, or the signal's reason. */
export async function* linesWithAny(
	terms: readonly Term[],
	files: readonly SearchFile[],
	tools: SearchTools,
): AsyncGenerator<FileLines> {
	if (files.length === 0 || terms.length === 0) return;
	const byPath = new Map(files.map((file) => [file.path, file]));
	const options = { ...tools, patterns: patternsForAny(terms), paths: [...byPath.keys()] };
	for await (const { path, lines } of grepAnyway(options, flatTerms(terms).map(anyLinePattern))) {
		const file = byPath.get(path);
		if (!file) continue;
		const read = new SessionLines(path);
		try {
			yield { file, read, lines: inSlices(lines, tools) };
		} finally {
			read.close();
		}
	}
}

async function* inSlices(lines: readonly GrepLine[], { signal, timeSlice }: SearchTools): AsyncGenerator<GrepLine> {
	for (const line of lines) {
		yield line;
		if (timeSlice.shouldYield()) await timeSlice.yieldToEventLoop();
		signal.throwIfAborted();
	}
}

function answerOf(entry: RawEntry): Snippet | undefined {
	// Why one failed is no answer.
	if (isObject(entry.message) && answerFailed(entry.message)) return undefined;
	const answer = extractTexts(entry).find(({ kind }) => kind === "assistant");
	return answer && startSnippet(answer.text);
}
