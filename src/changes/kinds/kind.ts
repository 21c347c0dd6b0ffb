import type { z } from "zod";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import type { TrashReceipt } from "../../store/actions/trash.ts";
import type { Act } from "../guard/guard.ts";
import type { MarksFile } from "../noted/marks.ts";
import type { SavedFile } from "../noted/saved-queries.ts";
import type { StoreClient } from "../store-thread/store-client.ts";
import type { Change } from "./change.ts";
import type { ChangeRequest } from "./kinds.ts";

/**
 * A kind of change: how it is described, made, recovered after a crash, undone and redone. `R`: the request of a person; `P`:
 * the plan, which the journal records before the change; `U`: how to undo it, which the journal records after it. Later
 * versions must be able to read what the journal records.
 */
export interface ChangeKind<R extends WithType, P extends WithType, U extends WithType> {
	/**
	 * The `type`s of `R`, `P` and `U`, by which the kind is found. If several kinds have the same `undo`, a change without a
	 * plan, which version 0.1.0 made, is of the first.
	 */
	readonly requests: { readonly [Type in R["type"]]: true };
	readonly plan: P["type"];
	readonly undo: U["type"];
	readonly planSchema: (zod: Zod) => Schema<P>;
	readonly undoSchema: (zod: Zod) => Schema<U>;

	/** Path of the session that it changes or copies; "" for none. */
	pathOf(request: R): string;
	/** Describes it for the journal and for errors: "rename “Lexer” to “Parser”". `title`: of the session. */
	nameOf(request: R, title: string): string;
	/** Which of the quoted texts in that description is the title of the session: the first or the last. */
	readonly titleAt: 0 | -1;
	/** What it does to a session that a pi may have open; undefined if it does nothing to one. */
	actOf(request: R): Act | undefined;
	/** The message if the request would change nothing, so that the journal need not record it. */
	sayIfUnneeded?(request: R, tools: KindTools): string | undefined;
	/** Plans the change: enough to find out from the files, after a crash, whether it was made. May reject. */
	begin(request: R, tools: KindTools): P | Promise<P>;
	/** Makes the change. If it rejects, nothing has changed, unless the error says otherwise. */
	make(request: R, plan: P, title: string, tools: KindTools): ChangeResult<U> | Promise<ChangeResult<U>>;
	/** Finds out from the files whether a run that was killed has made the change; undefined if not. `at`: when it began, ISO 8601. */
	recover(plan: P, at: string, since: LaterChanges, tools: KindTools): Promise<RecoveredChange<U> | undefined>;

	/** What the change is about: changes depend on each other if their subjects meet. */
	subjectsOf(undo: U): readonly Subject[];
	/** The same for a change that may or may not have been made: everything it could be about. */
	plannedSubjects(plan: P): readonly Subject[];
	/** What an undo does to which session file; undefined if it touches none that a pi may have open. */
	undoActOf(undo: U): { readonly act: Act; readonly path: string } | undefined;
	/** Checks in the files what has been done to the session since. `ownEntries`: ids of the entries that our changes appended. May reject. */
	check(undo: U, ownEntries: ReadonlySet<string>, tools: KindTools): UndoCheck | Promise<UndoCheck>;
	/** For an undo that `check` finds clear: what would still make it fail, found out without trying it. */
	outlookOf?(undo: U): Promise<Outlook>;
	/** Undoes the change, after `check`, and resolves to how. Rejects with a `StoreError` if that fails; nothing has changed then. */
	takeBack(undo: U, tools: KindTools): UndoneBy | Promise<UndoneBy>;
	/** Path of the session that the cursor moves to after an undo. */
	shownAfter(change: MadeChange<P, U>): string | undefined;

	/** Whether it can be redone after an undo, which takes that everything is as it was before it. May reject. */
	checkAgain(
		change: MadeChange<P, U>,
		ownEntries: ReadonlySet<string>,
		tools: Pick<KindTools, "store">,
	): Promise<Outlook>;
	/** The request that redoes it. Throws or rejects with the reason if there is none. */
	again(change: MadeChange<P, U>, tools: KindTools): ChangeRequest | Promise<ChangeRequest>;

