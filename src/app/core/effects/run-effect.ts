import type { SessionRow } from "../../../catalog/model/row.ts";
import type { SessionRoots } from "../../../catalog/model/session-roots.ts";
import type { Query } from "../../../catalog/query/parse-query.ts";
import type { SessionHits } from "../../../catalog/search/search.ts";
import type { CatalogStats } from "../../../catalog/stats/aggregate-stats.ts";
import type { Use } from "../../../catalog/uses/use.ts";
import type { LongWork } from "../../../changes/engine/long-work.ts";
import type { LookAtUse } from "../../../changes/engine/look-sometimes.ts";
import { messageOf } from "../../../changes/engine/reason.ts";
import type { Undoer } from "../../../changes/engine/undo.ts";
import type { HistoryReader } from "../../../changes/journal/history-reader.ts";
import type { Journal } from "../../../changes/journal/journal.ts";
import type { MarksFile } from "../../../changes/noted/marks-file.ts";
import type { SavedFile } from "../../../changes/noted/saved-file.ts";
import type { StoreClient } from "../../../changes/store-thread/store-client.ts";
import { loadRenderers } from "../../../conversation/render/renderers.ts";
import { asRead } from "../../../conversation/tree/at-pis-leaf.ts";
import type { BranchGatherer } from "../../features/branches/effects/branch-gatherer.ts";
import { showImage, takeOut } from "../../features/excerpts/effects/take-out.ts";
import type { SessionCounter } from "../../features/glance/effects/session-counter.ts";
import type { PlaceFinder } from "../../features/maintenance/effects/find-places.ts";
import type { GitNotes } from "../../features/maintenance/effects/git-notes.ts";
import { planRepairs } from "../../features/maintenance/effects/plan-repairs.ts";
import type { Proposer } from "../../features/maintenance/effects/proposer.ts";
import type { ViewMemory } from "../../features/memory/effects/view-memory.ts";
import { takeUse } from "../../features/prompts/effects/take-use.ts";
import type { PiCommand } from "../../features/sessions/effects/pi-command.ts";
import type { TreeDrawer } from "../../features/tree/effects/tree-drawer.ts";
import { attempt } from "../../world/effects/attempt.ts";
import { findBranches, findRepository } from "../../world/effects/git-places.ts";
import type { Look } from "../../world/effects/patient-look.ts";
import type { PiFiles } from "../../world/effects/pi-files.ts";
import { runInSlices } from "../../world/effects/run-in-slices.ts";
import type { LendTerminal } from "../../world/effects/terminal-program.ts";
import type { Action } from "../../world/state/action.ts";
import type { Effect } from "../../world/state/effect.ts";
import type { Outcome } from "../../world/state/outcome.ts";
import { runChange } from "./run-change.ts";
import { runForPage } from "./run-for-page.ts";
import type { SessionReader } from "./session-reader.ts";

