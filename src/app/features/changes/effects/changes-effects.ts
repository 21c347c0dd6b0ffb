import type { LineChange } from "../../../../conversation/entries/change-spans.ts";
import { type SpanName, spanAround } from "../../../../conversation/entries/entry-span.ts";
import { outlineOf } from "../../../../conversation/entries/outline.ts";
import { type Place, placeOf, shortPath } from "../../../../conversation/entries/place.ts";
import { RUN_SIGN } from "../../../../conversation/entries/run-outcome.ts";
import { wholeDiff } from "../../../../conversation/render/edit-lines.ts";
import { loadRenderers, type Renderers } from "../../../../conversation/render/renderers.ts";
import { editDiff } from "../../../../edits/edit-diff.ts";
import { turnNames } from "../../../../edits/edit-turns.ts";
import type { RanCommand } from "../../../../edits/files-at.ts";
import { patchCounts, patchOf, patchRoot } from "../../../../edits/patch.ts";
import { type ChangedFile, sessionChanges } from "../../../../edits/session-changes.ts";
import { gatherEdits, type SessionEdit } from "../../../../edits/session-files.ts";
import type { Steps } from "../../../../shared/steps.ts";
import type { Session } from "../../../../store/read/read-session.ts";
import { capital } from "../../../../ui/text/format.ts";
import type { LoadTools } from "../../../world/effects/define-query.ts";
import { readOther } from "../../../world/effects/read-other.ts";
import type { DiffedFile, TitledDiff } from "../../../world/page/file-diffs.ts";

/** Whose changes are shown: those of a span of a session, and of the runs of subagents at these paths. */
export interface ChangesKey {
	readonly session: Session;
	readonly span: SpanName;
	readonly entryId: string | undefined;
	readonly runs: readonly string[];
	readonly isRemote: boolean;
	readonly agentOf: (path: string) => string;
}

export interface ShownFile extends DiffedFile, LineChange {
	/** Absolute, as pi resolves it. */
	readonly absolute: string;
	/** The same with those that it had before. */
	readonly names: readonly string[];
	/** How sure its diff is: "edits" if only single edits are known, "reading" while it is being compared. */
	readonly answer: ChangedFile["answer"] | "reading";
	/** At least one, in the order in which they were made. */
	readonly edits: readonly SessionEdit[];
	/** Undefined while it is being compared. */
	readonly change: ChangedFile | undefined;
}

/** What was changed, in the order in which the files were first changed. */
export interface Changes {
	readonly key: ChangesKey;
	readonly files: readonly ShownFile[];
	/** Whether these are all. */
	readonly isWhole: boolean;
	/** The session and the runs, by path. */
	readonly sessions: ReadonlyMap<string, Session>;
	/** What ran meanwhile, and may have changed more. */
	readonly commands: readonly RanCommand[];
	/** Number of edits whose file is not known, and of runs that cannot be read. */
	readonly unplaced: number;
	readonly unread: number;
	/** Number of files that only branches that were left changed. */
	readonly left: number;
	/** Ids of the last entries of the branches that were left and edited files. */
	readonly leftEnds: readonly string[];
	/** Undefined while no file has been compared. */
	readonly renderers: Renderers | undefined;
	/** How many of the other sessions of the repository were read; undefined when none is being read. */
	readonly reading: { readonly read: number; readonly total: number } | undefined;
}

/** Time between two reports, in ms: each lays out all rows again. */
const REPORT_MS = 100;

/** Entries of a large session whose files are reported first, so that they are there at once. */
const FIRST_ENTRIES = 5000;

