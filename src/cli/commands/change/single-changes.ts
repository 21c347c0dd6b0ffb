import { homedir } from "node:os";
import { isDirectory } from "../../../app/world/effects/find-program.ts";
import { rewindSentences, sessionRewind } from "../../../conversation/entries/leaf.ts";
import { resolvePath } from "../../../store/files/paths.ts";
import { readChecked } from "../../../store/held/read-checked.ts";
import { shortenHome } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import type { Given } from "../../arguments/given.ts";
import { entryOf } from "../../find/read-target.ts";
import { changeOne } from "./change-one.ts";

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
			effect: { type: "rename", path, name },
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
			effect: { type: "label", path: target.path, entryId: entry.id, label: text },
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

/** Moves the leaf of a rewound session back to the end of its conversation. */
export function forward(given: Given): Promise<number> {
	return changeOne(given, async ({ path, entry }) => {
		if (entry !== undefined) return { mistake: `forward takes a session, not its entry ${entry}` };
		const rewound = sessionRewind(await readChecked(path));
		if (rewound === undefined) return { nothing: "Nothing was done: it goes on from its end already." };
		return {
			effect: { type: "forward", path, entryId: rewound.endId },
			about: rewindSentences(rewound, Date.now()),
			label: "Go on from its end again: adds one line to the session",
			json: ({ entryId }) => ({ rewound, changed: entryId !== undefined }),
		};
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
			effect: { type: "branch", path, entryId: entry.id },
			label: `Make a new session of the path to entry ${entry.id}`,
			json: ({ created }) => ({ entryId: entry.id, created }),
			stdout: ({ created }) => created,
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
			effect: { type: "fork", path, cwd },
			label: `Fork it for the project in ${shortenHome(cwd, homedir())}`,
			json: ({ created }) => ({ cwd, created }),
			stdout: ({ created }) => created,
		};
	});
}
