import type { SessionRow } from "../../catalog/model/row.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { Use } from "../../catalog/uses/use.ts";
import type { ChangeAllRequest } from "../../changes/engine/change-all.ts";
import type { RedoRequest } from "../../changes/engine/redo.ts";
import type { RestoreAllRequest } from "../../changes/engine/restore-all.ts";
import type { UndoRequest } from "../../changes/engine/undo-questions.ts";
import type { Act, Shown } from "../../changes/guard/guard.ts";
import type { ChangeRequest } from "../../changes/kinds/kinds.ts";
import type { ColorJob } from "../../conversation/document/color-job.ts";
import type { FindJob } from "../../conversation/document/find-job.ts";
import type { PiRequest } from "../../conversation/glance/pi-facts.ts";
import type { Excerpt, ImageExcerpt } from "../../conversation/markdown/excerpt.ts";
import type { Drawing, TreeInput } from "../../conversation/tree/draw-tree.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { Family } from "../features/maintenance/families.ts";
import type { GoneDirectory, PlaceSubmit } from "../features/maintenance/moved-state.ts";
import type { SessionView } from "../features/memory/session-view.ts";
import type { AskedUses } from "../features/prompts/uses-state.ts";
import type { Split } from "./layout.ts";
import type { RememberedList } from "./list/list-settings.ts";
import type { Outcome, ResumeRequest } from "./outcome.ts";

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
	/** Find out what may have been meant by a query that nothing matches, and end the work for the one before. */
	| { readonly type: "propose"; readonly query: Query; readonly rows: ReadonlyMap<string, SessionRow> }
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
	/** Sum up what the sessions come to; `gently`: they are still being counted, which must not take longer for it. */
	| { readonly type: "count"; readonly rows: readonly SessionRow[]; readonly gently: boolean }
	/** Name a session, label an entry, copy one, bring one back from the trash; pin, tag, save a query. */
	| Extract<ChangeRequest, { type: "rename" | "label" | "branch" | "restore" | "mark" | "save-query" }>
	/** Make pi go on from the end of the conversation again, which is this entry. `shown`: missing where nobody was asked. */
	| { readonly type: "forward"; readonly path: string; readonly entryId: string; readonly shown?: Shown }
	/** Remember whether the saved queries stand above the list. */
	| { readonly type: "show-saved"; readonly shown: boolean }
	/** Move sessions into the archive, if they are as shown and not in use, or back out of it. */
	| { readonly type: "archive"; readonly sessions: readonly Shown[] }
	| { readonly type: "bring-back"; readonly paths: readonly string[]; readonly resume?: Resuming | undefined }
	| {
			readonly type: "fork";
			readonly path: string;
			readonly cwd: string;
			readonly resume: boolean;
			readonly inWindow?: true;
	  }
	/** Move a session to the trash, if it is still as shown. */
	| { readonly type: "trash"; readonly path: string; readonly shown: Shown }
	/** Check that the session is used as shown, and that the program and the directory are there, then leave for pi. */
	| { readonly type: "resume"; readonly request: ResumeRequest }
	| { readonly type: "resume-from"; readonly request: ResumeRequest; readonly entryId: string }
	/** Have the catalog look at what is in use, this session before all. */
	| { readonly type: "look"; readonly path: string }
	| UndoRequest
	| RedoRequest
	| ChangeAllRequest
	| RestoreAllRequest
	/** Saves the conversation of each of these sessions as a Markdown file in a new directory. */
	| { readonly type: "export-all"; readonly rows: readonly SessionRow[] }
	/** Read what was added to the journal, and at least so many of its changes. */
	| { readonly type: "read-history"; readonly request: number; readonly wanted: number }
	/** Gather the sessions in the trash. */
	| { readonly type: "read-trash"; readonly request: number }
	/** Find out where the sessions in the trash were. */
	| { readonly type: "read-trash-paths" }
	/** Read these files in the trash, for what the list would show of them. */
	| { readonly type: "scan-trash"; readonly paths: readonly string[] }
	/** Find out which of these directories are there. */
	| { readonly type: "look-at-directories"; readonly search: number; readonly directories: readonly string[] }
	/** Find out where these directories that are gone may be now; `there`: the directories of sessions that exist. */
	| {
			readonly type: "find-places";
			readonly search: number;
			readonly gone: readonly GoneDirectory[];
			readonly there: readonly string[];
	  }
	/** Find the folders in a directory, to complete what is typed. */
	| { readonly type: "list-folders"; readonly directory: string }
	/** Find out whether the directory that was typed is there. */
	| { readonly type: "check-place"; readonly directory: string; readonly of: PlaceSubmit }
	/** Note what Git knows of directories while they are there. */
	| { readonly type: "note-git"; readonly directories: readonly string[] }
	/** Examine the first of these sessions, as many as there is time for until the screen is drawn again. */
	| { readonly type: "examine"; readonly request: number; readonly paths: readonly string[] }
	/** Read how these sessions begin: they may be copies of some that were examined. */
	| { readonly type: "read-heads"; readonly request: number; readonly paths: readonly string[] }
	/** Find out what repaired copies of these would have. */
	| { readonly type: "plan-repair"; readonly paths: readonly string[] }
	/** Read these families of sessions: which of them stand wholly in another one. */
	| { readonly type: "compare-families"; readonly families: readonly Family[] }
	/** Look at what stands in the way of an undo of these changes, or of doing them again. */
	| { readonly type: "check-history"; readonly ids: readonly string[] }
	/** Read prompts or commands, and end the request before; with `anew`, look at every file again. `now`: Unix ms. */
	| {
			readonly type: "ask-uses";
			readonly request: number;
			readonly asked: AskedUses;
			readonly anew: boolean;
			readonly now: number;
	  }
	/** Nobody looks at prompts and commands any more. */
	| { readonly type: "stop-uses" }
	/** Read the text of a prompt or a command, and copy it, or give it to the pi that started the browser. */
	| { readonly type: "take-use"; readonly use: Use; readonly to: "clipboard" | "pi" }
	/** Have the work on many sessions stop before the next one. */
	| { readonly type: "stop-work" }
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
	/** Remember how the person wants the list. */
	| { readonly type: "remember-list"; readonly list: RememberedList }
	/** Find out which repository a directory is in, if one is given, and which branches these are on. */
	| {
			readonly type: "look-at-places";
			readonly directory: string | undefined;
			readonly directories: readonly string[];
	  }
	/** Compare the catalog with the disk now. */
	| { readonly type: "refresh" }
	/** Give the terminal back to the shell and stop, until the shell continues the process. */
	| { readonly type: "suspend" }
	| { readonly type: "leave"; readonly outcome: Outcome };

