import { ENTRIES_PER_STEP, type Steps, TimeSlice } from "../shared/steps.ts";
import { timeOf } from "../store/format/raw-entry.ts";
import type { Session } from "../store/read/read-session.ts";
import { editHunks } from "./edit-diff.ts";
import { mayHaveChanged, type RanCommand, ranCommands } from "./files-at.ts";
import { BEFORE, clauses, deedName, isLeft, type Known, knownAt, NEVER_SEEN } from "./known.ts";
import type { Ledger } from "./ledger.ts";
import type { FileEvent } from "./ledger-events.ts";
import { type LedgerOptions, openLedger } from "./open-ledger.ts";
import type { EditPatch } from "./patch-hunks.ts";
import { type EditedFile, editOf, type SessionEdit } from "./session-files.ts";

/** A part of a path of a session, by the ids of two of its entries. */
export interface ChangeSpan {
	/** What came after this entry. @default all from the beginning */
	readonly from?: string | undefined;
	/** The last entry. */
	readonly to: string;
}

/** As Git writes it. */
export type FileMode = "100644" | "100755";

/** What a session changed in a file. */
export interface ChangedFile extends EditedFile {
	/**
	 * How sure the texts are: "exact": both are known to the byte; "likely": both are known, and `why` says what may be wrong; "edits": only
	 * the edits are known.
	 */
	readonly answer: "exact" | "likely" | "edits";
	/** Why it is not exact, and what there is to know: clauses with a semicolon between them; "" for nothing. */
	readonly why: string;
	/** The text before the session changed it. Undefined: it did not exist, or (answer "edits") it is not known. */
	readonly before?: string | undefined;
	/** The text as the session left it. Undefined: it did not exist, or (answer "edits") it is not known. */
	readonly after?: string | undefined;
	/** When the session first changed it, also before the span and on other branches, Unix ms; NaN if the file does not say. */
	readonly firstMs: number;
	/** Of the answer "edits", each of `edits` as a part of a patch (`editHunks`), else none. */
	readonly diffs: readonly EditPatch[];
	/** The absolute path that it had before the first of the edits, if that was another one. */
	readonly renamedFrom?: string | undefined;
	/** The absolute paths that it had since then, before its last one; the newest first. */
	readonly renamedVia?: readonly string[];
	/** What is known of its modes before the first of the edits and after the last; both, if it is known that they differ. */
	readonly modes?: { readonly before?: FileMode; readonly after?: FileMode };
	/** The line ends of the file, if they are known though (answer "edits") its text is not. */
	readonly lineEnd?: "\r\n";
}

/** What a session changed in a span. */
export interface SessionChanges {
	/** The files, in the order in which they were first changed; their edits are those on the path, in order. */
	readonly files: readonly ChangedFile[];
	/** What ran meanwhile, on all branches, and may have changed more. */
	readonly commands: readonly RanCommand[];
	/** The files that were changed meanwhile only on branches that were left: these changes may still be on the disk. */
	readonly left: readonly EditedFile[];
	/** Number of edits whose file is not known. */
	readonly unplaced: number;
}

export interface ChangesOptions extends Omit<LedgerOptions, "together"> {
	/** The sessions of runs of subagents, whose changes are wanted, too. */
	readonly runs?: readonly Session[];
	/** Takes each file as soon as it is known, in order, and returns what is kept of it; one that is moved away later is none of the result. */
	readonly onFile?: (file: ChangedFile) => Promise<ChangedFile>;
}

/** A file without what a table does not show: of a long session, the texts of all files at once are too much. */
export function withoutTexts(file: ChangedFile): ChangedFile {
	return { ...file, before: undefined, after: undefined, diffs: [] };
}

/** The ids of the entries on the path behind `from`, up to `to`. */
export function* idsOfSpan({ tree: { table } }: Session, { from, to }: ChangeSpan): Steps<ReadonlySet<string>> {
	const ids = new Set<string>();
	for (const { id } of table.pathUp(to)) {
		if (ids.size % ENTRIES_PER_STEP === 0) yield;
		if (id === from) break;
		ids.add(id);
	}
	return ids;
}