	/**
	 * What it did to its session, for a list of changes; without it, the description around the quoted title says that. `undo` is undefined
	 * while it is not known.
	 */
	deedOf?(change: MadeChange<P, U | undefined>, home: string): Deed;
}

interface WithType {
	readonly type: string;
}

/** Passed in, because zod, a third of the start-up time, is loaded only when a journal is read. */
export type Zod = typeof z;
type Schema<Value> = z.ZodObject & z.ZodType<Value>;
/** The type that a schema parses to. */
export type SchemaType<Make extends (zod: Zod) => z.ZodType> = z.infer<ReturnType<Make>>;

export interface KindTools {
	readonly store: StoreClient;
	readonly marks: MarksFile;
	readonly saved: SavedFile;
	/** The directory with the journal, in which unfinished work is noted. */
	readonly stateDir: string;
	readonly sessionRoots: SessionRoots;
	/** The session in the list; undefined if it is not listed. */
	readonly rowOf: (path: string) => SessionRow | undefined;
}

export interface ChangeResult<U> {
	/** The message about it: "Renamed “Lexer” to “Parser”". */
	readonly text: string;
	/** How to undo it; undefined if everything already was as requested and nothing was done. */
	readonly undo?: U;
	/** What undo does: "brings it back"; "" where that is not certain. @default `UNDOES` */
	readonly undoing?: string;
	/** Id of the entry that was appended, if one was. */
	readonly entryId?: string | undefined;
	readonly created?: string;
	/** Files that were left out, with the reason. */
	readonly unwritten?: ReadonlyMap<string, string>;
	/** Text of the message from which the session goes on, for the person to send again. */
	readonly sayAgain?: string | undefined;
}

/** The changes begun since the one in question, and the ids of the entries that our changes appended. */
interface LaterChanges {
	readonly changes: readonly Change[];
	readonly own: ReadonlySet<string>;
}

/** A change that was made, though the journal does not say so. */
interface RecoveredChange<U> {
	readonly undo: U;
	readonly entryId?: string;
}

/** A change that was made, as the journal has it; version 0.1.0 recorded no plan. */
export interface MadeChange<P, U> extends Pick<Change, "what" | "receipt"> {
	readonly plan: P | undefined;
	readonly undo: U;
}

/** What a change is about: a file, and which part of its content. */
export interface Subject {
	readonly path: string;
	readonly part: string;
}

/** The whole file: such a change concerns all others of the file. */
export const ALL = "all";

/** What kinds have in common that change one session: until it is known what was done, that may concern all of it. */
export const OF_SESSION = {
	pathOf: ({ path }: { readonly path: string }): string => path,
	titleAt: 0,
	plannedSubjects: ({ path }: { readonly path: string }): readonly Subject[] => [{ path, part: ALL }],
	shownAfter: ({ undo }: { readonly undo: { readonly path: string } }): string => undo.path,
} as const;

export type Outlook =
	| { readonly kind: "clear" }
	/** It would take back what someone else has done since; `why`: a sentence that says what. */
	| { readonly kind: "ask"; readonly why: string }
	/** It would lose something, or touch what is not a session; `why` follows a colon. `waits`: what is to be undone first. */
	| { readonly kind: "refuse"; readonly why: string; readonly waits?: string };

/** "done": everything is as it was before the change, and nothing is left to undo. */
export type UndoCheck = Outlook | { readonly kind: "done" };

export const CLEAR: Outlook = { kind: "clear" };

export function refuse(why: string): Outlook {
	return { kind: "refuse", why };
}

/** How a change was undone: by appending the entry `entryId`, or by moving a session to the trash. */
export interface UndoneBy {
	readonly entryId?: string | undefined;
	readonly receipt?: TrashReceipt;
}

/** A verb, and what came of it besides, or "": "rename", "to “Parser”". */
export type Deed = readonly [verb: string, result: string];
