/** What is at the place of a directory of sessions. */
export type DirectoryFate =
	| { readonly kind: "there" }
	/** Nothing, or something that is no directory. */
	| { readonly kind: "gone" }
	/** It could not be looked at, so it may be there. */
	| { readonly kind: "unknown"; readonly why: string };

/** What speaks for a directory being the one that is gone. */
export type PlaceReason =
	/** It has the same last folders, so many of them. */
	| { readonly kind: "name"; readonly shared: number }
	/** Its repository is a copy of the same remote one. */
	| { readonly kind: "remote"; readonly remote: string }
	/** It is the repository of which the one that is gone was a worktree, or that worktree, moved. */
	| { readonly kind: "worktree"; readonly repository: string }
	/** Directories beside the one that is gone are beside this one now, so many of them. */
	| { readonly kind: "neighbors"; readonly count: number }
	/** So many of its sessions were forked there before. */
	| { readonly kind: "forks"; readonly count: number };

/** A directory that was found, and one thing that speaks for it. */
export interface FoundPlace {
	readonly directory: string;
	readonly reason: PlaceReason;
}

/** A directory to which sessions may belong now. */
export interface PlaceProposal {
	readonly directory: string;
	/** All that speaks for it, the strongest first. */
	readonly reasons: readonly PlaceReason[];
	/** 1: perhaps, 2: likely, 3: sure. */
	readonly certainty: 1 | 2 | 3;
}

/** What was noted of a directory while it was there. */
export interface GitNote {
	/** The remote repository without what is secret: "github.com/owner/name". "": none. */
	readonly remote: string;
	/** The way to it from the top of the repository, "" for the top. */
	readonly inside: string;
	/** For a worktree, the directory of its repository, else "". */
	readonly worktreeOf: string;
}
