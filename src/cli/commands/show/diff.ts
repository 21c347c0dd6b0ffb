import { existsSync } from "node:fs";
import { type FoundRun, listRuns } from "../../../catalog/session-runs.ts";
import { type LineChange, totalLines } from "../../../conversation/entries/change-spans.ts";
import { spanAround } from "../../../conversation/entries/entry-span.ts";
import { conversationLeaf } from "../../../conversation/entries/leaf.ts";
import { turnNames } from "../../../edits/edit-turns.ts";
import { nameCommands } from "../../../edits/known.ts";
import { patchCounts, patchName, patchOf, patchRoot, whyLeftOut } from "../../../edits/patch.ts";
import {
	type ChangedFile,
	type ChangeSpan,
	type ChangesOptions,
	idsOfSpan,
	type SessionChanges,
	sessionChanges,
	withoutTexts,
} from "../../../edits/session-changes.ts";
import { endsWithName, isWithin, nameFrom, resolvePath } from "../../../shared/paths.ts";
import { runToEnd } from "../../../shared/steps.ts";
import { keepHeapSmall } from "../../../shared/v8-settings.ts";
import { StoreError } from "../../../store/files/store-error.ts";
import { timeOf } from "../../../store/format/raw-entry.ts";
import { toolPath } from "../../../store/format/tool-change.ts";
import { readChecked } from "../../../store/held/hold-session.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { outputColumns } from "../../../terminal/terminal.ts";
import { formatCount, formatCounted } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanLines, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { findEntry, type ReadTarget, readTarget } from "../../find/find-target.ts";
import { Sessions } from "../../find/sessions.ts";
import {
	candidateLines,
	EXIT,
	Mistake,
	note,
	printJsonList,
	printLines,
	printPieces,
	remark,
	remarkToPerson,
	withProgressNote,
} from "../../print/output.ts";
import { findPatchPager, withPager } from "../../print/pager.ts";
import { onOneLine, printListing, type Table } from "../../print/table.ts";
import { changeColumns, isoOf, unplacedNotes } from "../blame/read-edits.ts";
import { coloredLine, namesOf } from "./patch-lines.ts";
import { uncommitted } from "./uncommitted.ts";

export function diff(args: Arguments): Promise<number> {
	keepHeapSmall(35);
	const printing = (): Promise<number> => (args.uncommitted ? uncommitted(args) : printDiff(args));
	return withPager(printing, args.noPager !== true, findPatchPager);
}

async function printDiff(args: Arguments): Promise<number> {
	const [word, ...names] = args.words;
	if (word === undefined) throw new Mistake("diff needs a session: pi-grove diff SESSION [FILE…]; or --uncommitted");
	if (args.byHand) throw new Mistake("option --by-hand needs --uncommitted");
	const { read, span: part } = await readSessionSpan(word, args);
	const root = await patchRoot(read.session, read.isRemote);
	const agents: Agents = new Map();
	const patches = new Map<string, PatchedFile>();
	const hasTexts = args.json || !args.stat;
	const onFile = async (file: ChangedFile): Promise<ChangedFile> => {
		const patch = patchOf(file, root);
		const keptFile = hasTexts ? file : withoutTexts(file);
		patches.set(file.path, {
			...keptFile,
			name: nameFrom(file.path, root),
			isTaken: patchName(file.path, root) !== undefined,
			patch: hasTexts ? patch : "",
			isSame: patch === "",
			counts: patchCounts(patch),
			makers: makersOf(file, agents),
		});
		return keptFile;
	};
	const changes = await withProgressNote(gather(read, part, args, { agents, onFile }), () => "Comparing …");
	const files = select(changes.files, names, root, read).flatMap(({ path }) => patches.get(path) ?? []);
	if (args.json) await printJsonList(files, fileJson);
	else if (args.stat) await printStat(files, args);
	else await printPatch(files);
	if (args.json !== true) noteDoubts(files, root, args);
	noteRest(changes, files, root, args);
	return files.length > 0 ? EXIT.ok : EXIT.nothing;
}

interface PatchedFile extends ChangedFile {
	/** Its path from the root of the patch. */
	readonly name: string;
	/** Whether a patch can have it. */
	readonly isTaken: boolean;
	/** "" where only its counts are printed. */
	readonly patch: string;
	/** Whether the file is in the end as it was before. */
	readonly isSame: boolean;
	readonly counts: LineChange;
	/** Who changed it, as texts: "scout in turn 2"; empty without `--runs`. */
	readonly makers: readonly string[];
}

/** The names of agents by the paths of their sessions. */
type Agents = Map<string, string>;

