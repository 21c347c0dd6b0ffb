import type { SessionRow } from "../../catalog/model/row.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { Hit } from "../../catalog/search/search.ts";
import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import type { Journal } from "../journal/journal.ts";
import type { Undo } from "../journal/journal-schema.ts";
import { undoChange } from "../journal/undo-change.ts";
import type { Action } from "../model/action.ts";
import type { Effect } from "../model/effect.ts";
import type { Outcome, ResumeRequest } from "../model/outcome.ts";
import type { Tone } from "../model/view.ts";
import { type Changed, type ChangeEffect, changeSession, nameChange } from "./change-session.ts";
import { clipboardSequence } from "./clipboard.ts";
import { findProgram, isDirectory } from "./find-program.ts";
import type { SessionReader } from "./session-reader.ts";
import type { StoreClient } from "./store-client.ts";
import type { TreeDrawer } from "./tree-drawer.ts";

/** What effects use of the world outside. */
export interface EffectTools {
	readonly reader: SessionReader;
	readonly treeDrawer: TreeDrawer;
	/** The person's home directory. */
	readonly home: string;
	readonly journal: Journal;
	readonly store: StoreClient;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Program that resumes a session: "pi", or what `--pi` says. */
	readonly pi: string;
	/** Where sessions are: new ones go there too, and pi needs a flag when it is not the default directory. */
	readonly sessionRoots: SessionRoots;
	/** Searches everything and ends the search before; a query without terms only ends that. Results come as actions. */
	readonly search: (request: number, query: Query) => void;
	/** Has the catalog watch the sessions in sight. */
	readonly watchVisible: (paths: readonly string[]) => void;
	readonly count: (rows: readonly SessionRow[]) => Promise<CatalogStats>;
	/** All hits in one session. */
	readonly hits: (query: Query, path: string) => Promise<readonly Hit[]>;
	/** Has the catalog read these session files, which were changed, created or removed. */
	readonly changed: (paths: readonly string[]) => void;
	/** Has the catalog compare itself with the disk; it reports changes and problems as its own events. */
	readonly refresh: () => void;
	/** Writes past the screen, for sequences that draw nothing. */
	readonly writeTerminal: (text: string) => void;
	/** Gives the terminal back to the shell and stops, until the shell continues the process; false where that cannot be. */
	readonly suspend: () => boolean;
	readonly leave: (outcome: Outcome) => void;
}

/** Runs one effect; resolves to the action that reports its result, or undefined when there is nothing to report. */
export async function runEffect(effect: Effect, tools: EffectTools): Promise<Action | undefined> {
	switch (effect.type) {
		case "read-session": {
			const { request } = effect;
			try {
				const session = await tools.reader.read(effect.path, effect.before);
				return session === undefined ? undefined : { type: "session-read", request, session };
			} catch (error) {
				return { type: "session-failed", request, message: reasonOf(error) };
			}
		}
		case "search":
			tools.search(effect.request, effect.query);
			return undefined;
		case "watch-visible":
			tools.watchVisible(effect.paths);
			return undefined;
		case "count":
			return attempt(async () => ({ type: "stats", stats: await tools.count(effect.rows) }));
		case "find-hits":
			return {
				type: "hits",
				path: effect.path,
				query: effect.query,
				hits: await tools.hits(effect.query, effect.path),
			};
		case "draw-tree": {
			const drawing = await tools.treeDrawer.draw(effect.input, effect.before);
			return drawing && { type: "tree-drawn", drawing };
		}
		case "rename":
		case "label":
		case "branch":
		case "trash":
			return attempt(async () => {
				const { text, created } = await change(effect, tools);
				return { type: "done", message: { text, tone: "text" }, created };
			});
		case "fork":
			return attempt(async () => {
				const { text, created } = await change(effect, tools);
				if (effect.resume && created !== undefined) return resume({ path: created, cwd: effect.cwd }, tools);
				return { type: "done", message: { text, tone: "text" }, created };
			});
		case "resume":
			return resume(effect.request, tools);
		case "resume-from":
			return attempt(() => resumeFrom(effect, tools));
		case "undo":
			return attempt(() => undo(tools));
		case "copy":
			return copy(effect.text, effect.what, tools);
		case "refresh":
			tools.refresh();
			return undefined;
		case "suspend":
			if (tools.suspend()) return undefined;
			return { type: "done", message: { text: "On this system no shell can take the terminal back", tone: "warning" } };
		case "leave":
			tools.leave(effect.outcome);
			return undefined;
	}
}

