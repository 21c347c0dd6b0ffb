import { homedir } from "node:os";
import { isDirectory } from "../../../app/world/effects/find-program.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { reasonOf } from "../../../changes/reason.ts";
import { rewindSentences, sessionRewind } from "../../../conversation/entries/leaf.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { messageOf } from "../../../shared/attempt.ts";
import { resolvePath } from "../../../store/files/paths.ts";
import { StoreError } from "../../../store/files/store-error.ts";
import { readChecked } from "../../../store/held/hold-session.ts";
import { formatCounted, formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import type { Given } from "../../arguments/arguments.ts";
import { entryOf, findTargets, remarkElsewhere, type Target } from "../../find/find-target.ts";
import { EXIT, failWith, type Mistake, remark } from "../../print/output.ts";
import { askAndChange, askAndMake, printChange, reportOutcome } from "./carry-out.ts";
import { openEngines, withEngines } from "./engines.ts";

/*
 * The commands that change one session. Each returns the exit code.
 */

/** Names a session, or clears its name. */
export function rename(given: Given): Promise<number> {
	return changeOne(given, async ({ path, entry }) => {
		const [, ...words] = given.words;
		if (entry !== undefined) return { mistake: `rename names a session, not its entry ${entry}` };
		if (words.length === 0) return { mistake: `rename needs a name, or "" to clear it: pi-grove rename SESSION NAME` };
		const name = words.join(" ").trim();
		return {
			request: { type: "rename", path, name },
			label: name === "" ? "Clear its name" : `Rename it to ${quote(name)}`,
			json: ({ undo, entryId }) => ({
				name,
				before: undo?.type === "rename" ? undo.name : name,
				changed: entryId !== undefined,
			}),
		};
	});
}

/** Labels an entry, or removes its label. */
export function label(given: Given): Promise<number> {
	return changeOne(given, async (target) => {
		const [, ...words] = given.words;
		const entry = await entryOf(target, "pi-grove label SESSION#ENTRY LABEL");
		if ("mistake" in entry) return entry;
		if (words.length === 0)
			return { mistake: `label needs a label, or "" to remove it: pi-grove label SESSION#ENTRY LABEL` };
		const text = words.join(" ").trim();
		return {
			request: { type: "label", path: target.path, entryId: entry.id, label: text },
			label: text === "" ? `Remove the label of entry ${entry.id}` : `Label entry ${entry.id} ${quote(text)}`,
			json: ({ undo, entryId }) => ({
				entryId: entry.id,
				label: text,
				before: undo?.type === "label" ? undo.label : text,
				changed: entryId !== undefined,
			}),
		};
	});
}

/** Moves the leaf of a rewound session back to the end of its conversation, after asking as the browser does. */
export async function forward(given: Given): Promise<number> {
	const found = await findTargets(given.words.slice(0, 1), given);
	if ("mistake" in found) return failWith(found);
	const [{ path, entry }] = found.targets;
	if (entry !== undefined) return failWith({ mistake: `forward takes a session, not its entry ${entry}` });
	return withEngines(found.sessionRoots, async (engines) => {
		const { id } = await engines.row(path);
		const rewound = sessionRewind(await readChecked(path));
		if (rewound === undefined) {
			remark("Nothing was done: it goes on from its end already.");
			return EXIT.nothing;
		}
		const sentences = rewindSentences(rewound, Date.now()).map((text) => ({ text }));
		const change = { type: "forward", entryId: rewound.endId } as const;
		const outcome = await askAndChange(change, [path], engines, given, () => sentences);
		const changed = engines.changed().length > 0;
		await printChange(given.json, outcome, { path, id, rewound, changed });
		const code = reportOutcome(outcome);
		if (changed) remarkElsewhere(found);
		return code;
	});
}

/** Copies the path to an entry into a new session, and prints its path. */
export function branch(given: Given): Promise<number> {
	return changeOne(given, async (target, row) => {
		const { path } = target;
		const entry = await entryOf(target, "pi-grove branch SESSION#ENTRY");
		if ("mistake" in entry) return entry;
		if (row.archived === true)
			return { mistake: `${path} is archived, and a branch would be too: bring it back in the browser first` };
		return {
			request: { type: "branch", path, entryId: entry.id },
			label: `Make a new session of the path to entry ${entry.id}`,
			json: ({ created }) => ({ entryId: entry.id, created }),
		};
	});
}

/** Copies a whole session into a new one, and prints its path. */
export function fork(given: Given): Promise<number> {
	return changeOne(given, async ({ path, entry }, row) => {
		if (entry !== undefined)
			return { mistake: `fork copies the whole tree; for the path to entry ${entry}: pi-grove branch SESSION#ENTRY` };
		const { to } = given;
		const cwd = to === undefined ? row.cwd || process.cwd() : resolvePath(to);
		// pi cannot be started in a directory that does not exist.
		if (to !== undefined && !(await isDirectory(cwd))) return { mistake: `--to ${to} is not a directory` };
		return {
			request: { type: "fork", path, cwd },
			label: `Fork it for the project in ${shortenHome(cwd, homedir())}`,
			json: ({ created }) => ({ cwd, created }),
		};
	});
}

/** A planned change of the session. */
type Planned = Pick<Parameters<typeof askAndMake>[0], "request" | "label" | "json">;

/**
 * Changes the session that the first word names as the browser would, with journal entries for undo before and after; asks
 * first. `plan` returns the change, or why there is none to make. Returns the exit code.
 */
async function changeOne(
	given: Given,
	plan: (target: Target, row: SessionRow) => Promise<Planned | Mistake>,
): Promise<number> {
	const found = await findTargets(given.words.slice(0, 1), given);
	if ("mistake" in found) return failWith(found);
	const [target] = found.targets;
	const { path } = target;
	const engines = openEngines(found.sessionRoots);
	try {
		const row = await engines.row(path);
		const change = await plan(target, row);
		if ("mistake" in change) return failWith(change);
		const json: Planned["json"] = (made) => ({ path, id: row.id, ...change.json(made) });
		const asked = { ...change, title: sessionTitle(row), facts: factsOf(row), json };
		const code = await askAndMake(asked, engines, given);
		if (engines.changed().length > 0) remarkElsewhere(found);
		return code;
	} catch (error) {
		const message = messageOf(error);
		const reason = reasonOf(error);
		// What could not be written may be the new file.
		const named = reason instanceof StoreError ? reason.path : path;
		return failWith({ mistake: message.includes(named) ? message : `${message}. Path: ${named}` });
	} finally {
		await engines.close();
	}
}

/** Facts by which a person recognizes a session, besides its title. */
function factsOf({ path, messageCount, modified }: SessionRow): string {
	const when = formatDayTime(modified.getTime(), Date.now());
	return [formatCounted(messageCount, "message"), when, shortenHome(path, homedir())].filter(Boolean).join(", ");
}
