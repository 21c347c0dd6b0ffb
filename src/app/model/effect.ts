import type { SessionRow } from "../../catalog/model/row.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Excerpt, ImageExcerpt } from "../conversation/excerpt.ts";
import type { PiRequest } from "../glance/pi-facts.ts";
import type { ColorJob } from "../reader/color.ts";
import type { FindJob } from "../reader/find-job.ts";
import type { PathWeights } from "../reader/path-weights.ts";
import type { Drawing, TreeInput } from "../tree/draw-tree.ts";
import type { Split } from "./layout.ts";
import type { Outcome, ResumeRequest, Shown } from "./outcome.ts";
import type { SessionView } from "./session-view.ts";

/** What `update` wants done outside; `run-effect.ts` does it and answers with an action. */
export type Effect =
	/** Read a session for the tree pane, instead of the one being read; `before`: the last reading of the same file. */
	| {
			readonly type: "read-session";
			readonly request: number;
			readonly path: string;
			readonly before?: Session | undefined;
	  }
	/** Look at every line of a large session, and end the looking that is running. */
	| { readonly type: "check-session"; readonly session: Session }
	/** Search everything and end the search that is running; a query without terms only ends that. */
	| { readonly type: "search"; readonly request: number; readonly query: Query }
	/** Find all hits in one session. */
	| { readonly type: "find-hits"; readonly path: string; readonly query: Query }
	/**
	 * Draw the tree of a large session and end the drawing that is running; `before`: what is drawn of it now; `near`: id of
	 * the entry around which it is to be compared with the filter first.
	 */
	| {
			readonly type: "draw-tree";
			readonly input: TreeInput;
			readonly before: Drawing | undefined;
			readonly near: string | undefined;
	  }
	/** Look through more of the conversation. */
	| { readonly type: "look-through"; readonly job: FindJob }
	/** Draw code in sight again, with colors. */
	| { readonly type: "color"; readonly job: ColorJob }
	/** Weighs the rest of a conversation. */
	| { readonly type: "weigh"; readonly weights: PathWeights }
	/** Load what reads Markdown and code. */
	| { readonly type: "load-renderers" }
	/** Gather the branches of a large session and end the gathering that is running. */
	| { readonly type: "gather-branches"; readonly session: Session; readonly home: string }
	/** Count what a large session comes to, and what going on from its leaf means; ends the counting that is running. */
	| { readonly type: "count-session"; readonly session: Session }
	/** Read in pi's files what they tell about going on with a session. */
	| { readonly type: "look-up"; readonly request: PiRequest }
	/** Have the catalog watch the sessions in sight, and search those with results to their end. */
	| { readonly type: "watch-visible"; readonly paths: readonly string[]; readonly watched: number }
	/** Count what these sessions cost and weigh. */
	| { readonly type: "count"; readonly rows: readonly SessionRow[] }
	| { readonly type: "rename"; readonly path: string; readonly name: string }
	| { readonly type: "label"; readonly path: string; readonly entryId: string; readonly label: string }
	| { readonly type: "branch"; readonly path: string; readonly entryId: string }
	| { readonly type: "fork"; readonly path: string; readonly cwd: string; readonly resume: boolean }
	/** Move a session to the trash, if it is still as shown. */
	| { readonly type: "trash"; readonly path: string; readonly shown: Shown }
	/** Check that the session is used as shown, and that the program and the directory are there, then leave for pi. */
	| { readonly type: "resume"; readonly request: ResumeRequest }
	| { readonly type: "resume-from"; readonly request: ResumeRequest; readonly entryId: string }
	/** Have the catalog look at what is in use, this session before all. */
	| { readonly type: "look"; readonly path: string }
	/**
	 * Take back the last change in the journal, or, if `mine`, the last one of this run. `agreed`: the answer to a question
	 * about it; `skip`: a change that is not to be offered any more.
	 */
	| { readonly type: "undo"; readonly agreed?: string; readonly skip?: string; readonly mine?: boolean }
	| { readonly type: "copy"; readonly text: string; readonly what: string }
	/** Copy a part of a session as Markdown, show it in the person's editor or pager, or save it as a file. */
	| { readonly type: "copy-excerpt"; readonly excerpt: Excerpt }
	| { readonly type: "open-excerpt"; readonly excerpt: Excerpt; readonly in: "editor" | "pager" }
	| { readonly type: "export-excerpt"; readonly excerpt: Excerpt }
	/** Show an image in the person's program for it, or save it as a file. */
	| { readonly type: "open-image"; readonly image: ImageExcerpt }
	| { readonly type: "save-image"; readonly image: ImageExcerpt }
	/** Remember how a session was left. */
	| { readonly type: "remember-view"; readonly key: string; readonly view: SessionView }
	/** Remember where the dividers are. */
	| { readonly type: "remember-split"; readonly split: Split }
	/** Compare the catalog with the disk now. */
	| { readonly type: "refresh" }
	/** Give the terminal back to the shell and stop, until the shell continues the process. */
	| { readonly type: "suspend" }
	| { readonly type: "leave"; readonly outcome: Outcome };

const CHANGES: ReadonlySet<Effect["type"]> = new Set([
	"rename",
	"label",
	"branch",
	"fork",
	"trash",
	"resume",
	"resume-from",
	"undo",
]);

/** Whether an effect changes a session or hands one over: such effects run one after the other. */
export function isChange({ type }: Effect): boolean {
	return CHANGES.has(type);
}

/** The effects before which a session is looked at again. */
export type GuardedEffect = Extract<Effect, { type: "trash" | "resume" | "resume-from" }>;
