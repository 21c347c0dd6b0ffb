import type { RemovedWorktree } from "../../../catalog/git/git-notes.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import type { RedoRequest } from "../../../changes/engine/redo.ts";
import type { RestoreAllRequest } from "../../../changes/engine/restore-all.ts";
import type { UndoRequest } from "../../../changes/engine/undo-questions.ts";
import type { Act, ShownSession } from "../../../changes/guard/guard.ts";
import type { CheckoutRequest } from "../../../changes/kinds/checkout.ts";
import type { CommentRequest } from "../../../changes/kinds/comment.ts";
import type { FilesRequest } from "../../../changes/kinds/files.ts";
import {
	type ChangeRequest,
	kindOfSessions,
	REQUEST_TYPES,
	type SessionsRequest,
} from "../../../changes/kinds/kinds.ts";
import type { ChangeSpan } from "../../../edits/session-changes.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { FinalChoice } from "./choice.ts";

/**
 * The effects of features: each adds its own in its folder.
 *
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface Effects {}

/** A request of `update` to do something outside of the state; `run-effect.ts` runs it and returns an action. */
export type Effect = WorldEffect | Effects[keyof Effects];

/** Effects that belong to no feature, or to several. */
export type WorldEffect =
	/** Read what a query wants (`defineQuery`); `key`: what that is. It ends the reading for an earlier key. */
	| { readonly type: "load"; readonly query: string; readonly request: number; readonly key: unknown }
	| { readonly type: "stop-load"; readonly query: string }
	/** Read a session for the tree pane, instead of the one being read. `before`: the same file as it was last read. */
	| {
			readonly type: "read-session";
			readonly request: number;
			readonly path: string;
			readonly before?: Session | undefined;
	  }
	/** Let the catalog watch the visible sessions, and search those with results completely. */
	| { readonly type: "watch-visible"; readonly paths: readonly string[]; readonly watched: number }
	| MadeRequest
	| SessionsRequest
	| { readonly type: "resume-fork"; readonly request: ResumeRequest }
	| { readonly type: "resume-archived"; readonly request: ResumeRequest & { readonly shown: ShownSession } }
	/** Check that the session is used as shown, and that the program and the directory exist, then start pi. */
	| { readonly type: "resume"; readonly request: ResumeRequest }
	| { readonly type: "resume-from"; readonly request: ResumeRequest; readonly entryId: string }
	/** Start pi with a new session whose first prompt is this text: it is put on the clipboard, or with `sent` sent. `what`: "the prompt". */
	| {
			readonly type: "start-session";
			readonly cwd: string;
			readonly text: string;
			readonly what: string;
			readonly inWindow?: true;
			readonly sent?: CommentRequest | undefined;
	  }
	| { readonly type: "make-worktree"; readonly worktree: RemovedWorktree; readonly request: ResumeRequest }
	/**
	 * Find out what the files were when an entry was written, and ask. `others`: sessions of the same directory; `rows`: room for files;
	 * `inPlace`: takes back what was changed since, where that can be.
	 */
	| {
			readonly type: "plan-files";
			readonly session: Session;
			readonly entryId: string;
			readonly title: string;
			readonly words: string;
			readonly others: readonly SessionRow[];
			readonly rows: number;
			readonly inWindow?: true | undefined;
			readonly inPlace: Effect | undefined;
	  }
	/** Make a directory with files as of an entry, and open it: the new session in pi, or a shell. */
	| {
			readonly type: "checkout-into";
			readonly request: CheckoutRequest;
			readonly opens: "pi" | "shell";
			readonly inWindow?: true;
			/** As in `ResumeRequest`. */
			readonly stopsTurn?: true;
	  }
	/**
	 * Find out what taking back would do that was changed after an entry of the active path, and ask. `runs`: paths of the runs that
	 * were started since; `others`, `rows`: as in `plan-files`; `next`: what then goes on from the entry, if anything.
	 */
	| {
			readonly type: "plan-rewind";
			readonly session: Session;
			readonly entryId: string;
			readonly title: string;
			readonly runs: readonly string[];
			readonly others: readonly SessionRow[];
			readonly rows: number;
			readonly next: GoesOn | undefined;
	  }
	/**
	 * Find out what putting in place would do that a session changed in a part of a path, and ask. `into`: a session of the directory that
	 * it goes to; `names`: absolute paths of the only files that are meant; `others`, `rows`: as in `plan-files`.
	 */
	| {
			readonly type: "plan-apply";
			readonly session: Session;
			readonly span: ChangeSpan;
			readonly title: string;
			readonly into: Session;
			readonly names?: readonly string[];
			readonly others: readonly SessionRow[];
			readonly rows: number;
	  }
	/** Take changes of files back, and go on from where they were not made yet. */
	| { readonly type: "rewind"; readonly files: FilesRequest; readonly next: GoesOn }
	/** Switch tmux to the window in which this process runs, which has a session. */
	| { readonly type: "go-to-use"; readonly pid: number }
	/** Lets the catalog check which sessions are in use, this one first. */
	| { readonly type: "refresh-live"; readonly path: string }
	| UndoRequest
	| RedoRequest
	| RestoreAllRequest
	/** Stop the work on many sessions before the next one. */
	| { readonly type: "stop-work" }
	| { readonly type: "copy"; readonly text: string; readonly what: string }
	/** List the sessions of other places, or no longer. */
	| { readonly type: "reach-places"; readonly isWanted: boolean }
	/** Compare the catalog with the disk now. */
	| { readonly type: "refresh" }
	| { readonly type: "redraw" }
	/** Give the terminal back to the shell and stop, until the shell continues the process. */
	| { readonly type: "suspend" }
	| { readonly type: "leave"; readonly outcome: Outcome };

