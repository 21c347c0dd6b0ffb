import type { TreeFile } from "./git-trees.ts";
import type { ReplacedFile } from "./replaced-files.ts";
import type { SessionEvent } from "./session-events.ts";
import type { TreeSnapshot } from "./snapshots.ts";

/** A move of HEAD: a commit, a checkout of a branch, a reset, …. */
export interface HeadEvent {
	readonly commit: string;
	/** Undefined for the first commit of a repository. */
	readonly before: string | undefined;
	/** Unix ms, to the second. */
	readonly timeMs: number;
	/** When it was within that second, if that is known. */
	readonly exactMs?: number | undefined;
	/** Of the reflog: "commit: Add a test", "reset: moving to HEAD~1". */
	readonly message: string;
	/** Whether no reflog tells of it: it is the newest commit of the branch from then. */
	readonly isGuess: boolean;
}

/** A file (an absolute path) of a tree that a command named: the hash of a commit, perhaps with `~` and `^`, else what cannot be found. */
export interface NamedFile {
	readonly tree: string;
	readonly path: string;
}

/** What happened to one file, or may have. `order`: its place in the ledger. */
export interface FileEvent {
	readonly order: number;
	/** Who did it; undefined for a person, whose commit Git has. */
	readonly step: SessionEvent | undefined;
	readonly what: What;
}

export type What =
	| { readonly kind: "step" }
	| { readonly kind: "written"; readonly text: string }
	| { readonly kind: "appended"; readonly text: string }
	| { readonly kind: "created" }
	/** `isCommitted`: only if it was as the commit has it. */
	| { readonly kind: "removed"; readonly isCommitted?: boolean | undefined }
	| { readonly kind: "mode"; readonly isExecutable: boolean }
	| { readonly kind: "rewritten"; readonly apply: (text: string) => string | undefined }
	/** It has the content of another file now, which is gone if it was moved. */
	| { readonly kind: "from"; readonly path: string; readonly isMove: boolean; readonly byGit: boolean }
	| { readonly kind: "away"; readonly to: string }
	/** A command wrote it, and the session does not have the text. */
	| { readonly kind: "lost"; readonly why: string }
	/** It is a link by now; `target`: as the command has it. */
	| { readonly kind: "linked"; readonly target: string }
	| { readonly kind: "head"; readonly head: HeadEvent; readonly after: TreeFile | undefined }
	/** What another tool kept of all files. */
	| { readonly kind: "snapshot"; readonly snapshot: TreeSnapshot }
	/** All that Git knows is as it has it: everything was added and committed. */
	| { readonly kind: "clean" }
	| { readonly kind: "added" }
	/** A command names it that may have changed it. */
	| { readonly kind: "named" }
	/** From the index, from HEAD, or from another tree. */
	| { readonly kind: "restored"; readonly file: "index" | "head" | NamedFile }
	| { readonly kind: "stashed"; readonly untracked: "none" | "some" | "all" }
	| { readonly kind: "popped" }
	/** pi-grove itself replaced it. */
	| ({ readonly kind: "replaced" } & Pick<ReplacedFile, "before" | "after">)
	/** The disk, now. */
	| { readonly kind: "disk"; readonly content: DiskContent };

/** What is on the disk: "other": a directory, or no text. */
export type DiskContent = { readonly text: string | undefined; readonly isExecutable: boolean } | "other" | "unread";

/** Something that may have changed files, by the words of a command, or because nobody can know. */
export interface May {
	readonly order: number;
	readonly step: SessionEvent | undefined;
	/** In words: a command, or what a person may have done. */
	readonly text: string;
	/** Absolute paths of all that it may have changed, with all below them; undefined: any. */
	readonly paths: readonly string[] | undefined;
	readonly named: readonly string[];
	readonly isWide: boolean;
}
