import { randomUUID } from "node:crypto";
import { capital, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/quote.ts";
import type { MarkChange } from "../noted/marks.ts";
import { ALL, type ChangeKind, CLEAR, type Read, type Zod } from "./kind.ts";

/** Pins or tags sessions, or takes that off; `paths`: of the sessions whose ids the changes name. */
interface MarkRequest {
	readonly type: "mark";
	readonly paths: readonly string[];
	readonly changes: readonly MarkChange[];
}

/** Pins and tags will be noted under this name; `path`: the session, or the first of several. To undo it, what is noted is taken back. */
const schema = (z: Zod) => z.object({ type: z.literal("mark"), path: z.string(), token: z.string() });

/** What is so already is neither changed nor taken back by an undo; nor is what others have changed since. */
export const MARK: ChangeKind<MarkRequest, Read<typeof schema>, Read<typeof schema>> = {
	requests: { mark: true },
	plan: "mark",
	undo: "mark",
	planSchema: schema,
	undoSchema: schema,
	pathOf: ({ paths: [path = ""] }) => path,
	nameOf: (request, title) => describe(request.changes, whom(request, request.changes, title)).now,
	titleAt: 0,
	actOf: () => undefined,
	isSoAlready: ({ changes }, { marks }) =>
		marks.withEffect(changes).length === 0 ? "Nothing to change: it is so already" : undefined,
	begin: ({ paths: [path = ""] }) => ({ type: "mark", path, token: randomUUID() }),
	make(request, plan, title, { marks }) {
		const effective = marks.withEffect(request.changes);
		marks.append(plan.token, effective);
		return { text: describe(effective, whom(request, effective, title)).done, undo: plan };
	},
	recover: async (plan, _at, _since, { marks }) => (marks.has(plan.token) ? { undo: plan } : undefined),
	subjectsOf: ({ path, token }) => [{ path, part: `mark ${token}` }],
	plannedSubjects: ({ path }) => [{ path, part: ALL }],
	undoActOf: () => undefined,
	check: () => CLEAR,
	takeBack({ token }, { marks }) {
		marks.takeBack(token);
		return {};
	},
	shownAfter: ({ undo }) => undo.path,
	checkAgain: async () => CLEAR,
	again: ({ undo: { path, token } }, { marks }) => ({ type: "mark", paths: [path], changes: marks.notedAs(token) }),
	commandOf: () => undefined,
};

/** “Lexer”, or "3 sessions": of several nobody knows here which one is meant. */
function whom({ paths }: MarkRequest, changes: readonly MarkChange[], title: string): string {
	return paths.length === 1 ? quote(title) : formatCounted(new Set(changes.map(({ id }) => id)).size, "session");
}

/** What the changes do, before and after they are made: "tag “Lexer” #wip, take off #idea". */
function describe(changes: readonly MarkChange[], whom: string): { readonly now: string; readonly done: string } {
	const pin = changes.find(({ tag }) => tag === undefined);
	if (pin !== undefined) {
		const verb = pin.on ? "pin" : "unpin";
		return { now: `${verb} ${whom}`, done: `${capital(verb)}ned ${whom}` };
	}
	const given = tagsOf(changes, true);
	const taken = tagsOf(changes, false);
	if (given === "") return { now: `take ${taken} off ${whom}`, done: `Took ${taken} off ${whom}` };
	const off = taken === "" ? ["", ""] : [`, take off ${taken}`, `, took off ${taken}`];
	return { now: `tag ${whom} ${given}${off[0]}`, done: `Tagged ${whom} ${given}${off[1]}` };
}

function tagsOf(changes: readonly MarkChange[], on: boolean): string {
	const tags = changes.flatMap((change) => (change.on === on && change.tag !== undefined ? [`#${change.tag}`] : []));
	return [...new Set(tags)].join(" ");
}
