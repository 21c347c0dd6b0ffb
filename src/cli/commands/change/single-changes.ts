import { homedir } from "node:os";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { reasonOf } from "../../../changes/reason.ts";
import { rewindSentences, sessionRewind } from "../../../conversation/entries/leaf.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { messageOf } from "../../../shared/attempt.ts";
import { StoreError } from "../../../store/files/store-error.ts";
import { readChecked } from "../../../store/held/hold-session.ts";
import { formatCounted, formatDayTime, shortenHome } from "../../../ui/text/format.ts";
import { quote } from "../../../ui/text/width.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { entryIdOf, findTargets, remarkElsewhere, type Target } from "../../find/find-target.ts";
import { EXIT, isMistake, Mistake, remark } from "../../print/output.ts";
import { askAndChange, askAndMake, directoryNamed, printChange, reportOutcome } from "./carry-out.ts";
import { withEngines } from "./engines.ts";

/*
 * The commands that change one session. Each returns the exit code.
 */

export function rename(args: Arguments): Promise<number> {
	return changeOne(args, async ({ path, entry }) => {
		const [, ...words] = args.words;
		if (entry !== undefined) throw new Mistake(`rename names a session, not its entry ${entry}`);
		if (words.length === 0) throw new Mistake('rename needs a name, or "" to clear it: pi-grove rename SESSION NAME');
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

export function label(args: Arguments): Promise<number> {
	return changeOne(args, async (target) => {
		const [, ...words] = args.words;
		const entryId = await entryIdOf(target, "pi-grove label SESSION#ENTRY LABEL");
		if (words.length === 0)
			throw new Mistake('label needs a label, or "" to remove it: pi-grove label SESSION#ENTRY LABEL');
		const text = words.join(" ").trim();
		return {
			request: { type: "label", path: target.path, entryId, label: text },
			label: text === "" ? `Remove the label of entry ${entryId}` : `Label entry ${entryId} ${quote(text)}`,
			json: ({ undo, entryId: appended }) => ({
				entryId,
				label: text,
				before: undo?.type === "label" ? undo.label : text,
				changed: appended !== undefined,
			}),
		};
	});
}

export async function forward(args: Arguments): Promise<number> {
	const named = await findTargets(args.words.slice(0, 1), args);
	const [{ path, entry }] = named.targets;
	if (entry !== undefined) throw new Mistake(`forward takes a session, not its entry ${entry}`);
	return withEngines(named.sessionRoots, async (engines) => {
		const { id } = await engines.row(path);
		const rewound = sessionRewind(await readChecked(path));
		if (rewound === undefined) {
			remark("Nothing was done: it already continues from its end.");
			return EXIT.nothing;
		}
		const sentences = rewindSentences(rewound, Date.now()).map((text) => ({ text }));
		const change = { type: "forward", entryId: rewound.endId } as const;
		const outcome = await askAndChange(change, [path], engines, args, () => sentences);
		const changed = engines.changed().length > 0;
		await printChange(args.json, outcome, { path, id, rewound, changed });
		const code = reportOutcome(outcome);
		if (changed) remarkElsewhere(named);
		return code;
	});
}

export function branch(args: Arguments): Promise<number> {
	return changeOne(args, async (target, row) => {
		const { path } = target;
		const entryId = await entryIdOf(target, "pi-grove branch SESSION#ENTRY");
		if (row.archived === true)
			throw new Mistake(`${row.id || path} is archived, and a branch would be too: bring it back in the browser first`);
		return {
			request: { type: "branch", path, entryId },
			label: `Make a new session of the path to entry ${entryId}`,
			json: ({ created }) => ({ entryId, created }),
		};
	});
}

export function fork(args: Arguments): Promise<number> {
	return changeOne(args, async ({ path, entry }, row) => {
		if (entry !== undefined)
			throw new Mistake(`fork copies the whole tree; for the path to entry ${entry}: pi-grove branch SESSION#ENTRY`);
		const cwd = args.to === undefined ? row.cwd || process.cwd() : await directoryNamed(args.to);
		return {
			request: { type: "fork", path, cwd },
			label: `Fork it for the project in ${shortenHome(cwd, homedir())}`,
			json: ({ created }) => ({ cwd, created }),
		};
	});
}

type PlannedChange = Pick<Parameters<typeof askAndMake>[0], "request" | "label" | "json">;

/**
 * Changes the session that the first word names as the browser would, with journal entries for undo before and after; asks
 * first. `plan` returns the change. Returns the exit code.
 */
async function changeOne(
	args: Arguments,
	plan: (target: Target, row: SessionRow) => Promise<PlannedChange>,
): Promise<number> {
	const named = await findTargets(args.words.slice(0, 1), args);
	const [target] = named.targets;
	const { path } = target;
	return withEngines(named.sessionRoots, async (engines) => {
		try {
			const row = await engines.row(path);
			const change = await plan(target, row);
			const json: PlannedChange["json"] = (noted) => ({ path, id: row.id, ...change.json(noted) });
			const code = await askAndMake(
				{ ...change, title: sessionTitle(row), facts: recognitionOf(row), json },
				engines,
				args,
			);
			if (engines.changed().length > 0) remarkElsewhere(named);
			return code;
		} catch (error) {
			throw isMistake(error) ? error : withPath(error, path);
		}
	});
}

/** The mistake that a failed change is, with the path of the file that could not be read or written, which may be the new one. */
function withPath(error: unknown, session: string): Mistake {
	const message = messageOf(error);
	const reason = reasonOf(error);
	const path = reason instanceof StoreError ? reason.path : session;
	return new Mistake(message.includes(path) ? message : `${message}. Path: ${path}`);
}

/** Facts by which a person recognizes a session, besides its title. */
function recognitionOf({ path, messageCount, modified }: SessionRow): string {
	const when = formatDayTime(modified.getTime(), Date.now());
	return [formatCounted(messageCount, "message"), when, shortenHome(path, homedir())].filter(Boolean).join(", ");
}
