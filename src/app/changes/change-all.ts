import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { otherPlace } from "../../catalog/model/archive.ts";
import { trashSession } from "../../store/actions/trash.ts";
import { formatCount, formatCounted, shortenHome } from "../../ui/text/format.ts";
import { quote } from "../../ui/text/quote.ts";
import type { LongWork } from "../core/effects/long-work.ts";
import { guardAgain, isAlwaysFree } from "../guard/guard.ts";
import { whyNot } from "../guard/guard-words.ts";
import { pathOf } from "../journal/change.ts";
import type { Group, Undo } from "../journal/journal-schema.ts";
import type { Action } from "../world/action.ts";
import type { ChangeAllEffect, ChangeOfAll } from "../world/change-all.ts";
import type { Shown } from "../world/outcome.ts";
import type { Message } from "../world/state.ts";
import { moveNoted } from "./archive-sessions.ts";
import type { ChangeEffect } from "./change-session.ts";
import { eachSession, type Outcome, tellOutcome } from "./each-session.ts";
import { gatherChanges } from "./gather-changes.ts";
import { type LookAtUse, lookSometimes } from "./look-sometimes.ts";
import { type ChangeTools, makeChange, type Noted } from "./noted-change.ts";
import { withNote } from "./with-note.ts";

interface Tools extends ChangeTools {
	readonly work: LongWork;
	/** Has the catalog look anew at what is in use, and at who has these sessions open. */
	readonly look: LookAtUse;
	/** The person's home directory. */
	readonly home: string;
	/** Present time, Unix ms. */
	readonly clock: () => number;
}

/**
 * Does the same to several sessions, one after the other, as one step for undo. What fails, or is in use by now, does not
 * keep the others from being changed; it is told, with the reason. The person can stop it between two sessions.
 */
export async function changeAll({ change, sessions }: ChangeAllEffect, tools: Tools): Promise<Action> {
	const words = wordsFor(change, tools.home);
	const count = sessions.length;
	const group: Group = { id: randomUUID(), what: words.now(formatCounted(count, "session")), count };
	const { flush, ...hearing } = gatherChanges(tools);
	const look = lookSometimes(
		tools.look,
		sessions.map(({ row }) => row.path),
	);
	const nameOf = ({ row: { path } }: Shown): string => quote(tools.titleOf(path) ?? path);
	const one = async (shown: Shown): Promise<Noted> => {
		const act = change.type === "label" ? "append" : "take";
		const refused = isAlwaysFree(act) ? undefined : whyNot(guardAgain(act, await look(), shown), tools.clock());
		if (refused !== undefined) throw new Error(refused);
		if (change.type === "repair") return repair(shown, group, { ...tools, ...hearing });
		const effect = await effectFor(change, shown, tools);
		const made = await makeChange(effect, { ...tools, ...hearing }, group);
		if (change.type === "fix") await putAway(shown, made, group, { ...tools, ...hearing });
		return made;
	};
	const outcome = await eachSession(sessions, words.doing, { nameOf, one }, tools.work).finally(flush);
	return { type: "done", message: messageFor(words, outcome) };
}

/** Puts a session into the archive that was forked to where it belongs now. What cannot be archived keeps no fork. */
async function putAway({ row: { path, size } }: Shown, fork: Noted, group: Group, tools: Tools): Promise<void> {
	const what = `archive ${quote(tools.titleOf(path) ?? path)}`;
	try {
		const to = otherPlace(path, tools.sessionRoots);
		await moveNoted({ path, size }, to, { what, group, purpose: "archive the session" }, tools);
	} catch (error) {
		if (fork.undo !== undefined) await takeBack(fork.undo, fork.id, tools);
		throw error;
	}
}

/**
 * Makes a repaired copy of each session in a damaged file beside it, and moves the file to the trash. What cannot go there
 * keeps no copy.
 */
async function repair(shown: Shown, group: Group, tools: Tools): Promise<Noted> {
	const { path } = shown.row;
	const { store, journal, changed } = tools;
	const count = (await store.run("planRepair", path)).length;
	if (count === 0) throw new Error("there is no entry in it: no copy can be made");
	const what = `repair ${quote(tools.titleOf(path) ?? path)} into a new session`;
	const made: { readonly id: string; readonly undo: Undo }[] = [];
	try {
		for (let index = 0; index < count; index++) {
			const plan = { type: "create", path, dir: dirname(path) } as const;
			const { made: copy, id } = await withNote(journal, { what, plan, group }, async () => {
				const { path: created } = await store.run("repairBeside", path, index);
				const undo: Undo = { type: "created", path: created, size: (await stat(created)).size };
				changed([created]);
				return { undo };
			});
			made.push({ id, ...copy });
		}
		return await makeChange({ type: "trash", path, shown }, tools, group);
	} catch (error) {
		for (const { undo, id } of made) await takeBack(undo, id, tools);
		throw error;
	}
}

/** Takes back what was made a moment ago. Where that fails, too, undo still offers it. */
async function takeBack(undo: Undo, id: string, { journal, changed }: Tools): Promise<void> {
	const path = pathOf(undo);
	await trashSession(path)
		.then((receipt) => journal.undone(id, { receipt }))
		.catch(() => undefined);
	changed([path]);
}

/** The change of one of them. */
async function effectFor(
	change: Exclude<ChangeOfAll, { type: "repair" }>,
	shown: Shown,
	{ store }: Tools,
): Promise<ChangeEffect> {
	const { path } = shown.row;
	switch (change.type) {
		case "trash":
			return { type: "trash", path, shown };
		case "label":
			return { type: "label", path, entryId: await store.run("leafOf", path), label: change.label };
		case "fork":
		case "fix": {
			const cwd = change.places[path];
			const isThere =
				cwd !== undefined &&
				(await stat(cwd).then(
					(stats) => stats.isDirectory(),
					() => false,
				));
			// pi could not be started in what would be made.
			if (!isThere) throw new Error(`the directory ${cwd ?? ""} is not there any more`);
			return { type: "fork", path, cwd, resume: false };
		}
	}
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

function wordsFor(change: ChangeOfAll, home: string): Words {
	switch (change.type) {
		case "trash":
			return {
				now: (whom) => `move ${whom} to the trash`,
				past: (whom) => `Moved ${whom} to the trash`,
				doing: "Moving to the trash",
				same: "",
			};
		case "repair":
			return {
				now: (whom) => `repair ${whom}`,
				past: (whom) => `Repaired ${whom}; what was damaged is in the trash`,
				doing: "Repairing",
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
		case "fork":
		case "fix": {
			const [place, ...others] = new Set(Object.values(change.places));
			const where =
				others.length === 0 ? shortenHome(place ?? "", home) : `${formatCount(others.length + 1)} directories`;
			const isFixed = change.type === "fix";
			return {
				now: (whom) => `fork ${whom} into ${where}${isFixed ? " and archive the originals" : ""}`,
				past: (whom) => `Forked ${whom} into ${where}${isFixed ? " and archived the originals" : ""}`,
				doing: isFixed ? "Forking and archiving" : "Forking",
				same: "",
			};
		}
	}
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
