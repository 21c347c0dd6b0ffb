/**
 * The kinds of searchable text, their ranks and speakers. Every line with text of a kind contains at least one
 * of its `jsonStrings` as a JSON string (docs/format.md), so that a search for one kind can skip other lines.
 */
export const KINDS = {
	name: { bit: 1, rank: 1, role: undefined, jsonStrings: ["session_info"] },
	label: { bit: 2, rank: 1, role: undefined, jsonStrings: ["label"] },
	/** The first user message, which the list shows as the session's title. */
	title: { bit: 4, rank: 0, role: "user", jsonStrings: ["user"] },
	/** Hardly behind the title: a session that is newer by some months comes first. */
	user: { bit: 8, rank: 0.01, role: "user", jsonStrings: ["user"] },
	assistant: { bit: 16, rank: 2, role: "assistant", jsonStrings: ["assistant"] },
	summary: { bit: 32, rank: 1, role: undefined, jsonStrings: ["summary"] },
	/** A message that an extension put into the context. */
	custom: { bit: 64, rank: 2, role: "custom", jsonStrings: ["custom_message", "custom", "hookMessage", "system"] },
	/** A shell command, of a tool call or of the user. */
	command: { bit: 128, rank: 3, role: "assistant", jsonStrings: ["command"] },
	/** A file or directory that a tool was given. */
	path: {
		bit: 256,
		rank: 4,
		role: "assistant",
		jsonStrings: ["path", "file_path", "filePath", "filename", "file", "dir", "directory", "cwd"],
	},
	tool: { bit: 512, rank: 6, role: "assistant", jsonStrings: ["toolCall", "nestedCalls"] },
	model: { bit: 1024, rank: 6, role: undefined, jsonStrings: ["provider", "model", "modelId"] },
	cwd: { bit: 2048, rank: 6, role: undefined, jsonStrings: ["session"] },
	thinking: { bit: 4096, rank: 3, role: "assistant", jsonStrings: ["thinking", "diagnostics"] },
	/** Other arguments of a tool call. */
	arguments: { bit: 8192, rank: 6, role: "assistant", jsonStrings: ["arguments"] },
	/** What a tool or a shell printed. */
	output: { bit: 16384, rank: 5, role: "tool", jsonStrings: ["toolResult", "bashExecution"] },
	/** Why an answer failed: what the provider said instead. */
	error: { bit: 32768, rank: 2, role: "assistant", jsonStrings: ["errorMessage"] },
	/** The entry's own id; that of the header is the session's. Only `entry:` asks for it: other words would be found in ids by chance. */
	id: { bit: 65536, rank: 1, role: undefined, jsonStrings: ["id"] },
} as const satisfies Record<string, KindFacts>;

interface KindFacts {
	/** A power of two, so that a set of kinds is a bit mask. */
	readonly bit: number;
	/**
	 * 0 is best: what the person said; then names, labels and summaries; answers and errors; thoughts and commands; files; output; the rest.
	 */
	readonly rank: number;
	readonly role: "user" | "assistant" | "tool" | "custom" | undefined;
	readonly jsonStrings: readonly string[];
}

export type Kind = keyof typeof KINDS;

// Object.keys returns plain strings; the table above has no other keys.
const KIND_NAMES = Object.keys(KINDS) as Kind[];

/** A set of kinds as a bit mask. */
export function maskOf(kinds: Iterable<Kind>): number {
	let mask = 0;
	for (const kind of kinds) mask |= KINDS[kind].bit;
	return mask;
}

export function kindsIn(mask: number): Kind[] {
	return KIND_NAMES.filter((kind) => (KINDS[kind].bit & mask) !== 0);
}

export function maskWhere(holds: (facts: KindFacts) => boolean): number {
	return maskOf(KIND_NAMES.filter((kind) => holds(KINDS[kind])));
}

export const CALL_KINDS = maskOf(["command", "path", "tool", "arguments"]);

interface TermWords {
	readonly needle?: string | undefined;
	readonly regex?: string | undefined;
	readonly kinds: number;
}

/** Sort key of a match whose kind is the best of these; whole words come first, then parts of words. */
export function bestRankOf(kinds: number): number {
	return Math.min(...kindsIn(kinds).map((kind) => KINDS[kind].rank * KIND_STEP));
}

/** Between two kinds of text: room for whole words and for parts of words. */
export const KIND_STEP = 2;

/** Sort key of a file that was only read, for a term that searches for files: behind files that were changed. */
export const LOOKED_AT_RANK = (KINDS.path.rank + 1) * KIND_STEP;

/** Sort key of a match with the name of the session's own project: before all others, also where another entry has the other words. */
export const OWN_PROJECT_RANK = -4 * KIND_STEP;

/** Sort key of a match only in the file's path or the session's id: behind all matches in entries. */
export const ALIAS_RANK = 7 * KIND_STEP;

/** Whether a term searches only for files: `file:x`. */
export function asksForFiles({ kinds }: Pick<TermWords, "kinds">): boolean {
	return kinds === KINDS.path.bit;
}

/**
 * Sort key of a match, lower is better: by kind, then whole words before parts of words. Matches of a term without words
 * (`role:user`) are all equal. For a term that searches for files, arguments of `edit` and `write` (`changes`) come before those of
 * other tools.
 */
export function rankOf(kind: Kind, term: TermWords, word: boolean, changes = false): number {
	if (term.needle === undefined && term.regex === undefined) return 0;
	const best = kind === "path" && asksForFiles(term) && !changes ? LOOKED_AT_RANK : KINDS[kind].rank * KIND_STEP;
	return word ? best : best + 1;
}
