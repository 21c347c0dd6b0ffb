import { randomUUID } from "node:crypto";
import { capital, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import { type MarkChange, markKey } from "../noted/marks.ts";
import { type ChangeKind, CLEAR, OF_SESSION, type SchemaType, type Subject, type Zod } from "./kind.ts";

/** Pins, unpins, tags or untags sessions, or says that they need nothing more; `paths`: of the sessions whose ids are in `changes`. */
interface MarkRequest {
	readonly type: "mark";
	readonly paths: readonly string[];
	readonly changes: readonly MarkChange[];
}

/**
 * The pins, tags and the rest will be in the file of marks under this token, and undo takes back what is there; `path`: of the session,
 * or the first of several; `keys`: of the marks (`markKey`), which version 0.2.0 did not write.
 */
const schema = (z: Zod) =>
	z.object({
		type: z.literal("mark"),
		path: z.string(),
		token: z.string(),
		keys: z.array(z.string()).optional(),
	});

/**
 * Pins and tags that are already as requested are neither changed nor undone, nor are those that others have changed since. A later
 * change of the same mark depends on an earlier one, whatever became of the file.
 */
export const MARK: ChangeKind<MarkRequest, SchemaType<typeof schema>, SchemaType<typeof schema>> = {
	...OF_SESSION,
	requests: { mark: true },
	plan: "mark",
	undo: "mark",
	planSchema: schema,
	undoSchema: schema,
	pathOf: ({ paths: [path = ""] }) => path,
	nameOf: (request, title) => describe(request.changes, whom(request, request.changes, title)).now,
	actOf: () => undefined,
	sayIfUnneeded: ({ changes }, { marks }) => (marks.withEffect(changes).length === 0 ? "Nothing to change" : undefined),
	begin: ({ paths: [path = ""], changes }) => ({
		type: "mark",
		path,
		token: randomUUID(),
		keys: [...new Set(changes.map(markKey))],
	}),
	make(request, plan, title, { marks }) {
		const effective = marks.withEffect(request.changes);
		marks.append(plan.token, effective);
		return { text: describe(effective, whom(request, effective, title)).done, undo: plan };
	},
	recover: async (plan, _at, _since, { marks }) => (marks.has(plan.token) ? { undo: plan } : undefined),
	subjectsOf: marksOf,
	plannedSubjects: marksOf,
	undoActOf: () => undefined,
	check: () => CLEAR,
	takeBack({ token }, { marks }) {
		marks.takeBack(token);
		return {};
	},
	checkAgain: async () => CLEAR,
	again: ({ undo: { path, token } }, { marks }) => ({ type: "mark", paths: [path], changes: marks.notedAs(token) }),
};

function marksOf({ path, token, keys }: SchemaType<typeof schema>): readonly Subject[] {
	return keys?.map((key) => ({ path: "", part: `mark ${key}` })) ?? [{ path, part: `mark ${token}` }];
}

/** “Lexer”, or "3 sessions". If several were requested, `title` may belong to one that does not change. */
function whom({ paths }: MarkRequest, changes: readonly MarkChange[], title: string): string {
	const count = new Set(changes.map(({ id, file = "" }) => `${id}\n${file}`)).size;
	// A redo of several knows the path of the first only.
	return paths.length === 1 && count <= 1 ? quote(title) : formatCounted(count, "session");
}

/** The changes in words, before and after they are made: "tag “Lexer” #wip, take off #idea". */
function describe(changes: readonly MarkChange[], whom: string): { readonly now: string; readonly done: string } {
	const done = changes.find(({ done }) => done !== undefined);
	if (done !== undefined)
		return done.on
			? { now: `mark ${whom} as done`, done: `Marked ${whom} as done` }
			: { now: `mark ${whom} as waiting`, done: `Marked ${whom} as waiting` };
	const pin = changes.find(({ tag }) => tag === undefined);
	if (pin !== undefined) {
		const verb = pin.on ? "pin" : "unpin";
		return { now: `${verb} ${whom}`, done: `${capital(verb)}ned ${whom}` };
	}
	const givenTags = tagsOf(changes, true);
	const takenTags = tagsOf(changes, false);
	if (givenTags === "") return { now: `remove ${takenTags} from ${whom}`, done: `Removed ${takenTags} from ${whom}` };
	const off = takenTags === "" ? ["", ""] : [`, remove ${takenTags}`, `, removed ${takenTags}`];
	return { now: `tag ${whom} ${givenTags}${off[0]}`, done: `Tagged ${whom} ${givenTags}${off[1]}` };
}

function tagsOf(changes: readonly MarkChange[], on: boolean): string {
	const tags = changes.flatMap((change) => (change.on === on && change.tag !== undefined ? [`#${change.tag}`] : []));
	return [...new Set(tags)].join(" ");
}
