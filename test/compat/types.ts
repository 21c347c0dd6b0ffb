/** Compiled, not run: code written with pi's types can use our class. */
import { type ReadonlySessionManager, SessionManager } from "../../src/index.ts";
import type * as pi from "./pi.ts";

type Parameters1<Method extends keyof pi.SessionManager> = pi.SessionManager[Method] extends (
	...parameters: infer P
) => unknown
	? P
	: never;

/** Our method accepts whatever pi's accepts. */
type Takes<Method extends keyof pi.SessionManager & keyof SessionManager> = SessionManager[Method] extends (
	...parameters: Parameters1<Method>
) => unknown
	? true
	: false;

type Appending =
	| "appendMessage"
	| "appendThinkingLevelChange"
	| "appendModelChange"
	| "appendUsage"
	| "appendCompaction"
	| "appendCustomEntry"
	| "appendSessionInfo"
	| "appendCustomMessageEntry"
	| "appendContextEdit"
	| "appendLabelChange"
	| "branchWithSummary"
	| "branch"
	| "createBranchedSession"
	| "newSession"
	| "setSessionFile"
	| "getBranch"
	| "getChildren"
	| "getEntry"
	| "getLabel";

const takesAll: { [Method in Appending]: Takes<Method> } = {
	appendMessage: true,
	appendThinkingLevelChange: true,
	appendModelChange: true,
	appendUsage: true,
	appendCompaction: true,
	appendCustomEntry: true,
	appendSessionInfo: true,
	appendCustomMessageEntry: true,
	appendContextEdit: true,
	appendLabelChange: true,
	branchWithSummary: true,
	branch: true,
	createBranchedSession: true,
	newSession: true,
	setSessionFile: true,
	getBranch: true,
	getChildren: true,
	getEntry: true,
	getLabel: true,
};

/** The static methods, parameter by parameter. */
const statics: {
	create: (...parameters: Parameters<typeof pi.SessionManager.create>) => SessionManager;
	open: (...parameters: Parameters<typeof pi.SessionManager.open>) => SessionManager;
	continueRecent: (...parameters: Parameters<typeof pi.SessionManager.continueRecent>) => SessionManager;
	forkFrom: (...parameters: Parameters<typeof pi.SessionManager.forkFrom>) => SessionManager;
	findById: typeof pi.SessionManager.findById;
	list: typeof pi.SessionManager.list;
	listAll: typeof pi.SessionManager.listAll;
} = SessionManager;

/** Every public method of pi's class exists, and none besides: a name that differs is missing here. */
type Differing<Ours, Theirs> =
	| Exclude<keyof Ours, keyof Theirs | Newer>
	| Exclude<keyof Theirs, keyof Ours | "_persist">;
/** What pi 0.87 does not have yet. */
type Newer = "getEntryCount";
const differing: Record<Differing<SessionManager, pi.SessionManager>, true> = {};
const differingStatics: Record<Differing<typeof SessionManager, typeof pi.SessionManager>, true> = {};

export type { ReadonlySessionManager };
export { differing, differingStatics, statics, takesAll };