/** Changes a session, with a note in the journal before and the way to undo it after. */
async function change(effect: ChangeEffect, tools: EffectTools): Promise<Changed> {
	const { journal } = tools;
	const id = await journal.begin(nameChange(effect));
	try {
		const changed = await changeSession(effect, tools.store, tools.sessionRoots);
		tools.changed([pathOf(changed.undo)]);
		await journal.done(id, changed.undo);
		return changed;
	} catch (error) {
		// What has failed half-way may have left anything behind.
		tools.refresh();
		await journal.discard(id);
		throw error;
	}
}

/** The session file that was changed, made or removed. */
function pathOf(undo: Undo): string {
	return undo.type === "restore" ? undo.receipt.path : undo.path;
}

async function undo({ journal, store, changed }: EffectTools): Promise<Action> {
	const last = await journal.last();
	if (last === undefined) return say("There is nothing to undo", "muted");
	try {
		await undoChange(last.undo, store);
		return say(`Undone: ${last.what}`);
	} catch (error) {
		return say(`Cannot undo: ${last.what}. ${reasonOf(error)}`, "error");
	} finally {
		// A change that cannot be undone now must not block undoing the changes before it.
		await journal.discard(last.id);
		changed([pathOf(last.undo)]);
	}
}

async function resume(request: ResumeRequest, tools: EffectTools): Promise<Action | undefined> {
	const command = await findProgram(tools.pi, tools.env);
	if (command === undefined) {
		return say(
			`Cannot resume: there is no program "${tools.pi}" on the PATH; install pi, or name it with --pi`,
			"error",
		);
	}
	if (!(await isDirectory(request.cwd))) return { type: "directory-missing", request };
	const { sessionRoots } = tools;
	const chosen = sessionRoots.kind === "custom" ? ["--session-dir", sessionRoots.dir] : [];
	tools.leave({ kind: "resume", cwd: request.cwd, command, args: [...chosen, "--session", request.path] });
	return undefined;
}

/** Appends only once it is certain that pi can start: otherwise the leaf would move for nothing. */
async function resumeFrom(
	effect: Extract<ChangeEffect, { type: "resume-from" }>,
	tools: EffectTools,
): Promise<Action | undefined> {
	const { request } = effect;
	const canStart = (await findProgram(tools.pi, tools.env)) !== undefined && (await isDirectory(request.cwd));
	if (canStart) {
		const { sayAgain } = await change(effect, tools);
		const sequence = sayAgain === undefined ? undefined : clipboardSequence(sayAgain);
		if (sequence !== undefined) tools.writeTerminal(sequence);
	}
	return resume(request, tools);
}

function copy(text: string, what: string, tools: EffectTools): Action {
	const sequence = clipboardSequence(text);
	if (sequence === undefined) return say(`Cannot copy ${what}: it is too long for the terminal's clipboard`, "error");
	tools.writeTerminal(sequence);
	return say(`Copied ${what}`);
}

/** Errors to be expected of disks and files become messages. */
async function attempt(work: () => Promise<Action | undefined>): Promise<Action | undefined> {
	try {
		return await work();
	} catch (error) {
		return say(reasonOf(error), "error");
	}
}

function say(text: string, tone: Tone = "text"): Action {
	return { type: "done", message: { text, tone } };
}

function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
