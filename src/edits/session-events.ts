import { roleOf } from "../conversation/entries/entry-kind.ts";
import { NOTICE } from "../conversation/entries/output.ts";
import { prefixOf } from "../shared/paths.ts";
import { ENTRIES_PER_STEP, type Steps } from "../shared/steps.ts";
import { type Fields, fieldsOf, listOf, numberOf, pathArgument, textOf } from "../store/format/fields.ts";
import { contentText } from "../store/format/message.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { SessionEntry } from "../store/format/schema.ts";
import { PlainResults, type RecordedCall, recordedCalls } from "../store/format/tool-calls.ts";
import { CHANGING_TOOLS, type ToolChange, toolChange, toolPath } from "../store/format/tool-change.ts";
import type { Session } from "../store/read/read-session.ts";
import { commandEffects } from "./commands.ts";
import { mayAny, type PlacedEffect } from "./effects.ts";

/** A session that tells of files. */
export interface Witness {
	readonly session: Session;
	/** Of the person whose session it is. */
	readonly home: string;
	/** What it is called in a sentence; "" for the session that is asked about. */
	readonly title: string;
	/** Whether it is the run of a subagent. */
	readonly isRun?: boolean;
}

/** What a session did, or saw, of files at one of its entries. */
export interface SessionEvent {
	readonly witness: Witness;
	/** The entry of the result; of calls without one, that of the call. */
	readonly entryId: string;
	/** Its index in the session. */
	readonly index: number;
	readonly turn: number;
	/** When it was asked for, and when it had ended, Unix ms; later than all before it in its session. */
	readonly startMs: number;
	readonly endMs: number;
	readonly act: Act;
}

/** Where a session has a call: a large session's texts are read when they are needed, not held. */
interface CallPlace {
	/** The index of its entry, and the number of the call in that. */
	readonly entry: number;
	readonly at: number;
}

/** Paths are absolute, as pi resolves them. */
type Act =
	/** The person said something: before it, they may have done anything by hand. */
	| { readonly kind: "prompt" }
	| { readonly kind: "read"; readonly path: string; readonly call: CallPlace }
	/** It was not there. */
	| { readonly kind: "missing"; readonly path: string }
	/** `nth`: among those of the file at the same entry. */
	| {
			readonly kind: "edit" | "write";
			readonly path: string;
			readonly call: CallPlace;
			readonly isNested: boolean;
			readonly nth: number;
	  }
	/** pi did not find what an edit replaces; or the change may have been made or not. */
	| { readonly kind: "refused" | "perhaps"; readonly path: string; readonly call: CallPlace }
	/** `command`: as the session has it. `hasFailed`: undefined if it is not known. */
	| {
			readonly kind: "command";
			readonly command: string;
			readonly effects: readonly PlacedEffect[];
			readonly hasFailed: boolean | undefined;
	  }
	/** The branch before was left: an extension may have restored its files. */
	| { readonly kind: "jump" };

/** What a step asked for with `edit` or `write`; undefined for any other. */
export function changeOf({ witness, act }: SessionEvent): ToolChange | undefined {
	if (!("call" in act)) return undefined;
	const call = callAt(witness, act.call);
	return call && toolChange(call.name, call.args);
}

function callAt({ session }: Witness, { entry, at }: CallPlace): RecordedCall | undefined {
	return recordedCalls(fieldsOf(session.entries[entry]).message).drop(at).next().value ?? undefined;
}

/** pi's own tools, and ours, which only read files or report what they change; "codemode" reports the calls of its script. */
const REPORTS_CHANGES: ReadonlySet<string> = new Set(
	"read edit write grep find ls tool_search codemode session_history".split(" "),
);
/** Errors after which the file is unchanged. */
const REFUSED = /EACCES|EPERM|EISDIR|ENOTDIR|EROFS|validation/i;
const MISSING = /ENOENT|no such file|file not found/i;
/** A command line that prints one file. */
const PRINTS = /^\s*cat ([\w.+/][\w.@+/-]*)\s*$/;

/** What a session tells of files, in the order of its file, on all branches: a disk has none. */
export function* sessionEvents(witness: Witness): Steps<SessionEvents> {
	const { session } = witness;
	const reader = new EventReader(witness);
	const turns: number[] = [];
	const { parent } = session.tree.table;
	for (const [index, entry] of session.entries.entries()) {
		if (index % ENTRIES_PER_STEP === 0) yield;
		const role = roleOf(entry);
		const above = parent[index] ?? -1;
		// Turns are numbered on each branch.
		turns[index] = (turns[above] ?? 0) + (role === "user" ? 1 : 0);
		reader.take(entry, { index, role, turn: turns[index] ?? 0, isElsewhere: above !== index - 1 });
	}
	reader.end();
	return reader;
}

