import type { RemovedWorktree } from "../../../catalog/git/git-notes.ts";
import type { CatalogEvent } from "../../../catalog/model/event.ts";
import type { Message } from "../../../changes/answer.ts";
import type { Progress } from "../../../changes/engine/long-work.ts";
import type { ShownSession } from "../../../changes/guard/guard.ts";
import type { ReadMarks } from "../../../changes/noted/marks.ts";
import type { ReadSaved } from "../../../changes/noted/saved-queries.ts";
import type { Session } from "../../../store/read/read-session.ts";
import type { MouseEvent } from "../../../ui/keys/decode-input.ts";
import type { HostNow } from "./catalog-state.ts";
import type { GuardedEffect, ResumeRequest } from "./effect.ts";
import type { EffectQuestion } from "./overlays.ts";

/** The actions of features: each adds its own in its folder. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface Actions {}

/** Everything that can happen: keys, events of the catalog, results of effects. */
export type Action = WorldAction | Actions[keyof Actions];

/** Actions that belong to no feature. */
export type WorldAction =
	/** Keys in the order they were pressed; many may arrive at once. */
	| { readonly type: "keys"; readonly keys: readonly string[] }
	| { readonly type: "mouse"; readonly event: MouseEvent }
	| { readonly type: "text"; readonly text: string }
	/** `isAssumed`: the terminal does not report its size. */
	| { readonly type: "resize"; readonly columns: number; readonly rows: number; readonly isAssumed?: boolean }
	/** Time has passed; `now` in Unix ms. */
	| { readonly type: "tick"; readonly now: number }
	| { readonly type: "catalog"; readonly event: CatalogEvent }
	/** The pins and tags, which this window or another one has changed. */
	| { readonly type: "marks"; readonly read: ReadMarks }
	/** The saved queries, after a change in any window. */
	| { readonly type: "saved"; readonly read: ReadSaved }
	| { readonly type: "session-read"; readonly request: number; readonly session: Session }
	| { readonly type: "session-failed"; readonly request: number; readonly message: string }
	/** A query has read something, with more to come unless `isLast`, or has failed. */
	| {
			readonly type: "loaded";
			readonly query: string;
			readonly request: number;
			readonly outcome: { readonly part: unknown } | { readonly error: string };
			readonly isLast: boolean;
	  }
	/** A change of a session was made or failed, and the list shows the result. */
	| { readonly type: "changed" }
	/** The effect was not carried out: there is more evidence (`now`) that the session is in use than the person was shown. */
	| { readonly type: "in-use"; readonly effect: GuardedEffect; readonly now: ShownSession }
	/** Progress of the work on many sessions; undefined when it is over. */
	| { readonly type: "progress"; readonly progress: Progress | undefined }
	/** An effect has ended with something to report; the cursor goes to the session `select`, or to the end of `created`, a new one. */
	| {
			readonly type: "done";
			readonly message: Message;
			readonly select?: string | undefined;
			readonly created?: string | undefined;
	  }
	/** The pi that started the browser reports a change. */
	| { readonly type: "host"; readonly now: HostNow }
	/** The pi that was to be started with this session has ended, or has not begun (`hasRun`), and the terminal is ours again. */
	| { readonly type: "back"; readonly path: string; readonly hasRun: boolean; readonly message: Message | undefined }
	/** An effect waits for the person's answer. */
	| { readonly type: "ask"; readonly question: EffectQuestion }
	/** The directory of a session to resume is gone; `worktree`: it was in one that can be made again. */
	| {
			readonly type: "directory-missing";
			readonly request: ResumeRequest;
			readonly worktree?: RemovedWorktree;
	  }
	/**
	 * Where a session of another place may be copied to: its own directory if that is on this machine, and is not `missing`, then the
	 * projects that may be the same.
	 */
	| {
			readonly type: "home-found";
			readonly path: string;
			readonly missing: string | undefined;
			readonly directories: readonly string[];
	  }
	/** A bug: the browser leaves with this error. */
	| { readonly type: "failed"; readonly error: string };
