import { homedir } from "node:os";
import type { ChangeCapabilities } from "../../../app/world/effects/capabilities.ts";
import type { PiCommand } from "../../../app/world/effects/find-program.ts";
import { createPiFiles } from "../../../app/world/effects/pi-files.ts";
import { knownRows } from "../../../app/world/questions/ask.ts";
import type { Outcome } from "../../../app/world/state/effect.ts";
import { type Catalog, openCatalog } from "../../../catalog/catalog.ts";
import { type Listing, listWith } from "../../../catalog/list-all.ts";
import { checkUseOnce } from "../../../catalog/live/live-sessions.ts";
import type { SessionCounts } from "../../../catalog/model/counts.ts";
import { NOTHING_LIVE, type RunningPi } from "../../../catalog/model/live.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { locatedRow } from "../../../catalog/model/run-place.ts";
import { defaultStateDir, type SessionRoots } from "../../../catalog/model/session-roots.ts";
import { openChangeJournal } from "../../../changes/engine/changes.ts";
import { createLongWork, type Progress } from "../../../changes/engine/long-work.ts";
import type { CheckUse } from "../../../changes/engine/tools.ts";
import { journalPath } from "../../../changes/journal/journal.ts";
import type { QuestionContext } from "../../../changes/kinds/sessions-kind.ts";
import { marksPath, openMarksFile } from "../../../changes/noted/marks.ts";
import { openSavedFile, savedPath } from "../../../changes/noted/saved-queries.ts";
import { createStoreHere } from "../../../changes/store-thread/store-client.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { projectKey } from "../../../shared/paths.ts";
import { isTrashClosed } from "../../../store/actions/trash-places.ts";
import { createDiskRead } from "../../../store/files/disk-read.ts";
import { formatCount } from "../../../ui/text/format.ts";
import { noteStart } from "../../browser/finish.ts";
import { keepProblems, orMistake, printProblems, sendSequence, withProgressNote } from "../../print/output.ts";

/** What changes sessions in the browser, without its screen: the commands of the shell work with the same. */
export interface Engines extends ChangeCapabilities {
	/** Lists all sessions, once; with `counted`, what they contain and cost as well. Rejects when they cannot be listed. */
	list(depth?: "listed" | "counted"): Promise<void>;
	/** The session's row, read from its file if nothing has been listed. Rejects when the file cannot be read. */
	row(path: string): Promise<SessionRow>;
	/** What is listed, and what was in use when last checked, for questions. */
	known(): QuestionContext;
	/** What sessions contain and cost, by path, once that has been listed. */
	counts(): ReadonlyMap<string, SessionCounts>;
	/** Paths of the sessions that were changed, created or removed, in the order in which that happened. */
	changed(): readonly string[];
	/** What remains to be done after closing: the pi to start. */
	left(): Outcome | undefined;
	/** Progress of the work on several sessions, as a sentence. */
	progress(): string;
	close(): Promise<void>;
}

