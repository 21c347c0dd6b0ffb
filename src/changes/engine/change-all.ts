import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { SessionRow } from "../../catalog/model/row.ts";
import { formatCount, formatCounted, shortenHome } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/width.ts";
import type { Act, Shown } from "../guard/guard.ts";
import { madeOf } from "../kinds/kinds.ts";
import type { Answer, Message } from "./answer.ts";
import { sessionsOf } from "./depends.ts";
import { changeEach, describeOutcome, type EachTools, type MakeOne, type Outcome } from "./each-session.ts";
import type { Noted } from "./make-change.ts";

/** Makes the same change to several sessions that are still as they were shown, as one step for undo. */
export interface ChangeAllRequest {
	readonly type: "change-all";
	readonly change: ChangeOfAll;
	readonly sessions: readonly Shown[];
}

/** What is done to each of several sessions. */
type ChangeOfAll =
	/** To the system's trash. */
	| { readonly type: "trash" }
	/** Labels the entry from which the conversation goes on; "" clears the label. */
	| { readonly type: "label"; readonly label: string }
	/** Copies each into another project. */
	| ForkAll
	/** Makes a repaired copy of each, beside it, and moves the damaged one to the system's trash. */
	| { readonly type: "repair" };

interface ForkAll {
	readonly type: "fork";
	/** The directory of the project. */
	readonly to: string;
	/** Set if sessions of directories below this one go to the same places below `to`. */
	readonly from?: string;
	/** Whether the originals go into the archive, so that nothing is listed twice. */
	readonly archives: boolean;
}

/** The directory of the project into which a session is copied. */
export function placeOf({ cwd }: Pick<SessionRow, "cwd">, { to, from }: Pick<ForkAll, "to" | "from">): string {
	return from === undefined ? to : join(to, relative(from, cwd));
}

/** What changing several sessions alike needs of the world outside. */
export interface ChangeAllTools extends EachTools {
	/** The person's home directory. */
	readonly home: string;
}

/** A change that can be made to several sessions. */
interface ManyKind<Change> {
	readonly act: Act;
	words(change: Change, home: string): Words;
	/** Changes one session. */
	make(change: Change, shown: Shown, makeOne: MakeOne, tools: ChangeAllTools): Promise<Noted>;
}

/** `sessions`: "12 sessions". */
interface Words {
	/** "move 12 sessions to the trash" */
	readonly now: (sessions: string) => string;
	/** "Moved 12 sessions to the trash" */
	readonly past: (sessions: string) => string;
	/** "Moving to the trash" */
	readonly doing: string;
	/** What undo does, in brackets after it. @default "undo reverts this" */
	readonly undo?: (changed: number) => string;
	/** Follows the count of those that needed no change: "already had that label". */
	readonly same?: string;
}

