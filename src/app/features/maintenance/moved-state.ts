import { defineSlice } from "../../world/state/state.ts";

/** Whether a directory of sessions exists. */
export type DirectoryFate =
	| { readonly kind: "there" }
	/** Nothing is there, or something other than a directory. */
	| { readonly kind: "gone" }
	/** It could not be checked, so it may exist. */
	| { readonly kind: "unknown"; readonly why: string };

/** A missing directory, and sessions of it whose tool calls show which files it had. */
export interface GoneDirectory {
	readonly directory: string;
	/** Paths. */
	readonly sessions: readonly string[];
}

/** Why a directory may be the missing one. */
export type PlaceReason =
	/** It ends with the same folders; `shared` is their number. */
	| { readonly kind: "name"; readonly shared: number }
	/** Its repository is a clone of the same remote. */
	| { readonly kind: "remote"; readonly remote: string }
	/** It is the repository of which the missing directory was a worktree. */
	| { readonly kind: "worktree" }
	/** It has `count` of the `of` files checked, all touched by the sessions. */
	| { readonly kind: "files"; readonly count: number; readonly of: number };

/** A directory that was found, and one reason for it. */
export interface FoundPlace {
	readonly directory: string;
	readonly reason: PlaceReason;
}

/** A directory in which sessions may belong now. */
export interface PlaceProposal {
	readonly directory: string;
	/** Strongest first. */
	readonly reasons: readonly PlaceReason[];
	/** 1: possible, 2: likely, 3: certain. */
	readonly certainty: 1 | 2 | 3;
}

/** What Git knew of a directory while it existed. */
export interface GitNote {
	/** The remote repository without credentials: "github.com/owner/name"; "" if there is none. */
	readonly remote: string;
	/** Its path relative to the top of the repository; "" for the top itself. */
	readonly inside: string;
	/** For a worktree, the directory of its repository; otherwise "". */
	readonly worktreeOf: string;
}

/** Which directories of sessions exist, and what may have replaced the missing ones. */
export interface MovedState {
	/** Number of times the view was opened; results for an earlier opening are dropped. */
	readonly search: number;
	/** Results of the checks so far. */
	readonly fates: ReadonlyMap<string, DirectoryFate>;
	/** Directories being checked. */
	readonly checking: readonly string[];
	/** Candidates with their reasons, by missing directory. */
	readonly found: ReadonlyMap<string, readonly FoundPlace[]>;
	/** Missing directories whose candidates are being searched. */
	readonly finding: readonly string[];
	/** The directory that the person has chosen or typed, by missing directory. */
	readonly chosen: ReadonlyMap<string, string>;
	/** The folders in the directory being typed; `names` is undefined until they are listed. */
	readonly folders: { readonly directory: string; readonly names: readonly string[] | undefined } | undefined;
}

export const FIRST_MOVED: MovedState = {
	search: 0,
	fates: new Map(),
	checking: [],
	found: new Map(),
	finding: [],
	chosen: new Map(),
	folders: undefined,
};

export const MOVED = defineSlice("moved", FIRST_MOVED);
