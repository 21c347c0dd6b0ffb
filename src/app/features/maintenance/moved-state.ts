import { defineSlice } from "../../world/state/slice.ts";

/** What is at the place of a directory of sessions. */
export type DirectoryFate =
	| { readonly kind: "there" }
	/** Nothing, or something that is no directory. */
	| { readonly kind: "gone" }
	/** It could not be looked at, so it may be there. */
	| { readonly kind: "unknown"; readonly why: string };

/** A directory that is gone, and sessions of it that say which files it had. */
export interface GoneDirectory {
	readonly directory: string;
	/** Paths. */
	readonly sessions: readonly string[];
}

/** What speaks for a directory being the one that is gone. */
export type PlaceReason =
	/** It has the same last folders, so many of them. */
	| { readonly kind: "name"; readonly shared: number }
	/** Its repository is a copy of the same remote one. */
	| { readonly kind: "remote"; readonly remote: string }
	/** It is the repository of which the one that is gone was a worktree. */
	| { readonly kind: "worktree" }
	/** It has so many of the files that the sessions touched, of so many that were looked for. */
	| { readonly kind: "files"; readonly count: number; readonly of: number };

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

/** What is known of the directories of sessions, and of the places of those that are gone. */
export interface MovedState {
	/** Number of the opening; what was found out for an earlier one is dropped. */
	readonly search: number;
	/** What is at the places that were looked at. */
	readonly fates: ReadonlyMap<string, DirectoryFate>;
	/** Those that are being looked at. */
	readonly looking: readonly string[];
	/** What speaks for which place, by directory that is gone. */
	readonly found: ReadonlyMap<string, readonly FoundPlace[]>;
	/** Those of which the places are being looked for. */
	readonly finding: readonly string[];
	/** The place that the person has chosen, or typed, by directory that is gone. */
	readonly chosen: ReadonlyMap<string, string>;
	/** The folders in the directory that is being typed; `names` undefined: asked for. */
	readonly folders: { readonly directory: string; readonly names: readonly string[] | undefined } | undefined;
}

export const FIRST_MOVED: MovedState = {
	search: 0,
	fates: new Map(),
	looking: [],
	found: new Map(),
	finding: [],
	chosen: new Map(),
	folders: undefined,
};

export const MOVED = defineSlice("moved", FIRST_MOVED);
