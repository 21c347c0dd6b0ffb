/** A Git repository, with all its working trees. */
export interface Repository {
	/** The directory that it is named by, which contains the Git directory. */
	readonly root: string;
	/** `root`, and the directories of its worktrees. */
	readonly directories: readonly string[];
}

/** What Git's files say about the directories of sessions. */
export interface Places {
	/** The repository in which the program was started; undefined until it is known, or if there is none. */
	readonly repository: Repository | undefined;
	/** The branch of each directory whose branch was read; "" for none. */
	readonly branches: ReadonlyMap<string, string>;
	/** The directories whose branches were requested; undefined before the first request. */
	readonly requested: ReadonlySet<string> | undefined;
	/** Whether this run has stored Git's facts about the directories, for when they are missing. */
	readonly noted: boolean;
}