/** What a session tells. */
export interface SessionEvents {
	readonly events: readonly SessionEvent[];
	/** Number of edits whose file is not known. */
	readonly unplaced: number;
}

interface OpenCall extends RecordedCall {
	readonly entryId: string;
	readonly index: number;
	readonly turn: number;
	readonly startMs: number;
	/** The file that it reads or changes. */
	readonly path: string | undefined;
	readonly place: CallPlace;
	readonly run: Run | undefined;
}

/** What a call for a shell, or of a tool that is not known, runs; its effects are none where it only reads. */
interface Run {
	readonly command: string;
	readonly effects: readonly PlacedEffect[];
}

interface Place {
	readonly index: number;
	readonly role: string;
	readonly turn: number;
	/** Whether it follows another entry than the one before it in the file. */
	readonly isElsewhere: boolean;
}

class EventReader {
	readonly events: SessionEvent[] = [];
	/** Number of edits with a relative path in a session that does not say its directory. */
	unplaced = 0;
	readonly #witness: Witness;
	readonly #cwd: string;
	#open: OpenCall[] = [];
	/** How often each file is called for in the last answer. */
	#calls = new Map<string, number>();
	readonly #plain = new PlainResults();
	#lastMs = Number.NEGATIVE_INFINITY;
	/** The index of the last entry. */
	#index = 0;
	/** The calls of the last answer, if it has several. */
	#beside: readonly OpenCall[] = [];

	constructor(witness: Witness) {
		this.#witness = witness;
		this.#cwd = witness.session.header?.cwd ?? "";
	}

