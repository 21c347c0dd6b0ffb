import { NOTICE } from "../conversation/entries/output.ts";
import { type Fields, fieldsOf, listOf, numberOf, pathArgument, textOf } from "../store/format/fields.ts";
import { contentText } from "../store/format/message.ts";
import type { SessionEntry } from "../store/format/schema.ts";
import { callsNoOthers, PlainResults, type RecordedCall, recordedCalls } from "../store/format/tool-calls.ts";
import { CHANGING_TOOLS, type ToolChange, toolChange, toolPath } from "../store/format/tool-change.ts";
import {
	agreeing,
	changed,
	either,
	type FileState,
	holdsLines,
	inTurn,
	lineStart,
	lost,
	type Sight,
	seen,
} from "./file-state.ts";
import { CHANGES_ANY, lastTouch, type ShellChanges, shellChanges } from "./shell-changes.ts";

/** A shell command, or a tool that is not known, that may change files. */
export interface UnseenCommand {
	/** The command, or the name of the tool. */
	readonly text: string;
	readonly changes: ShellChanges;
}

/** Such a command that has run. */
export interface RanCommand extends UnseenCommand {
	readonly entryId: string;
}

/** A call on a file that has no result yet. */
interface OpenCall {
	readonly id: string;
	readonly tool: "read" | "edit" | "write";
	/** Absolute path of the file. */
	readonly path: string;
	readonly args: Fields;
	/** Undefined for `read`. */
	readonly change: ToolChange | undefined;
}

/** Errors after which the file is unchanged. */
const REFUSED = /EACCES|EPERM|EISDIR|ENOTDIR|EROFS|validation/i;
const MISSING = /ENOENT|no such file|file not found/i;

export interface WatchOptions {
	/** The session's directory, "" for none. */
	readonly cwd: string;
	readonly home: string;
	/** Only these files. @default all */
	readonly paths?: ReadonlySet<string> | undefined;
	/** The state of a file that no tool has touched yet. */
	readonly first: (path: string) => FileState;
}

/** Follows what a session does to its files, entry by entry. */
export class FilesWatcher {
	/** By absolute path, in the order in which the tools first touched them. */
	readonly states: Map<string, FileState>;
	/** The files that a tool read whole, or found missing, before any tool changed them: their states at the first time. */
	readonly firstSights: Map<string, FileState>;
	/** All that have run so far. */
	readonly commands: RanCommand[];
	/** The files whose state may have changed since `takeChanged` was called. */
	readonly #changed: Set<string>;
	/** The calls of the last answer that have no result yet, and the files of all of them. */
	#open: readonly OpenCall[] = [];
	#calledPaths: readonly string[] = [];
	/** Commands of the last answer that remove files, by the id of the call; `areReported`: all that its other calls do is known. */
	#removers: ReadonlyMap<string, RanCommand> = new Map();
	#areReported = true;
	readonly #plain = new PlainResults();
	/** The last answer. */
	#answer: Sight = { entryId: "", turn: 0, since: 0 };
	readonly #options: WatchOptions;

	/** `beside`: that of another session on the same disk. */
	constructor(options: WatchOptions, beside?: FilesWatcher) {
		this.#options = options;
		this.states = beside?.states ?? new Map();
		this.firstSights = beside?.firstSights ?? new Map();
		this.commands = beside?.commands ?? [];
		this.#changed = beside === undefined ? new Set() : beside.#changed;
	}

	/** Number of commands that had run when the last entry was written: those of an answer run after it. */
	ranUntil(role: string): number {
		return role === "assistant" ? this.#answer.since : this.commands.length;
	}

	/** Takes the next entry, which is in this turn of its branch. */
	take(entry: SessionEntry, role: string, turn: number): void {
		if (role === "assistant") {
			this.#settle();
			this.#call(entry, turn);
		} else if (role === "toolResult") this.#result(entry, turn);
		else if (role === "user") this.#settle();
		else if (role === "bashExecution") {
			this.#settle();
			this.#runByPerson(entry, turn);
		}
	}

	/** Replaces all states: the next entry follows another one than the last. */
	jump(stateOf: (path: string, state: FileState) => FileState): void {
		this.#settle();
		for (const [path, state] of this.states) this.#set(path, stateOf(path, state));
	}

	/** The state of a file, whose calls without a result may have been carried out, unless the last entry is the answer with them. */
	stateOf(path: string, role: string): FileState | undefined {
		const state = this.states.get(path);
		return state === undefined || role === "assistant" ? state : this.#peek(path, state);
	}

