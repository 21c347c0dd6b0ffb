import { randomUUID } from "node:crypto";
import { hasNewUse, type LiveReport, usesOf } from "../../catalog/model/live.ts";
import { StoreError } from "../../store/files/store-error.ts";
import type { Group } from "../journal/journal-schema.ts";
import type { Action } from "../model/action.ts";
import type { ChangeAllEffect, ChangeOfAll } from "../model/change-all.ts";
import type { Shown } from "../model/outcome.ts";
import type { Message } from "../model/state.ts";
import { describeUse } from "../text/describe-use.ts";
import { formatCount, formatCounted } from "../text/format.ts";
import type { ChangeEffect } from "./change-session.ts";
import { gatherChanged } from "./gather-changed.ts";
import { type Failure, listFailures } from "./list-failures.ts";
import type { LongWork } from "./long-work.ts";
import { type ChangeTools, makeChange } from "./noted-change.ts";
import { quote } from "./quote.ts";

interface Tools extends ChangeTools {
	readonly work: LongWork;
	/** Has the catalog look anew at what is in use, and at who has this session open. */
	readonly look: (path: string) => Promise<LiveReport>;
	/** Present time, Unix ms. */
	readonly clock: () => number;
}

/** What is in use is looked at anew after this time, in ms: a look takes longer than what is done to most sessions. */
const LOOK_EVERY_MS = 500;

/** What became of several sessions. */
interface Outcome {
	done: number;
	/** Sessions that already were as they should be. */
	same: number;
	readonly failures: Failure[];
	/** The notes for undo that could not be written. */
	unnoted: string | undefined;
}

/**
 * Does the same to several sessions, one after the other, as one step for undo. What fails, or is in use by now, does not
 * keep the others from being changed; it is told, with the reason. The person can stop it between two sessions.
 */
export async function changeAll({ change, sessions }: ChangeAllEffect, tools: Tools): Promise<Action> {
	const words = wordsFor(change);
	const group: Group = {
		id: randomUUID(),
		what: words.now(formatCounted(sessions.length, "session")),
		count: sessions.length,
	};
	const { changed, flush } = gatherChanged(tools.changed);
	let isStale = false;
	const refresh = (): void => {
		isStale = true;
	};
	const look = lookSometimes(tools.look);
	const outcome: Outcome = { done: 0, same: 0, failures: [], unnoted: undefined };
	const job = tools.work.begin(words.doing, sessions.length);
	let index = 0;
	try {
		for (const shown of sessions) {
			if (!(await job.goesOn(index))) break;
			index += 1;
			const title = tools.titleOf(shown.row.path) ?? shown.row.path;
			try {
				const inUse = newUse(change, shown, await look(shown.row.path), tools.clock());
				if (inUse !== undefined) throw new Error(inUse);
				const noted = await makeChange(await effectFor(change, shown, tools), { ...tools, changed, refresh }, group);
				if (noted.undo === undefined) outcome.same += 1;
				else outcome.done += 1;
				if (noted.message.tone === "warning") outcome.unnoted ??= noted.message.text;
			} catch (error) {
				outcome.failures.push({ what: quote(title), error: reasonOf(error) });
			}
		}
	} finally {
		flush();
		if (isStale) tools.refresh();
		job.end();
	}
	return { type: "done", message: messageFor(words, outcome, sessions.length, index < sessions.length) };
}

/** The change of one of them. */
async function effectFor(change: ChangeOfAll, shown: Shown, { store }: Tools): Promise<ChangeEffect> {
	const { path } = shown.row;
	switch (change.type) {
		case "trash":
			return { type: "trash", path, shown };
		case "label":
			return { type: "label", path, entryId: await store.run("leafOf", path), label: change.label };
	}
}

/** Why a session must be left alone that was free when it was asked about. A label may be set on one that is in use. */
function newUse(change: ChangeOfAll, { row, uses }: Shown, report: LiveReport, now: number): string | undefined {
	if (change.type === "label") return undefined;
	const present = usesOf(report, row, "delete");
	if (!hasNewUse(uses, present)) return undefined;
	const [use] = present;
	return use === undefined ? undefined : `it may be in use by now: ${describeUse(use, now)}`;
}

function lookSometimes(look: Tools["look"]): Tools["look"] {
	let last: { readonly at: number; readonly report: LiveReport } | undefined;
	return async (path) => {
		if (last === undefined || performance.now() - last.at >= LOOK_EVERY_MS) {
			const report = await look(path);
			last = { at: performance.now(), report };
		}
		return last.report;
	};
}

/** The reason alone: the session is named beside it. */
function reasonOf(error: unknown): unknown {
	return error instanceof Error && !(error instanceof StoreError) ? (error.cause ?? error) : error;
}

interface Words {
	/** "move 12 sessions to the trash" */
	readonly now: (whom: string) => string;
	/** "Moved 12 sessions to the trash" */
	readonly past: (whom: string) => string;
	/** "Moving sessions to the trash" */
	readonly doing: string;
	/** What is said of those that need no change. */
	readonly same: string;
}

function wordsFor(change: ChangeOfAll): Words {
	switch (change.type) {
		case "trash":
			return {
				now: (whom) => `move ${whom} to the trash`,
				past: (whom) => `Moved ${whom} to the trash`,
				doing: "Moving to the trash",
				same: "",
			};
		case "label": {
			const label = quote(change.label);
			const isCleared = change.label === "";
			return {
				now: (whom) => (isCleared ? `remove the label at the end of ${whom}` : `label the end of ${whom} ${label}`),
				past: (whom) => (isCleared ? `Removed the label at the end of ${whom}` : `Labeled the end of ${whom} ${label}`),
				doing: "Labeling",
				same: isCleared ? "had none" : "already had that label",
			};
		}
	}
}

function messageFor(
	words: Words,
	{ done, same, failures, unnoted }: Outcome,
	count: number,
	isStopped: boolean,
): Message {
	const whom = formatCounted(done, "session");
	const parts = [isStopped ? `Stopped: ${words.past(whom)}` : words.past(whom)];
	if (done === 0 && !isStopped) parts.splice(0, 1, `Nothing was done to ${count === 1 ? "it" : "them"}`);
	if (isStopped) parts.push(`${formatCount(count - done - same - failures.length)} are as they were`);
	if (same > 0) parts.push(`${formatCount(same)} ${words.same}`);
	if (failures.length > 0) parts.push(`${formatCount(failures.length)} not: ${listFailures(failures)}`);
	if (unnoted !== undefined) parts.push(`not all of it may be undone: ${unnoted}`);
	const isWhole = !isStopped && failures.length === 0 && unnoted === undefined;
	const undo = done > 0 ? " (undo takes it back)" : "";
	return {
		text: `${parts.join("; ")}${undo}`,
		tone: isWhole ? "text" : done === 0 && !isStopped ? "error" : "warning",
	};
}