/** What effects use of the world outside. */
export interface EffectTools {
	readonly reader: SessionReader;
	readonly treeDrawer: TreeDrawer;
	readonly branchGatherer: BranchGatherer;
	readonly counter: SessionCounter;
	readonly proposer: Proposer;
	readonly piFiles: PiFiles;
	/** The person's home directory. */
	readonly home: string;
	readonly journal: Journal;
	readonly undoer: Undoer;
	readonly history: HistoryReader;
	/** For what only reads, so that no change waits for it. */
	readonly lookingStore: StoreClient;
	/** The session as the list has it. */
	readonly rowOf: (path: string) => SessionRow | undefined;
	readonly memory: ViewMemory;
	/** Asks disks that may never answer. */
	readonly patientLook: Look;
	readonly placeFinder: PlaceFinder;
	readonly gitNotes: GitNotes;
	/** Tells how far work on many sessions is. */
	readonly work: LongWork;
	readonly store: StoreClient;
	readonly marks: MarksFile;
	readonly saved: SavedFile;
	/** The title of a session, as the list shows it; undefined when it is not listed. */
	readonly titleOf: (path: string) => string | undefined;
	readonly env: Readonly<Record<string, string | undefined>>;
	/** What resumes a session: "pi", or what `--pi` says. */
	readonly pi: PiCommand;
	/** Whether the browser leaves when pi starts: the person wants that, or there is no terminal to take back. */
	readonly leavesForPi: () => boolean;
	/** Whether pi is not started, since somebody waits for a choice; whether that is the pi that started the browser; and whether a turn is running there. */
	readonly chooses: boolean;
	readonly isInPi: boolean;
	readonly isPiBusy?: () => boolean;
	/** Where sessions are: new ones go there too, and pi needs a flag when it is not the default directory. */
	readonly sessionRoots: SessionRoots;
	/** Searches everything and ends the search before; a query without terms only ends that. Results come as actions. */
	readonly search: (request: number, query: Query) => void;
	/** Has the catalog look anew at what is in use, and at who has these sessions open. */
	readonly look: LookAtUse;
	/** Has the catalog watch the sessions in sight. */
	readonly watchVisible: (paths: readonly string[], watched: number) => void;
	/** Reads prompts or commands, and ends the request before. Results come as actions. */
	readonly askUses: (effect: Extract<Effect, { type: "ask-uses" }>) => void;
	readonly stopUses: () => void;
	/** The whole text of a prompt or a command; rejects with the reason when it cannot be read. */
	readonly wholeUse: (use: Use) => Promise<string>;
	readonly count: (rows: readonly SessionRow[], gently: boolean) => Promise<CatalogStats>;
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
	/** Tells other windows that a process has a session; returns what ends that. */
	readonly noteUse: (path: string, pid: number) => () => void;
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
				const session = await tools.reader.read(effect.path, effect.before && asRead(effect.before));
				return session === undefined ? undefined : { type: "session-read", request, session };
			} catch (error) {
				return { type: "session-failed", request, message: messageOf(error) };
			}
		}
		case "check-session": {
			const { session } = effect;
			const isSound = await tools.reader.check(asRead(session));
			return isSound === undefined ? undefined : { type: "session-checked", session, isSound };
		}
		case "search":
			tools.search(effect.request, effect.query);
			return undefined;
		case "watch-visible":
			tools.watchVisible(effect.paths, effect.watched);
			return undefined;
		case "count":
			try {
				return { type: "stats", stats: await tools.count(effect.rows, effect.gently) };
			} catch (error) {
				return { type: "stats", error: messageOf(error) };
			}
		case "ask-uses":
			tools.askUses(effect);
			return undefined;
		case "stop-uses":
			tools.stopUses();
			return undefined;
		case "take-use":
			return attempt(() => takeUse(effect, tools));
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
		case "propose": {
			const { query, rows } = effect;
			const proposals = await tools.proposer.propose(query.text, rows);
			return proposals && { type: "proposed", query, proposals };
		}
		case "look-through":
			await runInSlices(effect.job.steps());
			return { type: "looked-through", job: effect.job };
		case "color":
			await runInSlices(effect.job.steps());
			return { type: "colored", job: effect.job };
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
		case "look-at-places": {
			const { directory, directories } = effect;
			const repository = directory === undefined ? undefined : await findRepository(directory);
			return { type: "places", repository, branches: await findBranches(directories) };
		}
		case "rename":
		case "forward":
		case "label":
		case "branch":
		case "trash":
		case "fork":
		case "resume":
		case "resume-from":
		case "export-all":
		case "change-all":
		case "archive":
		case "bring-back":
		case "mark":
		case "save-query":
		case "show-saved":
		case "restore":
		case "redo":
		case "restore-all":
		case "undo":
			return attempt(() => runChange(effect, tools));
		case "read-history":
		case "read-trash":
		case "read-trash-paths":
		case "scan-trash":
		case "examine":
		case "read-heads":
		case "look-at-directories":
		case "compare-families":
		case "find-places":
		case "list-folders":
		case "check-place":
		case "note-git":
		case "check-history":
			return runForPage(effect, tools);
		case "look":
			await tools.look([effect.path]);
			return undefined;
		case "plan-repair":
			return planRepairs(effect.paths, tools);
		case "stop-work":
			tools.work.stop();
			return undefined;
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
		case "remember-list":
			tools.memory.noteList(effect.list);
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