/** What a session changed between two entries of a path, and the runs that it started. */
export async function sessionChanges(
	session: Session,
	span: ChangeSpan,
	options: ChangesOptions,
): Promise<SessionChanges> {
	const { home, runs = [], slice = new TimeSlice(), onFile = async (file) => file } = options;
	const { ledger } = await openLedger(session, { ...options, together: runs });
	try {
		const parts = [await slice.run(partOf(ledger, session, span))];
		for (const run of runs) parts.push(await slice.run(partOf(ledger, run, spanOfRun(run, session))));
		const filesLeft = leftFiles(ledger, parts);
		const paths = changedPaths(ledger, parts);
		const files: ChangedFile[] = [];
		for await (const change of ledger.each(paths, ({ path }) => path, slice)) {
			const file = changeOf(ledger, change, parts, home);
			if (file !== undefined) files.push(await onFile(file));
		}
		const changed = new Set(files.flatMap(({ path, renamedFrom }) => [path, renamedFrom ?? path]));
		return {
			files: files.filter((file) => !files.some((other) => goesOnIn(file, other))),
			commands: parts.flatMap((part) =>
				ranCommands(
					part.session,
					ledger.mays.filter((may) => isIn(part, may)),
				),
			),
			left: filesLeft.filter(({ path }) => !changed.has(path)),
			unplaced: parts.reduce((sum, part) => sum + (ledger.unplaced.get(part.session) ?? 0), 0),
		};
	} finally {
		ledger.grounds.close();
	}
}

/** The part of a run that is its own: one that was forked begins with a copy of the session that started it. */
function spanOfRun(run: Session, parent: Session): ChangeSpan {
	const to = run.tree.leafId ?? "";
	for (const { id, timestamp } of run.tree.table.pathUp(to))
		if (parent.tree.byId.get(id)?.timestamp === timestamp) return { from: id, to };
	return { to };
}

/** Whether another file is what became of this one: it was moved there, or both were the same file, which was moved on. */
function goesOnIn({ path, renamedFrom, answer, after }: ChangedFile, other: ChangedFile): boolean {
	if (other.renamedFrom === path) return true;
	const isGone = renamedFrom !== undefined && answer !== "edits" && after === undefined;
	return isGone && other.path !== path && other.renamedFrom === renamedFrom;
}

/** What one session did in its span. */
interface Part {
	readonly session: Session;
	/** The entries on the path. */
	readonly ids: ReadonlySet<string>;
	/** The orders behind the first entry and up to the last. */
	readonly from: number;
	readonly to: number;
}

function* partOf(ledger: Ledger, session: Session, span: ChangeSpan): Steps<Part> {
	const { table, byId } = session.tree;
	const ids = yield* idsOfSpan(session, span);
	const orderOf = (id: string): number =>
		ledger.orderAt(session, table.indexOf(id) ?? -1, timeOf(byId.get(id)?.timestamp) || Number.NEGATIVE_INFINITY);
	return { session, ids, from: span.from === undefined ? -1 : orderOf(span.from), to: orderOf(span.to) };
}

/** What was done to a file with `edit` and `write` in the parts: on their paths, and on branches that were left meanwhile. */
function editsOf(ledger: Ledger, path: string, parts: readonly Part[]): readonly SessionEdit[] {
	return parts.flatMap((part) =>
		ledger
			.eventsOf(path)
			.flatMap((event) => (isOf(part, event) && isIn(part, event) ? (editOf(event.step, part.ids) ?? []) : [])),
	);
}

/** The files that branches changed which were left meanwhile. */
function leftFiles(ledger: Ledger, parts: readonly Part[]): readonly EditedFile[] {
	return ledger.paths.flatMap((path) => {
		const edits = editsOf(ledger, path, parts).filter(({ isActive }) => !isActive);
		return edits.length === 0 ? [] : [{ path, edits }];
	});
}

interface PathChange {
	readonly path: string;
	/** What the sessions did to it in their parts. */
	readonly events: readonly FileEvent[];
}

/** The files that sessions changed, in the order in which they did it first. */
function changedPaths(ledger: Ledger, parts: readonly Part[]): readonly PathChange[] {
	const bySession = new Map(parts.map((part) => [part.session, part]));
	const changes = ledger.paths.flatMap((path): readonly PathChange[] => {
		const events = ledger.eventsOf(path).filter((event) => {
			const part = event.step && bySession.get(event.step.witness.session);
			if (event.step === undefined || part === undefined) return false;
			return mayHaveChanged(event) && isIn(part, event);
		});
		const isWanted =
			events.some(({ what }) => what.kind !== "named" && what.kind !== "restored") &&
			events.some(({ step }) => step !== undefined && bySession.get(step.witness.session)?.ids.has(step.entryId));
		return isWanted ? [{ path, events }] : [];
	});
	return changes.sort((one, other) => (one.events[0]?.order ?? 0) - (other.events[0]?.order ?? 0));
}

