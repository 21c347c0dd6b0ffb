import { randomUUID } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { isThere } from "../../store/files/is-there.ts";
import { formatCount, formatCounted } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/quote.ts";
import type { LongWork } from "../core/effects/long-work.ts";
import type { Group } from "../journal/journal-schema.ts";
import type { Action } from "../world/action.ts";
import type { Effect, RestoreItem } from "../world/effect.ts";
import type { Message } from "../world/state.ts";
import { eachSession, type Outcome, tellOutcome } from "./each-session.ts";
import { gatherChanges } from "./gather-changes.ts";
import { type ChangeTools, makeChange, type Noted } from "./noted-change.ts";

type RestoreEffect = Extract<Effect, { type: "restore-all" }>;

/** What restoring needs of the world outside. */
interface RestoreTools extends ChangeTools {
	readonly work: LongWork;
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
export async function restoreAll({ items, beside }: RestoreEffect, tools: RestoreTools): Promise<Action> {
	const group = groupOf(items);
	const taken: RestoreItem[] = [];
	const { flush, ...hearing } = gatherChanges(tools);
	const nameOf = ({ title }: RestoreItem): string => quote(title);
	const one = async (item: RestoreItem): Promise<Restored | undefined> => {
		const path = await placeFor(item, beside);
		if (path !== undefined) return restoreOne(item, path, group, { ...tools, ...hearing });
		taken.push(item);
		return undefined;
	};
	const each = { nameOf, one };
	const outcome = await eachSession(items, "Restoring from the trash", each, tools.work).finally(flush);
	const restored = outcome.done.filter((one) => one !== undefined);
	const said = messageFor(outcome, restored);
	if (taken.length === 0) return { type: "done", message: said, select: restored[0]?.path };
	return questionAbout(taken, restored.length + outcome.failures.length === 0 ? undefined : said.text);
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
): Promise<Restored> {
	const { size, trashed } = item;
	const receipt = { path: item.path, size, trashed };
	const { message, unnoted } = await makeChange({ type: "restore", path, title, receipt }, tools, group);
	// Undo takes back the restoring now, not the deletion. Without this note it says that the file is no longer in the trash.
	if (item.change !== undefined) await tools.journal.undone(item.change).catch(() => undefined);
	return { path, message, unnoted };
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
