import type { ShownSession } from "../guard/guard.ts";
import { BRING } from "./bring.ts";
import type { Change } from "./change.ts";
import { CHECKOUT } from "./checkout.ts";
import { COMMENT } from "./comment.ts";
import { COPY } from "./copy.ts";
import { FILES } from "./files.ts";
import { FORWARD, GO_ON } from "./go-on.ts";
import type { ChangeKind, MadeChange } from "./kind.ts";
import { LABEL, LABEL_ENDS } from "./label.ts";
import { MARK } from "./mark.ts";
import { ARCHIVE, BRING_BACK, MOVE } from "./move.ts";
import { RENAME } from "./rename.ts";
import { FORK_SESSIONS, REPAIR_SESSIONS } from "./replace.ts";
import { SAVED_QUERY } from "./saved-query.ts";
import type { SessionsKind } from "./sessions-kind.ts";
import { RESTORE, TRASH, TRASH_SESSIONS } from "./trash.ts";

/** All kinds of change. Requests, the schema of the journal, undo, redo and the history are derived from this list. */
export const CHANGE_KINDS = [
	RENAME,
	LABEL,
	COPY,
	TRASH,
	RESTORE,
	GO_ON,
	MOVE,
	MARK,
	COMMENT,
	SAVED_QUERY,
	BRING,
	CHECKOUT,
	FILES,
] as const;

type Kind = (typeof CHANGE_KINDS)[number];

/** What a person can do to 1..n sessions, and is asked about. */
const SESSIONS_KINDS = {
	trash: TRASH_SESSIONS,
	archive: ARCHIVE,
	"bring-back": BRING_BACK,
	label: LABEL_ENDS,
	fork: FORK_SESSIONS,
	repair: REPAIR_SESSIONS,
	forward: FORWARD,
};

type ByType = typeof SESSIONS_KINDS;

/** What is done to each of 1..n sessions. */
export type SessionsChange = {
	[Type in keyof ByType]: ByType[Type] extends SessionsKind<infer C> ? C : never;
}[keyof ByType];

/** Changes sessions that are still as they were shown, as one step for undo. */
export interface SessionsRequest {
	readonly type: "change-sessions";
	readonly change: SessionsChange;
	readonly sessions: readonly ShownSession[];
}

export function kindOfSessions({ type }: SessionsChange): SessionsKind<SessionsChange> {
	return SESSIONS_KINDS[type];
}

export type ChangeRequest = Kind extends infer Each
	? Each extends ChangeKind<infer R, infer _P, infer _U>
		? R
		: never
	: never;

/**
 * What a change is going to do: enough to find out from the files, after a crash, whether it was made, and how to undo it.
 * Paths are absolute.
 */
export type Plan = Kind extends infer Each ? (Each extends ChangeKind<infer _R, infer P, infer _U> ? P : never) : never;

/** How to undo a change. Paths are absolute. */
export type Undo = Kind extends infer Each ? (Each extends ChangeKind<infer _R, infer _P, infer U> ? U : never) : never;

/** Any kind, for use with the request, plan or undo that it was found by. */
type AnyKind = Omit<ChangeKind<ChangeRequest, Plan, Undo>, "requests">;

export function kindOfRequest({ type }: ChangeRequest): AnyKind {
	return found(CHANGE_KINDS.find(({ requests }) => type in requests));
}

export const REQUEST_TYPES = CHANGE_KINDS.flatMap(({ requests }) =>
	Object.keys(requests),
) as readonly ChangeRequest["type"][];

export function kindOfPlan({ type }: Plan): AnyKind {
	return found(CHANGE_KINDS.find(({ plan }) => plan === type));
}

/** A change that was made and its kind. A plan whose kind does not undo this way is not trusted, and left out. */
export function madeOf({ plan, undo, what, receipt }: Pick<Change, "plan" | "what" | "receipt"> & { undo: Undo }): {
	readonly kind: AnyKind;
	readonly made: MadeChange<Plan, Undo>;
} {
	const planned = plan && kindOfPlan(plan);
	if (planned?.undo === undo.type) return { kind: planned, made: { plan, undo, what, receipt } };
	const kind = found(CHANGE_KINDS.find((each) => each.undo === undo.type));
	return { kind, made: { plan: undefined, undo, what, receipt } };
}

/** The kind is always found, since the types of requests, plans and undos come from the list itself. */
function found(kind: AnyKind | undefined): AnyKind {
	if (kind === undefined) throw new Error("there is no such kind of change");
	return kind;
}
