import { homedir } from "node:os";
import { isReport } from "../../../catalog/families/report-reader.ts";
import { fieldsOf } from "../../../conversation/entries/fields.ts";
import { placeOf, shortPath } from "../../../conversation/entries/place.ts";
import { type EditedFile, editedFiles, gatherEdits } from "../../../edits/session-files.ts";
import { runToEnd } from "../../../shared/steps.ts";
import { StoreError } from "../../../store/files/store-error.ts";
import { readChecked } from "../../../store/held/read-checked.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { formatCount, formatCounted, sortableTime } from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { cleanText } from "../../../ui/text/sanitize.ts";
import type { Given } from "../../arguments/given.ts";
import { findEntry, findTarget } from "../../find/find-target.ts";
import { keepHeapSmallFor } from "../../find/heap-flags.ts";
import { EXIT, failWith, note, printJsonList, remarkCount } from "../../print/output.ts";
import { idOf, onOneLine, printListing, type Table } from "../../print/table.ts";
import { changeSpans, editJson, NOT_SEEN, noteUnread, withFileName } from "./read-edits.ts";

/** Lists the files that one session changed, on all of its branches or on the path to an entry; returns the exit code. */
export async function sessionFiles(given: Given): Promise<number> {
	const [word = ""] = given.words;
	const odd = (["cwd", "named", "since"] as const).find((option) => given[option] !== undefined);
	if (odd !== undefined) {
		note(`option --${odd} selects sessions; it cannot be combined with the session ${word}`);
		return EXIT.failed;
	}
	const target = await findTarget(word, given, { archived: true });
	if ("mistake" in target) return failWith(target);
	let session: Session;
	try {
		keepHeapSmallFor(target.path);
		session = await readChecked(target.path);
	} catch (error) {
		if (!(error instanceof StoreError)) throw error;
		note(error.message);
		return EXIT.failed;
	}
	const entry = target.entry === undefined ? undefined : findEntry(session.entries, target.entry, target.path);
	if (entry !== undefined && "mistake" in entry) return failWith(entry);
	const found = runToEnd(gatherEdits(session, homedir(), entry?.id));
	const touched = editedFiles(found.edits).toSorted((one, other) => (one.path < other.path ? -1 : 1));
	const shown = touched.slice(0, given.limit);
	await (given.json ? printJsonList(shown, fileJson) : print(shown, session, given.header));
	noteUnread({ unread: [], unplaced: found.unplaced });
	const isCut = shown.length < touched.length;
	const few = isCut ? `, ${formatCount(shown.length)} shown` : "";
	const commands =
		found.commands === 0 ? NOT_SEEN : `what ${formatCounted(found.commands, "command")} changed is not seen`;
	const runs = session.entries.some((each) => isReport(fieldsOf(each)))
		? "; what its subagents changed is in their sessions"
		: "";
	remarkCount(`${formatCounted(touched.length, "file")} changed${few}; ${commands}${runs}`, isCut, given.json);
	return touched.length > 0 ? EXIT.ok : EXIT.nothing;
}

/** For another program; the entry is that of the last edit. */
const TABLE: Table<EditedFile> = {
	names: ["path", "added", "removed", "edits", "time", "entry"],
	fieldsOf: ({ path, added, removed, edits }) => [
		onOneLine(path),
		...[added, removed, edits.length].map((number) => cleanText(String(number))),
		cleanText(sortableTime(edits.at(-1)?.timeMs ?? Number.NaN) || "-"),
		idOf(edits.at(-1)?.entryId ?? ""),
	],
};

function print(files: readonly EditedFile[], session: Session, header: boolean | undefined): Promise<void> {
	const place = placeOf(session, homedir());
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

function fileJson({ path, added, removed, edits }: EditedFile): object {
	return { path, added, removed, edits: edits.map((edit) => ({ ...editJson(edit), active: edit.isActive })) };
}
