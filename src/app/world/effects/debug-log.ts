import { appendFileSync } from "node:fs";
import { type Env, thisSystem } from "../../../shared/system.ts";
import type { Action } from "../state/action.ts";
import type { Effect } from "../state/effect.ts";

/** Runs `work`, logs its action or effect and how long it took, and returns its result. */
export type DebugLog = <Result>(kind: "action" | "effect", what: Action | Effect, work: () => Result) => Result;

/** Fields whose strings are names, ids or paths. Any other may hold text from a session, or typed text. */
const SHOWN_FIELDS = new Set([
	"type",
	"query",
	"path",
	"cwd",
	"entryId",
	"command",
	"sort",
	"kind",
	"status",
	"select",
]);
/** Depth to which nested objects are logged. */
const MAX_DEPTH = 2;
/** Characters logged per field, with `PI_GROVE_LOG_TEXT`. */
const MAX_TEXT = 1000;

export const NO_LOG: DebugLog = (_kind, _what, work) => work();

/**
 * Logs to the file named by `PI_GROVE_LOG`: a line for each action, and for the start and the end of each effect. Of texts
 * only the length is logged, unless `PI_GROVE_LOG_TEXT` is 1. Throws when the file cannot be written.
 */
export function openDebugLog(env: Env): DebugLog {
	const file = env.PI_GROVE_LOG;
	if (!file) return NO_LOG;
	const withText = env.PI_GROVE_LOG_TEXT === "1";
	const write = (...parts: readonly string[]): void =>
		// Synchronous, so that the last line before a crash is written.
		appendFileSync(file, `${new Date().toISOString()} ${parts.join(" ")}\n`, { mode: 0o600 });
	write("start", `node=${process.versions.node}`, `platform=${thisSystem.platform}`);
	return (kind, what, work) => {
		const started = performance.now();
		const took = (): string => `${(performance.now() - started).toFixed(1)}ms`;
		const result = work();
		write(kind, what.type, took(), ...facts(what, withText));
		if (result instanceof Promise) {
			const end = (outcome: string): void => write("end", what.type, took(), outcome);
			result.then(
				(answer: { readonly type: string } | undefined) => end(answer?.type ?? "-"),
				() => end("threw"),
			);
		}
		return result;
	};
}

/** Short facts about an action or effect: numbers, names and ids in full, lists and texts by their length. */
function facts(value: object, withText: boolean, prefix = "", depth = 1): string[] {
	return Object.entries(value).flatMap(([key, part]: [string, unknown]): string[] => {
		if (depth === 1 && key === "type") return [];
		const name = `${prefix}${key}`;
		if (typeof part === "number" || typeof part === "boolean") return [`${name}=${part}`];
		if (typeof part === "string") {
			return [`${name}=${withText || SHOWN_FIELDS.has(key) ? json(part) : `(${part.length} characters)`}`];
		}
		if (Array.isArray(part)) return [`${name}=${withText ? json(part) : `[${part.length}]`}`];
		if (part instanceof Set || part instanceof Map) return [`${name}=[${part.size}]`];
		if (typeof part !== "object" || part === null || depth > MAX_DEPTH) return [];
		return facts(part, withText, `${name}.`, depth + 1);
	});
}

function json(value: unknown): string {
	return JSON.stringify(value).slice(0, MAX_TEXT);
}
