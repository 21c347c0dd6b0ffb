import { cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutText } from "../../ui/text/width.ts";
import type { Pair } from "../help/help-topics.ts";
import { EXIT, printFields } from "../print/output.ts";
import { type CompletionRequest, completionRequest, isSafe, tableCandidates } from "./complete-line.ts";

const MEANING_CELLS = 120;

/** What the shell does besides proposing the candidates: complete file names, or add no blank behind a candidate. */
type Directive = "" | "files" | "directories" | "nospace";

interface Completion {
	readonly directive: Directive;
	readonly candidates: readonly Pair[];
}

/**
 * Answers the completions of a shell (`stubs.ts`): `pi-grove __complete -- WORD…`, with the words behind "pi-grove" up to the
 * cursor. Prints ":" with the directive, then the candidates, one a line, each with a tab and its meaning.
 *
 * Errors print nothing, since the person is typing a command line, and nothing is written, not even the index.
 */
export async function completeWords([dashes, ...words]: readonly string[]): Promise<number> {
	if (dashes !== "--") return EXIT.ok;
	try {
		const { directive, candidates } = await answerTo(completionRequest(words));
		await printFields([`:${directive}`], (line) => [cleanText(line)]);
		await printCandidates(candidates);
	} catch {
		// The error is reported when the command runs.
	}
	return EXIT.ok;
}

function printCandidates(candidates: readonly Pair[]): Promise<void> {
	return printFields(
		candidates.filter(([word]) => isSafe(word)),
		([word, meaning]) => [cleanText(word), cutText(sanitizeLine(meaning), MEANING_CELLS)],
	);
}

async function answerTo(request: CompletionRequest): Promise<Completion> {
	const { kind, typed, prefix } = request;
	const withPrefix = (candidates: readonly Pair[]): Completion => {
		return { directive: "", candidates: candidates.map(([word, meaning]) => [prefix + word, meaning]) };
	};
	switch (kind) {
		case "file":
			return { directive: "files", candidates: [] };
		case "directory":
			return { directive: "directories", candidates: [] };
		case "first":
		case "session": {
			const commands = startingWith(typed, tableCandidates(request));
			if (commands.length > 0) return withPrefix(commands);
			// A path is typed: an id has no slash, and does not begin with a dot.
			if (/^\.|\//.test(typed)) return { directive: "files", candidates: [] };
			const matches = await sessions(request);
			// The browser opens with a query as well.
			return matches.length === 0 && request.command === "browse" ? queryAnswer(request) : withPrefix(matches);
		}
		case "query":
			return queryAnswer(request);
		default:
			return withPrefix(startingWith(typed, tableCandidates(request)));
	}
}

async function queryAnswer(request: TypedWord): Promise<Completion> {
	const candidates = await queries(request);
	// The value of a field follows at once.
	return { directive: candidates.some(([word]) => word.endsWith(":")) ? "nospace" : "", candidates };
}

function startingWith(typed: string, candidates: readonly Pair[]): readonly Pair[] {
	return candidates.filter(([word]) => word.startsWith(typed));
}

type TypedWord = Pick<CompletionRequest, "typed" | "sessionDir">;

async function sessions(request: TypedWord): Promise<readonly Pair[]> {
	const { sessionCandidates } = await import("./candidates.ts");
	return sessionCandidates(request);
}

async function queries({ typed, sessionDir }: TypedWord): Promise<readonly Pair[]> {
	const { completionsFor, fieldsForWord } = await import("../../catalog/query/complete.ts");
	const agents = /^-?ag[a-z]*:/i.test(typed) ? await (await import("./candidates.ts")).agentCandidates(sessionDir) : [];
	const values = completionsFor(typed, typed.length, { projects: [], tags: [], agents });
	const all = values.length > 0 ? values : fieldsForWord(typed);
	return all.map(({ text, start, meaning }) => [`${typed.slice(0, start)}${text}`, meaning]);
}
