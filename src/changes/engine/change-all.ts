import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { formatCount, formatCounted, shortenHome } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/quote.ts";
import type { Act, Shown } from "../guard/guard.ts";
import { type ChangeRequest, madeOf } from "../kinds/kinds.ts";
import { type Answer, type Message, say } from "./answer.ts";
import { changeEach, type EachTools } from "./change-each.ts";
import { sessionsOf } from "./depends.ts";
import { type Outcome, tellOutcome } from "./each-session.ts";
import type { Noted } from "./make-change.ts";

/** Changes several sessions, if they are still as shown, one after the other, as one step for undo. */
export interface ChangeAllRequest {
	readonly type: "change-all";
	readonly change: ChangeOfAll;
	readonly sessions: readonly Shown[];
}

/** What is done to each of several sessions. */
type ChangeOfAll =
	/** To the system's trash. */
	| { readonly type: "trash" }
	/** Sets the label of the entry at which the conversation goes on; "" clears it. */
	| { readonly type: "label"; readonly label: string }
	/** Copies each for the project in the directory that is named here by the session's path. */
	| { readonly type: "fork"; readonly places: Readonly<Record<string, string>> }
	/** The same, and the session itself goes into the archive: nothing is in the list twice. */
	| { readonly type: "fix"; readonly places: Readonly<Record<string, string>> }
	/** Makes a repaired copy of each, beside it, and moves the damaged one to the system's trash. */
	| { readonly type: "repair" };

/** What changing several sessions alike needs of the world outside. */
export interface ChangeAllTools extends EachTools {
	/** The person's home directory. */
	readonly home: string;
}

/** A change that can be made to several. */
interface ManyKind<Change> {
	readonly act: Act;
	words(change: Change, home: string): Words;
	/** Changes one of them. */
	make(change: Change, shown: Shown, makeOne: MakeOne, tools: ChangeAllTools): Promise<Noted>;
}

type MakeOne = (request: ChangeRequest) => Promise<Noted>;

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

const TRASH_WORDS: Words = {
	now: (whom) => `move ${whom} to the trash`,
	past: (whom) => `Moved ${whom} to the trash`,
	doing: "Moving to the trash",
	same: "",
};

const REPAIR_WORDS: Words = {
	now: (whom) => `repair ${whom}`,
	past: (whom) => `Repaired ${whom}; what was damaged is in the trash`,
	doing: "Repairing",
	same: "",
};

const KINDS_OF_MANY: { readonly [Type in ChangeOfAll["type"]]: ManyKind<Extract<ChangeOfAll, { type: Type }>> } = {
	trash: {
		act: "take",
		words: () => TRASH_WORDS,
		make: (_, { row }, makeOne) => makeOne({ type: "trash", path: row.path, size: row.size }),
	},
	label: {
		act: "append",
		words({ label }) {
			const isCleared = label === "";
			const text = quote(label);
			return {
				now: (whom) => (isCleared ? `remove the label at the end of ${whom}` : `label the end of ${whom} ${text}`),
				past: (whom) => (isCleared ? `Removed the label at the end of ${whom}` : `Labeled the end of ${whom} ${text}`),
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
		words: ({ places }, home) => ({
			now: (whom) => `fork ${whom} into ${placeIn(places, home)}`,
			past: (whom) => `Forked ${whom} into ${placeIn(places, home)}`,
			doing: "Forking",
			same: "",
		}),
		make: async ({ places }, { row: { path } }, makeOne) => makeOne(await forkInto(places[path], path)),
	},
	fix: {
		act: "take",
		words: ({ places }, home) => ({
			now: (whom) => `fork ${whom} into ${placeIn(places, home)} and archive the originals`,
			past: (whom) => `Forked ${whom} into ${placeIn(places, home)} and archived the originals`,
			doing: "Forking and archiving",
			same: "",
		}),
		async make({ places }, { row: { path, size } }, makeOne, tools) {
			const fork = await makeOne(await forkInto(places[path], path));
			try {
				await makeOne({ type: "move", path, isBack: false, size });
			} catch (error) {
				// What cannot be archived keeps no fork.
				await takeBack(fork, tools);
				throw error;
			}
			return fork;
		},
	},
	repair: {
		act: "take",
		words: () => REPAIR_WORDS,
		async make(_, { row: { path, size } }, makeOne, tools) {
			const count = (await tools.store.run("planRepair", path)).length;
			if (count === 0) throw new Error("there is no entry in it: no copy can be made");
			const made: Noted[] = [];
			try {
				for (let index = 0; index < count; index++) made.push(await makeOne({ type: "repair", path, index }));
				return await makeOne({ type: "trash", path, size });
			} catch (error) {
				// What cannot go to the trash keeps no copy.
				for (const copy of made) await takeBack(copy, tools);
				throw error;
			}
		},
	},
};

/** Takes back what was made a moment ago. Where that fails, too, undo still offers it. */
async function takeBack({ undo, id }: Noted, tools: ChangeAllTools): Promise<void> {
	if (undo === undefined || id === undefined) return;
	const made = { plan: undefined, undo, what: "", receipt: undefined };
	try {
		await tools.journal.undone(id, await madeOf(made).kind.takeBack(undo, tools));
	} catch {
		// It stays in the list and in the journal.
	}
	tools.changed(sessionsOf(made));
}

function placeIn(places: Readonly<Record<string, string>>, home: string): string {
	const [place, ...others] = new Set(Object.values(places));
	return others.length === 0 ? shortenHome(place ?? "", home) : `${formatCount(others.length + 1)} directories`;
}

/** Rejects where the directory is gone: pi could not be started in what would be made. */
async function forkInto(cwd: string | undefined, path: string): Promise<ChangeRequest> {
	if (cwd === undefined || !(await isDirectory(cwd)))
		throw new Error(`the directory ${cwd ?? ""} is not there any more`);
	return { type: "fork", path, cwd };
}

/**
 * Does the same to several sessions. What fails, or is in use by now, is told, with the reason. The person can stop it
 * between two sessions.
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
	const { text, tone } = messageFor(words, outcome);
	return say(text, tone);
}

function isDirectory(path: string): Promise<boolean> {
	return stat(path).then(
		(stats) => stats.isDirectory(),
		() => false,
	);
}

function messageFor(words: Words, outcome: Outcome<Noted>): Message {
	const { count, done: each, left } = outcome;
	const changed = each.filter(({ undo }) => undo !== undefined).length;
	const same = each.length - changed;
	const isNothing = changed === 0 && left === 0;
	const done = isNothing
		? `Nothing was done to ${count === 1 ? "it" : "them"}`
		: words.past(formatCounted(changed, "session"));
	const notes = same === 0 ? [] : [`${formatCount(same)} ${words.same}`];
	const unnoted = each.find((noted) => noted.unnoted !== undefined)?.unnoted;
	const { text, tone } = tellOutcome(outcome, { changed, done, left: "are as they were", notes, unnoted });
	return { text: changed > 0 ? `${text} (undo takes it back)` : text, tone };
}