function isIn(part: Part, { order }: { readonly order: number }): boolean {
	return order > part.from && order <= part.to;
}

function isOf(part: Part, { step }: FileEvent): boolean {
	return step?.witness.session === part.session;
}

function changeOf(
	ledger: Ledger,
	{ path, events }: PathChange,
	parts: readonly Part[],
	home: string,
): ChangedFile | undefined {
	const [first] = events;
	if (first === undefined) return undefined;
	const ownSessions = new Set(parts.map(({ session }) => session));
	const until = Math.max(...parts.map(({ to }) => to));
	const earlierNames = renamedIn(ledger, path, first);
	const name = earlierNames.at(-1);
	// What is there again, or still, was not moved in the end.
	const renamedFrom = name !== undefined && knownAt(ledger, name, until).isAbsent ? name : undefined;
	const names = renamedFrom === undefined ? [] : earlierNames;
	const source = renamedFrom ?? path;
	const begun = ledger
		.eventsOf(source)
		.find((event) => mayHaveChanged(event) && parts.some((part) => isOf(part, event) && isIn(part, event)));
	const start = startOf(
		knownAt(ledger, source, Math.min(first.order, begun?.order ?? first.order) - BEFORE),
		() => firstSight(ledger, source, parts),
		first,
	);
	// What a run of a subagent changed later is that run's.
	const lastOrder = events.at(-1)?.order ?? first.order;
	const byRun = ledger
		.eventsOf(path)
		.find(
			(event) =>
				event.order > lastOrder && event.order <= until && isForeign(event, ownSessions) && event.step?.witness.isRun,
		);
	const end = knownAt(ledger, path, byRun === undefined ? until : byRun.order - BEFORE);
	const isOnlyMode = events.every(({ what }) => what.kind === "mode");
	if (isOnlyMode && start.isExecutable === end.isExecutable) return undefined;
	const foreignEvents = ledger
		.eventsOf(path)
		.filter(
			(event) =>
				event.order > first.order &&
				event.order <= until &&
				(byRun === undefined || event.order < byRun.order) &&
				isForeign(event, ownSessions),
		);
	const ownEdits = editsOf(ledger, path, parts);
	const sourceEdits = names.flatMap((earlier) => editsOf(ledger, earlier, parts));
	const edits = [...ownEdits, ...sourceEdits].filter(({ isActive }) => isActive);
	edits.sort((one, other) => (one.timeMs || 0) - (other.timeMs || 0));
	const leftEdits = ownEdits.filter(({ isActive }) => !isActive);
	const shownEdits = edits.length > 0 ? edits : events.flatMap((event) => editFor(event, path) ?? []);
	const firstEvent = ledger
		.eventsOf(path)
		.find(({ step }) => parts.some(({ session, ids }) => step?.witness.session === session && editOf(step, ids)));
	const firstMs = firstEvent?.step?.endMs ?? shownEdits[0]?.timeMs ?? Number.NaN;
	const renamedVia = names.length > 1 ? { renamedVia: names.slice(0, -1) } : {};
	const file = { path, edits: shownEdits, firstMs, renamedFrom, ...renamedVia };
	if (start.answer === "unknown" || end.answer === "unknown") {
		if (edits.length === 0) return undefined;
		const sessions = new Map(parts.map(({ session }) => [session.path, session]));
		const diffs = edits.flatMap((edit) => {
			const session = sessions.get(edit.session);
			return session === undefined ? [] : [editHunks(edit, session, home)];
		});
		return {
			...file,
			answer: "edits",
			why: clauses(
				...new Set([start.answer === "unknown" ? start.why : "", end.answer === "unknown" ? end.why : ""]),
				leftNote(leftEdits, "its edits are left out"),
			),
			diffs,
		};
	}
	// What another branch changed before is none of this path's.
	const isLeftFirst = [first, begun].some(
		(event) =>
			event?.step !== undefined &&
			event.what.kind !== "named" &&
			!parts.some((part) => isOf(part, event) && part.ids.has(event.step?.entryId ?? "")),
	);
	const isOver = renamedFrom !== undefined && !knownAt(ledger, path, first.order - BEFORE).isAbsent;
	const isExact = start.answer === "exact" && end.answer === "exact" && !isLeftFirst && !isOver;
	const answer = isExact ? "exact" : "likely";
	const modes = { before: modeOf(start), after: modeOf(end) };
	const why = clauses(isOver ? MAY_HAVE_BEEN : "", whyOf(start, end, leftEdits), meanwhile(foreignEvents));
	return {
		...file,
		answer,
		why,
		before: start.text,
		after: end.text,
		...((start.isExecutable || end.isExecutable) && { modes }),
		diffs: [],
	};
}

