import { isObject } from "../../shared/json.ts";
import { nameInShell, resolveFrom } from "../../shared/paths.ts";
import { listOf, textOf } from "../../store/format/fields.ts";
import { type RawEntry, timeOf } from "../../store/format/raw-entry.ts";

/**
 * A shell command of a session that starts pi without a screen. The session of that pi is a run of this one; neither says so, though
 * pi 1.6 puts PI_SESSION_ID into the environment of the command.
 */
export interface StartedPi {
	readonly callId: string;
	/** Absolute path of the directory where it runs. */
	readonly directory: string;
	/** The letters and digits of the command, in which the prompt may be. */
	readonly letters: string;
	/** When it was called, Unix ms. */
	readonly fromMs: number;
	/** When its result was written; undefined while there is none. */
	readonly toMs?: number;
}

interface StartedSession {
	readonly created: Date;
	readonly modified: Date;
	readonly firstMessage: string;
}

const SHELLS: readonly unknown[] = ["bash", "powershell"];
/** "pi -p", "npx pi --model x --mode json", with what stands before it. */
const STARTS_PI = /^(.*?(?:^|[\s;&|(`"'/]))pi\s(?:[^\n;&|]{0,300}?\s)?(?:-p|--print|--mode)(?![\w-])/s;
const ENTERS = /(?:^|[;&|(\n])\s*cd\s+(?:"([^"]+)"|'([^']+)'|([^\s;&|"']+))\s*(?=&&|;|\n)/g;
/** Characters kept of a command. */
const KEPT = 500;
/** The prompt is known by so many of its letters. */
const PROMPT_LETTERS = 40;
/** The last entry of a session may be written a little later than the result of the command. */
const TOLERANCE_MS = 1000;

/** What was started before, and what an entry of a session in the directory `cwd` says: a call of a shell, or its result. */
export function startedAfter(earlier: readonly StartedPi[], entry: RawEntry, cwd: string): readonly StartedPi[] {
	const message = entry.type === "message" && isObject(entry.message) ? entry.message : {};
	if (message.role === "assistant") {
		const calls = listOf(message.content).filter(isObject);
		const started = calls.flatMap((call) => startedBy(call, timeOf(entry.timestamp), cwd));
		return started.length === 0 ? earlier : [...earlier, ...started];
	}
	const at = message.role === "toolResult" ? earlier.findLastIndex(({ callId }) => callId === message.toolCallId) : -1;
	const call = earlier[at];
	if (call === undefined || call.toMs !== undefined) return earlier;
	return earlier.with(at, { ...call, toMs: timeOf(entry.timestamp) });
}

function startedBy({ id, name, arguments: args }: RawEntry, fromMs: number, cwd: string): StartedPi[] {
	const command = isObject(args) && SHELLS.includes(name) ? textOf(args.command) : "";
	const [, before] = STARTS_PI.exec(command) ?? [];
	if (before === undefined || typeof id !== "string") return [];
	const entered = Array.from(before.matchAll(ENTERS), ([, double, single, bare]) => double ?? single ?? bare ?? "");
	const letters = lettersOf(command.slice(before.length)).slice(0, KEPT);
	return [
		{
			callId: id,
			directory: entered.length === 0 ? cwd : entered.reduce((at, name) => resolveFrom(at, nameInShell(name, at)), cwd),
			letters,
			fromMs,
		},
	];
}

function lettersOf(text: string): string {
	return text.replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * How well a session of the same directory fits a started pi: "said" if it was begun meanwhile and the command has its prompt, "ended" if it
 * has also ended meanwhile, as a session of a person hardly does.
 */
export function fitOf(
	{ created, modified, firstMessage }: StartedSession,
	pi: StartedPi,
): "said" | "ended" | undefined {
	const { fromMs, toMs = Number.POSITIVE_INFINITY, letters } = pi;
	if (!(fromMs <= created.getTime() && created.getTime() <= toMs)) return undefined;
	const prompt = lettersOf(firstMessage.slice(0, KEPT)).slice(0, PROMPT_LETTERS);
	if (prompt !== "" && letters.includes(prompt)) return "said";
	return Number.isFinite(toMs) && modified.getTime() <= toMs + TOLERANCE_MS ? "ended" : undefined;
}