	/** The files whose state at the last entry may differ from that when this was last called. */
	takeChanged(): ReadonlySet<string> {
		const paths = new Set(this.#changed);
		this.#changed.clear();
		for (const { path } of this.#open) this.#changed.add(path);
		return paths;
	}

	/** Calls whose result never came may or may not have been carried out. */
	#settle(): void {
		const open = this.#open;
		for (const path of new Set(open.map((call) => call.path))) this.#update(path, (state) => this.#peek(path, state));
		this.#open = [];
		this.#plain.answer([]);
	}

	#peek(path: string, state: FileState): FileState {
		return this.#open.reduce(
			(now, call) => (call.path !== path || call.change === undefined ? now : maybe(now, call.change, this.#answer)),
			state,
		);
	}

	#call(entry: SessionEntry, turn: number): void {
		const calls = [...recordedCalls(fieldsOf(entry).message)];
		this.#answer = { entryId: entry.id, turn, since: this.commands.length };
		this.#open = calls.flatMap((call) => this.#openCall(call) ?? []);
		this.#calledPaths = this.#open.map(({ path }) => path);
		this.#areReported = calls.length === 1 || calls.every(({ name }) => callsNoOthers(name));
		this.#plain.answer(calls);
		for (const { path } of this.#open) {
			this.#update(path, (state) => state);
			this.#changed.add(path);
		}
		const removers = new Map<string, RanCommand>();
		for (const call of calls) {
			const command = this.#ran(entry.id, unseenCommand(call, this.#options.cwd));
			if (command?.changes.touches.some(({ removes }) => removes)) removers.set(call.id, command);
		}
		this.#removers = removers;
	}

	#ran(entryId: string, command: UnseenCommand | undefined): RanCommand | undefined {
		if (command === undefined) return undefined;
		const ranCommand = { entryId, ...command };
		this.commands.push(ranCommand);
		return ranCommand;
	}

	#runByPerson(entry: SessionEntry, turn: number): void {
		const message = fieldsOf(fieldsOf(entry).message);
		const command = this.#ran(entry.id, commandOfPerson(message, this.#options.cwd));
		const sight = { entryId: entry.id, turn, since: this.commands.length - 1 };
		this.#calledPaths = [];
		this.#areReported = true;
		if (command !== undefined && message.exitCode === 0 && message.cancelled !== true) this.#removed(command, sight);
	}

	/** Takes the files that a command has removed, if it did nothing else to them. */
	#removed(command: RanCommand, sight: Sight): void {
		const { touches, isSure } = command.changes;
		const otherCommands = this.commands.slice(sight.since).filter((other) => other !== command);
		const named = touches.flatMap(({ name }) => (name === undefined || name.endsWith("/") ? [] : [name]));
		for (const path of new Set([...this.states.keys(), ...named.flatMap((name) => this.#pathOf(name) ?? [])])) {
			if (lastTouch(command.changes, path)?.removes !== true) continue;
			const isAlone =
				!this.#calledPaths.includes(path) && !otherCommands.some(({ changes }) => lastTouch(changes, path));
			const isGone = isSure && isAlone && this.#areReported;
			// Otherwise the command itself makes that uncertain, or what ran beside it.
			this.#update(path, (state) =>
				seen(state, undefined, "remove", { ...sight, since: isGone ? this.commands.length : state.since }),
			);
		}
	}

	#result(entry: SessionEntry, turn: number): void {
		// The results of most tools need not be parsed.
		if (this.#plain.next() && this.#open.length + this.#removers.size === 0) return;
		const message = fieldsOf(fieldsOf(entry).message);
		const sight = { entryId: entry.id, turn, since: this.#answer.since };
		const call = this.#open.find(({ id, tool }) => id === message.toolCallId && tool === message.toolName);
		const remover = this.#removers.get(textOf(message.toolCallId));
		if (remover !== undefined && message.isError !== true) this.#removed(remover, sight);
		if (call === undefined) this.#nested(message, sight);
		else {
			this.#open = this.#open.filter((one) => one !== call);
			this.#update(call.path, (state) => {
				const next = this.#answered(state, call, message, sight);
				const isFirst = state.base === undefined && state.edits === 0 && next.base?.tool === "read";
				if (isFirst && !this.firstSights.has(call.path)) this.firstSights.set(call.path, next);
				return next;
			});
		}
	}

	#answered(state: FileState, call: OpenCall, message: Fields, sight: Sight): FileState {
		const isAlone = this.#calledPaths.filter((path) => path === call.path).length === 1;
		if (message.isError === true) return failed(state, call, contentText(message.content, "\n"), isAlone, sight);
		// Beside an edit in the same answer, it may show the file before or after that edit.
		if (call.change === undefined) return isAlone ? read(state, call.args, message, sight) : state;
		const { diff, patch } = fieldsOf(message.details);
		return changed(state, call.change, textOf(diff) || textOf(patch), sight);
	}

	#openCall({ id, name, args }: RecordedCall): OpenCall | undefined {
		const fields = fieldsOf(args);
		const change = toolChange(name, args);
		const tool = name === "read" ? name : change?.tool;
		const typed = change?.path ?? pathArgument(fields);
		const path = tool === undefined || typed === "" ? undefined : this.#pathOf(typed);
		return tool === undefined || path === undefined ? undefined : { id, tool, path, args: fields, change };
	}

	/** The absolute path of a file that is followed. */
	#pathOf(typed: string): string | undefined {
		const { cwd, home, paths } = this.#options;
		const path = toolPath(typed, cwd, home);
		return path !== undefined && (paths === undefined || paths.has(path)) ? path : undefined;
	}

	#nested(message: Fields, sight: Sight): void {
		for (const call of recordedCalls(message)) {
			const { name, args, nested } = call;
			this.#ran(sight.entryId, unseenCommand(call, this.#options.cwd));
			if (name !== "read" && !CHANGING_TOOLS.has(name)) continue;
			const change = toolChange(name, args);
			const path = this.#pathOf(change?.path ?? pathArgument(fieldsOf(args)));
			if (change !== undefined && path !== undefined)
				this.#update(path, (state) =>
					nested?.status === "ok" ? changed(state, change, "", sight) : maybe(state, change, sight),
				);
			else if (path !== undefined) this.#update(path, (state) => state);
			if (change === undefined && name !== "read")
				this.#loseAll(`a script ${inTurn(sight)} changed a file that the session does not record`);
		}
		if (fieldsOf(message.nestedCalls).complete === false)
			this.#loseAll(`the session does not record all that a script ${inTurn(sight)} did`);
	}

	#loseAll(why: string): void {
		for (const [path, state] of this.states) this.#set(path, lost(state, why));
	}

	#update(path: string, next: (state: FileState) => FileState): void {
		// A text from elsewhere is as of now: what ran before does not make it less certain.
		this.#set(path, next(this.states.get(path) ?? { ...this.#options.first(path), since: this.#answer.since }));
	}

	#set(path: string, state: FileState): void {
		if (this.states.get(path) === state) return;
		this.states.set(path, state);
		this.#changed.add(path);
	}
}

