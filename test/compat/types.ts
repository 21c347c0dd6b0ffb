/** Compiled, not run: code written with the types of either pi can use our class, and our types name all that they name. */
import {
	type AgentMessage,
	type ReadonlySessionManager,
	type SessionEntry,
	SessionManager,
	type Usage,
} from "../../src/index.ts";
import type { Usage as OldUsage } from "./node_modules/@earendil-works/pi-ai/dist/types.js";
import type * as old from "./node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js";
import type { Usage as NewUsage } from "./pi-1.6.0/node_modules/@earendil-works/pi-ai/dist/types.js";
import type * as now from "./pi-1.6.0/node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js";

type Of<Class, Method> = Method extends keyof Class ? Class[Method] : never;
type ParametersOf<Class, Method> = Of<Class, Method> extends (...parameters: infer P) => unknown ? P : never;

/** Our method accepts whatever pi's accepts. */
type Takes<Class, Method extends keyof SessionManager> = SessionManager[Method] extends (
	...parameters: ParametersOf<Class, Method>
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

/** `never` when each method takes what both take. */
type Refusing = {
	[Method in Appending]: [Takes<old.SessionManager, Method>, Takes<now.SessionManager, Method>] extends [true, true]
		? never
		: Method;
}[Appending];
const refusing: Record<Refusing, true> = {};

/** The static methods, parameter by parameter. */
interface Statics<Class extends typeof old.SessionManager | typeof now.SessionManager> {
	create: (...parameters: Parameters<Class["create"]>) => SessionManager;
	open: (...parameters: Parameters<Class["open"]>) => SessionManager;
	continueRecent: (...parameters: Parameters<Class["continueRecent"]>) => SessionManager;
	forkFrom: (...parameters: Parameters<Class["forkFrom"]>) => SessionManager;
	findById: Class["findById"];
	list: Class["list"];
	listAll: Class["listAll"];
}
const statics: Statics<typeof old.SessionManager> & Statics<typeof now.SessionManager> = SessionManager;

/** Every public method of pi's class exists, and none besides: a name that differs is missing here. */
type Differing<Ours, Theirs> = Exclude<keyof Ours, keyof Theirs> | Exclude<keyof Theirs, keyof Ours | "_persist">;
const differing: Record<Differing<SessionManager, now.SessionManager>, true> = {};
const differingStatics: Record<Differing<typeof SessionManager, typeof now.SessionManager>, true> = {};
/** What the older pi has not. */
const added: Record<Differing<SessionManager, old.SessionManager>, true> = { getEntryCount: true };

type Role = AgentMessage["role"];
type Ours = Extract<SessionEntry, { type: "message" }>["message"];
type Message<Entry extends { type: string }> = Extract<Entry, { type: "message"; message: unknown }>["message"];
/** Fields of the union's member with that `type` or `role` that ours does not name. */
type Unnamed<Our, Their, Tag extends string, Name> = Exclude<
	keyof Extract<Their, Record<Tag, Name>>,
	keyof Extract<Our, Record<Tag, Name>>
>;
type UnnamedEntryFields<Their> = {
	[Type in SessionEntry["type"]]: Unnamed<SessionEntry, Their, "type", Type>;
}[SessionEntry["type"]];
type UnnamedMessageFields<Their> = { [One in Role]: Unnamed<Ours, Their, "role", One> }[Role];

type Block<Any> = Extract<Any, { role: "assistant"; content: unknown }>["content"] extends readonly (infer One)[]
	? One
	: never;
type UnnamedBlockFields<Their> = {
	[Type in "text" | "thinking" | "toolCall"]: Unnamed<Block<Ours>, Block<Their>, "type", Type>;
}["text" | "thinking" | "toolCall"];

/** Each field that pi's types have is a field of ours: a newer pi that writes others does not compile here. */
const unnamed: Record<
	| UnnamedEntryFields<old.SessionEntry>
	| UnnamedEntryFields<now.SessionEntry>
	| UnnamedMessageFields<Message<old.SessionEntry>>
	| UnnamedMessageFields<Message<now.SessionEntry>>
	| UnnamedBlockFields<Message<old.SessionEntry>>
	| UnnamedBlockFields<Message<now.SessionEntry>>
	| Exclude<keyof OldUsage | keyof NewUsage, keyof Usage>
	| Exclude<keyof OldUsage["cost"] | keyof NewUsage["cost"], keyof Usage["cost"]>
	| Exclude<now.SessionEntry["type"], SessionEntry["type"]>
	| Exclude<Message<now.SessionEntry>["role"], Role>,
	true
> = {};

export type { ReadonlySessionManager };
export { added, differing, differingStatics, refusing, statics, unnamed };
