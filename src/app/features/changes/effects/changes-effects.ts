import { PlaceError } from "../../../../catalog/places/place.ts";
import { type SpanName, spanAround } from "../../../../conversation/entries/entry-span.ts";
import { type Place, placeOf, shortPath } from "../../../../conversation/entries/place.ts";
import { RUN_SIGN } from "../../../../conversation/entries/run-outcome.ts";
import type { DiffLine } from "../../../../conversation/render/diff-lines.ts";
import { loadRenderers, type Renderers } from "../../../../conversation/render/renderers.ts";
import { editDiff } from "../../../../edits/edit-diff.ts";
import { type ChangedFile, type ChangeSpan, sessionChanges } from "../../../../edits/session-changes.ts";
import { gatherEdits, type SessionEdit } from "../../../../edits/session-files.ts";
import type { Steps } from "../../../../shared/steps.ts";
import { StoreError } from "../../../../store/files/store-error.ts";
import { addChange, type LineChange } from "../../../../store/format/tool-change.ts";
import { readHeld } from "../../../../store/held/hold-session.ts";
import type { Session } from "../../../../store/read/read-session.ts";
import { pathTo } from "../../../../store/tree/session-table.ts";
import { capital } from "../../../../ui/text/format.ts";
import type { Store } from "../../../world/effects/capabilities.ts";
import type { LoadTools } from "../../../world/effects/define-query.ts";
import type { DiffedFile, TitledDiff } from "../../../world/page/file-diffs.ts";

/** Whose changes are shown: those of a span of a session, and of the runs of subagents at these paths. */
export interface ChangesKey {
	readonly session: Session;
	readonly span: SpanName;
	readonly entryId: string | undefined;
	readonly runs: readonly string[];
	/** The name of the agent of a run. */
	readonly agentOf: (path: string) => string;
}

/** A file that was changed. */
export interface ShownFile extends DiffedFile, LineChange {
	/** Absolute, as pi resolves it. */
	readonly absolute: string;
	/** How sure its diff is: "edits" if only single edits are known, "reading" while it is being compared. */
	readonly answer: ChangedFile["answer"] | "reading";
	/** At least one, those of each session in order. */
	readonly edits: readonly SessionEdit[];
	/** What each session has changed in it; none while it is being compared. */
	readonly changes: readonly ChangedFile[];
}

/** What was changed, in the order in which the files were first changed. */
export interface Changes {
	readonly key: ChangesKey;
	readonly files: readonly ShownFile[];
	/** The session and the runs, by path. */
	readonly sessions: ReadonlyMap<string, Session>;
	/** Number of commands that ran meanwhile and may have changed more, of edits whose file is not known, and of runs that cannot be read. */
	readonly commands: number;
	readonly unplaced: number;
	readonly unread: number;
	/** Number of files that only branches that were left changed. */
	readonly left: number;
	readonly renderers: Renderers;
}

/** Time between two reports, in ms: each lays out all rows again. */
const REPORT_MS = 100;

/** Finds what was changed; reports the files first, and then how they differ, as it becomes known. */
export async function loadChanges(
	key: ChangesKey,
	{ store, disk: { home }, slice, signal, report }: LoadTools<Changes>,
): Promise<Changes> {
	const renderers = await loadRenderers();
	const { session } = key;
	const place = placeOf(session, home);
	const { from, to, ids } = spanAround(session, key.span, key.entryId);
	const sessions = new Map([[session.path, session]]);
	const files = new Map<string, ShownFile>();
	const sums = { commands: 0, unplaced: 0, unread: 0, left: 0 };
	const changes = (): Changes => ({ key, files: [...files.values()], sessions, ...sums, renderers });
	const { edits } = await slice.run(gatherEdits(session, home, to ?? ""));
	const inSpan = edits.filter(({ entryId }) => ids.has(entryId));
	for (const [path, ofFile] of Map.groupBy(inSpan, (edit) => edit.path)) addFile(files, path, ofFile, [], place);
	report(changes());
	for (const path of [session.path, ...key.runs]) {
		const one = path === session.path ? session : await readRun(path, store, signal);
		if (one === undefined) {
			sums.unread += 1;
			continue;
		}
		sessions.set(path, one);
		const span = one === session ? { from, to: to ?? "" } : spanOfRun(one, session);
		const changed = await slice.run(sessionChanges(one, span, { home }));
		for (const file of changed.files) addFile(files, file.path, file.edits, [file], place);
		sums.commands += changed.commands.length;
		sums.unplaced += changed.unplaced;
		sums.left += one === session ? changed.left.length : 0;
	}
	let reportedMs = performance.now();
	for (const [path, file] of files) {
		files.set(path, await slice.run(compared(file, changes(), home)));
		if (performance.now() - reportedMs < REPORT_MS) continue;
		report(changes());
		reportedMs = performance.now();
	}
	return changes();
}

