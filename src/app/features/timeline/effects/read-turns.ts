import { parseObject } from "../../../../catalog/search/parse-object.ts";
import { isObject } from "../../../../shared/json.ts";
import type { TimeSlice } from "../../../../shared/steps.ts";
import { openFileAsync } from "../../../../store/files/open-file.ts";
import { type RawEntry, timeOf } from "../../../../store/format/raw-entry.ts";
import { type FileLine, readLinesAsync } from "../../../../store/read/line-reader.ts";
import type { FileTurns } from "../timeline-state.ts";
import { TurnGatherer, type TurnSign } from "../turns.ts";

/** How a session file is read: in slices, until it is aborted. */
interface Reading {
	readonly slice: TimeSlice;
	readonly signal: AbortSignal;
	/** The file as it was last read: only what was appended since is read. */
	readonly before: FileTurns | undefined;
	/** When the session was made, Unix ms: a fork begins with a copy of earlier messages. */
	readonly createdMs: number;
	/** Called with the number of bytes as they are read. */
	onRead(bytes: number): void;
}

/**
 * Reads when a session worked: only the beginnings and ends of lines are looked at, and memory does not grow with the file.
 * Rejects with a `StoreError` when the file cannot be read, and with the signal's reason when aborted.
 */
export async function readTurns(path: string, reading: Reading): Promise<FileTurns> {
	const { slice, signal, before, createdMs, onRead } = reading;
	signal.throwIfAborted();
	const { handle, stats } = await openFileAsync(path);
	try {
		const isGrown = before?.dev === stats.dev && before.ino === stats.ino && before.end <= stats.size;
		const gatherer = new TurnGatherer(isGrown ? before.turns : undefined);
		const from = isGrown ? before.end : 0;
		let end = from;
		const onLine = (line: FileLine): boolean => {
			// A line that is being written is read again when it is whole.
			if (!line.terminated) return true;
			onRead(line.length);
			end = line.next;
			const [sign, time] = signOf(line) ?? [];
			if (sign !== undefined && time !== undefined && !(time < createdMs)) gatherer.add(sign, time);
			return !slice.shouldYield();
		};
		const rest = async (): Promise<void> => {
			signal.throwIfAborted();
			if (slice.shouldYield()) await slice.yieldToEventLoop();
		};
		await readLinesAsync(handle, { from, onLine, wanted: (head) => !isInOrder(head) }, rest);
		return { dev: stats.dev, ino: stats.ino, end, turns: gatherer.turns };
	} finally {
		await handle.close();
	}
}

/** Bytes of a line's head that have its type, time and role, and of its tail that have the reason of its end. */
const HEAD_BYTES = 420;
const TAIL_BYTES = 1024;

/** The keys of a message in pi's own order. */
const HEAD =
	/^\{"type":"message",(?:"id":"[^"\\]*","parentId":(?:null|"[^"\\]*"),)?"timestamp":"([^"\\]*)","message":\{"role":"([a-zA-Z]+)"/;
/** Another type of entry, which says nothing about turns. */
const OTHER_TYPE = /^\{"type":"(?!message"|custom_message")[a-z_]+",/;
const STOP_REASON = /"stopReason":"([a-zA-Z_]+)"/g;

function isInOrder(head: Buffer): boolean {
	const text = head.toString("latin1", 0, HEAD_BYTES);
	return HEAD.test(text) || OTHER_TYPE.test(text);
}

/** What a line says about turns, and its time in Unix ms; undefined if nothing. */
function signOf(line: FileLine): readonly [TurnSign, number] | undefined {
	const { bytes, start, end } = line;
	const head = bytes.toString("latin1", start, Math.min(end, start + HEAD_BYTES));
	if (OTHER_TYPE.test(head)) return undefined;
	const [, timestamp, role] = HEAD.exec(head) ?? [];
	if (timestamp === undefined) return signOfEntry(parseObject(line) ?? {});
	const tail = bytes.toString("latin1", Math.max(start, end - TAIL_BYTES), end);
	const sign = signOfRole(role, [...tail.matchAll(STOP_REASON)].at(-1)?.[1]);
	return sign && [sign, timeOf(timestamp)];
}

function signOfEntry({ type, timestamp, message }: RawEntry): readonly [TurnSign, number] | undefined {
	if (type === "custom_message") return ["begins", timeOf(timestamp)];
	if (type !== "message" || !isObject(message)) return undefined;
	const sign = signOfRole(message.role, message.stopReason);
	return sign && [sign, timeOf(timestamp ?? message.timestamp)];
}

function signOfRole(role: unknown, stopReason: unknown): TurnSign | undefined {
	if (role === "user") return "begins";
	if (role === "toolResult") return "result";
	if (role === "assistant") return stopReason === "toolUse" ? "asks-tools" : "ends";
	return undefined;
}
