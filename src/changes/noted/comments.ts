import type { ByFile, Comment, Marks } from "../../catalog/model/marks.ts";
import { isObject } from "../../shared/json.ts";
import { type NotedFile, openNotedFile } from "./noted-file.ts";

/** Writes a comment, or deletes it (`comment: null`). `id` and `file`: of its session (`changedSession`); `key`: "" for a new one. */
export interface CommentChange {
	readonly id: string;
	readonly file: string;
	readonly key: string;
	readonly comment: Comment | null;
}

interface ReadComments {
	readonly comments: Marks["comments"];
	/** Sentences about lines that could not be read; they are kept in the file. */
	readonly problems: readonly string[];
}

function isCommentChange(value: unknown): value is CommentChange {
	if (!isObject(value)) return false;
	const { id, file, key, comment } = value;
	const isOfSession = [id, file, key].every((field) => typeof field === "string");
	return isOfSession && (comment === null || isComment(comment));
}

function isComment(value: unknown): value is Comment {
	if (!isObject(value)) return false;
	const { key, text, atMs, entry, path, line, count, kind, lines, index, sentMs } = value;
	const texts = [key, text, entry, ...(path === undefined ? [] : [path])];
	const numbers = [atMs, index, ...[line, count, sentMs].filter((number) => number !== undefined)];
	return (
		[...texts, ...(Array.isArray(lines) ? lines : [lines])].every((field) => typeof field === "string") &&
		numbers.every((field) => typeof field === "number") &&
		(kind === "same" || kind === "added" || kind === "removed")
	);
}

function applied(changes: readonly CommentChange[]): ByFile<readonly Comment[]> {
	const latest = new Map<string, CommentChange & { readonly comment: Comment }>();
	for (const change of changes) {
		const { key, comment } = change;
		if (comment === null) latest.delete(key);
		else latest.set(key, { ...change, comment });
	}
	const ids = Map.groupBy(latest.values(), ({ id }) => id);
	return new Map(
		[...ids].map(([id, ofId]) => {
			const files = Map.groupBy(ofId, ({ file }) => file);
			return [id, new Map([...files].map(([file, all]) => [file, all.map(({ comment }) => comment)]))];
		}),
	);
}

/** The changes that take `changes` back, except what others have changed since. */
function inverted(
	changes: readonly CommentChange[],
	before: () => Marks["comments"],
	now: Marks["comments"],
): readonly CommentChange[] {
	const commentsBefore = before();
	const textOf = (comment: Comment | null): string => JSON.stringify(comment);
	return changes.flatMap((change): CommentChange[] => {
		const [old, current] = [found(commentsBefore, change), found(now, change)];
		const isOthers = textOf(current) !== textOf(change.comment);
		return isOthers || textOf(current) === textOf(old) ? [] : [{ ...change, comment: old }];
	});
}

function found(comments: Marks["comments"], { id, file, key }: CommentChange): Comment | null {
	return (
		comments
			.get(id)
			?.get(file)
			?.find((comment) => comment.key === key) ?? null
	);
}

export type CommentsFile = NotedFile<CommentChange, Marks["comments"], ReadComments>;

export function openCommentsFile(path: string): CommentsFile {
	return openNotedFile(path, {
		what: "the comments",
		missing: "a comment",
		none: new Map(),
		asRead: (comments: Marks["comments"], problems): ReadComments => ({ comments, problems }),
		isChange: isCommentChange,
		apply: applied,
		inverted,
	});
}