/** Adds what a session has changed in a file. */
function addFile(
	files: Map<string, ShownFile>,
	absolute: string,
	edits: readonly SessionEdit[],
	changes: readonly ChangedFile[],
	place: Place,
): void {
	const file = files.get(absolute);
	const keys = new Set(file?.edits.map(({ key }) => key));
	files.set(absolute, {
		...{ absolute, path: shortPath(absolute, place), answer: "reading", notes: [], diffs: [], added: 0, removed: 0 },
		edits: [...(file?.edits ?? []), ...edits.filter((edit) => !keys.has(edit.key))],
		changes: [...(file?.changes ?? []), ...changes],
	});
}

/** A forked run begins with a copy of its parent's entries. */
function spanOfRun({ tree }: Session, parent: Session): ChangeSpan {
	const path = pathTo(tree, tree.leafId ?? "");
	const copy = path.findLast(({ id, timestamp }) => parent.tree.byId.get(id)?.timestamp === timestamp);
	return { from: copy?.id, to: tree.leafId ?? "" };
}

function* compared(file: ShownFile, { key, sessions, renderers }: Changes, home: string): Steps<ShownFile> {
	const diffs: TitledDiff[] = [];
	const notes: string[] = [];
	let lines: LineChange = { added: 0, removed: 0 };
	let answer: ChangedFile["answer"] = "exact";
	for (const change of file.changes) {
		yield;
		const [first] = change.edits;
		const session = sessions.get(first?.session ?? "");
		if (session === undefined) continue;
		const agent = session === key.session ? "" : `${RUN_SIGN} ${key.agentOf(session.path)}`;
		const whole = wholeDiffOf(change, renderers);
		const name = file.changes.length === 1 || agent !== "" ? agent : "the session itself";
		if (whole !== undefined) {
			if (whole.length === 0) notes.push(sentenceOf([name], "it ended as it was before"));
			else diffs.push({ title: name, lines: whole });
			lines = addChange(lines, countOf(whole));
		} else {
			for (const edit of change.edits) {
				const title = [agent, `turn ${edit.turn}`, edit.tool].filter((part) => part !== "").join(" · ");
				diffs.push({ title, edit, lines: editDiff(edit, session, renderers, home) });
				yield;
			}
			lines = addChange(lines, change);
		}
		const kind = whole === undefined ? "edits" : change.answer;
		const why = whole === undefined && change.answer !== "edits" ? "too much of it differs to be compared" : change.why;
		if (SURENESS.indexOf(kind) > SURENESS.indexOf(answer)) answer = kind;
		if (why !== "") notes.push(sentenceOf([name, LEADS[kind]], why));
	}
	return { ...file, ...lines, answer, notes, diffs };
}

/** From the surest to the least sure. */
const SURENESS = ["exact", "likely", "edits"] as const;
const LEADS = { exact: "", likely: "possibly incomplete", edits: "shown edit by edit" } as const;

/** "Scout, possibly incomplete: the clause." */
function sentenceOf(leads: readonly string[], clause: string): string {
	const lead = leads.filter((part) => part !== "").join(", ");
	return `${capital(lead === "" ? clause : `${lead}: ${clause}`)}.`;
}

/** Undefined if the texts are not known, or differ too much. */
function wholeDiffOf(
	{ answer, before = "", after = "" }: ChangedFile,
	renderers: Renderers,
): readonly DiffLine[] | undefined {
	return answer === "edits" ? undefined : renderers.wholeDiff(before, after);
}

function countOf(lines: readonly DiffLine[]): LineChange {
	const count = (of: DiffLine["kind"]): number => lines.filter(({ kind }) => kind === of).length;
	return { added: count("added"), removed: count("removed") };
}

/** The session of a run; undefined where it cannot be read. */
async function readRun(path: string, { places }: Store, signal: AbortSignal): Promise<Session | undefined> {
	try {
		const session = await readHeld(await places.fileOf(path, signal), { signal });
		return { ...session, path };
	} catch (error) {
		if (!(error instanceof StoreError || error instanceof PlaceError)) throw error;
		return undefined;
	}
}
