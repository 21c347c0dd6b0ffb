import { existsSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { findProgram, sessionDirArguments } from "./find-program.ts";
import { type Found, foundText, readText, saidText } from "./history-text.ts";
import { brief } from "./quote.ts";
import { type Run, runGrove } from "./run-grove.ts";

/** What the agent asks for: either of the two. */
interface Asked {
	readonly query?: string;
	readonly read?: string;
	readonly here?: boolean;
	readonly turn?: boolean;
	readonly limit?: number;
	readonly chars?: number;
}

const LIMIT = { usual: 8, most: 20 };
const CHARS = { usual: 8_000, most: 40_000 };

/**
 * JSON Schema as it is: pi checks it with TypeBox, which takes such since 0.87, and the model providers get nothing else.
 */
const PARAMETERS = {
	type: "object",
	properties: {
		query: {
			type: "string",
			description:
				'Search for this. All words must occur; "a phrase", -word, re:PATTERN, role:user, tool:bash, file:NAME, since:7d, project:NAME narrow it.',
		},
		read: {
			type: "string",
			description: "Or read on from this address, as a search gives it: SESSION#ENTRY, or SESSION",
		},
		here: { type: "boolean", description: "With query: only sessions of the current directory" },
		limit: {
			type: "integer",
			minimum: 1,
			maximum: LIMIT.most,
			description: `With query: sessions, ${LIMIT.usual} by default`,
		},
		turn: { type: "boolean", description: "With read: the whole turn of the entry, from its prompt on" },
		chars: {
			type: "integer",
			minimum: 1,
			maximum: CHARS.most,
			description: `With read: characters, ${CHARS.usual} by default`,
		},
	},
	additionalProperties: false,
} as const;

/** Registers the tool with which pi searches and reads its past sessions; the one that is open is left out of the search. */
export function registerHistoryTool(pi: ExtensionAPI): void {
	pi.registerTool({
		name: "session_history",
		label: "session history",
		description:
			"Search everything said, run and written in the earlier sessions of pi on this machine, or read one place of them. Give either query or read.",
		promptSnippet: "Search and read earlier pi sessions of this machine",
		promptGuidelines: [
			"Use session_history when the user refers to earlier work, or when a problem may have been solved or decided in an earlier session.",
		],
		parameters: PARAMETERS,
		async execute(_id, given, signal, _onUpdate, ctx) {
			const text = await answer(given, ctx, signal);
			return { content: [{ type: "text", text }], details: undefined };
		},
		// The person sees what the agent looks for; the arguments may be half there yet.
		renderCall({ query, read }, theme) {
			const asked = read === undefined ? `"${brief(query)}"` : brief(read);
			return new Text(`${theme.fg("toolTitle", theme.bold("session_history"))} ${theme.fg("accent", asked)}`, 0, 0);
		},
	});
}

async function answer(asked: Asked, ctx: ExtensionContext, signal: AbortSignal | undefined): Promise<string> {
	const query = asked.query?.trim() ?? "";
	const read = asked.read?.trim() ?? "";
	if ((query === "") === (read === "")) throw new Error("give either query or read");
	const program = [...(await findProgram()), ...sessionDirArguments()];
	const cwd = existsSync(ctx.cwd) ? ctx.cwd : process.cwd();
	const run = (...args: readonly string[]): Promise<Run> => runGrove([...program, ...args], cwd, signal);
	if (read !== "") return readFrom(read, asked, run);
	const own = ctx.sessionManager.getSessionFile();
	const except = own !== undefined && existsSync(own) ? ["--except", own] : [];
	return search(query, asked, [...except, ...(asked.here === true ? ["--cwd", cwd] : [])], run);
}

type RunGrove = (...args: readonly string[]) => Promise<Run>;

async function readFrom(address: string, { chars, turn }: Asked, run: RunGrove): Promise<string> {
	const most = ["--max-chars", String(bounded(chars, CHARS))];
	const { code, out, err } = await run(
		"show",
		"--markdown",
		...most,
		...(turn === true ? ["--turn"] : []),
		"--",
		address,
	);
	if (code !== 0) throw new Error(saidText("It could not be read.", err));
	return readText(address, out);
}

async function search(query: string, asked: Asked, where: readonly string[], run: RunGrove): Promise<string> {
	const limit = bounded(asked.limit, LIMIT);
	// One more, to know whether there are more.
	const { code, out, err } = await run("search", "--json", "--limit", String(limit + 1), ...where, "--", query);
	if (code === 1) return saidText("Nothing was found. Fewer or other words may find something.", err);
	if (code !== 0) throw new Error(saidText("It could not be searched for.", err));
	const found = JSON.parse(out) as readonly Found[];
	return foundText(found.slice(0, limit), found.length > limit);
}

function bounded(
	asked: number | undefined,
	{ usual, most }: { readonly usual: number; readonly most: number },
): number {
	return Math.max(1, Math.min(most, Math.trunc(asked ?? usual) || usual));
}
