import { basename } from "node:path";
import type { LiveReport } from "../../catalog/model/live.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import type { SessionRoots } from "../../catalog/model/session-roots.ts";
import type { Query } from "../../catalog/query/parse-query.ts";
import type { SessionHits } from "../../catalog/search/search.ts";
import type { CatalogStats } from "../../catalog/stats/aggregate-stats.ts";
import { errorCode } from "../../store/files/store-error.ts";
import { pathOf } from "../journal/change.ts";
import type { Journal } from "../journal/journal.ts";
import type { Action } from "../model/action.ts";
import type { Effect } from "../model/effect.ts";
import type { Outcome, ResumeRequest } from "../model/outcome.ts";
import type { Message } from "../model/state.ts";
import type { Tone } from "../model/view.ts";
import { loadRenderers } from "../render/renderers.ts";
import type { BranchGatherer } from "./branch-gatherer.ts";
import { type Changed, type ChangeEffect, changeSession, nameChange, planChange } from "./change-session.ts";
import { checkResume } from "./check-resume.ts";
import { checkShown } from "./check-shown.ts";
import { copyText } from "./copy-text.ts";
import { findProgram, isDirectory } from "./find-program.ts";
import type { LendTerminal } from "./open-excerpt.ts";
import type { PiFiles } from "./pi-files.ts";
import { sentence } from "./reason.ts";
import { runInSlices } from "./run-in-slices.ts";
import type { SessionCounter } from "./session-counter.ts";
import type { SessionReader } from "./session-reader.ts";
import type { StoreClient } from "./store-client.ts";
import { showImage, takeOut } from "./take-out.ts";
import type { TreeDrawer } from "./tree-drawer.ts";
import type { Undoer } from "./undo-last.ts";
import type { ViewMemory } from "./view-memory.ts";