/** Opens them for the sessions under these roots; nothing is read or started before it is needed. */
function openEngines(sessionRoots: SessionRoots, pi: PiCommand = { program: "pi", args: [] }): Engines {
	const { env } = process;
	const home = homedir();
	const cwd = process.cwd();
	const stateDir = defaultStateDir(env, home);
	const store = createStoreHere();
	const marks = openMarksFile(marksPath(env, home));
	const saved = openSavedFile(savedPath(env, home));
	const read = new Map<string, SessionRow>();
	const touched = new Set<string>();
	let listing: Listing = { rows: new Map(), counts: new Map() };
	let catalog: Catalog | undefined;
	let finalOutcome: Outcome | undefined;
	let progress: Progress | undefined;
	let note = "Listing …";

	/** Lists all sessions, in this thread if there is little to read, otherwise in the catalog's. */
	async function list(depth: "listed" | "counted" = "listed"): Promise<Catalog> {
		if (catalog !== undefined) return catalog;
		const numbers = depth === "counted";
		const { onProblems, lastProblems } = keepProblems();
		const onCounting = (done: number, total: number): void => {
			note = `Counting: ${formatCount(done)} of ${formatCount(total)} …`;
		};
		catalog = openCatalog({ sessionRoots, watch: false, numbers, blocking: true });
		listing = await withProgressNote(listWith(catalog, { numbers, onProblems, onCounting }), () => note);
		printProblems(lastProblems());
		return catalog;
	}

	const rowOf = (path: string): SessionRow | undefined => listing.rows.get(path) ?? read.get(path);
	let live = NOTHING_LIVE;
	/**
	 * Lists all sessions only if that helps: when one of them is not known yet, so that its directory is not, or a pi runs in the
	 * directory of one and does not say which session it has.
	 */
	const checkUse: CheckUse = async (paths) => {
		const places = new Set(paths.map((path) => projectKey(rowOf(path)?.cwd ?? "")));
		const isVague = (pi: RunningPi): boolean => !pi.reportsSession && places.has(projectKey(pi.cwd));
		const areKnown = paths.every((path) => rowOf(path) !== undefined);
		const report = catalog === undefined && areKnown ? checkUseOnce(stateDir, sessionRoots, paths) : undefined;
		live = report?.pis.some(isVague) === false ? report : await (await list()).checkUse(paths);
		return live;
	};
	const changed = (paths: readonly string[]): void => {
		for (const path of paths) touched.add(path);
	};
	const titleOf = (path: string): string | undefined => {
		const row = rowOf(path);
		return row && sessionTitle(row);
	};
	const work = createLongWork((now) => {
		progress = now;
	});
	const journal = openChangeJournal({
		...{ marks, saved, sessionRoots, store, readThread: store, work, rowOf, titleOf, checkUse, changed, home },
		...{ path: journalPath(env, home), clock: Date.now },
		// The next listing compares all files with what it knows.
		refresh: () => undefined,
	});

	return {
		store: { roots: sessionRoots, rowOf, titleOf, checkUse, readThread: store },
		journal,
		disk: { home, cwd, savesTo: cwd, env, clock: Date.now, readDisk: createDiskRead() },
		terminal: {
			work,
			write: sendSequence,
			// Nothing is drawn here to come back to.
			lend: async () => undefined,
			redraw: () => undefined,
			suspend: () => false,
			leave: (outcome) => {
				finalOutcome = outcome;
			},
		},
		pi: {
			command: pi,
			files: createPiFiles({ pi: pi.program, env, agentDir: sessionRoots.agentDir }),
			chooses: false,
			isHost: false,
			isBusy: () => false,
			replacesBrowser: () => true,
			noteUse: (path, pid) => noteStart(stateDir, path, pid),
		},
		list: async (depth) => void (await list(depth)),
		async row(path) {
			const listedRow = rowOf(path);
			if (listedRow !== undefined) return listedRow;
			const row = locatedRow(await store.run("scanRow", path), sessionRoots);
			read.set(path, row);
			return row;
		},
		known: () => ({
			...knownRows(new Map([...read, ...listing.rows])),
			...{ live, home, marks: marks.read().marks, now: Date.now(), isTrashClosed: isTrashClosed(home) },
		}),
		counts: () => listing.counts,
		changed: () => [...touched],
		left: () => finalOutcome,
		progress: () =>
			progress === undefined
				? "Working …"
				: `${progress.what}: ${formatCount(progress.done)} of ${formatCount(progress.total)}${progress.isStopped ? ", stopping" : ""} …`,
		async close() {
			await catalog?.close();
		},
	};
}

/** Does some work with the engines for these roots, and closes them; an error is a mistake. */
export async function withEngines<Result>(
	sessionRoots: SessionRoots,
	work: (engines: Engines) => Promise<Result>,
	pi?: PiCommand,
): Promise<Result> {
	const engines = openEngines(sessionRoots, pi);
	try {
		return await orMistake(work(engines), Error);
	} finally {
		await engines.close();
	}
}
