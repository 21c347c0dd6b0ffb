import type { DiagnosticList } from "../format/diagnostic-list.ts";
import { contentText } from "../format/message-text.ts";
import { isObject, type RawEntry } from "../format/parse.ts";
import { repairEntry } from "../format/repair-entry.ts";
import { timeOf } from "../format/time.ts";
import { type ParsedLine, reportProblems } from "./interpret.ts";
import type { SessionInfo } from "./read-session-info.ts";

/** Gathers a list row from the lines of one file; keeps of each line only its place in the tree, and the texts. */
export class InfoCollector {
	/** The lines without what they say, for finding out what is odd about the tree. */
	readonly skeleton: ParsedLine[] = [];
	#header: RawEntry | undefined;
	#name: string | undefined;
	#messageCount = 0;
	#firstMessage = "";
	#lastActivity = 0;
	readonly #texts: string[] = [];

	/** Takes the next line of the file. */
	add(value: RawEntry, line: number, diagnostics: DiagnosticList): void {
		if (value.type === "session") {
			this.#header ??= value;
			this.skeleton.push({ line, value: { ...value } });
			return;
		}
		reportProblems(value, repairEntry(value).problems, line, diagnostics);
		this.skeleton.push({ line, value: skeletonOf(value) });
		if (value.type === "session_info") this.#name = typeof value.name === "string" ? value.name.trim() : "";
		if (value.type === "message") this.#addMessage(value);
	}

	/** The row so far; `fileTime` stands in where the session tells no time. */
	info(fileTime: Date): Omit<SessionInfo, "path"> {
		const header = this.#header ?? {};
		const headerTime = typeof header.timestamp === "string" ? timeOf(header.timestamp) : Number.NaN;
		const created = Number.isNaN(headerTime) ? fileTime : new Date(headerTime);
		return {
			id: typeof header.id === "string" ? header.id : "",
			cwd: typeof header.cwd === "string" ? header.cwd : "",
			name: this.#name || undefined,
			parentSessionPath: typeof header.parentSession === "string" ? header.parentSession : undefined,
			created,
			modified: this.#lastActivity > 0 ? new Date(this.#lastActivity) : created,
			messageCount: this.#messageCount,
			firstMessage: this.#firstMessage,
			allMessagesText: this.#texts.join(" "),
		};
	}

	#addMessage(entry: RawEntry): void {
		this.#messageCount += 1;
		const { message } = entry;
		if (!isObject(message) || !("content" in message)) return;
		if (message.role !== "user" && message.role !== "assistant") return;
		const time = timeOf(typeof message.timestamp === "number" ? message.timestamp : entry.timestamp);
		if (time > this.#lastActivity) this.#lastActivity = time;
		const text = contentText(message.content);
		if (text === "") return;
		this.#texts.push(text);
		if (this.#firstMessage === "" && message.role === "user") this.#firstMessage = text;
	}
}

/** An entry of a type that has no required fields, in the same place of the tree; its oddities were told already. */
function skeletonOf(value: RawEntry): RawEntry {
	const { id, parentId, timestamp } = value;
	const parent = typeof parentId === "string" || parentId === undefined ? parentId : null;
	return { type: "skeleton", id, parentId: parent, timestamp: typeof timestamp === "string" ? timestamp : "" };
}
