import { NOTICE } from "../conversation/entries/output.ts";
import { type Fields, fieldsOf, listOf, numberOf, pathArgument, textOf } from "../store/format/fields.ts";
import { contentText } from "../store/format/message.ts";
import type { SessionEntry } from "../store/format/schema.ts";
import { type RecordedCall, recordedCalls } from "../store/format/tool-calls.ts";
import { CHANGING_TOOLS, type ToolChange, toolChange, toolPath } from "../store/format/tool-change.ts";
import { agreeing, changed, either, type FileState, lost, seen } from "./file-state.ts";

/** A call on the file that has no result yet. */
interface OpenCall {
	readonly id: string;
	readonly tool: "read" | "edit" | "write";
	readonly args: Fields;
	/** Undefined for `read`. */
	readonly change: ToolChange | undefined;
}

/** Errors after which the file is unchanged. */
const REFUSED = /EACCES|EPERM|EISDIR|ENOTDIR|EROFS|validation/i;
const MISSING = /ENOENT|no such file|file not found/i;

/** Follows what a session does to one file, entry by entry. */
export class FileWatcher {
	readonly #path: string;
	readonly #cwd: string;
	readonly #home: string;
	#open: readonly OpenCall[] = [];
	/** Number of calls on the file in the last answer, and of commands that ran beside them. */
	#together = 0;
	#commands = 0;

	constructor(path: string, cwd: string, home: string) {
		this.#path = path;
		this.#cwd = cwd;
		this.#home = home;
	}

	/** The state after an answer with calls. */
	call(state: FileState, entry: SessionEntry): FileState {
		const calls = [...recordedCalls(fieldsOf(entry).message)];
		this.#open = calls.flatMap((call) => this.#openCall(call) ?? []);
		this.#together = this.#open.length;
		this.#commands = calls.filter(({ name }) => runsUnseen(name)).length;
		return this.#commands === 0 ? state : { ...state, commands: state.commands + this.#commands };
	}

	/** The state after the result of a call. */
	result(state: FileState, entry: SessionEntry): FileState {
		const message = fieldsOf(fieldsOf(entry).message);
		const call = this.#open.find(({ id, tool }) => id === message.toolCallId && tool === message.toolName);
		if (call === undefined) return this.#nested(state, message, entry.id);
		this.#open = this.#open.filter((one) => one !== call);
		const text = contentText(message.content, "\n");
		if (message.isError === true) return failed(state, call, text, entry.id);
		if (call.change === undefined) return this.#read(state, call.args, message, entry.id);
		const { diff, patch } = fieldsOf(message.details);
		const stateAfter = changed(state, call.change, textOf(diff) || textOf(patch), entry.id);
		return call.tool === "write" ? { ...stateAfter, commands: this.#commands } : stateAfter;
	}

	/** The state given that calls whose result never came may or may not have been carried out. */
	settle(state: FileState): FileState {
		const settled = this.peek(state);
		this.#open = [];
		return settled;
	}

	/** The same, while the results may still come. */
	peek(state: FileState): FileState {
		return this.#open.reduce((now, { change }) => (change === undefined ? now : maybe(now, change, "")), state);
	}

	#openCall({ id, name: tool, args }: RecordedCall): OpenCall | undefined {
		const fields = fieldsOf(args);
		if (tool === "read") {
			return this.#isThisFile(pathArgument(fields)) ? { id, tool, args: fields, change: undefined } : undefined;
		}
		const change = toolChange(tool, args);
		return change !== undefined && this.#isThisFile(change.path)
			? { id, tool: change.tool, args: fields, change }
			: undefined;
	}

	#isThisFile(path: string): boolean {
		return path !== "" && toolPath(path, this.#cwd, this.#home) === this.#path;
	}

	#read(state: FileState, args: Fields, message: Fields, entryId: string): FileState {
		const [first, ...more] = listOf(message.content).map(fieldsOf);
		const text = textOf(first?.text);
		// Beside an edit in the same answer, it may show the file before or after that edit.
		if (first?.type !== "text" || more.length > 0 || this.#together > 1) return state;
		if (text.startsWith("Read image file [") || text.includes("\uFFFD")) return state;
		const from = numberOf(args.offset) ?? 1;
		const isCut = NOTICE.test(text) || fieldsOf(message.details).truncation !== undefined;
		if (from > 1 || args.limit !== undefined || isCut) return partlyRead(state, text, from, entryId);
		// An extension's tool of this name may show a file in its own way.
		if (message.details !== undefined && message.details !== null) return state;
		return seen(text, { entryId, tool: "read" }, this.#commands);
	}

	#nested(state: FileState, message: Fields, entryId: string): FileState {
		let now = state;
		for (const { name: tool, args, nested } of recordedCalls(message)) {
			if (runsUnseen(tool)) now = { ...now, commands: now.commands + 1 };
			if (!CHANGING_TOOLS.has(tool)) continue;
			const change = toolChange(tool, args);
			if (change === undefined) {
				now = lost(now, `the script of ${entryId} changed a file that the session does not record`);
			} else if (this.#isThisFile(change.path)) {
				now = nested?.status === "ok" ? changed(now, change, "", entryId) : maybe(now, change, entryId);
			}
		}
		return fieldsOf(message.nestedCalls).complete === false
			? lost(now, `the session does not record all that the script of ${entryId} did`)
			: now;
	}
}

function maybe(state: FileState, change: ToolChange, entryId: string): FileState {
	return either(state, changed(state, change, "", entryId));
}

/** The state after a call that failed: usually unchanged, but an aborted call or a failed write may have changed the file. */
function failed(state: FileState, { change, tool }: OpenCall, text: string, entryId: string): FileState {
	if (MISSING.test(text) && tool !== "write") return lost(state, `at ${entryId} it did not exist`);
	if (change === undefined) return state;
	if (/abort/i.test(text)) return maybe(state, change, entryId);
	if (change.tool === "write")
		return REFUSED.test(text) ? state : lost(state, `it may be written in part: the write of ${entryId} failed`);
	const isThere = (held: string): boolean => change.edits.every(({ oldText }) => held.split(oldText).length === 2);
	if (!/could not find/i.test(text)) return state;
	return agreeing(state, (held) => !isThere(held), `at ${entryId} it did not have the expected content`);
}

/** The state after a part of the file, from a line on, was seen. */
function partlyRead(state: FileState, text: string, from: number, entryId: string): FileState {
	const shownLines = text.replace(NOTICE, "").split("\n");
	// The last line may be cut, or empty behind the last line end.
	const whole = shownLines.slice(0, -1);
	const why = `at ${entryId} it had other content: it was changed before`;
	return agreeing(
		state,
		(held) => {
			const lines = held.split("\n");
			return whole.every((line, index) => lines[from - 1 + index] === line);
		},
		why,
	);
}

/** pi's own tools, which only read files or report what they change; "codemode" reports the calls of its script. */
const REPORTS_CHANGES: ReadonlySet<string> = new Set("read edit write grep find ls tool_search codemode".split(" "));

/** Whether a tool may change any file without reporting it: shells, and all tools that we do not know. */
function runsUnseen(tool: string): boolean {
	return tool !== "" && !REPORTS_CHANGES.has(tool);
}

/** Number of such calls in an entry, by the model and by the person. */
export function shellCommands(entry: SessionEntry): number {
	if (entry.type !== "message") return 0;
	const message = fieldsOf(entry.message);
	if (message.role === "bashExecution") return 1;
	if (message.role !== "toolResult") return 0;
	const nested = [...recordedCalls(message)].map(({ name }) => name);
	return [textOf(message.toolName), ...nested].filter(runsUnseen).length;
}
