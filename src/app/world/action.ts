import type { CatalogEvent } from "../../catalog/model/event.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { Proposal } from "../../catalog/query/propose.ts";
import type { SearchEvent, SessionHits } from "../../catalog/search/search.ts";
import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import type { UsesEvent } from "../../catalog/uses/protocol.ts";
import type { Message } from "../../changes/engine/answer.ts";
import type { Progress } from "../../changes/engine/long-work.ts";
import type { Shown } from "../../changes/guard/guard.ts";
import type { HistoryPart } from "../../changes/journal/history-reader.ts";
import type { Outlook } from "../../changes/kinds/kind.ts";
import type { ReadMarks } from "../../changes/noted/marks.ts";
import type { ReadSaved } from "../../changes/noted/saved-queries.ts";
import type { Branches } from "../../conversation/branches/branch.ts";
import type { ColorJob } from "../../conversation/document/color-job.ts";
import type { FindJob } from "../../conversation/document/find-job.ts";
import type { PiFacts, PiRequest } from "../../conversation/glance/pi-facts.ts";
import type { Renderers } from "../../conversation/render/renderers.ts";
import type { Drawing } from "../../conversation/tree/draw-tree.ts";
import type { Examination } from "../../store/doctor/examine-session.ts";
import type { PlannedCopy } from "../../store/doctor/repair-session.ts";
import type { SessionHead } from "../../store/doctor/session-head.ts";
import type { ContainedSessions } from "../../store/duplicates/contained-sessions.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { MouseEvent } from "../../ui/keys/decode-mouse.ts";
import type { DirectoryFate, FoundPlace, PlaceSubmit } from "../features/maintenance/moved-state.ts";
import type { TrashItem } from "../features/maintenance/trash-state.ts";
import type { GuardedEffect } from "./effect.ts";
import type { HostNow } from "./host.ts";
import type { Repository } from "./list/places.ts";
import type { ResumeRequest } from "./outcome.ts";
import type { Question } from "./question.ts";

