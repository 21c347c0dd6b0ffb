import { existsSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";
import { findProgram, type ProgramResult, runGrove, sessionDirArguments } from "./grove-program.ts";
import {
	allowOthers,
	beyondProject,
	CHARS,
	type HistoryRequest,
	LIMIT,
	MAX_QUERY,
	readRequest,
} from "./history-request.ts";
import {
	digestText,
	errorText,
	failedText,
	foundText,
	nothingText,
	type Part,
	readText,
	type SearchResult,
} from "./history-text.ts";
import { brief } from "./text.ts";

/**
 * Exit codes of `search` if everything was searched and nothing was found, and of `show` if the session is of another project or place:
 * it was not opened.
 */
const NOTHING = 1;
const ELSEWHERE = 1;

/** Plain JSON Schema: pi's TypeBox has accepted that since 0.87, and model providers get nothing else. */
const PARAMETERS = {
	type: "object",
	properties: {
		query: {
			type: "string",
			maxLength: MAX_QUERY,
			description:
				'Search for this. All words must occur; "a phrase", -word, re:PATTERN, role:user, tool:bash, file:NAME, since:7d, project:NAME narrow it.',
		},
		read: {
			type: "string",
			description:
				"Or read on from this address, as a search or a read gives it: SESSION#ENTRY@OFFSET, SESSION#ENTRY, or SESSION, of which a long one is summed up with the addresses of its turns",
		},
		everywhere: {
			type: "boolean",
			description:
				"With query: sessions of all projects, not only of this directory; only when the user refers to other projects",
		},
		limit: {
			type: "integer",
			minimum: 1,
			maximum: LIMIT.max,
			description: `With query: sessions, ${LIMIT.usual} by default`,
		},
		turn: { type: "boolean", description: "With read: the whole turn of the entry, from its prompt on" },
		chars: {
			type: "integer",
			minimum: 1,
			maximum: CHARS.max,
			description: `With read: characters, ${CHARS.usual} by default`,
		},
	},
	additionalProperties: false,
} as const;

const NAME = "session_history";

/** Registers the tool with which pi searches and reads its past sessions; the search leaves out the open one. */
export function registerHistoryTool(pi: ExtensionAPI): void {
	pi.on("session_start", () => activate(pi));
	pi.on("session_tree", () => activate(pi));
	pi.registerTool({
		name: NAME,
		label: "session history",
		description:
			"Search everything said, run and written in the earlier sessions of pi in this project, or read one place of them. Give either query or read. Secrets are masked.",
		promptSnippet: "Search and read earlier pi sessions of this project",
		promptGuidelines: [
			"Use session_history when the user refers to earlier work, or when a problem may have been solved or decided in an earlier session.",
		],
		parameters: PARAMETERS,
		async execute(_id, given, signal, _onUpdate, ctx) {
			const text = await answer(readRequest(given), ctx, signal);
			return { content: [{ type: "text", text }], details: undefined };
		},
		// Shows the person what the agent searches for; the arguments may still be incomplete.
		renderCall({ query, read: address }, theme) {
			const subject = address === undefined ? `"${brief(query)}"` : brief(address);
			return new Text(`${theme.fg("toolTitle", theme.bold("session_history"))} ${theme.fg("accent", subject)}`, 0, 0);
		},
	});
}

/** How pi is told to leave the tool out of the active ones: in `--tools` and in the setting `defaultTools`. */
const LEFT_OUT = `-${NAME}`;

/**
 * Adds the tool to the active ones, unless the person has left it out. pi restores the tools that a session had at the entry where it goes
 * on (0.87.1 to 1.6.0, `_restoreToolsFromTranscript`), and the tool is not among these if the session was ever continued without this
 * package. pi ignores the name where `--tools` or `--exclude-tools` does not allow it.
 */
function activate(pi: ExtensionAPI): void {
	const active = pi.getActiveTools();
	const chosen = [
		...process.argv.flatMap((argument) => argument.split(",")),
		...(pi.getSettings?.().defaultTools ?? []),
	];
	if (!active.includes(NAME) && !chosen.includes(LEFT_OUT)) pi.setActiveTools([...active, NAME]);
}

type RunGrove = (...args: readonly string[]) => Promise<ProgramResult>;

async function answer(
	request: HistoryRequest,
	ctx: ExtensionContext,
	signal: AbortSignal | undefined,
): Promise<string> {
	const program = [...(await findProgram()), ...sessionDirArguments()];
	const cwd = existsSync(ctx.cwd) ? ctx.cwd : process.cwd();
	const run: RunGrove = (...args) => runGrove([...program, ...args], cwd, signal);
	return request.kind === "read" ? read(request, ctx, run) : search(request, ctx, run);
}

async function read(
	{ address, turn, chars }: HistoryRequest & { readonly kind: "read" },
	ctx: ExtensionContext,
	run: RunGrove,
): Promise<string> {
	const show = ["show", "--masked", "--markdown", "--json", "--max-chars", String(chars)];
	let where = ["--cwd", ctx.cwd];
	const part = async (...options: readonly string[]): Promise<Part> => {
		let { code, out, err } = await run(...show, ...options, ...where, "--", address);
		if (code === ELSEWHERE && where.length > 0) {
			await allowOthers(ctx, beyondProject(address));
			where = [];
			({ code, out, err } = await run(...show, ...options, "--", address));
		}
		if (code !== 0) throw new Error(errorText("It could not be read.", err));
		return JSON.parse(out) as Part;
	};
	const whole = await part(...(turn ? ["--turn"] : []));
	// The beginning of a long session says less than what was asked in it, and what came of it.
	const isWhole = whole.next === null || turn || address.includes("#");
	return isWhole ? readText(whole, turn) : digestText(await part("--digest"));
}

async function search(
	{ query, everywhere, limit }: HistoryRequest & { readonly kind: "search" },
	ctx: ExtensionContext,
	run: RunGrove,
): Promise<string> {
	if (everywhere) await allowOthers(ctx);
	const ownFile = ctx.sessionManager.getSessionFile();
	const except = ownFile !== undefined && existsSync(ownFile) ? ["--except", ownFile] : [];
	const where = everywhere ? except : [...except, "--cwd", ctx.cwd];
	// One more than wanted, to know whether there are more.
	const some = ["--limit", String(limit + 1)];
	const { code, out, err } = await run("search", "--masked", "--json", ...some, ...where, "--", query);
	// The program prints the empty list itself: without it, it has ended before it knew.
	if (code === NOTHING && /^\[\s*\]\s*$/.test(out)) return nothingText(err, everywhere);
	if (code !== 0) throw new Error(failedText(err));
	const results = JSON.parse(out) as readonly SearchResult[];
	return foundText(results.slice(0, limit), results.length > limit, err);
}
