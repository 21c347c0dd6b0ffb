import { homedir } from "node:os";
import { isReport } from "../../../catalog/families/report-reader.ts";
import { fileName, type SessionRow } from "../../../catalog/model/row.ts";
import { periodOf } from "../../../catalog/query/dates.ts";
import type { LineChange } from "../../../conversation/entries/change-spans.ts";
import { placeOf, shortPath } from "../../../conversation/entries/place.ts";
import { countedChanges } from "../../../edits/changed-lines.ts";
import { readEdits } from "../../../edits/find-edits.ts";
import {
	type EditedFile,
	editedFiles,
	gatherEdits,
	type TalliedEdit,
	type TouchedFile,
	touchedFiles,
} from "../../../edits/session-files.ts";
import { runToEnd } from "../../../shared/steps.ts";
import { fileKey } from "../../../shared/system.ts";
import { fieldsOf } from "../../../store/format/fields.ts";
import { formatCounted, formatTime, shortenHome, sortableTime, TIME_WIDTH } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutTextStart, lineWidth, textWidth } from "../../../ui/text/width.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { readTarget } from "../../find/find-target.ts";
import { listRows } from "../../find/listed-rows.ts";
import { mentionJson } from "../../find/session-json.ts";
import { Sessions } from "../../find/sessions.ts";
import { Mistake, printJsonList } from "../../print/output.ts";
import { idOf, onOneLine, printCounted, type Table } from "../../print/table.ts";
import { changeColumns, isoOf, NOT_SEEN, readWithNote, unplacedNotes } from "./read-edits.ts";

export async function files(args: Arguments): Promise<number> {
	return args.words.length > 0 ? sessionFiles(args) : allFiles(args);
}

async function allFiles(args: Arguments): Promise<number> {
	const { rows, problems } = await listRows(args);
	const read = await readWithNote(rows.length, (onProgress) => readEdits(rows, { onProgress }));
	const bySession = Map.groupBy(read.edits, ({ session }) => session);
	// An edit that a fork has copied counts in the older session, where it was made.
	const oldest = rows.toSorted((one, other) => one.created.getTime() - other.created.getTime());
	const edits = oldest.flatMap(({ path }) => bySession.get(path) ?? []);
	const from = args.since === undefined ? undefined : periodOf(args.since, Date.now())?.from;
	const touched = touchedFiles(from === undefined ? edits : edits.filter(({ timeMs }) => timeMs >= from));
	const values = touched.slice(0, args.limit);
	const byPath = new Map(rows.map((row) => [row.path, row]));
	const counts = `${formatCounted(touched.length, "file")} in ${formatCounted(rows.length, "session")}`;
	const listing = {
		...{ values, total: touched.length, problems, unread: read.unread, notes: unplacedNotes(read.unplaced) },
		table: tableOf(byPath),
		linesOf: (columns: number) => values.map((file) => lineOf(file, columns)),
		printJson: () => printJsonList(values, (file) => fileJson(file, byPath)),
		sum: (few: string) => `${counts}${few}; ${NOT_SEEN}`,
	};
	return printCounted(listing, args);
}

type RowsByPath = ReadonlyMap<string, SessionRow>;

/** For another program; the address is that of the last edit. */
function tableOf(rows: RowsByPath): Table<TouchedFile> {
	return {
		names: ["path", "edits", "sessions", "time", "address"],
		fieldsOf({ path, count, sessions, last }) {
			const numbers = [count, sessions.length].map((number) => cleanText(String(number)));
			const address = `${idOf(rows.get(last.session)?.id ?? "")}#${idOf(last.entryId)}`;
			return [onOneLine(path), ...numbers, cleanText(sortableTime(last.timeMs) || "-"), cleanText(address)];
		},
	};
}

/** Columns of a terminal from which on there is room for the numbers of edits and sessions. */
const ROOM_FOR_COUNTS = 80;

/** For a terminal: time of the last edit, edits, sessions; the path keeps the file's name. */
function lineOf(file: TouchedFile, columns: number): Line {
	const { path, count, sessions, last } = file;
	const counts = `${formatCounted(count, "edit")} in ${formatCounted(sessions.length, "session")}`;
	const numbers = [
		span(`${(formatTime(last.timeMs, Date.now()) || "-").padEnd(TIME_WIDTH)}  `, "muted"),
		...(columns < ROOM_FOR_COUNTS ? [] : [span(`${counts.padEnd(24)}  `, "muted")]),
	];
	return withFileName(numbers, shortenHome(path, homedir()), columns);
}