/** Everything that can happen: keys, events of the catalog, results of effects. */
export type Action =
	/** Keys in the order they were pressed; many may arrive at once. */
	| { readonly type: "keys"; readonly keys: readonly string[] }
	| { readonly type: "mouse"; readonly event: MouseEvent }
	/** Pasted text. */
	| { readonly type: "text"; readonly text: string }
	/** `isAssumed`: the terminal does not say its size. */
	| { readonly type: "resize"; readonly columns: number; readonly rows: number; readonly isAssumed?: boolean }
	/** Time has passed; `now` in Unix ms. */
	| { readonly type: "tick"; readonly now: number }
	| { readonly type: "catalog"; readonly event: CatalogEvent }
	/** The pins and tags, which this window or another one has changed. */
	| { readonly type: "marks"; readonly read: ReadMarks }
	/** The saved queries, after a change in any window. */
	| { readonly type: "saved"; readonly read: ReadSaved }
	| { readonly type: "session-read"; readonly request: number; readonly session: Session }
	/** All lines of a large session were looked at: whether it is what it was taken for. */
	| { readonly type: "session-checked"; readonly session: Session; readonly isSound: boolean }
	| { readonly type: "session-failed"; readonly request: number; readonly message: string }
	/** An event of the search with this number. */
	| { readonly type: "search"; readonly request: number; readonly event: SearchEvent }
	/** All hits in one session. */
	| { readonly type: "hits"; readonly path: string; readonly query: Query; readonly found: SessionHits }
	/** What may have been meant by a query that nothing matches. */
	| { readonly type: "proposed"; readonly query: Query; readonly proposals: readonly Proposal[] }
	/** The tree of a large session. */
	| { readonly type: "tree-drawn"; readonly drawing: Drawing }
	/** More of the conversation was looked through. */
	| { readonly type: "looked-through"; readonly job: FindJob }
	/** Code in sight has colors now. */
	| { readonly type: "colored"; readonly job: ColorJob }
	/** What reads Markdown and code is there. */
	| { readonly type: "renderers"; readonly renderers: Renderers }
	/** The branches of a large session, as it was when they were asked for. */
	| { readonly type: "branches-gathered"; readonly session: Session; readonly branches: Branches }
	/** A large session has been counted; what it comes to is remembered there. */
	| { readonly type: "session-counted"; readonly session: Session }
	/** What pi's files tell about going on with a session. */
	| { readonly type: "looked-up"; readonly request: PiRequest; readonly facts: PiFacts }
	/** What was found out of directories; `repository` only if that was asked. */
	| {
			readonly type: "places";
			readonly repository?: Repository | undefined;
			readonly branches: ReadonlyMap<string, string>;
	  }
	/** What was read of the journal, or why it cannot be read. */
	| { readonly type: "history-read"; readonly request: number; readonly read: HistoryPart | { readonly error: string } }
	/** The sessions in the trash, newest first, or why they cannot be gathered. */
	| {
			readonly type: "trash-read";
			readonly request: number;
			readonly read: { readonly items: readonly TrashItem[] } | { readonly error: string };
	  }
	/** Where the sessions in the trash were. */
	| { readonly type: "trash-paths"; readonly paths: ReadonlySet<string> }
	/** What the list would show of files in the trash, by their paths there. */
	| { readonly type: "trash-scanned"; readonly rows: ReadonlyMap<string, SessionRow> }
	/** What was found in the first sessions of those to be examined. */
	| { readonly type: "examined"; readonly request: number; readonly found: readonly Examination[] }
	/** How sessions begin. */
	| { readonly type: "heads-read"; readonly request: number; readonly found: readonly SessionHead[] }
	/** What repaired copies would have, by the path of their session. */
	| { readonly type: "repair-planned"; readonly planned: ReadonlyMap<string, readonly PlannedCopy[]> }
	/** What is at the places of directories. */
	| {
			readonly type: "directories-looked";
			readonly search: number;
			readonly fates: ReadonlyMap<string, DirectoryFate>;
	  }
	/** Where directories that are gone may be now. */
	| {
			readonly type: "places-found";
			readonly search: number;
			readonly found: ReadonlyMap<string, readonly FoundPlace[]>;
	  }
	/** The folders in a directory. */
	| { readonly type: "folders-listed"; readonly directory: string; readonly names: readonly string[] }
	/** Whether the directory that was typed is there. */
	| {
			readonly type: "place-checked";
			readonly directory: string;
			readonly fate: DirectoryFate;
			readonly of: PlaceSubmit;
	  }
	/** What stands in the way of an undo of these changes. */
	| {
			readonly type: "history-checked";
			readonly ids: readonly string[];
			readonly outlooks: ReadonlyMap<string, Outlook>;
	  }
	/** By the keys of families: the sessions in them that stand wholly in another one. */
	| { readonly type: "families-compared"; readonly contained: ReadonlyMap<string, readonly ContainedSessions[]> }
	/** What the sessions cost and weigh. */
	| { readonly type: "stats"; readonly stats: CatalogStats }
	| { readonly type: "stats"; readonly error: string }
	/** What has been found of prompts or commands. */
	| { readonly type: "uses"; readonly request: number; readonly event: UsesEvent }
	/** The text of a prompt or a command, for the editor of the pi that started the browser. */
	| { readonly type: "use-text"; readonly text: string }
	/** A change of a session has been made or has failed, and the list has what came of it. */
	| { readonly type: "changed" }
	/** This was not done: of what speaks for the session being in use now, the person was shown less, or nothing. */
	| { readonly type: "in-use"; readonly effect: GuardedEffect; readonly now: Shown }
	/** How far the work on many sessions is; undefined: it is over. */
	| { readonly type: "progress"; readonly progress: Progress | undefined }
	/** An effect has ended with something to report; `select` is the path of the session that the cursor goes to. */
	| { readonly type: "done"; readonly message: Message; readonly select?: string | undefined }
	/** Something of the pi that started the browser is otherwise now. */
	| { readonly type: "host"; readonly now: HostNow }
	/** The pi that was started with this session has ended, and the terminal is ours again. */
	| { readonly type: "back"; readonly path: string; readonly message: Message | undefined }
	/** An effect does not go on before the person has answered. */
	| { readonly type: "ask"; readonly question: Question }
	/** The directory of a session to resume is gone. */
	| { readonly type: "directory-missing"; readonly request: ResumeRequest }
	/** A bug: the browser leaves with this error. */
	| { readonly type: "failed"; readonly error: string };
