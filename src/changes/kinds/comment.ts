import { randomUUID } from "node:crypto";
import type { CommentChange } from "../noted/comments.ts";
import { type ChangeKind, CLEAR, OF_SESSION, type SchemaType, type Subject, type Zod } from "./kind.ts";

/** Writes, changes or deletes comments on lines of a session; `what` and `done` describe that before and after. */
export interface CommentRequest {
	readonly type: "comment";
	/** Path of the session. */
	readonly path: string;
	readonly what: string;
	readonly done: string;
	readonly changes: readonly CommentChange[];
}

/** The comments will be in their file under this token, and undo takes back what is there; `keys`: of the comments. */
const schema = (z: Zod) =>
	z.object({ type: z.literal("comment"), path: z.string(), token: z.string(), keys: z.array(z.string()) });

/** An undo leaves alone what other windows have changed since. A later change of a comment depends on an earlier one. */
export const COMMENT: ChangeKind<CommentRequest, SchemaType<typeof schema>, SchemaType<typeof schema>> = {
	...OF_SESSION,
	requests: { comment: true },
	plan: "comment",
	undo: "comment",
	planSchema: schema,
	undoSchema: schema,
	nameOf: ({ what }) => what,
	actOf: () => undefined,
	begin({ path, changes }) {
		const token = randomUUID();
		return { type: "comment", path, token, keys: changes.map(({ key }) => key || token) };
	},
	make({ done, changes }, plan, _, { marks }) {
		const { token } = plan;
		const keyed = changes.map((change) => {
			if (change.key !== "" || change.comment === null) return change;
			return { ...change, key: token, comment: { ...change.comment, key: token } };
		});
		marks.comments.append(token, keyed);
		return { text: done, undo: plan };
	},
	recover: async (plan, _at, _since, { marks }) => (marks.comments.has(plan.token) ? { undo: plan } : undefined),
	subjectsOf: commentsOf,
	plannedSubjects: commentsOf,
	undoActOf: () => undefined,
	check: () => CLEAR,
	takeBack({ token }, { marks }) {
		marks.comments.takeBack(token);
		return {};
	},
	checkAgain: async () => CLEAR,
	again: ({ what, undo: { path, token } }, { marks }) => ({
		type: "comment",
		path,
		what,
		done: `Redone: ${what}`,
		changes: marks.comments.notedAs(token),
	}),
};

function commentsOf({ keys }: SchemaType<typeof schema>): readonly Subject[] {
	return keys.map((key) => ({ path: "", part: `comment ${key}` }));
}
