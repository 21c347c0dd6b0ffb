import { isObject } from "../../shared/json.ts";
import { contentText } from "../format/message.ts";
import { forkedFrom, LATEST_MS, type RawEntry, timeOf } from "../format/raw-entry.ts";
import { gatherTitle, NO_TITLE, promptOf, type TitleFacts } from "./title-facts.ts";

/**
 * What a list shows of one session, gathered from the lines so far; plain JSON, so that it can be stored and continued.
 * The rules are those of pi's SessionInfo (pi 1.5), except that nothing drops a session.
 */
export interface ListFacts extends TitleFacts {
	/** Set by the first header. */
	header?: HeaderFacts;
	/** All `message` entries, of all branches and all roles. */
	messageCount: number;
	/** The last name, trimmed; "" if there is none. */
	name: string;
	/** Text of the first user message that has any; "" if there is none. */
	firstMessage: string;
	/** Time of the latest user or assistant message in milliseconds; 0 if there is none. */
	activity: number;
}

interface HeaderFacts {
	readonly id: string;
	readonly cwd: string;
	/** Milliseconds; undefined when missing or not a date. */
	readonly time?: number;
	readonly parentSession?: string;
}

export function emptyFacts(): ListFacts {
	return { messageCount: 0, name: "", firstMessage: "", ...NO_TITLE, activity: 0 };
}

export function gatherFacts(facts: ListFacts, entry: RawEntry): void {
	if (entry.type === "session") facts.header ??= headerFacts(entry);
	if (entry.type === "session_info") facts.name = typeof entry.name === "string" ? entry.name.trim() : "";
	if (entry.type === "message") facts.messageCount += 1;
	const message = spokenMessage(entry);
	if (message) {
		const time = timeOf(typeof message.timestamp === "number" ? message.timestamp : undefined);
		gatherActivity(facts, Number.isNaN(time) ? timeOf(entry.timestamp) : time);
	}
	if (message?.role === "user" && facts.firstMessage === "") facts.firstMessage = contentText(message.content);
	gatherTitle(facts, entry);
}

/** Adds the time of a user or assistant message, if a `Date` can hold it. */
export function gatherActivity(facts: ListFacts, time: number): void {
	if (time > facts.activity && time <= LATEST_MS) facts.activity = time;
}

/** The message of a user or an assistant in this entry, if it has content. */
export function spokenMessage({ type, message }: RawEntry): RawEntry | undefined {
	if (type !== "message" || !isObject(message) || !("content" in message)) return undefined;
	return message.role === "user" || message.role === "assistant" ? message : undefined;
}

/** The fields of a row; a session without times gets the file's. */
export function listedFields(facts: ListFacts, mtimeMs: number) {
	const { header, name, firstMessage, activity, messageCount } = facts;
	// Rounded as Node does it for `stats.mtime`.
	const created = header?.time ?? Math.round(mtimeMs);
	return {
		id: header?.id ?? "",
		cwd: header?.cwd ?? "",
		name: name === "" ? undefined : name,
		firstMessage,
		prompt: promptOf(facts, firstMessage),
		created: new Date(created),
		modified: new Date(activity > 0 ? activity : created),
		messageCount,
		parentSession: header?.parentSession,
	};
}

function headerFacts(header: RawEntry): HeaderFacts {
	const time = typeof header.timestamp === "string" ? timeOf(header.timestamp) : Number.NaN;
	const parentSession = forkedFrom(header);
	return {
		id: typeof header.id === "string" ? header.id : "",
		cwd: typeof header.cwd === "string" ? header.cwd : "",
		...(Number.isNaN(time) ? {} : { time }),
		...(parentSession === undefined ? {} : { parentSession }),
	};
}