/** What goes on from an entry: pi here, or the pi that started the browser. */
export type GoesOn = Extract<WorldEffect, { type: "resume-from" | "leave" }>;

/** The changes that need no check whether the session is in use. */
type MadeRequest = Exclude<ChangeRequest, { type: "trash" | "move" | "go-on" | "forward" }>;

const CHANGES: ReadonlySet<string> = new Set<Effect["type"] | ChangeRequest["type"]>([
	...REQUEST_TYPES,
	"change-sessions",
	// These two change no session, but only one work on many sessions is shown, and can be stopped, at a time.
	"share-sessions",
	"plan-repair",
	"restore-all",
	"resume",
	"resume-from",
	"resume-fork",
	"resume-archived",
	"start-session",
	"make-worktree",
	"checkout-into",
	"rewind",
	"send-review",
	"resume-there",
	"bring-here",
	"undo",
	"redo",
]);

/** Whether an effect changes a session or hands one over: such effects run one after the other. */
export function isChange({ type }: Effect): boolean {
	return CHANGES.has(type);
}

/** Whether an effect will give the terminal to pi: text typed from then on is meant for pi. */
export function handsOver(effect: Effect): boolean {
	switch (effect.type) {
		case "resume-there":
			return true;
		case "checkout-into":
		case "start-session":
			return effect.inWindow !== true;
		case "rewind":
			return handsOver(effect.next);
		case "send-review":
			return effect.to === "session" || effect.to === "new";
		case "resume":
		case "resume-from":
		case "resume-fork":
		case "resume-archived":
		case "make-worktree":
			return effect.request.inWindow !== true;
		default:
			return false;
	}
}

/** The effects before which the session is checked again. */
export type GuardedEffect = Extract<Effect, { type: "change-sessions" | "resume" | "resume-from" }>;

/** What an effect does to its session, for the guard. */
export function actOf(effect: GuardedEffect): Act {
	if (effect.type === "change-sessions") return kindOfSessions(effect.change).act;
	return effect.type === "resume" ? "resume" : "move-leaf";
}

/** Ends the browser with a choice, once changes under way are made. */
export function choose(choice: FinalChoice): Extract<Effect, { type: "leave" }> {
	return { type: "leave", outcome: { kind: "chosen", choice } };
}

/** Ends the browser without a choice. */
export const BACK_TO_PI: Effect = { type: "leave", outcome: { kind: "quit" } };

export interface ResumeRequest {
	/** Absolute path of the session file. */
	readonly path: string;
	/** Directory that pi is started in. */
	readonly cwd: string;
	/** Set to start pi in a new tmux window, while the browser stays. */
	readonly inWindow?: true;
	/** Undefined for a session that was just created: no other process can have it open. */
	readonly shown?: ShownSession;
	/** Whether the person agrees to stop the turn that is running in the pi that started the browser. */
	readonly stopsTurn?: boolean;
	/** Whether the person has been warned of problems with resuming. */
	readonly isWarned?: boolean;
	/** What pi is to be told first, and the comments that are then sent. */
	readonly first?: { readonly text: string; readonly sent: CommentRequest | undefined };
}

/** A pi to start: `command` with `args` in `cwd`. */
export interface PiRun {
	readonly path: string;
	readonly cwd: string;
	readonly command: string;
	readonly args: readonly string[];
	/** Printed before it starts. */
	readonly note?: string;
}

/** How the person left the browser, and what to do once the terminal is restored. */
export type Outcome =
	| { readonly kind: "quit"; readonly exitCode?: number }
	/** Run pi, the terminal handed over; its exit code becomes ours. */
	| ({ readonly kind: "resume" } & PiRun)
	/** Report the choice to the program that started the browser for it. */
	| { readonly kind: "chosen"; readonly choice: FinalChoice }
	/** A bug: print `error` and exit 1. */
	| { readonly kind: "failed"; readonly error: string };
