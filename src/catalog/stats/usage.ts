import { isObject } from "../../shared/json.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";
import { dollarsIn, tokensFrom } from "../../store/format/usage.ts";
import { textHash } from "../branches/entry-ids.ts";

export interface Spending {
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly cacheWrite: number;
	/** In dollars; 0 if the price is unknown. */
	readonly cost: number;
}

export interface EntryUsage {
	readonly model: string;
	/** In the local time zone, "2026-01-31"; "" if unknown. */
	readonly day: string;
	readonly spent: Spending;
	/** The same for every copy of the entry, in any session. */
	readonly hash: number;
}

/** The usage of an entry; undefined if it has none. */
export function usageOf(entry: RawEntry): EntryUsage | undefined {
	const spent = spendingIn(entry);
	if (spent === undefined) return undefined;
	const message = payloadOf(entry);
	const [id, time] = [entry.id, entry.timestamp].map((text) => (typeof text === "string" ? text : ""));
	const { input, output, cacheRead, cacheWrite, cost } = spent;
	return {
		model: typeof message.model === "string" ? message.model : `(${typeof entry.type === "string" ? entry.type : ""})`,
		day: localDay(timeOf(entry.timestamp)),
		spent,
		// Entries of version 1 have no id; time and usage are enough to identify them.
		hash: textHash(`${id}|${time}|${input}|${output}|${cacheRead}|${cacheWrite}|${cost}`),
	};
}

/** The `usage` of an entry: pi writes it into messages and, from 0.81 on, into compactions, summaries and `usage` entries. */
export function usageIn(entry: RawEntry): unknown {
	return payloadOf(entry).usage;
}

function payloadOf(entry: RawEntry): RawEntry {
	return isObject(entry.message) ? entry.message : entry;
}

/** The tokens and cost in an entry's usage; undefined if it has none. */
export function spendingIn(entry: RawEntry): Spending | undefined {
	const usage = usageIn(entry);
	if (!isObject(usage)) return undefined;
	return {
		input: tokensFrom(usage.input),
		output: tokensFrom(usage.output),
		cacheRead: tokensFrom(usage.cacheRead),
		cacheWrite: tokensFrom(usage.cacheWrite),
		cost: dollarsIn(usage) ?? 0,
	};
}

export function tokensOf({ input, output, cacheRead, cacheWrite }: Spending): number {
	return input + output + cacheRead + cacheWrite;
}

/** A sum of dollars to a millionth, without what adding has left behind: 3, not 2.9999999999999996. */
export function roundCost(cost: number): number {
	return Math.round(cost * 1e6) / 1e6;
}

/** The last day that was computed, midnight to midnight: callers mostly ask for many times of the same day in a row. */
let last = { from: 0, to: 0, day: "" };

/** The day of a time (Unix ms) in the local time zone, "2026-01-31"; "" for an invalid time. */
export function localDay(time: number): string {
	if (time >= last.from && time < last.to) return last.day;
	const at = new Date(time);
	if (Number.isNaN(at.getTime())) return "";
	const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()];
	const two = (part: number): string => String(part).padStart(2, "0");
	last = {
		from: new Date(year, month, day).getTime(),
		to: new Date(year, month, day + 1).getTime(),
		day: `${String(year).padStart(4, "0")}-${two(month + 1)}-${two(day)}`,
	};
	return last.day;
}
