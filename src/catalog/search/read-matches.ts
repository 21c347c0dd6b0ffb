import { headTool, lineHead } from "../../store/format/line-head.ts";
import { callsNoOthers } from "../../store/format/tool-calls.ts";
import { RipgrepError } from "./find-ripgrep.ts";

export interface GrepLine {
	/** 1-based. */
	readonly number: number;
	/** Offset of its first byte in the file. */
	readonly offset: number;
	/** What its first bytes show it to be, in pi's own key order. */
	readonly source: LineSource;
}

/**
 * What the person said; names, labels and summaries; answers; the output of a tool; that of a tool that may have called others; other
 * messages.
 */
export type LineSource = "person" | "note" | "answer" | "output" | "calls" | "message";

export interface GrepMatch {
	readonly path: string;
	/** In file order, up to the limit. */
	readonly lines: readonly GrepLine[];
}

/** The path of a file that is searched, from its bytes as characters; undefined for any other. */
export type PathOf = (bytes: string) => string | undefined;

/** Reads `path NUL …`; yields the paths that have arrived at once, and returns what follows the last NUL. */
export async function* readNames(
	stdout: AsyncIterable<Buffer>,
	pathOf: PathOf,
): AsyncGenerator<readonly string[], string> {
	let rest = "";
	for await (const chunk of stdout) {
		const names = (rest + chunk.toString("latin1")).split("\0");
		rest = names.pop() ?? "";
		const paths = names.map(pathOf);
		if (paths.includes(undefined)) throw unexpectedOutput(names[paths.indexOf(undefined)] ?? "");
		yield paths.filter((path) => path !== undefined);
	}
	return rest;
}

/**
 * Reads `path NUL number:offset:beginning LF …`, all lines of a file together; yields the files that have arrived at once, and returns
 * what follows the last LF. A character for each byte: decoding all of it as UTF-8 would take as long as parsing it.
 */
export async function* readMatches(
	stdout: AsyncIterable<Buffer>,
	pathOf: PathOf,
): AsyncGenerator<readonly GrepMatch[], string> {
	let rest: Buffer = Buffer.alloc(0);
	let [of, path]: [string?, string?] = [];
	let lines: GrepLine[] = [];
	for await (const chunk of stdout) {
		const read = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
		const bytesIn = (start: number, end: number): string => read.toString("latin1", start, end);
		const matches: GrepMatch[] = [];
		let at = 0;
		for (;;) {
			// A path may contain newlines, so a record ends at the first one after its NUL.
			const nul = read.indexOf(0, at);
			const end = nul === -1 ? -1 : read.indexOf(LINE_END, nul);
			if (end === -1) break;
			const [place = "", number, offset] = PLACE.exec(bytesIn(nul + 1, Math.min(end, nul + 50))) ?? [];
			const next = bytesIn(at, nul);
			if (offset === undefined) throw unexpectedOutput(next);
			if (next !== of) {
				if (path !== undefined) matches.push({ path, lines });
				[of, path] = [next, pathOf(next)];
				if (path === undefined) throw unexpectedOutput(next);
				lines = [];
			}
			lines.push({ number: Number(number), offset: Number(offset), source: sourceOf(read, nul + 1 + place.length) });
			at = end + 1;
		}
		if (matches.length > 0) yield matches;
		rest = read.subarray(at);
		if (rest.length > MAX_RECORD) throw unexpectedOutput(rest.toString("latin1"));
	}
	if (path !== undefined) yield [{ path, lines }];
	return rest.toString("latin1");
}

const LINE_END = 0x0a;
const PLACE = /^(\d+):(\d+):/;

/** `start`: of the line's first characters in the output. */
function sourceOf(output: Buffer, start: number): LineSource {
	const head = lineHead(output, start);
	switch (head?.role) {
		case "user":
			return "person";
		case "assistant":
			return "answer";
		case "toolResult":
			return callsNoOthers(headTool(output, head) ?? "") ? "output" : "calls";
		default:
			return head?.type === "message" ? "message" : "note";
	}
}

/** Longer than any path and what is printed after it. */
const MAX_RECORD = 100_000;

export function unexpectedOutput(bytes: string): RipgrepError {
	return new RipgrepError(
		`ripgrep printed something unexpected (${JSON.stringify(Buffer.from(bytes, "latin1").toString().slice(0, 60))}).`,
	);
}