	take(entry: SessionEntry, place: Place): void {
		const timeMs = timeOf(entry.timestamp);
		this.#index = place.index;
		if (timeMs > this.#lastMs) this.#lastMs = timeMs;
		if (place.isElsewhere && place.index > 0) {
			this.settle();
			this.#add(entry.id, place, { kind: "jump" });
		}
		if (place.role === "assistant") this.#answer(entry, place);
		else if (place.role === "toolResult") this.#result(entry, place);
		else if (place.role === "user") {
			this.settle();
			this.#add(entry.id, place, { kind: "prompt" });
		} else if (place.role === "bashExecution") {
			this.settle();
			const { command, exitCode, cancelled, output } = fieldsOf(fieldsOf(entry).message);
			this.#ran(entry.id, place, this.#lineOf(textOf(command), textOf(output)), exitCode !== 0 || cancelled === true);
		}
	}

	/** The file has no more entries. */
	end(): void {
		this.#index++;
		this.settle();
	}

	/** Calls whose result never came may or may not have been carried out. */
	settle(): void {
		for (const open of this.#open) {
			// At the entry that asked for it, it had not run.
			const call = { ...open, index: Math.max(open.index, this.#index) };
			const change = toolChange(call.name, call.args);
			if (change !== undefined && call.path !== undefined)
				this.#add(call.entryId, call, { kind: "perhaps", path: call.path, call: call.place });
			else if (change === undefined) this.#ran(call.entryId, call, call.run, undefined);
		}
		this.#open = [];
		this.#plain.answer([]);
	}

	#add(
		entryId: string,
		{ index, turn, startMs }: Pick<Place, "index" | "turn"> & { startMs?: number },
		act: Act,
	): void {
		const endMs = Number.isFinite(this.#lastMs) ? this.#lastMs : 0;
		this.events.push({ witness: this.#witness, entryId, index, turn, startMs: startMs ?? endMs, endMs, act });
	}

	#answer(entry: SessionEntry, { index, turn }: Place): void {
		this.settle();
		const calls = [...recordedCalls(fieldsOf(entry).message)];
		const startMs = Number.isFinite(this.#lastMs) ? this.#lastMs : 0;
		this.#open = calls
			.map((call, at) => ({ ...call, place: { entry: index, at } }))
			.filter(
				({ name }) => !REPORTS_CHANGES.has(name) || name === "read" || name === "codemode" || CHANGING_TOOLS.has(name),
			)
			.map((call) => ({
				...call,
				...{ entryId: entry.id, index, turn, startMs, path: this.#pathOf(call), run: this.#runOf(call) },
			}));
		this.#calls = new Map();
		for (const { path } of this.#open) if (path !== undefined) this.#calls.set(path, (this.#calls.get(path) ?? 0) + 1);
		this.#beside = calls.length < 2 ? [] : this.#open;
		this.#plain.answer(calls);
	}

	/** Calls of one answer run beside each other: the order of their results does not say which one changed a file last. */
	#noteBeside(entryId: string, place: Pick<Place, "index" | "turn">, paths: Iterable<string>, id?: string): void {
		for (const { id: other, run } of this.#beside) {
			if (run === undefined || (id !== undefined && other !== id)) continue;
			const named = [...paths].filter((path) => run.effects.some((effect) => mayName(effect, path)));
			if (named.length > 0) this.#ran(entryId, place, { ...run, effects: [unknownEffect(named)] }, undefined);
		}
	}

	#result(entry: SessionEntry, place: Place): void {
		// The results of most tools need not be parsed.
		if (this.#plain.next() && this.#open.length === 0) return;
		const message = fieldsOf(fieldsOf(entry).message);
		const call = this.#open.find(({ id, name }) => id === message.toolCallId && name === message.toolName);
		const nths = new Map<string, number>();
		if (call !== undefined) {
			this.#open = this.#open.filter((one) => one !== call);
			this.#answered(entry.id, { ...place, startMs: call.startMs }, call, message, nths);
			if (CHANGING_TOOLS.has(call.name)) this.#noteBeside(entry.id, place, call.path === undefined ? [] : [call.path]);
			else if (call.name === "bash") this.#noteBeside(entry.id, place, this.#calls.keys(), call.id);
		}
		this.#nested(entry.id, place, message, nths);
	}

	#answered(
		entryId: string,
		place: Pick<Place, "index" | "turn"> & { startMs: number },
		call: OpenCall,
		message: Fields,
		nths: Map<string, number>,
	): void {
		const { path, name } = call;
		const hasFailed = message.isError === true;
		const change = toolChange(name, call.args);
		if (change === undefined && name !== "read" && path === undefined) {
			this.#ran(entryId, place, this.#placed(call.run, message), hasFailed);
			return;
		}
		if (path === undefined) {
			if (change !== undefined && !hasFailed) this.unplaced++;
			return;
		}
		const isAlone = this.#calls.get(path) === 1;
		const text = hasFailed ? contentText(message.content, "\n") : "";
		if (hasFailed && MISSING.test(text) && name !== "write") {
			if (isAlone && text.includes("ENOENT")) this.#add(entryId, place, { kind: "missing", path });
		} else if (change === undefined) {
			// Beside an edit in the same answer, it may show the file before or after that edit.
			if (isAlone && !hasFailed) this.#add(entryId, place, { kind: "read", path, call: call.place });
		} else if (!hasFailed) {
			nths.set(path, 1);
			this.#add(entryId, place, { kind: change.tool, path, call: call.place, isNested: false, nth: 0 });
		} else if (/abort/i.test(text)) this.#add(entryId, place, { kind: "perhaps", path, call: call.place });
		else if (change.tool === "write") {
			if (!REFUSED.test(text)) this.#add(entryId, place, { kind: "perhaps", path, call: call.place });
		} else if (/could not find/i.test(text)) this.#add(entryId, place, { kind: "refused", path, call: call.place });
	}

	/** What a script of the model called. */
	#nested(entryId: string, place: Place, message: Fields, nths: Map<string, number>): void {
		for (const [at, one] of [...recordedCalls(message)].entries()) {
			const call = { ...one, place: { entry: place.index, at } };
			const change = toolChange(call.name, call.args);
			const path = this.#pathOf(call);
			const isDone = call.nested?.status === "ok";
			if (change !== undefined && path !== undefined) {
				const nth = nths.get(path) ?? 0;
				const kind = isDone ? change.tool : "perhaps";
				this.#add(entryId, place, { kind, path, call: call.place, isNested: true, nth });
				if (isDone) nths.set(path, nth + 1);
			} else if (CHANGING_TOOLS.has(call.name))
				this.#changedAny(entryId, place, "a script that changed files which are not recorded");
			else this.#ran(entryId, place, this.#runOf(call), isDone ? false : undefined);
		}
		if (fieldsOf(message.nestedCalls).complete === false)
			this.#changedAny(entryId, place, "a script of which not everything is recorded");
	}

	#changedAny(entryId: string, place: Pick<Place, "index" | "turn">, command: string): void {
		this.#ran(entryId, place, { command, effects: [unknownEffect([], true)] }, undefined);
	}

	#runOf({ name, args }: RecordedCall): Run | undefined {
		if (name === "" || REPORTS_CHANGES.has(name)) return undefined;
		const line = name === "bash" ? textOf(fieldsOf(args).command) : "";
		return line === "" ? { command: name, effects: [unknownEffect([])] } : this.#lineOf(line);
	}

	#lineOf(command: string, output = ""): Run {
		return { command, effects: commandEffects(command, this.#cwd, output) };
	}

	/** What ran, where its output says that a `cd` in it failed. */
	#placed(run: Run | undefined, { content }: Fields): Run | undefined {
		if (run === undefined || !/\bcd\b/.test(run.command)) return run;
		const output = contentText(content, "\n");
		return /\bcd: /.test(output) ? this.#lineOf(run.command, output) : run;
	}

	#ran(
		entryId: string,
		place: Pick<Place, "index" | "turn"> & { startMs?: number },
		run: Run | undefined,
		hasFailed: boolean | undefined,
	): void {
		if (run !== undefined && run.effects.length > 0) this.#add(entryId, place, { kind: "command", ...run, hasFailed });
	}

	#pathOf({ name, args }: RecordedCall): string | undefined {
		const printedName = name === "bash" ? PRINTS.exec(textOf(fieldsOf(args).command))?.[1] : undefined;
		if (name !== "read" && printedName === undefined && !CHANGING_TOOLS.has(name)) return undefined;
		const typed = printedName ?? toolChange(name, args)?.path ?? pathArgument(fieldsOf(args));
		return typed === "" ? undefined : toolPath(typed, this.#cwd, this.#witness.home);
	}
}

/** Of a command, or a tool, of which only the names of files are known that it may have changed, whether it failed or not. */
function unknownEffect(named: readonly string[], isWide = false): PlacedEffect {
	return { ...mayAny(named, isWide), ifSucceeded: "yes", ifFailed: "perhaps" };
}

/** Whether an effect of a command may be one on a file, by its words. */
function mayName(effect: PlacedEffect, path: string): boolean {
	let paths: readonly string[] = [];
	if (effect.kind === "may") paths = [...(effect.paths ?? []), ...effect.named];
	else if (effect.kind === "git") paths = "paths" in effect ? (effect.paths ?? [effect.directory]) : [];
	else paths = "from" in effect ? [effect.from, effect.to] : [effect.path];
	return paths.some((one) => path === one || path.startsWith(prefixOf(one)));
}

/** What a `read`, or a `cat`, shows of a file. `isPrinted`: pi leaves carriage returns out of what commands print. */
type Sight = { readonly text: string; readonly isPrinted: boolean } | { readonly from: number; readonly lines: string };

/** The text that a result shows: all of it, or the lines from a number on; undefined for none. */
export function shownBy({ witness, index, act }: SessionEvent): Sight | undefined {
	if (act.kind !== "read") return undefined;
	const message = fieldsOf(fieldsOf(witness.session.entries[index]).message);
	const [first, ...more] = listOf(message.content).map(fieldsOf);
	const text = textOf(first?.text);
	if (first?.type !== "text" || more.length > 0) return undefined;
	if (text.startsWith("Read image file [") || text.includes("\uFFFD")) return undefined;
	const call = callAt(witness, act.call);
	const args = fieldsOf(call?.args);
	const from = numberOf(args.offset) ?? 1;
	const isCut = NOTICE.test(text) || fieldsOf(message.details).truncation !== undefined;
	const isPrinted = call?.name === "bash";
	if (isPrinted && (isCut || text === "(no output)")) return undefined;
	if (from > 1 || args.limit !== undefined || isCut) {
		const body = text.replace(NOTICE, "");
		// The last line may be cut, or empty behind the last line end.
		const end = body.lastIndexOf("\n");
		return end === -1 ? undefined : { from, lines: body.slice(0, end) };
	}
	// An extension's tool of this name may show a file in its own way.
	return message.details === undefined || message.details === null ? { text, isPrinted } : undefined;
}

/** The diff, and the unified patch, in the result of an edit; "" for none. */
export function resultDiff({ witness, index, act }: SessionEvent): { readonly diff: string; readonly patch: string } {
	if (act.kind !== "edit" || act.isNested) return { diff: "", patch: "" };
	const { diff, patch } = fieldsOf(fieldsOf(fieldsOf(witness.session.entries[index]).message).details);
	return { diff: textOf(diff) || textOf(patch), patch: textOf(patch) };
}
