/** What is collected: what a person asked, or what a shell ran. */
export type UseKind = "prompt" | "command";

/** How a command ended that has no exit code: `failed` where nothing says more. */
type UseEnding = "aborted" | "killed" | "timed out" | "cancelled" | "failed";

/** A prompt or a command at one place of a session file. */
export interface Use {
	readonly kind: UseKind;
	/** Absolute path of the session's file. */
	readonly path: string;
	/** Hash of the text: the same for every use of it. */
	readonly text: number;
	/** Hash of the entry and the text: the same for what a fork has copied of it. */
	readonly origin: number;
	/** Id of its entry; "" where the file gives none: then the line names it. */
	readonly entryId: string;
	/** 1-based line in the file. */
	readonly line: number;
	/** Of that line's first byte in the file. */
	readonly offset: number;
	/** Which of the commands of that entry it is, from 0. */
	readonly part: number;
	/** Unix ms; NaN where the entry has no time. */
	readonly time: number;
	/** Who had a command run: the person (`!`), or the model. A prompt is always the person's. */
	readonly by: "person" | "model";
	/** Of a command that ended by itself. */
	exitCode?: number;
	/** Of a command that did not. With neither, nothing is known of its end: there is no result. */
	ended?: UseEnding;
	/** How long a command ran, in milliseconds, as far as that is known. */
	durationMs?: number;
	/** The entry with the result of a command of the model, where the tree shows both. */
	result?: Pick<Use, "entryId" | "line">;
}

/** A prompt or a command with all the times that it was used, those that forks have copied counted once. */
export interface UsedText {
	readonly kind: UseKind;
	/** What it is known by: the hash of its text. */
	readonly key: number;
	/** Its text, trimmed; of a longer one the beginning (`length`). */
	readonly text: string;
	/** Characters of the whole text. */
	readonly length: number;
	/** How often it was used. */
	readonly count: number;
	/** In how many sessions. */
	readonly sessions: number;
	/** How many of the uses of a command are known to have failed. */
	readonly failures: number;
	/** The latest uses, newest first: all of them, or as many as were asked for. */
	readonly uses: readonly Use[];
}

/** Whether a command is known to have failed. */
export function hasFailed({ exitCode, ended }: Use): boolean {
	return ended !== undefined || (exitCode !== undefined && exitCode !== 0);
}
