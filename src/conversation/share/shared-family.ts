export interface SharedRun {
	/** Id of the entry below which it stands. */
	readonly entryId: string;
	/** Empty where it is not known. */
	readonly agent: string;
	/** Empty where it is not known. */
	readonly task: string;
	/** How it ended, and how long it took: "✓ 4.0s". */
	readonly came: string;
	/** In dollars, with its own runs; 0 if nothing is known. */
	readonly cost: number;
	/** Address of its page, relative to that of its parent; undefined if it has none. */
	readonly page: string | undefined;
}

/** The pages of a session's runs, and of the session that asked for it. */
export interface SharedFamily {
	readonly runs: readonly SharedRun[];
	/** The page of the parent, and its masked title; present if the session is a run whose parent has a page. */
	readonly parent?: { readonly page: string; readonly title: string };
}

export const NO_FAMILY: SharedFamily = { runs: [] };
