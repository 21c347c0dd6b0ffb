import { homedir } from "node:os";
import type { SessionRow } from "../../catalog/model/row.ts";
import { findSessionRoots, rootOf } from "../../catalog/model/session-roots.ts";
import { periodOf } from "../../catalog/query/dates.ts";
import { createHistoryReader } from "../../changes/journal/history-reader.ts";
import { changesOf, type HistoryRow, selectHistoryRows } from "../../changes/journal/history-rows.ts";
import { journalPath } from "../../changes/journal/journal.ts";
import { type Change, type Fate, pathOf } from "../../changes/kinds/change.ts";
import { messageOf } from "../../shared/attempt.ts";
import { formatCount, formatCounted, formatTime, sortableTime, TIME_WIDTH } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { joinEnds } from "../../ui/text/width.ts";
import type { Given } from "../arguments/arguments.ts";
import { listRows } from "../find/listed-rows.ts";
import { mentionJson } from "../find/session-json.ts";
import { EXIT, failWith, printJsonList, remarkCount, shownOf } from "../print/output.ts";
import { printListing, type Table } from "../print/table.ts";

/** Lists all changes, newest first, each group of changes as one; returns the exit code. */
export async function history(given: Given): Promise<number> {
	const { sessionDir, since, limit, json, header } = given;
	const root = rootOf(await findSessionRoots({ sessionDir }));
	// The date has been checked (`arguments.ts`).
	const from = since === undefined ? undefined : periodOf(since, Date.now())?.from;
	let changes: readonly Change[];
	try {
		// This process makes no changes, so no run in the journal is its own.
		const reader = createHistoryReader(journalPath(process.env, homedir()), root, { pid: process.pid, start: 0 });
		changes = (await reader.read(Number.MAX_SAFE_INTEGER)).changes;
	} catch (error) {
		return failWith({ mistake: messageOf(error) });
	}
	const wanted = from === undefined ? changes : changes.filter(({ at }) => Date.parse(at) >= from);
	const all = selectHistoryRows({ changes: wanted, opened: new Set() });
	const rows = all.slice(0, limit);
	if (json) {
		const listed = new Map((await listRows({ words: [], sessionDir })).rows.map((row) => [row.path, row]));
		await printJsonList(rows.flatMap(changesOf), (change) => changeJson(change, listed));
	} else await printListing(rows, TABLE, header, (columns) => rows.map((row) => lineOf(row, columns)));
	const shown = shownOf(rows.length, all.length);
	remarkCount(`${formatCounted(all.length, "change")}${shown}`, shown !== "", json);
	return all.length === 0 ? EXIT.nothing : EXIT.ok;
}

const ID_LENGTH = 8;

const TABLE: Table<HistoryRow> = { names: ["id", "time", "change", "status"], fieldsOf };

function lineOf(row: HistoryRow, columns: number): Line {
	const [id = cleanText(""), , what = cleanText(""), fate = cleanText("")] = fieldsOf(row);
	const at = formatTime(Date.parse(changesOf(row)[0]?.at ?? ""), Date.now()).padEnd(TIME_WIDTH);
	const left = [span(`${id.slice(0, ID_LENGTH)}  `, "muted"), span(`${at}  `), span(what)];
	return joinEnds(left, [span(fate === "" ? "" : `  ${fate}`, "muted")], columns);
}

/** Id, time, what was done, status. */
function fieldsOf(row: HistoryRow): CleanText[] {
	const changes = changesOf(row);
	const [{ what, at } = { what: "", at: "" }] = changes;
	const words = row.kind === "group" ? row.group.what : what;
	return [
		cleanText(row.key),
		cleanText(sortableTime(Date.parse(at))),
		sanitizeLine(words),
		cleanText(fateWords(changes)),
	];
}

const FATES: Readonly<Record<Fate, string>> = {
	made: "",
	undone: "undone",
	"not-made": "not made",
	"given-up": "could not be undone",
	restored: "restored from the trash",
	unclear: "cut short: undo finds out whether it was made",
};

/** The status of a change, or the counts of a group: "3 undone"; "" if all are in effect. */
function fateWords(changes: readonly Change[]): string {
	const [only, ...others] = changes;
	const parts = [...Map.groupBy(changes, ({ fate }) => FATES[fate])].flatMap(([words, each]) =>
		words === ""
			? []
			: [others.length === 0 || each.length === changes.length ? words : `${formatCount(each.length)} ${words}`],
	);
	const missing = (only?.group?.count ?? changes.length) - changes.length;
	if (missing > 0) parts.push(`${formatCount(missing)} not begun`);
	return parts.join(", ");
}

/** A change, and the session in the file that it changed; the session is only a path if that is no longer there. */
function changeJson(change: Change, listed: ReadonlyMap<string, SessionRow>): object {
	const { id, at, what, fate, undoneAt = null, group = null, plan, undo } = change;
	const path = plan?.path ?? (undo === undefined ? undefined : pathOf(undo));
	const made = undo?.type === "created" ? undo.path : null;
	const session = path === undefined ? null : mentionJson(path, listed.get(path));
	return { id, time: at, what, fate, undone: undoneAt, session, created: made, group };
}