/** Finds what was changed; reports the files first, and then how they differ, as it becomes known. */
export async function loadChanges(
	key: ChangesKey,
	{ store, disk: { home }, slice, signal, report }: LoadTools<Changes>,
): Promise<Changes> {
	const { session } = key;
	const place = placeOf(session, home);
	const { from, to = "", ids } = spanAround(session, key.span, key.entryId);
	const sessions = new Map([[session.path, session]]);
	const sums = { unplaced: 0, unread: 0, left: 0 };
	let commands: readonly RanCommand[] = [];
	let leftEnds: readonly string[] = [];
	// By absolute path.
	const shownFiles = new Map<string, ShownFile>();
	let renderers: Renderers | undefined;
	let reading: Changes["reading"];
	let reportedMs = Number.NEGATIVE_INFINITY;
	const changesOf = (files: readonly ShownFile[], isWhole = false): Changes => ({
		...{ key, files, isWhole, sessions, commands, leftEnds, ...sums, renderers, reading },
	});
	const reportSome = (): void => {
		if (performance.now() - reportedMs < REPORT_MS) return;
		report(changesOf([...shownFiles.values()]));
		reportedMs = performance.now();
	};
	for (const count of [FIRST_ENTRIES, session.entries.length]) {
		const start = { ...session, entries: session.entries.slice(0, count) };
		const { edits } = await slice.run(gatherEdits(start, home));
		const byPath = Map.groupBy(
			edits.filter(({ entryId }) => ids.has(entryId)),
			({ path }) => path,
		);
		for (const [path, ofFile] of byPath) shownFiles.set(path, unreadFile(path, ofFile, place));
		leftEnds = endsOf(session, edits);
		const isWhole = start.entries.length === session.entries.length;
		if (isWhole || byPath.size > 0) report(changesOf([...shownFiles.values()]));
		if (isWhole) break;
	}
	const runs: Session[] = [];
	for (const path of key.runs) {
		const run = await readOther(path, store, signal);
		if (run === undefined) sums.unread += 1;
		else {
			sessions.set(path, run);
			runs.push(run);
		}
	}
	const loaded = await loadRenderers();
	renderers = loaded;
	const root = await patchRoot(session, key.isRemote);
	const options = { home, slice, isRemote: key.isRemote, rows: store.rows(), runs };
	const all = await sessionChanges(
		session,
		{ from, to },
		{
			...options,
			onProgress(read, total) {
				reading = { read, total };
				reportSome();
			},
			async onFile(change) {
				reading = undefined;
				const { path, edits, renamedFrom = path } = change;
				const file = unreadFile(path, edits, place);
				// It is shown in the place of that which became it.
				if (renamedFrom !== path) shownFiles.delete(renamedFrom);
				shownFiles.set(
					path,
					await slice.run(compared(file, change, { key, sessions, renderers: loaded, root, place, home })),
				);
				reportSome();
				return change;
			},
		},
	);
	reading = undefined;
	commands = all.commands;
	Object.assign(sums, { unplaced: all.unplaced, left: all.left.length });
	return changesOf(
		all.files.flatMap(({ path }) => shownFiles.get(path) ?? []),
		true,
	);
}

/** The ends of the branches that were left, of these edits. */
function endsOf(session: Session, edits: readonly SessionEdit[]): readonly string[] {
	const outline = outlineOf(session);
	const leftEdits = edits.filter(({ entryId }) => !outline.isActive(entryId));
	return [...new Set(leftEdits.flatMap(({ entryId }) => outline.pathThrough(entryId).at(-1)?.id ?? []))];
}

function unreadFile(absolute: string, edits: readonly SessionEdit[], place: Place): ShownFile {
	const nothing = { answer: "reading", change: undefined, notes: [], diffs: [], added: 0, removed: 0 } as const;
	return { ...nothing, absolute, names: [absolute], path: shortPath(absolute, place), edits };
}

interface ComparedWith extends Pick<Changes, "key" | "sessions"> {
	readonly renderers: Renderers;
	/** What the paths of a patch begin at. */
	readonly root: string;
	readonly place: Place;
	readonly home: string;
}

function* compared(
	unread: ShownFile,
	change: ChangedFile,
	{ key, sessions, renderers, root, place, home }: ComparedWith,
): Steps<ShownFile> {
	// The lines of the patch, also where the page shows less: a reader sees no line ends, and not too large a diff.
	const names = [
		change.path,
		...(change.renamedVia ?? []),
		...(change.renamedFrom === undefined ? [] : [change.renamedFrom]),
	];
	const file = { ...unread, change, names, ...patchCounts(patchOf(change, root)) };
	yield;
	const { answer, why, before = "", after = "" } = change;
	const lines = answer === "edits" ? undefined : wholeDiff(before, after, renderers);
	if (lines !== undefined) {
		const notes = [
			...(why === "" ? [] : [`${capital(answer === "likely" ? `possibly incomplete: ${why}` : why)}.`]),
			...otherThanLines(change, place),
		];
		return {
			...file,
			answer,
			notes: lines.length === 0 && notes.length === 0 ? ["It ended as it was before."] : notes,
			diffs: lines.length === 0 ? [] : [{ title: "", lines }],
		};
	}
	const diffs: TitledDiff[] = [];
	for (const edit of change.edits) {
		const session = sessions.get(edit.session);
		const agent = session === key.session ? "" : `${RUN_SIGN} ${key.agentOf(edit.session)} · `;
		const editLines = session === undefined ? [] : editDiff(edit, session, renderers, home);
		const title = `${agent}${turnNames([{ ...edit, deed: undefined }])} · ${edit.deed ?? edit.tool}`;
		diffs.push({ title, edit, lines: editLines });
		yield;
	}
	const reason = answer === "edits" ? why : "too much of it differs to be compared";
	return {
		...file,
		answer: "edits",
		notes: [`Shown edit by edit: ${reason}.`, ...otherThanLines(change, place)],
		diffs,
	};
}

/** What became of a file beside its lines. */
function otherThanLines({ renamedFrom, modes, before, after }: ChangedFile, place: Place): readonly string[] {
	const isOther = modes?.before !== undefined && modes.after !== undefined && modes.before !== modes.after;
	return [
		...(before === undefined && after === "" ? ["New, and empty."] : []),
		...(before === "" && after === undefined ? ["Removed; it was empty."] : []),
		...(renamedFrom === undefined ? [] : [`Moved here from ${shortPath(renamedFrom, place)}.`]),
		...(isOther ? [modes.after === "100755" ? "Made executable." : "Made not executable."] : []),
	];
}