/** Reads the session that a word names, and the part of it: SESSION, SESSION#FROM or SESSION#FROM..TO. */
export async function readSessionSpan(
	word: string,
	args: Arguments,
): Promise<{ readonly read: ReadTarget; readonly span: ChangeSpan }> {
	const [, head = word, last] = (!existsSync(word) && /^(.*#.+?)\.\.([^#]+)$/s.exec(word)) || [];
	const read = await readTarget(head, args);
	const { session, entry } = read;
	const { leafId } = session.tree;
	if (args.turn && last !== undefined) throw new Mistake(`--turn is the turn of one entry, and ${word} names two`);
	if (args.turn || last === undefined) {
		const id = entry?.id ?? (args.turn ? (conversationLeaf(session) ?? leafId) : undefined);
		const { from, to } = spanAround(session, args.turn ? "turn" : "since", id ?? undefined);
		return { read, span: { from, to: to ?? id ?? "" } };
	}
	const to = findEntry(session.entries, last, read.name).id;
	if (entry !== undefined && !session.tree.table.pathUp(to).some(({ id }) => id === entry.id))
		throw new Mistake(`${to} does not follow ${entry.id}: they are on two branches, or in the other order`);
	return { read, span: { from: entry?.id, to } };
}

/** What the session changed, with `--runs` also its subagents, whose names are put into `agents` by the paths of their sessions. */
export async function gather(
	read: ReadTarget,
	part: ChangeSpan,
	args: Arguments,
	{ agents = new Map(), onFile }: Pick<ChangesOptions, "onFile"> & { readonly agents?: Agents } = {},
): Promise<SessionChanges> {
	const { session, home, isRemote } = read;
	const runs: Session[] = [];
	if (args.runs) {
		if (read.row.place !== undefined)
			throw new Mistake("the runs of a session in another place are not here; leave --runs out");
		agents.set(session.path, "the session itself");
		const isAsked = askedIn(session, part);
		for (const run of await listRuns(read.path, { sessionDir: args.sessionDir, blocking: true })) {
			const path = run.session?.path;
			if (path === undefined || agents.has(path)) continue;
			if (!(run.level > 0 ? agents.has(run.parent) : isAsked(run))) continue;
			agents.set(path, run.facts.agent || "a subagent");
			const one = await readRun(path);
			if (one !== undefined) runs.push(one);
		}
	}
	const rows = isRemote ? [] : await Sessions.of(args).list();
	return sessionChanges(session, part, { home, isRemote, rows, runs, onFile });
}

async function readRun(path: string): Promise<Session | undefined> {
	try {
		return await readChecked(path);
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		note(error.message);
		return undefined;
	}
}

/** Whether a run was started in a part of a session: on its path, or if the session does not say where, in its time. */
function askedIn(session: Session, span: ChangeSpan): (run: FoundRun) => boolean {
	const { tree } = session;
	const { from, to } = span;
	const ids = runToEnd(idsOfSpan(session, span));
	const timeAt = (id: string | undefined): number => timeOf(tree.byId.get(id ?? "")?.timestamp);
	const endMs = to === tree.leafId ? Number.POSITIVE_INFINITY : timeAt(to);
	return ({ report, facts: { startedMs = Number.NaN } }) =>
		report === undefined ? !(startedMs < timeAt(from) || startedMs > endMs) : ids.has(report.entryId);
}

/**
 * The files that are, or are below, one of the names, each resolved from the root of the patch, the session's directory or the current one,
 * or the end of a path. Says which names are none.
 */
export function select(
	files: readonly ChangedFile[],
	names: readonly string[],
	root: string,
	{ session, home, path: sessionPath }: ReadTarget,
): readonly ChangedFile[] {
	if (names.length === 0) return files;
	const selected = new Set<ChangedFile>();
	for (const name of names) {
		const whole = [toolPath(name, session.header?.cwd ?? "", home), resolvePath(name, root), resolvePath(name)];
		const isNamed = (path: string) => whole.some((one) => one !== undefined && isWithin(path, one));
		const direct = files.filter(({ path }) => isNamed(path));
		const matches = direct.length > 0 ? direct : files.filter(({ path }) => endsWithName(path, name));
		for (const file of matches) selected.add(file);
		if (matches.length > 0) continue;
		note(`${sessionPath} did not change ${name}${files.length === 0 ? "" : "; it changed:"}`);
		for (const line of candidateLines(files, ({ path }) => path)) remark(`  ${line}`);
	}
	return files.filter((file) => selected.has(file));
}

/** "scout in turns 1, 2". */
function makersOf({ edits }: ChangedFile, agents: Agents): readonly string[] {
	if (agents.size === 0) return [];
	return [...Map.groupBy(edits, ({ session }) => session)].map(
		([session, all]) => `${agents.get(session) ?? session}, ${turnNames(all)}`,
	);
}

function turnNumbers(edits: ChangedFile["edits"]): readonly number[] {
	return [...new Set(edits.map(({ turn }) => turn))];
}

/** Prints the sections: on a terminal all of them in color, with how sure they are, else the bytes of those that git apply can take. */
async function printPatch(files: readonly PatchedFile[]): Promise<void> {
	const makers = ({ name, makers: all }: PatchedFile): string =>
		all.map((maker) => `${sanitizeLine(`# ${name}: ${maker}`)}\n`).join("");
	if (outputColumns() === undefined) {
		const inside = files.filter(({ isTaken }) => isTaken);
		await printPieces(inside.map((file) => makers(file) + file.patch));
		return;
	}
	for (const file of files) {
		const doubt = file.why === "" ? [] : [[span(sanitizeLine(`# ${ANSWERS[file.answer]}: ${file.why}`), "warning")]];
		const text = (makers(file) + file.patch).replace(/\n$/, "");
		await printLines([...doubt, ...(text === "" ? [] : cleanLines(text).map(coloredLine))]);
	}
}

const STAT: Table<PatchedFile> = {
	names: ["path", "added", "removed", "answer", "turns"],
	fieldsOf: ({ path, counts, answer, edits }) => [
		onOneLine(path),
		cleanText(String(counts.added)),
		cleanText(String(counts.removed)),
		cleanText(answer),
		cleanText(turnNumbers(edits).join(",")),
	],
};

function printStat(files: readonly PatchedFile[], args: Arguments): Promise<void> {
	const all = files.map(({ counts }) => counts);
	const lineOf = ({ name, counts, answer, edits, makers }: PatchedFile): Line => [
		...changeColumns(counts, all),
		span(`${ANSWERS[answer].padEnd(ANSWERS.edits.length)}  `, answer === "exact" ? "muted" : "warning"),
		span(sanitizeLine(name)),
		span(`  ${makers.length === 0 ? turnNames(edits) : makers.join("; ")}`, "muted"),
	];
	return printListing(
		{ values: files, table: STAT, linesOf: () => files.map(lineOf), printJson: () => printJsonList(files, fileJson) },
		args,
	);
}

const ANSWERS = { exact: "exact", likely: "likely", edits: "edit by edit" } as const;

function fileJson(file: PatchedFile): object {
	const { path, name, renamedFrom, answer, why, before, after, counts, edits, patch, makers } = file;
	const editJson = ({ session, entryId, tool, turn, timeMs }: ChangedFile["edits"][number]): object => {
		return { session, entryId, tool, turn, time: isoOf(timeMs) };
	};
	return {
		path,
		name,
		answer,
		why,
		renamedFrom: renamedFrom ?? null,
		// At this path there was nothing before.
		before: renamedFrom === undefined ? (before ?? null) : null,
		after: after ?? null,
		...counts,
		by: makers,
		edits: edits.map(editJson),
		patch,
	};
}

/** Says of each file that is not exact why, those with the same reason in one line, and which of them are not in the patch. */
function noteDoubts(files: readonly PatchedFile[], root: string, { stat }: Arguments): void {
	const doubts = files.filter(({ why }) => why !== "");
	for (const [reason, some] of Map.groupBy(doubts, ({ answer, why }) => `${ANSWERS[answer]}: ${why}`))
		note(`${namesOf(some)}: ${reason}`);
	const same = files.filter(({ isSame }) => isSame);
	if (same.length > 0) note(`${namesOf(same)}: in the end as before`);
	if (stat === true || outputColumns() !== undefined) return;
	const edits = files.filter(({ answer, isTaken }) => answer === "edits" && isTaken);
	if (edits.length > 0)
		note(
			`git apply takes all of a patch or nothing, and may refuse what is edit by edit: name the other files, or leave ${edits.length === 1 ? "it" : "them"} out with --exclude`,
		);
	const rest = files.filter(({ isTaken }) => !isTaken);
	for (const [why, some] of Map.groupBy(rest, ({ path }) => whyLeftOut(path, root, root)))
		note(`not in the patch, because ${some.length === 1 ? "it is" : "they are"} ${why}: ${namesOf(some)}`);
}

/** Says what is not among the files, and sums up for a person; for any reader if commands may have changed more. */
function noteRest(
	{ commands, left, unplaced }: SessionChanges,
	files: readonly PatchedFile[],
	root: string,
	{ words }: Arguments,
): void {
	for (const sentence of unplacedNotes(unplaced)) note(sentence);
	const leftNames = namesOf(left.map(({ path }) => ({ name: nameFrom(path, root) })));
	if (left.length > 0 && words.length === 1)
		note(`only branches that were left changed ${leftNames}: these changes may still be on the disk`);
	const { added, removed } = totalLines(files.map(({ counts }) => counts));
	const lines = files.length === 0 ? "" : `, +${formatCount(added)} −${formatCount(removed)}`;
	const ran =
		commands.length === 0
			? ""
			: `; ${formatCounted(commands.length, "command")} ran that may have changed more (${nameCommands(commands)})`;
	const changed = `${files.length === 0 ? "no file" : formatCounted(files.length, "file")} changed`;
	remarkToPerson(`${changed}${lines}${ran}`, ran !== "");
}