/** What effects use of the world outside. */
export interface EffectTools {
	readonly reader: SessionReader;
	readonly treeDrawer: TreeDrawer;
	readonly branchGatherer: BranchGatherer;
	readonly counter: SessionCounter;
	readonly piFiles: PiFiles;
	/** The person's home directory. */
	readonly home: string;
	readonly journal: Journal;
	readonly undoer: Undoer;
	readonly memory: ViewMemory;
	readonly store: StoreClient;
	/** The title of a session, as the list shows it; undefined when it is not listed. */
	readonly titleOf: (path: string) => string | undefined;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** Program that resumes a session: "pi", or what `--pi` says. */
	readonly pi: string;
	/** Where sessions are: new ones go there too, and pi needs a flag when it is not the default directory. */
	readonly sessionRoots: SessionRoots;
	/** Searches everything and ends the search before; a query without terms only ends that. Results come as actions. */
	readonly search: (request: number, query: Query) => void;
	/** Has the catalog look anew at what is in use, and at who has this session open. */
	readonly look: (path: string) => Promise<LiveReport>;
	/** Has the catalog watch the sessions in sight. */
	readonly watchVisible: (paths: readonly string[], watched: number) => void;
	readonly count: (rows: readonly SessionRow[]) => Promise<CatalogStats>;
	/** All hits in one session. */
	readonly hits: (query: Query, path: string) => Promise<SessionHits>;
	/** Has the catalog read these session files, which were changed, created or removed. */
	readonly changed: (paths: readonly string[]) => void;
	/** Has the catalog compare itself with the disk; it reports changes and problems as its own events. */
	readonly refresh: () => void;
	/** Writes past the screen, for sequences that draw nothing. */
	readonly writeTerminal: (text: string) => void;
	/** Gives the terminal back to the shell and stops, until the shell continues the process; false where that cannot be. */
	readonly suspend: () => boolean;
	/** The directory in which the program was started: where files are saved. */
	readonly cwd: string;
	/** Lends the terminal to another program until that ends. */
	readonly lendTerminal: LendTerminal;
	readonly leave: (outcome: Outcome) => void;
	/** Present time, Unix ms. */
	readonly clock: () => number;
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
		case "check-session": {
			const { session } = effect;
			const isSound = await tools.reader.check(session);
			return isSound === undefined ? undefined : { type: "session-checked", session, isSound };
		}
		case "search":
			tools.search(effect.request, effect.query);
			return undefined;
		case "watch-visible":
			tools.watchVisible(effect.paths, effect.watched);
			return undefined;
		case "count":
			return attempt(async () => ({ type: "stats", stats: await tools.count(effect.rows) }));
		case "find-hits":
			return {
				type: "hits",
				path: effect.path,
				query: effect.query,
				found: await tools.hits(effect.query, effect.path),
			};
		case "draw-tree": {
			const drawing = await tools.treeDrawer.draw(effect.input, effect.before, effect.near);
			return drawing && { type: "tree-drawn", drawing };
		}
		case "look-through":
			await runInSlices(effect.job.steps());
			return { type: "looked-through", job: effect.job };
		case "color":
			await runInSlices(effect.job.steps());
			return { type: "colored", job: effect.job };
		case "weigh":
			await runInSlices(effect.weights.steps());
			return { type: "weighed", weights: effect.weights };
		case "load-renderers":
			return { type: "renderers", renderers: await loadRenderers() };
		case "gather-branches": {
			const { session, home } = effect;
			const branches = await tools.branchGatherer.gather(session, home);
			return branches && { type: "branches-gathered", session, branches };
		}
		case "count-session":
			return (await tools.counter.count(effect.session))
				? { type: "session-counted", session: effect.session }
				: undefined;
		case "look-up": {
			const { request } = effect;
			return { type: "looked-up", request, facts: await tools.piFiles.look(request) };
		}
		case "rename":
		case "label":
		case "branch":
		case "trash":
			return attempt(async () => {
				const changed = effect.type === "trash" ? await checkShown(effect, tools) : undefined;
				if (changed !== undefined) return changed;
				const { message, created } = await change(effect, tools);
				return { type: "done", message, select: created };
			});
		case "fork":
			return attempt(async () => {
				const { message, created } = await change(effect, tools);
				if (effect.resume && created !== undefined) return resume({ path: created, cwd: effect.cwd }, tools);
				return { type: "done", message, select: created };
			});
		case "resume":
			return (await checkShown(effect, tools)) ?? (await checkResume(effect, tools)) ?? resume(effect.request, tools);
		case "resume-from":
			return attempt(
				async () =>
					(await checkShown(effect, tools)) ?? (await checkResume(effect, tools)) ?? resumeFrom(effect, tools),
			);
		case "look":
			await tools.look(effect.path);
			return undefined;
		case "undo":
			return attempt(() => tools.undoer.undo(effect));
		case "copy":
		case "copy-excerpt":
		case "open-excerpt":
		case "export-excerpt":
		case "save-image":
			return attempt(async () => {
				const message = await takeOut(effect, tools);
				return message && { type: "done", message };
			});
		case "open-image":
			return attempt(async () => {
				const answer = await showImage(effect.image, tools);
				return "choices" in answer ? { type: "ask", question: answer } : { type: "done", message: answer };
			});
		case "remember-view":
			tools.memory.noteView(effect.key, effect.view);
			return undefined;
		case "remember-split":
			tools.memory.noteSplit(effect.split);
			return undefined;
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

/** A change that was made, with what there is to say of it. */
interface Noted extends Changed {
	readonly message: Message;
}

/**
 * Changes a session, with a note in the journal before, and the way to undo it after. Rejects with what could not be done,
 * to which session, and why.
 */
async function change(effect: ChangeEffect, tools: EffectTools): Promise<Noted> {
	const { journal, store, sessionRoots } = tools;
	const path = effect.type === "resume-from" ? effect.request.path : effect.path;
	const title = tools.titleOf(path) ?? basename(path);
	const what = nameChange(effect, title);
	const failure = (error: unknown): Error => new Error(`Cannot ${what}: ${sentence(error)}`, { cause: error });
	let id: string;
	try {
		id = await journal.begin(what, await planChange(effect, sessionRoots));
	} catch (error) {
		throw failure(error);
	}
	let changed: Changed;
	try {
		changed = await changeSession(effect, title, store, sessionRoots);
	} catch (error) {
		// What has failed half-way may have left anything behind.
		tools.refresh();
		// Where the thread died nobody knows what was done: the next undo finds out from the file. So it does if this note
		// cannot be written.
		if (errorCode(error) !== "worker-ended") await journal.discard(id).catch(() => undefined);
		throw failure(error);
	}
	const { undo } = changed;
	if (undo === undefined) {
		// Where this cannot be noted, the next undo finds out from the file that nothing was done.
		await journal.discard(id).catch(() => undefined);
		return { ...changed, message: { text: changed.text, tone: "muted" } };
	}
	tools.changed([pathOf(undo)]);
	try {
		await journal.done(id, undo, changed.entryId);
		return { ...changed, message: { text: changed.text, tone: "text" } };
	} catch (error) {
		const text = `${changed.text}; it may not be possible to undo that, since ${sentence(error)}`;
		return { ...changed, message: { text, tone: "warning" } };
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
	tools.leave({
		kind: "resume",
		path: request.path,
		cwd: request.cwd,
		command,
		args: [...chosen, "--session", request.path],
	});
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
		if (sayAgain !== undefined) await copyText([sayAgain], "the message to say again", tools);
	}
	return resume(request, tools);
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