/** What is resumed once it is back. */
type Resuming = Pick<ResumeRequest, "cwd">;
const CHANGES: ReadonlySet<Effect["type"]> = new Set([
	"rename",
	"forward",
	"label",
	"mark",
	"archive",
	"bring-back",
	"save-query",
	"branch",
	"fork",
	"trash",
	"change-all",
	// It changes none, but only one work on many sessions is shown, and stopped, at a time.
	"export-all",
	// The same goes for this.
	"plan-repair",
	"restore",
	"restore-all",
	"resume",
	"resume-from",
	"undo",
	"redo",
]);

/** Whether an effect changes a session or hands one over: such effects run one after the other. */
export function isChange({ type }: Effect): boolean {
	return CHANGES.has(type);
}

/** Whether an effect is going to give the terminal to pi: what is typed from then on is not for us. */
export function handsOver(effect: Effect): boolean {
	if (effect.type === "resume" || effect.type === "resume-from") return effect.request.inWindow !== true;
	if (effect.type === "bring-back") return effect.resume !== undefined;
	return effect.type === "fork" && effect.resume && effect.inWindow !== true;
}

/** The effects before which a session is looked at again. */
export type GuardedEffect = Extract<Effect, { type: "trash" | "forward" | "resume" | "resume-from" }>;

const ACTS: Readonly<Record<GuardedEffect["type"], Act>> = {
	trash: "take",
	forward: "move-back",
	"resume-from": "move-leaf",
	resume: "resume",
};

/** What an effect does to its session. */
export function actOf({ type }: GuardedEffect): Act {
	return ACTS[type];
}
