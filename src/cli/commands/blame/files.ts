import { homedir } from "node:os";
import { isReport } from "../../../catalog/families/report-reader.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { periodOf } from "../../../catalog/query/dates.ts";
import { placeOf, shortPath } from "../../../conversation/entries/place.ts";
import {
	type EditedFile,
	editedFiles,
	gatherEdits,
	type TalliedEdit,
	type TouchedFile,
	tallied,
	touchedFiles,
} from "../../../edits/session-files.ts";
import { runToEnd } from "../../../shared/steps.ts";
import { fieldsOf } from "../../../store/format/fields.ts";
import { formatCounted, formatTime, shortenHome, sortableTime, TIME_WIDTH } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import type { Given } from "../../arguments/arguments.ts";
import { type ReadTarget, readTarget } from "../../find/find-target.ts";
import { listRows } from "../../find/listed-rows.ts";
import { mentionJson } from "../../find/session-json.ts";
import {
	EXIT,
	exitCode,
	failWith,
	note,
	printJsonList,
	printProblems,
	remarkCount,
	shownOf,
} from "../../print/output.ts";
import { idOf, onOneLine, printListing, type Table } from "../../print/table.ts";
import { changeSpans, editJson, isoOf, NOT_SEEN, noteUnread, readEdits, withFileName } from "./read-edits.ts";

/** Prints the files that sessions have edited or written, or those of one session; returns the exit code. */
export async function files(given: Given): Promise<number> {
	return given.words.length > 0 ? sessionFiles(given) : allFiles(given);
}

async function allFiles(given: Given): Promise<number> {
	const { rows, problems } = await listRows(given);
	const bySession = new Map<string, readonly TalliedEdit[]>();
	const read = await readEdits(rows, ({ path, edits }) => {
		bySession.set(
			path,
			edits.map((edit) => tallied(edit, path)),
		);
	});
	if (read === undefined) return EXIT.failed;
	// An edit that a fork has copied counts in the older session, where it was made.
	const oldest = rows.toSorted((one, other) => one.created.getTime() - other.created.getTime());
	const edits = oldest.flatMap(({ path }) => bySession.get(path) ?? []);
	const from = given.since === undefined ? undefined : periodOf(given.since, Date.now())?.from;
	const touched = touchedFiles(from === undefined ? edits : edits.filter(({ timeMs }) => timeMs >= from));
	const shown = touched.slice(0, given.limit);
	const byPath = new Map(rows.map((row) => [row.path, row]));
	await (given.json ? printJsonList(shown, (file) => fileJson(file, byPath)) : print(shown, byPath, given.header));
	printProblems(problems);
	noteUnread(read);
	const few = shownOf(shown.length, touched.length);
	const counts = `${formatCounted(touched.length, "file")} in ${formatCounted(rows.length, "session")}${few}`;
	remarkCount(`${counts}; ${NOT_SEEN}`, few !== "", given.json);
	return exitCode(touched.length, read.unread, problems);
}

type Rows = ReadonlyMap<string, SessionRow>;

function print(files: readonly TouchedFile[], rows: Rows, header: boolean | undefined): Promise<void> {
	const home = homedir();
	return printListing(files, tableOf(rows), header, (columns) =>
		files.map((file) => lineOf(file, files, home, columns)),
	);
}

/** For another program; the address is that of the last edit. */
function tableOf(rows: Rows): Table<TouchedFile> {
	return {
		names: ["path", "added", "removed", "edits", "sessions", "time", "address"],
		fieldsOf({ path, added, removed, count, sessions, last }) {
			const numbers = [added, removed, count, sessions.length].map((number) => cleanText(String(number)));
			const address = `${idOf(rows.get(last.session)?.id ?? "")}#${idOf(last.entryId)}`;
			return [onOneLine(path), ...numbers, cleanText(sortableTime(last.timeMs) || "-"), cleanText(address)];
		},
	};
}

