import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { brief } from "./text.ts";

export type HistoryRequest =
	| { readonly kind: "search"; readonly query: string; readonly everywhere: boolean; readonly limit: number }
	| { readonly kind: "read"; readonly address: string; readonly turn: boolean; readonly chars: number };

/** UTF-16 units. A query is one argument of a command line, which on Linux may have 128 KiB. */
export const MAX_QUERY = 4_000;
export const LIMIT = { usual: 8, max: 20 };
export const CHARS = { usual: 8_000, max: 40_000 };

/** Checks the arguments of a model, which may be anything. Throws a sentence. */
export function readRequest(given: object): HistoryRequest {
	const fields: Readonly<Record<string, unknown>> = { ...given };
	const query = text("query", fields.query);
	const address = text("read", fields.read);
	if ((query === "") === (address === "")) throw new Error("Give either query or read.");
	if (address === "") {
		const everywhere = flag("everywhere", fields.everywhere);
		return { kind: "search", query, everywhere, limit: count("limit", fields.limit, LIMIT) };
	}
	return { kind: "read", address, turn: flag("turn", fields.turn), chars: count("chars", fields.chars, CHARS) };
}

function text(name: string, value: unknown): string {
	if (value === undefined || value === null) return "";
	if (typeof value !== "string") throw new Error(`${name} must be a string.`);
	if (value.length > MAX_QUERY)
		throw new Error(`${name} is too long: it may have ${MAX_QUERY} characters, not ${value.length}.`);
	if (value.includes("\0")) throw new Error(`${name} contains a NUL character, which no text has.`);
	return value.trim();
}

function flag(name: string, value: unknown): boolean {
	if (value === undefined || value === null) return false;
	if (typeof value !== "boolean") throw new Error(`${name} must be true or false.`);
	return value;
}

function count(name: string, value: unknown, { usual, max }: { readonly usual: number; readonly max: number }): number {
	if (value === undefined || value === null) return usual;
	if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > max)
		throw new Error(`${name} must be a whole number from 1 to ${max}.`);
	return value;
}

/** The environment variable with which the person says what else the agent may read. */
const SETTING = "PI_GROVE_HISTORY";

/** "No" comes first: pi highlights the first answer, and enter may have been meant for what the person was typing. */
const ANSWERS = ["No, only of this project", "Yes, in this session"] as const;

/** What the person has agreed to: the id of the session in which that was, and what. */
const agreed = new Set<string>();

const ONLY_THIS = "Only sessions of this project may be read";
const OTHER_PROJECTS = "sessions of other projects";

/**
 * What an address is outside of this project, as the person is asked about it. The id of a session is one of another project. Reading
 * in a place may connect to a machine, and a path may be of any disk or share, so an answer for those is for that place or file alone.
 */
export function beyondProject(address: string): string {
	const [, place] = /^([^:/\\]{2,}):/.exec(address) ?? [];
	if (place !== undefined) return `sessions in the place "${brief(place)}", which may connect to another machine`;
	return /[/\\]|\.jsonl(?:$|#)/.test(address) ? `the file ${brief(address.replace(/#[^#]*$/, ""))}` : OTHER_PROJECTS;
}

/**
 * Resolves if the agent may read what is not of this project; else rejects with a sentence. The person decides: by the setting, or if
 * there is none, by an answer that holds for the open session. `what`: as `beyondProject` says it.
 */
export async function allowOthers(
	ctx: ExtensionContext,
	what: string = OTHER_PROJECTS,
	setting: string | undefined = process.env[SETTING],
): Promise<void> {
	if (setting === "all") return;
	if (setting === "project") throw new Error(`${ONLY_THIS}: the person has set ${SETTING}=project.`);
	if (setting !== undefined && setting !== "" && setting !== "ask")
		throw new Error(`${ONLY_THIS}: ${SETTING} is set to something other than project, ask or all.`);
	const question = `${ctx.sessionManager.getSessionId()} ${what}`;
	if (agreed.has(question)) return;
	if (ctx.mode !== "tui" && ctx.mode !== "rpc")
		throw new Error(`${ONLY_THIS}: there is no one to ask. The person can set ${SETTING}=all.`);
	const answer = await ctx.ui.select(
		// Short, so that the answers are visible on a small screen too.
		`May the agent read ${what}? What it finds goes to the model, with secrets masked by their form. (${SETTING}=project or all: never ask.)`,
		[...ANSWERS],
	);
	if (answer !== ANSWERS[1]) throw new Error(`${ONLY_THIS}: the person did not allow others.`);
	agreed.add(question);
}
