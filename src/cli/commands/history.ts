import { homedir } from "node:os";
import type { SessionRow } from "../../catalog/model/row.ts";
import { rootOf } from "../../catalog/model/session-roots.ts";
import { periodOf } from "../../catalog/query/dates.ts";
import { createHistoryReader } from "../../changes/journal/history-reader.ts";
import { changesOf, type HistoryRow, rowsOfChanges } from "../../changes/journal/history-rows.ts";
import { journalPath } from "../../changes/journal/journal.ts";
import { type Change, type Fate, pathOf } from "../../changes/kinds/change.ts";
import { formatCount, formatCounted, formatTime, sortableTime, TIME_WIDTH } from "../../ui/text/format.ts";
import { type Line, span } from "../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { joinEnds } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { mentionJson } from "../find/session-json.ts";
import { Sessions } from "../find/sessions.ts";
import { orMistake, printJsonList } from "../print/output.ts";
import { printCounted, shortIds, type Table } from "../print/table.ts";

export async function history(args: Arguments): Promise<number> {
	const { since, limit } = args;
	const root = rootOf(await Sessions.of(args).roots());
	// The date has been checked (`arguments.ts`).
	const from = since === undefined ? undefined : periodOf(since, Date.now())?.from;
	// This process makes no changes, so no run in the journal is its own.
	const reader = createHistoryReader(journalPath(process.env, homedir()), root, { pid: process.pid, start: 0 });
	const { changes } = await orMistake(reader.read(Number.MAX_SAFE_INTEGER), Error);
	const selected = from === undefined ? changes : changes.filter(({ at }) => Date.parse(at) >= from);
	const all = rowsOfChanges(selected, new Set());
	const values = all.slice(0, limit);
	const listing = {
		...{ values, total: all.length, table: TABLE },
		linesOf(columns: number) {
			const shortened = shortIds(changes.flatMap(({ id, group }) => (group === undefined ? [id] : [id, group.id])));
			return values.map((row) => lineOf(row, shortened, columns));
		},
		async printJson() {
			const listed = new Map((await Sessions.of(args).list()).map((row) => [row.path, row]));
			await printJsonList(values.flatMap(changesOf), (change) => changeJson(change, listed));
		},
		sum: (few: string) => `${formatCounted(all.length, "change")}${few}`,
	};
	return printCounted(listing, args);
}

const TABLE: Table<HistoryRow> = { names: ["id", "time", "change", "status"], fieldsOf };

function lineOf(row: HistoryRow, shortened: (id: string) => CleanText, columns: number): Line {
	const [, , what = cleanText(""), fate = cleanText("")] = fieldsOf(row);
	const at = formatTime(Date.parse(changesOf(row)[0]?.at ?? ""), Date.now()).padEnd(TIME_WIDTH);
	const leftSpans = [span(cleanText(`${shortened(row.key)}  `), "muted"), span(`${at}  `), span(what)];
	return joinEnds(leftSpans, [span(fate === "" ? "" : `  ${fate}`, "muted")], columns);
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
	const createdPath = undo?.type === "created" ? undo.path : null;
	const session = path === undefined ? null : mentionJson(path, listed.get(path));
	return { id, time: at, what, fate, undone: undoneAt, session, created: createdPath, group };
}
