import { randomUUID } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { isThere } from "../../store/files/is-there.ts";
import { StoreError } from "../../store/files/store-error.ts";
import type { Group } from "../journal/journal-schema.ts";
import type { Action } from "../model/action.ts";
import type { Effect, RestoreItem } from "../model/effect.ts";
import type { Message } from "../model/state.ts";
import { formatCount, formatCounted } from "../text/format.ts";
import { gatherChanged } from "./gather-changed.ts";
import { type Failure, listFailures } from "./list-failures.ts";
import type { LongWork } from "./long-work.ts";
import { type ChangeTools, makeChange } from "./noted-change.ts";
import { quote } from "./quote.ts";

type RestoreEffect = Extract<Effect, { type: "restore-all" }>;

/** What restoring needs of the world outside. */
interface RestoreTools extends ChangeTools {
	readonly work: LongWork;
}

/** So many sessions that have a file in their place are named in the question. */
const MOST_NAMED = 5;
/** Names that are tried beside a file. */
const MOST_NAMES = 1000;

/**
 * Brings sessions back from the trash, each to its place, as one step for undo. Never over a file: those that have one in
 * their place are left, and asked about. What fails does not keep the others from coming back.
 */
export async function restoreAll({ items, beside }: RestoreEffect, tools: RestoreTools): Promise<Action> {
	const group = groupOf(items);
	const restored: { readonly path: string; readonly message: Message }[] = [];
	const failures: Failure[] = [];
	const taken: RestoreItem[] = [];
	const { changed, flush } = gatherChanged(tools.changed);
	const job = tools.work.begin("Restoring from the trash", items.length);
	try {
		for (const [index, each] of items.entries()) {
			if (!(await job.goesOn(index))) break;
			try {
				const path = await placeFor(each, beside);
				if (path === undefined) taken.push(each);
				else restored.push({ path, message: await restoreOne(each, path, group, { ...tools, changed }) });
			} catch (error) {
				failures.push({ what: quote(each.title), error: reasonOf(error) });
			}
		}
	} finally {
		flush();
		job.end();
	}
	const said = messageFor(items, restored, failures, taken);
	const select = restored[0]?.path;
	if (taken.length === 0) return { type: "done", message: said, select };
	return questionAbout(taken, restored.length + failures.length === 0 ? undefined : said.text);
}

/** Where it goes; undefined where another file is in its place. Rejects when the list would not have it there. */
async function placeFor({ item }: RestoreItem, beside: boolean): Promise<string | undefined> {
	if (item.trashed === undefined)
		throw new Error("this system does not tell where its trash put the file; restore it there");
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

async function restoreOne(
	{ item, title }: RestoreItem,
	path: string,
	group: Group | undefined,
	tools: ChangeTools,
): Promise<Message> {
	const { size, trashed } = item;
	const receipt = { path: item.path, size, trashed };
	const { message } = await makeChange({ type: "restore", path, title, receipt }, tools, group);
	// Undo takes back the restoring now, not the deletion. Without this note it says that the file is no longer in the trash.
	if (item.change !== undefined) await tools.journal.undone(item.change).catch(() => undefined);
	return message;
}

function groupOf(items: readonly RestoreItem[]): Group | undefined {
	if (items.length < 2) return undefined;
	const what = `restore ${formatCounted(items.length, "session")} from the trash`;
	return { id: randomUUID(), what, count: items.length };
}

function messageFor(
	items: readonly RestoreItem[],
	restored: readonly { readonly message: Message }[],
	failures: readonly Failure[],
	taken: readonly RestoreItem[],
): Message {
	const [first] = restored;
	if (items.length === 1 && first !== undefined) return first.message;
	const parts = [
		restored.length === 0
			? "Nothing was restored"
			: `Restored ${formatCounted(restored.length, "session")} from the trash`,
	];
	const left = items.length - restored.length - failures.length - taken.length;
	if (left > 0) parts.push(`stopped: ${formatCount(left)} are still there`);
	if (failures.length > 0) parts.push(`${formatCount(failures.length)} not: ${listFailures(failures)}`);
	const unnoted = restored.find(({ message }) => message.tone === "warning");
	if (unnoted !== undefined) parts.push(unnoted.message.text);
	const isWhole = left === 0 && failures.length === 0 && unnoted === undefined;
	return { text: parts.join("; "), tone: isWhole ? "text" : restored.length === 0 ? "error" : "warning" };
}

function questionAbout(taken: readonly RestoreItem[], before: string | undefined): Action {
	const named = taken.slice(0, MOST_NAMED).map(({ title }) => quote(title));
	const rest = taken.length - named.length;
	const list = rest === 0 ? named.join(", ") : `${named.join(", ")} and ${formatCount(rest)} more`;
	const place = taken.length === 1 ? "A file is in the place of" : "Files are in the places of";
	const name = basename(taken[0]?.item.path ?? "", ".jsonl");
	return {
		type: "ask",
		question: {
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
		},
	};
}

/** The reason alone: the session is named beside it. */
function reasonOf(error: unknown): unknown {
	return error instanceof Error && !(error instanceof StoreError) ? (error.cause ?? error) : error;
}
