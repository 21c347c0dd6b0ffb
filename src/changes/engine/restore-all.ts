import { randomUUID } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { TrashReceipt } from "../../store/actions/trash.ts";
import { isThere } from "../../store/files/is-there.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/quote.ts";
import type { Group } from "../journal/journal-schema.ts";
import type { Answer, Message, Question } from "./answer.ts";
import { changeEach, type EachTools, type MakeOne } from "./change-each.ts";
import { type Outcome, tellOutcome } from "./each-session.ts";
import type { Noted } from "./make-change.ts";

/** Brings sessions back from the trash to their places; `beside`: where a file is in one, to a free name beside it. */
export interface RestoreAllRequest {
	readonly type: "restore-all";
	readonly items: readonly RestoreItem[];
	readonly beside: boolean;
}

/** A session in the trash, and what it is called. */
export interface RestoreItem {
	readonly item: TrashedSession;
	readonly title: string;
}

/** A session in the trash. */
interface TrashedSession extends TrashReceipt {
	/** Whether it would be listed in its place. */
	readonly isListable: boolean;
	/** Id of the deletion in the journal, if that is to be undone. */
	readonly change: string | undefined;
}

/** A session that came back. */
interface Restored extends Pick<Noted, "message" | "unnoted"> {
	readonly path: string;
}

/** So many sessions that have a file in their place are named in the question. */
const MOST_NAMED = 5;
/** Names that are tried beside a file. */
const MOST_NAMES = 1000;

/**
 * Brings sessions back from the trash, each to its place, as one step for undo. Never over a file: those that have one in
 * their place are left, and asked about. What fails does not keep the others from coming back.
 */
export async function restoreAll(
	{ items, beside }: RestoreAllRequest,
	tools: EachTools,
): Promise<Answer<RestoreAllRequest>> {
	const taken: RestoreItem[] = [];
	const one = async ({ item, title }: RestoreItem, makeOne: MakeOne): Promise<Restored | undefined> => {
		const path = await placeFor(item, beside);
		if (path === undefined) {
			taken.push({ item, title });
			return undefined;
		}
		const { path: from, size, trashed } = item;
		const { message, unnoted } = await makeOne({
			type: "restore",
			path,
			title,
			receipt: { path: from, size, trashed },
		});
		// Undo takes back the restoring now, not the deletion. Without this note it says that the file is no longer in the trash.
		if (item.change !== undefined) await tools.journal.undone(item.change).catch(() => undefined);
		return { path, message, unnoted };
	};
	const outcome = await changeEach(
		{
			items,
			group: groupOf(items),
			doing: "Restoring from the trash",
			nameOf: ({ title }) => quote(title),
			pathOf: ({ item }) => item.path,
			guard: () => undefined,
			one,
		},
		tools,
	);
	const restored = outcome.done.filter((one) => one !== undefined);
	const said = messageFor(outcome, restored);
	if (taken.length === 0) return { type: "done", message: said, select: restored[0]?.path };
	return {
		type: "ask",
		question: questionAbout(taken, restored.length + outcome.failures.length === 0 ? undefined : said.text),
	};
}

/** Where it goes; undefined where another file is in its place. Rejects when the list would not have it there. */
async function placeFor(item: TrashedSession, beside: boolean): Promise<string | undefined> {
	if (item.trashed === undefined)
		throw new Error("this system does not report where its trash put the file; restore it there");
	if (!item.isListable)
		throw new Error(`it belongs to another directory of sessions: start with --session-dir ${dirname(item.path)}`);
	if (!(await isThere(item.path))) return item.path;
	return beside ? freeName(item.path) : undefined;
}

/** "a.jsonl" → "a-restored.jsonl", "a-restored-2.jsonl" … */
async function freeName(path: string): Promise<string> {
	const stem = join(dirname(path), basename(path, ".jsonl"));
	for (let number = 1; number <= MOST_NAMES; number++) {
		const name = `${stem}-restored${number === 1 ? "" : `-${number}`}.jsonl`;
		if (!(await isThere(name))) return name;
	}
	throw new Error("no name beside that file is free");
}

function groupOf(items: readonly RestoreItem[]): Group | undefined {
	if (items.length < 2) return undefined;
	const what = `restore ${formatCounted(items.length, "session")} from the trash`;
	return { id: randomUUID(), what, count: items.length };
}

function messageFor(outcome: Outcome<unknown>, restored: readonly Restored[]): Message {
	const [first] = restored;
	if (outcome.count === 1 && first !== undefined) return first.message;
	const changed = restored.length;
	const done = changed === 0 ? "Nothing was restored" : `Restored ${formatCounted(changed, "session")} from the trash`;
	const unnoted = restored.find((one) => one.unnoted !== undefined)?.unnoted;
	return tellOutcome(outcome, { changed, done, left: "are still there", unnoted });
}

function questionAbout(taken: readonly RestoreItem[], before: string | undefined): Question<RestoreAllRequest> {
	const named = taken.slice(0, MOST_NAMED).map(({ title }) => quote(title));
	const rest = taken.length - named.length;
	const list = rest === 0 ? named.join(", ") : `${named.join(", ")} and ${formatCount(rest)} more`;
	const place = taken.length === 1 ? "A file is in the place of" : "Files are in the places of";
	const name = basename(taken[0]?.item.path ?? "", ".jsonl");
	return {
		title: taken.length === 1 ? "A file is in its place" : `Files are in ${formatCount(taken.length)} places`,
		body: [
			...(before === undefined ? [] : [`${before}.`]),
			`${place} ${list}. It is never replaced.`,
			`Restored beside it, the file is called ${name}-restored.jsonl.`,
		],
		choices: [
			{ label: "Leave it in the trash" },
			{
				label: taken.length === 1 ? "Restore it beside that file" : "Restore them beside those files",
				effect: { type: "restore-all", items: taken, beside: true },
			},
		],
		danger: false,
	};
}
