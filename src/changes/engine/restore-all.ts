import { randomUUID } from "node:crypto";
import { basename, dirname, join } from "../../shared/paths.ts";
import type { TrashReceipt } from "../../store/actions/trash.ts";
import { isThere } from "../../store/files/paths.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import type { Answer, Message, Question } from "../answer.ts";
import type { Group } from "../kinds/change.ts";
import type { NotedChange } from "../kinds/sessions-kind.ts";
import { PLACE_UNKNOWN } from "../kinds/trash.ts";
import { listNames } from "../reason.ts";
import { changeEach, describeOutcome, type MakeOne, type SessionsOutcome } from "./each-session.ts";
import type { ChangesTools } from "./tools.ts";

/** Restores sessions from the trash; `beside`: if a file is in a session's place, under a free name beside it. */
export interface RestoreAllRequest {
	readonly type: "restore-all";
	readonly items: readonly RestoreItem[];
	readonly beside: boolean;
}

export interface RestoreItem {
	readonly item: TrashedSession;
	readonly title: string;
}

interface TrashedSession extends TrashReceipt {
	/** Whether this list would show it once it is restored. */
	readonly isListable: boolean;
	/** Id of the change in the journal whose session it is: its deletion, or what made it and was undone. */
	readonly change: string | undefined;
}

interface RestoredSession extends Pick<NotedChange, "message" | "unnoted"> {
	readonly path: string;
}

/** Sessions whose place is taken that the question names. */
const MAX_NAMED = 5;

/**
 * Restores sessions from the trash, each to its place, as one step for undo. Never over a file: if one is in the place of a
 * session, that session stays in the trash, and the person is asked about it. If one fails, the others are still restored.
 */
export async function restoreAll(
	{ items, beside }: RestoreAllRequest,
	tools: ChangesTools,
): Promise<Answer<RestoreAllRequest>> {
	const withoutPlace: RestoreItem[] = [];
	const one = async ({ item, title }: RestoreItem, makeOne: MakeOne): Promise<RestoredSession | undefined> => {
		const path = await placeFor(item, beside);
		if (path === undefined) {
			withoutPlace.push({ item, title });
			return undefined;
		}
		const { path: from, size, trashed } = item;
		const request = { type: "restore", path, title, receipt: { path: from, size, trashed } } as const;
		const { message, unnoted } = await makeOne(request, item.change);
		return { path, message, unnoted };
	};
	const outcome = await changeEach(
		{
			items,
			group: groupOf(items),
			doing: "Restoring from the trash",
			nameOf: ({ title }) => quote(title),
			pathOf: ({ item }) => item.path,
			one,
		},
		tools,
	);
	const restored = outcome.done.filter((one) => one !== undefined);
	const message = messageFor(outcome, restored);
	if (withoutPlace.length === 0) return { type: "done", message, select: restored[0]?.path };
	const isFirst = restored.length + outcome.failures.length === 0;
	return { type: "ask", question: placeQuestion(withoutPlace, isFirst ? [] : [`${message.text}.`]) };
}

/** The path to restore it to; undefined if another file is in its place. Rejects if this list would not show it there. */
async function placeFor(item: TrashedSession, beside: boolean): Promise<string | undefined> {
	if (item.trashed === undefined) throw new Error(PLACE_UNKNOWN);
	if (!item.isListable)
		throw new Error(`it belongs to another directory of sessions: start with --session-dir ${dirname(item.path)}`);
	if (!(await isThere(item.path))) return item.path;
	return beside ? freeName(item.path) : undefined;
}

/** "a.jsonl" → "a-restored.jsonl", "a-restored-2.jsonl" … */
async function freeName(path: string): Promise<string> {
	const stem = join(dirname(path), basename(path, ".jsonl"));
	for (let number = 1; ; number++) {
		const name = `${stem}-restored${number === 1 ? "" : `-${number}`}.jsonl`;
		if (!(await isThere(name))) return name;
	}
}

function groupOf(items: readonly RestoreItem[]): Group | undefined {
	if (items.length < 2) return undefined;
	const what = `restore ${formatCounted(items.length, "session")} from the trash`;
	return { id: randomUUID(), what, count: items.length };
}

function messageFor(outcome: SessionsOutcome<unknown>, restored: readonly RestoredSession[]): Message {
	const [first] = restored;
	if (outcome.count === 1 && first !== undefined) return first.message;
	const changed = restored.length;
	const done = changed === 0 ? "Nothing was restored" : `Restored ${formatCounted(changed, "session")} from the trash`;
	return describeOutcome(outcome, { changed, done, left: "still in the trash", made: restored });
}

/** Asks about sessions in whose places there are files; `sentences`: what became of the others. */
function placeQuestion(items: readonly RestoreItem[], sentences: readonly string[]): Question<RestoreAllRequest> {
	const titles = items.map(({ title }) => quote(title));
	const isOne = items.length === 1;
	const place = isOne ? "A file is in the place of" : "Files are in the places of";
	const name = basename(items[0]?.item.path ?? "", ".jsonl");
	return {
		title: isOne ? "A file is in its place" : `Files are in ${formatCount(items.length)} places`,
		body: [
			...sentences,
			`${place} ${listNames(titles, MAX_NAMED)}. It is never replaced.`,
			`Restored beside it, the file is called ${name}-restored.jsonl.`,
		],
		choices: [
			{ label: "Leave it in the trash" },
			{
				label: isOne ? "Restore it beside that file" : "Restore them beside those files",
				effect: { type: "restore-all", items, beside: true },
			},
		],
		danger: false,
	};
}