function fileJson({ path, count, last, sessions }: TouchedFile, rows: RowsByPath): object {
	const ofSessions = sessions.map((touch) => {
		return { ...mentionJson(touch.session, rows.get(touch.session)), edits: touch.edits.map(editJson) };
	});
	return { path, edits: count, lastEdited: isoOf(last.timeMs), sessions: ofSessions };
}

async function sessionFiles(args: Arguments): Promise<number> {
	const [word = ""] = args.words;
	const odd = (["cwd", "named", "since"] as const).find((option) => args[option] !== undefined);
	if (odd !== undefined)
		throw new Mistake(`option --${odd} selects sessions; it cannot be combined with the session ${word}`);
	const read = await readTarget(word, args);
	const { session, entry, home, isRemote } = read;
	const { edits, unplaced, commands } = runToEnd(gatherEdits(session, home, entry?.id));
	const rows = isRemote ? [] : await Sessions.of(args).list();
	const changes = await countedChanges(session, entry?.id ?? session.tree.leafId ?? "", { home, rows, isRemote });
	// By the name under which a file was last edited.
	const lines = new Map(
		changes.map(({ path, edits: done, added, removed }): [string, LineChange] => {
			return [fileKey(done.at(-1)?.path ?? path), { added, removed }];
		}),
	);
	const touched = editedFiles(edits).map((file) => ({ ...file, ...lines.get(fileKey(file.path)) }));
	const values = touched.slice(0, args.limit);
	const place = placeOf(session, home);
	const notSeen = commands === 0 ? NOT_SEEN : `changes by ${formatCounted(commands, "shell command")} are not tracked`;
	const hasRuns = session.entries.some((each) => isReport(fieldsOf(each)));
	const runs = hasRuns ? "; the changes of its subagents are in their sessions" : "";
	const listing = {
		...{ values, total: touched.length, notes: unplacedNotes(unplaced), table: TABLE },
		linesOf: (columns: number) => values.map((file) => editedLine(file, values, shortPath(file.path, place), columns)),
		printJson: () => printJsonList(values, editedJson),
		sum: (few: string) => `${formatCounted(touched.length, "file")} edited${few}; ${notSeen}${runs}`,
	};
	return printCounted(listing, args);
}

/** Of what only branches that were left changed, no lines are known: the session did not leave the file so. */
type CountedFile = EditedFile & Partial<LineChange>;

const TABLE: Table<CountedFile> = {
	names: ["path", "added", "removed", "edits", "time", "entry"],
	fieldsOf: ({ path, added = "-", removed = "-", edits }) => [
		onOneLine(path),
		...[added, removed, edits.length].map((number) => cleanText(String(number))),
		cleanText(sortableTime(edits.at(-1)?.timeMs ?? Number.NaN) || "-"),
		idOf(edits.at(-1)?.entryId ?? ""),
	],
};

/** For a terminal: lines added and removed, edits, path. */
function editedLine(file: CountedFile, all: readonly CountedFile[], path: string, columns: number): Line {
	const isLeft = !file.edits.some(({ isActive }) => isActive);
	const line = [
		...changeColumns(file, all),
		span(`${formatCounted(file.edits.length, "edit").padEnd(10)}  `, "muted"),
		...(isLeft ? [span("left  ", "muted")] : []),
	];
	return withFileName(line, path, columns);
}

function editedJson({ path, added, removed, edits }: CountedFile): object {
	return {
		path,
		added: added ?? null,
		removed: removed ?? null,
		edits: edits.map((edit) => ({ ...editJson(edit), active: edit.isActive })),
	};
}

/** A line that ends with a path, cut at its start to `columns`; the file's name is whole, also if the line is longer then. */
function withFileName(head: Line, path: string, columns: number): Line {
	const name = sanitizeLine(fileName(path));
	const least = textWidth(name) + CUT_MARK.length;
	return [...head, span(cutTextStart(sanitizeLine(path), Math.max(columns - lineWidth(head), least)))];
}

/** Stands for the directories of a path if only the file's name fits. */
const CUT_MARK = "…/";

function editJson({ entryId, tool, timeMs }: Omit<TalliedEdit, "session">): object {
	return { entryId, tool, time: isoOf(timeMs) };
}