/** The state after a successful call of `read`. */
function read(state: FileState, args: Fields, message: Fields, sight: Sight): FileState {
	const [first, ...more] = listOf(message.content).map(fieldsOf);
	const text = textOf(first?.text);
	if (first?.type !== "text" || more.length > 0) return state;
	if (text.startsWith("Read image file [") || text.includes("\uFFFD")) return state;
	const from = numberOf(args.offset) ?? 1;
	const isCut = NOTICE.test(text) || fieldsOf(message.details).truncation !== undefined;
	if (from > 1 || args.limit !== undefined || isCut) return partlyRead(state, text, from, sight);
	// An extension's tool of this name may show a file in its own way.
	if (message.details !== undefined && message.details !== null) return state;
	return seen(state, text, "read", sight);
}

function maybe(state: FileState, change: ToolChange, sight: Sight): FileState {
	return either(state, changed(state, change, "", sight));
}

/**
 * The state after a call that failed: usually unchanged, but an aborted call or a failed write may have changed the file. `isAlone`: no
 * other call of the same answer was on the file.
 */
function failed(state: FileState, { change, tool }: OpenCall, text: string, isAlone: boolean, sight: Sight): FileState {
	if (MISSING.test(text) && tool !== "write")
		return isAlone && text.includes("ENOENT")
			? seen(state, undefined, "read", sight)
			: lost(state, `${inTurn(sight)} it did not exist`);
	if (change === undefined) return state;
	if (/abort/i.test(text)) return maybe(state, change, sight);
	if (change.tool === "write")
		return REFUSED.test(text) ? state : lost(state, `it may be written in part: its write ${inTurn(sight)} failed`);
	const isThere = (held: string): boolean => change.edits.every(({ oldText }) => held.split(oldText).length === 2);
	if (!/could not find/i.test(text)) return state;
	return agreeing(state, (held) => !isThere(held), `${inTurn(sight)} it did not have the expected content`);
}

/** The state after a part of the file, from a line on, was seen. */
function partlyRead(state: FileState, text: string, from: number, sight: Sight): FileState {
	const shownText = text.replace(NOTICE, "");
	// The last line may be cut, or empty behind the last line end.
	const end = shownText.lastIndexOf("\n");
	if (end === -1) return state;
	const lines = shownText.slice(0, end);
	return agreeing(
		state,
		(held) => {
			const start = lineStart(held, from);
			return start !== -1 && holdsLines(held, start, lines);
		},
		`${inTurn(sight)} it had other content: something else had changed it`,
	);
}

/** pi's own tools, which only read files or report what they change; "codemode" reports the calls of its script. */
const REPORTS_CHANGES: ReadonlySet<string> = new Set("read edit write grep find ls tool_search codemode".split(" "));

/** The command of a call that may change files without reporting it, or the tool that we do not know; else undefined. */
export function unseenCommand({ name, args }: RecordedCall, cwd: string): UnseenCommand | undefined {
	if (name === "" || REPORTS_CHANGES.has(name)) return undefined;
	const line = name === "bash" ? textOf(fieldsOf(args).command) : "";
	return line === "" ? { text: name, changes: CHANGES_ANY } : commandOf(line, cwd);
}

/** The same of a command that the person ran. */
export function commandOfPerson(message: unknown, cwd: string): UnseenCommand | undefined {
	return commandOf(textOf(fieldsOf(message).command), cwd);
}

function commandOf(text: string, cwd: string): UnseenCommand | undefined {
	const changes = shellChanges(text, cwd);
	return changes.touches.length === 0 ? undefined : { text, changes };
}