/** The text before a file was written of which nothing was known: most likely there was none. */
function startOf(known: Known, sight: () => Known | undefined, { what, step }: FileEvent): Known {
	if (known.answer !== "unknown") return known;
	const first = sight();
	if (first !== undefined) return first;
	const isWritten =
		what.kind === "written" || what.kind === "from" || (what.kind === "step" && step?.act.kind === "write");
	if (!isWritten || !mayBeNew(known)) return known;
	return { ...known, answer: "likely", isAbsent: true, why: MAY_HAVE_BEEN };
}

const MAY_HAVE_BEEN = "whether it existed before the session wrote it is not known";

/** The text as the sessions first saw it, where something has changed it before they did. */
function firstSight(ledger: Ledger, path: string, parts: readonly Part[]): Known | undefined {
	const event = ledger
		.eventsOf(path)
		.find((event) => parts.some((part) => isOf(part, event) && event.order > part.from));
	const sight = event && knownAt(ledger, path, event.order);
	if (sight === undefined || sight.answer === "unknown" || event?.step?.act.kind !== "read") return undefined;
	return { ...sight, answer: "likely", why: clauses(sight.why, "something else changed it before the session did") };
}

function modeOf({ isExecutable }: Known): FileMode {
	return isExecutable ? "100755" : "100644";
}

function whyOf(start: Known, end: Known, left: readonly SessionEdit[]): string {
	const note = leftNote(left, "what remained of that is included");
	if (start.why === end.why || start.why === "" || end.why === "") return clauses(start.why || end.why, note);
	return clauses(`before: ${start.why}`, `after: ${end.why}`, note);
}

/** "a branch that was left (turns 2, 3) also changed it, and …" */
function leftNote(left: readonly SessionEdit[], rest: string): string {
	const turns = [...new Set(left.map(({ turn }) => turn))];
	if (turns.length === 0) return "";
	return `a branch that was left (${turns.length === 1 ? "turn" : "turns"} ${turns.join(", ")}) also changed it, and ${rest}`;
}

/** The names that a file had, the newest first, if it was moved here before anything else was done to it. */
function renamedIn(ledger: Ledger, path: string, { what, order }: FileEvent): readonly string[] {
	if (what.kind !== "from" || !what.isMove) return [];
	if (!mayBeNew(knownAt(ledger, path, order - BEFORE))) return [];
	const earlier = ledger
		.eventsOf(what.path)
		.find((event) => event.order < order && mayHaveChanged(event) && event.step !== undefined);
	return [what.path, ...(earlier === undefined ? [] : renamedIn(ledger, what.path, earlier))];
}

/** Whether most likely there was no file: none, or nobody has seen one. */
function mayBeNew({ isAbsent, answer, why }: Known): boolean {
	return isAbsent || (answer === "unknown" && why === NEVER_SEEN);
}

/** Whether another session changed the file. */
function isForeign({ step, what, order }: FileEvent, own: ReadonlySet<Session>): boolean {
	return (
		step !== undefined &&
		!own.has(step.witness.session) &&
		what.kind !== "named" &&
		mayHaveChanged({ step, what, order })
	);
}

/** "includes what “Fix the tests” changed meanwhile" */
function meanwhile(others: readonly FileEvent[]): string {
	const titles = [...new Set(others.map(({ step }) => `“${step?.witness.title ?? ""}”`))];
	return titles.length === 0 ? "" : `includes what ${titles.join(", ")} changed meanwhile`;
}

/** What a command did to a file, as an edit of it. */
function editFor(event: FileEvent, path: string): SessionEdit | undefined {
	if (event.step === undefined) return undefined;
	const { witness, entryId, endMs: timeMs, turn } = event.step;
	const { path: session } = witness.session;
	const facts = { session, entryId, timeMs, path, turn, tool: "command", nth: 0, key: `${entryId} ${path}` } as const;
	return { ...facts, isActive: !isLeft(entryId, witness.session), deed: deedName(event) };
}