const KINDS_OF_MANY: { readonly [Type in ChangeOfAll["type"]]: ManyKind<Extract<ChangeOfAll, { type: Type }>> } = {
	trash: {
		act: "take",
		words: () => ({
			now: (sessions) => `move ${sessions} to the trash`,
			past: (sessions) => `Moved ${sessions} to the trash`,
			doing: "Moving to the trash",
			undo: (changed) => `undo brings ${changed === 1 ? "it" : "them"} back`,
		}),
		make: (_, { row }, makeOne) => makeOne({ type: "trash", path: row.path, size: row.size }),
	},
	label: {
		act: "append",
		words({ label }) {
			const isCleared = label === "";
			const text = quote(label);
			return {
				now: (sessions) =>
					isCleared ? `remove the label at the end of ${sessions}` : `label the end of ${sessions} ${text}`,
				past: (sessions) =>
					isCleared ? `Removed the label at the end of ${sessions}` : `Labeled the end of ${sessions} ${text}`,
				doing: "Labeling",
				same: isCleared ? "had none" : "already had that label",
			};
		},
		async make({ label }, { row: { path } }, makeOne, { store }) {
			return makeOne({ type: "label", path, entryId: await store.run("leafOf", path), label });
		},
	},
	fork: {
		act: "take",
		words({ to, archives }, home) {
			const [now, past] = archives ? [" and archive the originals", " and archived the originals"] : ["", ""];
			return {
				now: (sessions) => `fork ${sessions} into ${shortenHome(to, home)}${now}`,
				past: (sessions) => `Forked ${sessions} into ${shortenHome(to, home)}${past}`,
				doing: archives ? "Forking and archiving" : "Forking",
			};
		},
		async make(change, { row }, makeOne, tools) {
			const { path, size } = row;
			const cwd = placeOf(row, change);
			const stats = await stat(cwd).catch(() => undefined);
			// pi could not be started in the copy.
			if (stats?.isDirectory() !== true) throw new Error(`the directory ${cwd} does not exist`);
			const copy = await makeOne({ type: "fork", path, cwd });
			if (!change.archives) return copy;
			return replaceBy([copy], () => makeOne({ type: "move", path, isBack: false, size }), tools);
		},
	},
	repair: {
		act: "take",
		words: () => ({
			now: (sessions) => `repair ${sessions}`,
			past: (sessions) => `Repaired ${sessions}; the damaged originals are in the trash`,
			doing: "Repairing",
		}),
		async make(_, { row: { path, size } }, makeOne, tools) {
			const count = (await tools.store.run("planRepair", path)).length;
			if (count === 0) throw new Error("there is no entry in it: no copy can be made");
			const copies: Noted[] = [];
			return replaceBy(
				copies,
				async () => {
					for (let index = 0; index < count; index++) copies.push(await makeOne({ type: "repair", path, index }));
					return makeOne({ type: "trash", path, size });
				},
				tools,
			);
		},
	},
};

/** Puts the original away, for which there are copies now. If that fails, the copies do not stay either. */
async function replaceBy(
	copies: readonly Noted[],
	putAway: () => Promise<Noted>,
	tools: ChangeAllTools,
): Promise<Noted> {
	try {
		const original = await putAway();
		// Any of these that the journal could not record may not be undone.
		return [...copies, original].find(({ unnoted }) => unnoted !== undefined) ?? original;
	} catch (error) {
		for (const copy of copies) await takeBack(copy, tools);
		throw error;
	}
}

/** Undoes what was made a moment ago. If that fails too, it stays in the list, and undo still offers it. */
async function takeBack({ undo, id }: Noted, tools: ChangeAllTools): Promise<void> {
	if (undo === undefined || id === undefined) return;
	const made = { plan: undefined, undo, what: "", receipt: undefined };
	try {
		await tools.journal.undone(id, await madeOf(made).kind.takeBack(undo, tools));
	} catch {
		// It stays as it is, in the list and in the journal.
	}
	tools.changed(sessionsOf(made));
}

/**
 * Makes the same change to several sessions. Those that fail, or are in use by now, are reported with the reason, and the
 * others are still changed. The person can stop it between two sessions.
 */
export async function changeAll({ change, sessions }: ChangeAllRequest, tools: ChangeAllTools): Promise<Answer> {
	const kind: ManyKind<ChangeOfAll> = KINDS_OF_MANY[change.type];
	const words = kind.words(change, tools.home);
	const count = sessions.length;
	const outcome = await changeEach(
		{
			items: sessions,
			group: { id: randomUUID(), what: words.now(formatCounted(count, "session")), count },
			doing: words.doing,
			nameOf: ({ row: { path } }) => quote(tools.titleOf(path) ?? path),
			pathOf: ({ row }) => row.path,
			guard: (shown) => ({ act: kind.act, shown }),
			one: (shown, makeOne) => kind.make(change, shown, makeOne, tools),
		},
		tools,
	);
	return { type: "done", message: messageFor(words, outcome) };
}

function messageFor(words: Words, outcome: Outcome<Noted>): Message {
	const { done: each, left } = outcome;
	const changed = each.filter(({ undo }) => undo !== undefined).length;
	const same = each.length - changed;
	const done = changed === 0 && left === 0 ? "Nothing was changed" : words.past(formatCounted(changed, "session"));
	const notes = same === 0 ? [] : [`${formatCount(same)} ${words.same ?? "needed no change"}`];
	const { text, tone } = describeOutcome(outcome, { changed, done, left: "unchanged", notes, made: each });
	return { text: changed > 0 ? `${text} (${words.undo?.(changed) ?? "undo reverts this"})` : text, tone };
}
