/** A Git repository, with all directories that its files are checked out in. */
export interface Repository {
	/** The directory that it is named by: the one that holds it. */
	readonly root: string;
	/** That one, and those of its worktrees. */
	readonly directories: readonly string[];
}

/** What is known of directories of sessions. */
export interface Places {
	/** The repository that the program was started in; undefined until it is known, or where there is none. */
	readonly repository: Repository | undefined;
	/** The branch that each directory is on, "" for none, as far as that was looked up. */
	readonly branches: ReadonlyMap<string, string>;
	/** The directories of which that was asked; undefined before the first question. */
	readonly asked: ReadonlySet<string> | undefined;
	/** Whether what Git knows of the directories was noted in this run. */
	readonly noted: boolean;
}
