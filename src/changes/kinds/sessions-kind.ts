import type { LiveReport } from "../../catalog/model/live.ts";
import type { Marks } from "../../catalog/model/marks.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { Message, Note } from "../answer.ts";
import type { Act, ShownSession } from "../guard/guard.ts";
import type { ChangeResult, KindTools } from "./kind.ts";
import type { ChangeRequest, Undo } from "./kinds.ts";

/**
 * What a person does to 1..n sessions: its words, what it needs of them, how it is asked, and the changes that it makes to each. `C`:
 * what is requested.
 */
export interface SessionsKind<C> {
	readonly act: Act;
	/** `sessions`: “Lexer”, "this session" or "12 sessions"; `count`: how many these are; `home`: the person's home directory. */
	words(change: C, sessions: string, about: { readonly count: number; readonly home: string }): Words;
	make(change: C, session: ShownSession, tools: SessionTools): Promise<NotedChange>;
	/** Whether it makes several changes to a session, which are one step for undo. */
	readonly isComposite?: true;
	/** Undefined if it does not ask. */
	readonly asks?: Asks<C>;
}

export interface Words {
	/** "move 12 sessions to the trash" */
	readonly now: string;
	/** "Moved 12 sessions to the trash" */
	readonly past: string;
	/** "Moving to the trash" */
	readonly doing: string;
	/** What undo does: "brings them back". @default `UNDOES` */
	readonly undoing?: string;
	/** Follows the count of those that needed no change: "already had that label". */
	readonly same?: string;
}

interface Asks<C> {
	/** Whether it is asked even about sessions that are certainly free; otherwise it is done at once, and undo takes it back. */
	readonly always: boolean;
	/** The title, if it is not made of the words: "Continue from the end again?" */
	title?(change: C, sessions: string, home: string): string;
	/** The choice that makes the change: "Move to the trash". */
	label(change: C, count: number): string;
	/** What is not done where no session can be changed: "deleted"; or the whole of that sentence. */
	readonly participle: string;
	readonly refusal?: string;
	/** Whether something may be lost. */
	readonly danger: boolean;
	/** Whether "Cancel" is highlighted if one of the sessions may be in use. */
	readonly careful: boolean;
	/** Follows the evidence that a session may be in use. */
	readonly doubt?: string;
	/** Why a session is left out although it is not in use, in a few words: "that pi cannot open". */
	leavesOut?(change: C, row: SessionRow, context: QuestionContext): string | undefined;
	/** What becomes of the runs of subagents below the sessions. */
	readonly runs?: Runs;
	/** Set if forks stay in the list without their parent. */
	readonly losesForks?: true;
	notes?(change: C, rows: readonly SessionRow[], context: QuestionContext): readonly Note[];
}

interface Runs {
	/** "ask": the person chooses whether they go along; "beside": those do whose files are beside that of the session. */
	readonly go: "ask" | "beside" | "stay";
	/** What becomes of them, in a sentence. `runs`: "its subagent run", "their 3 subagent runs"; `isOne`: there is one session. */
	note(runs: string, isOneRun: boolean, isOne: boolean): string;
}

export interface QuestionContext {
	/** By path. */
	readonly rows: ReadonlyMap<string, SessionRow>;
	readonly live: LiveReport;
	readonly marks: Marks;
	/** Unix ms. */
	readonly now: number;
	readonly home: string;
	/** Whether what is deleted cannot be brought back from here (`isTrashClosed`). */
	readonly isTrashClosed?: boolean | undefined;
	/** The runs of subagents below a session, and theirs. */
	readonly runsBelow: (row: SessionRow) => readonly SessionRow[];
}

export interface SessionTools extends KindTools {
	/** Makes a change as a part of the whole. */
	readonly makeOne: (request: ChangeRequest) => Promise<NotedChange>;
	/** Undoes a change made a moment ago. If that fails too, it stays in the list, and undo still offers it. */
	readonly takeBack: (change: NotedChange) => Promise<void>;
}

/** A change that was made and recorded in the journal. */
export interface NotedChange extends ChangeResult<Undo> {
	readonly message: Message;
	/** Why the journal could not record that it was made, if that failed: undo may not be possible. */
	readonly unnoted: unknown;
	/** Id of the change in the journal; undefined if it has none. */
	readonly id: string | undefined;
}