/** Columns of a terminal from which on there is room for the numbers of edits and sessions. */
const ROOM_FOR_COUNTS = 80;

/** For a terminal: time of the last edit, lines added and removed, edits, sessions; the path keeps the file's name. */
function lineOf(file: TouchedFile, all: readonly TouchedFile[], home: string, columns: number): Line {
	const { path, count, sessions, last } = file;
	const counts = `${formatCounted(count, "edit")} in ${formatCounted(sessions.length, "session")}`;
	const numbers = [
		span(`${(formatTime(last.timeMs, Date.now()) || "-").padEnd(TIME_WIDTH)}  `, "muted"),
		...changeSpans(file, all),
		...(columns < ROOM_FOR_COUNTS ? [] : [span(`${counts.padEnd(24)}  `, "muted")]),
	];
	return withFileName(numbers, shortenHome(path, home), columns);
}

function fileJson({ path, added, removed, count, last, sessions }: TouchedFile, rows: Rows): object {
	const ofSessions = sessions.map((touch) => {
		const row = rows.get(touch.session);
		return {
			...mentionJson(touch.session, row),
			added: touch.added,
			removed: touch.removed,
			edits: touch.edits.map(editJson),
		};
	});
	return { path, added, removed, edits: count, lastEdited: isoOf(last.timeMs), sessions: ofSessions };
}

async function sessionFiles(given: Given): Promise<number> {
	const [word = ""] = given.words;
	const odd = (["cwd", "named", "since"] as const).find((option) => given[option] !== undefined);
	if (odd !== undefined) {
		note(`option --${odd} selects sessions; it cannot be combined with the session ${word}`);
		return EXIT.failed;
	}
	const read = await readTarget(word, given);
	if ("mistake" in read) return failWith(read);
	const { session, entry, home } = read;
	const found = runToEnd(gatherEdits(session, home, entry?.id));
	const touched = editedFiles(found.edits).toSorted((one, other) => (one.path < other.path ? -1 : 1));
	const shown = touched.slice(0, given.limit);
	await (given.json ? printJsonList(shown, editedJson) : printEdited(shown, read, given.header));
	noteUnread({ unread: [], unplaced: found.unplaced });
	const few = shownOf(shown.length, touched.length);
	const commands =
		found.commands === 0 ? NOT_SEEN : `what ${formatCounted(found.commands, "command")} changed is not seen`;
	const runs = session.entries.some((each) => isReport(fieldsOf(each)))
		? "; what its subagents changed is in their sessions"
		: "";
	remarkCount(`${formatCounted(touched.length, "file")} changed${few}; ${commands}${runs}`, few !== "", given.json);
	return touched.length > 0 ? EXIT.ok : EXIT.nothing;
}

const TABLE: Table<EditedFile> = {
	names: ["path", "added", "removed", "edits", "time", "entry"],
	fieldsOf: ({ path, added, removed, edits }) => [
		onOneLine(path),
		...[added, removed, edits.length].map((number) => cleanText(String(number))),
		cleanText(sortableTime(edits.at(-1)?.timeMs ?? Number.NaN) || "-"),
		idOf(edits.at(-1)?.entryId ?? ""),
	],
};

function printEdited(
	files: readonly EditedFile[],
	{ session, home }: ReadTarget,
	header: boolean | undefined,
): Promise<void> {
	const place = placeOf(session, home);
	return printListing(files, TABLE, header, (columns) =>
		files.map((file): Line => {
			const isAbandoned = !file.edits.some(({ isActive }) => isActive);
			const line = [
				...changeSpans(file, files),
				span(`${formatCounted(file.edits.length, "edit").padEnd(10)}  `, "muted"),
				...(isAbandoned ? [span("abandoned  ", "muted")] : []),
			];
			return withFileName(line, shortPath(file.path, place), columns);
		}),
	);
}

function editedJson({ path, added, removed, edits }: EditedFile): object {
	return { path, added, removed, edits: edits.map((edit) => ({ ...editJson(edit), active: edit.isActive })) };
}
