import type { z } from "zod";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import type { TrashReceipt } from "../../store/actions/trash.ts";
import type { Act } from "../guard/guard.ts";
import type { Change } from "../journal/change.ts";
import type { MarksFile } from "../noted/marks-file.ts";
import type { SavedFile } from "../noted/saved-file.ts";
import type { StoreClient } from "../store-thread/store-client.ts";
import type { ChangeRequest } from "./kinds.ts";

/**
 * A kind of change: how it is made, found again after a crash, undone and done again, and what it is called. `R`: what a
 * person asks for; `P`: what the journal has before it is made; `U`: the way back, which it has after. What is in the
 * journal must stay readable by later versions.
 */
export interface ChangeKind<R extends Typed, P extends Typed, U extends Typed> {
	/** The types of these, by which the kind is found. Of several kinds with the same `undo`, the first is that of version 0.1.0. */
	readonly requests: { readonly [Type in R["type"]]: true };
	readonly plan: P["type"];
	readonly undo: U["type"];
	readonly planSchema: (zod: Zod) => Schema<P>;
	readonly undoSchema: (zod: Zod) => Schema<U>;

	/** The session that it is done to, "" for none. */
	pathOf(request: R): string;
	/** In words, for the journal and for errors: "rename “Lexer” to “Parser”". `title`: of the session. */
	nameOf(request: R, title: string): string;
	/** Which of the quoted texts in these words is the title of the session. */
	readonly titleAt: 0 | -1;
	/** What it does to a session that a pi may have open; undefined where it leaves that alone. */
	actOf(request: R): Act | undefined;
	/** What there is to say where all is so already, before anything is noted. */
	isSoAlready?(request: R, tools: KindTools): string | undefined;
	/** What is going to be done: enough to find out from the files, after a crash, whether it was done. May reject. */
	begin(request: R, tools: KindTools): P | Promise<P>;
	/** Makes the change. When it rejects, everything is as it was, unless the error says otherwise. */
	make(request: R, plan: P, title: string, tools: KindTools): Changed<U> | Promise<Changed<U>>;
	/** Finds out from the files whether it was made, by a run that has been killed since; undefined: it was not. */
	recover(plan: P, at: string, since: Since, tools: KindTools): Promise<Recovered<U> | undefined>;

	/** What depends on it, and it on others; of a plan of which is not known whether it was made, all that it may be. */
	subjectsOf(undo: U): readonly Subject[];
	plannedSubjects(plan: P): readonly Subject[];
	/** What an undo does to which session file; undefined where it touches none that a pi may have open. */
	undoActOf(undo: U): { readonly act: Act; readonly path: string } | undefined;
	/** Looks at the files: what has been done to the session since? `own`: ids of the entries that are ours. May reject. */
	check(undo: U, own: ReadonlySet<string>, tools: KindTools): UndoCheck | Promise<UndoCheck>;
	/** What else can be told of an undo that nothing speaks against, without trying it. */
	outlookOf?(undo: U): Promise<Outlook>;
	/** Undoes it, after `check`, and tells how. Rejects with a `StoreError` when that is not possible; it has changed nothing then. */
	takeBack(undo: U, tools: KindTools): UndoneBy | Promise<UndoneBy>;
	/** The session that the cursor goes to after an undo. */
	shownAfter(made: Made<P, U>): string | undefined;

	/** Whether it can be made again after it was undone: whether everything is as it was before it. May reject. */
	checkAgain(made: Made<P, U>, own: ReadonlySet<string>, tools: Pick<KindTools, "store">): Promise<Outlook>;
	/** What makes it again. Rejects with why nothing does. */
	again(made: Made<P, U>, tools: KindTools): ChangeRequest | Promise<ChangeRequest>;

	/** The command of the shell that makes it; undefined where none does. `undo`: undefined while it is not known. */
	commandOf(made: Made<P, U | undefined>, words: CommandWords): Command | undefined;
}

interface Typed {
	readonly type: string;
}

/** zod itself is loaded with the first line of a journal: it is a third of the start-up time. */
export type Zod = typeof z;
type Schema<Value> = z.ZodObject & z.ZodType<Value>;
/** What a schema reads. */
export type Read<Make extends (zod: Zod) => z.ZodType> = z.infer<ReturnType<Make>>;

/** What changes need of the world outside. */
export interface KindTools {
	readonly store: StoreClient;
	readonly marks: MarksFile;
	readonly saved: SavedFile;
	readonly sessionRoots: SessionRoots;
	/** The session as the list has it. */
	readonly rowOf: (path: string) => SessionRow | undefined;
}

/** The result of a change. */
export interface Changed<U> {
	/** What was done, in words. */
	readonly text: string;
	/** The way back; undefined when everything already was as it should be, so that nothing was done. */
	readonly undo?: U;
	/** Id of the entry that was appended, if one was. */
	readonly entryId?: string | undefined;
	/** Path of a new session. */
	readonly created?: string;
	/** Text of the message that the person is to say again, for the clipboard. */
	readonly sayAgain?: string | undefined;
}

/** What the journal tells of what was done since: all changes that were begun, and the ids of entries that are ours. */
interface Since {
	readonly changes: readonly Change[];
	readonly own: ReadonlySet<string>;
}

/** A change that was made although nobody noted that. */
interface Recovered<U> {
	readonly undo: U;
	/** Id of the entry that was appended, if one was. */
	readonly entryId?: string;
}

/** A change that was made, as the journal has it; version 0.1.0 noted no plan. */
export interface Made<P, U> extends Pick<Change, "what" | "receipt"> {
	readonly plan: P | undefined;
	readonly undo: U;
}

/** What a change is about: a file, and which part of what it tells. */
export interface Subject {
	readonly path: string;
	readonly part: string;
}

/** All of a file: what is done to it changes whatever else was done. */
export const ALL = "all";

/** What stands in the way of an undo, or of doing a change again. */
export type Outlook =
	| { readonly kind: "clear" }
	/** It would take back what somebody else has done since: a sentence that says what. */
	| { readonly kind: "ask"; readonly why: string }
	/** It would lose something, or touch what is not a session: why. */
	| { readonly kind: "refuse"; readonly why: string };

/** "done": everything is as it was before the change, there is nothing left to be undone. */
export type UndoCheck = Outlook | { readonly kind: "done" };

export const CLEAR: Outlook = { kind: "clear" };

export function refuse(why: string): Outlook {
	return { kind: "refuse", why };
}

/** How a change was undone: by an entry that was appended, or by moving a session to the trash. */
export interface UndoneBy {
	readonly entryId?: string | undefined;
	readonly receipt?: TrashReceipt;
}

type Command = readonly [verb: string, rest: string];

/** What commands are written with. */
export interface CommandWords {
	/** The session that the change was done to, by the beginning of its id. */
	readonly session: string;
	/** The beginning of an entry's id. */
	readonly entry: (id: string | undefined) => string;
	/** A text as a shell takes it; "…" for one that is not known. */
	readonly quoted: (text: string | undefined) => string;
	/** A directory, with `~` for the person's home. */
	readonly directory: (path: string) => string;
}
