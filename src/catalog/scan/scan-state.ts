import type { Diagnostic } from "../../store/format/diagnostic.ts";
import { contentText } from "../../store/format/message-text.ts";
import { isObject, type RawEntry } from "../../store/format/parse.ts";
import { timeOf } from "../../store/format/time.ts";
import type { ParsedLine } from "../../store/read/interpret.ts";
import type { SessionRow } from "../model/row.ts";

/** What has been gathered of one session file up to a line's end; plain JSON, so that reading can go on from there later. */
export interface ScanState {
	/** The first byte that has not been gathered: just after a `\n`. */
	offset: number;
	/** Lines gathered. */
	lines: number;
	/** Set by the first header. */
	header?: HeaderFacts;
	/** The headers and, when it is none, the first line that can be used: all that is needed to say what is odd about them. */
	leading: ParsedLine[];
	messageCount: number;
	/** The last name, trimmed; "" when cleared. */
	name: string;
	firstMessage: string;
	/** Time of the latest user or assistant message in milliseconds; 0 when there is none. */
	activity: number;
	diagnostics: Diagnostic[];
}

/** The latest time that a `Date` can hold. */
const MAX_TIME = 8.64e15;

interface HeaderFacts {
	readonly id: string;
	readonly cwd: string;
	/** Milliseconds; undefined when missing or no date. */
	readonly time?: number;
	readonly parentSession?: string;
}

export function emptyState(): ScanState {
	return {
		offset: 0,
		lines: 0,
		leading: [],
		messageCount: 0,
		name: "",
		firstMessage: "",
		activity: 0,
		diagnostics: [],
	};
}

/** Takes one parsed line into account. The rules are pi's (SessionInfo, pi 1.5), except that nothing drops a session. */
export function gatherEntry(state: ScanState, entry: RawEntry): void {
	if (entry.type === "session") {
		state.header ??= headerFacts(entry);
		if (state.leading.length < MAX_HEADERS)
			state.leading = [...state.leading, { line: state.lines, value: headerPart(entry) }];
		return;
	}
	if (state.leading.length === 0) {
		state.leading = [{ line: state.lines, value: { type: "other", id: "", parentId: null, timestamp: "" } }];
	}
	if (entry.type === "session_info") state.name = typeof entry.name === "string" ? entry.name.trim() : "";
	if (entry.type !== "message") return;
	state.messageCount += 1;
	const message = entry.message;
	if (!isObject(message) || !("content" in message)) return;
	if (message.role !== "user" && message.role !== "assistant") return;
	gatherActivity(state, typeof message.timestamp === "number" ? message.timestamp : timeOf(entry.timestamp));
	if (message.role === "user" && state.firstMessage === "") state.firstMessage = contentText(message.content);
}

/** Takes the time of a user or assistant message into account, if a `Date` can hold it. */
export function gatherActivity(state: ScanState, time: number): void {
	if (time > state.activity && time <= MAX_TIME) state.activity = time;
}

/** More headers than a thousand forks of forks would leave; a bound for files that are made of nothing else. */
const MAX_HEADERS = 100;

/** The fields that are checked; the rest of a header may be of any size. */
function headerPart({ type, version, id, timestamp, cwd }: RawEntry): RawEntry {
	return { type, version, id, timestamp, cwd };
}

function headerFacts(header: RawEntry): HeaderFacts {
	const time = typeof header.timestamp === "string" ? Date.parse(header.timestamp) : Number.NaN;
	return {
		id: typeof header.id === "string" ? header.id : "",
		cwd: typeof header.cwd === "string" ? header.cwd : "",
		...(Number.isNaN(time) ? {} : { time }),
		...(typeof header.parentSession === "string" ? { parentSession: header.parentSession } : {}),
	};
}

/** The list's row for what was gathered. */
export function rowOf(
	path: string,
	state: ScanState,
	file: { readonly size: number; readonly mtimeMs: number },
	diagnostics: readonly Diagnostic[],
): SessionRow {
	const { header } = state;
	// Rounded as Node does it for `stats.mtime`.
	const headerTime = header?.time ?? Math.round(file.mtimeMs);
	return {
		path,
		id: header?.id ?? "",
		cwd: header?.cwd ?? "",
		name: state.name === "" ? undefined : state.name,
		firstMessage: state.firstMessage,
		created: new Date(headerTime),
		modified: new Date(state.activity > 0 ? state.activity : headerTime),
		messageCount: state.messageCount,
		parentSession: header?.parentSession,
		size: file.size,
		diagnostics,
	};
}
