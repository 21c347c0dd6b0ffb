import { homedir } from "node:os";
import { placeOf, shortPath } from "../../../conversation/entries/place.ts";
import { EditCollector } from "../../../edits/edit-collector.ts";
import { shellCommands } from "../../../edits/shell-commands.ts";
import { type TalliedEdit, type TouchedFile, tallied, touchedFiles } from "../../../edits/tally-edits.ts";
import { StoreError } from "../../../store/files/store-error.ts";
import { readChecked } from "../../../store/held/read-checked.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { pathTo } from "../../../store/tree/tree.ts";
import { columnsOf } from "../../../terminal/terminal-size.ts";
import { formatCount, formatCounted, sortableTime } from "../../../ui/text/format.ts";
import type { Line } from "../../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { span } from "../../../ui/text/span.ts";
import { cutLine } from "../../../ui/text/width.ts";
import type { Given } from "../../arguments/given.ts";
import { findEntry, findTarget } from "../../find/find-target.ts";
import { keepHeapSmallFor } from "../../find/heap-flags.ts";
import { EXIT } from "../../print/exit-code.ts";
import { idOf, onOneLine } from "../../print/format-results.ts";
import { failWith } from "../../print/mistake.ts";
import { note, printFields, printJsonList, printLines, remark } from "../../print/output.ts";
import { changeSpans, isoOf, NOT_SEEN } from "./format-edits.ts";
import { noteUnread } from "./read-edits.ts";

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
	const found = editsOf(session, entry?.id);
	const touched = touchedFiles(found.edits).toSorted((one, other) => (one.path < other.path ? -1 : 1));
	const shown = touched.slice(0, given.limit);
	await (given.json ? printJsonList(shown, (file) => fileJson(file, found)) : print(shown, session, found));
	noteUnread({ unread: [], unplaced: found.unplaced });
	if (!given.json) {
		const few = shown.length < touched.length ? `, ${formatCount(shown.length)} shown` : "";
		const commands =
			found.commands === 0 ? NOT_SEEN : `what ${formatCounted(found.commands, "command")} changed is not seen`;
		remark(`${formatCounted(touched.length, "file")} changed${few}; ${commands}`);
	}
	return touched.length > 0 ? EXIT.ok : EXIT.nothing;
}

interface FoundEdits {
	readonly edits: readonly TalliedEdit[];
	readonly unplaced: number;
	/** Ids of the entries on the path to the requested entry, else to the leaf. */
	readonly active: ReadonlySet<string>;
	/** Number of shell commands that ran. */
	readonly commands: number;
}

/** The edits of a session; `entryId`: only those on the path to that entry. */
function editsOf(session: Session, entryId: string | undefined): FoundEdits {
	const collector = new EditCollector(session.header?.cwd ?? "", homedir());
	const active = new Set(pathTo(session.tree, entryId ?? session.tree.leafId ?? "").map(({ id }) => id));
	const entries = entryId === undefined ? session.entries : session.entries.filter(({ id }) => active.has(id));
	const edits = entries.flatMap((entry) => collector.add(entry).map((edit) => tallied(edit, session.path)));
	const commands = entries.reduce((sum, entry) => sum + shellCommands(entry), 0);
	return { edits, unplaced: collector.unplaced, active, commands };
}

function print(files: readonly TouchedFile[], session: Session, found: FoundEdits): Promise<void> {
	const columns = columnsOf(process.stdout);
	if (columns === undefined)
		return printFields(files, ({ path, added, removed, count, last }) => [
			onOneLine(path),
			...[added, removed, count].map((number) => cleanText(String(number))),
			cleanText(sortableTime(last.timeMs) || "-"),
			idOf(last.entryId),
		]);
	const place = placeOf(session, homedir());
	return printLines(
		files.map((file): Line => {
			const isAbandoned = !file.sessions.some(({ edits }) => edits.some(({ entryId }) => found.active.has(entryId)));
			const line = [
				...changeSpans(file, files),
				span(`${formatCounted(file.count, "edit").padEnd(10)}  `, "muted"),
				span(sanitizeLine(shortPath(file.path, place))),
				...(isAbandoned ? [span("  on an abandoned branch", "muted")] : []),
			];
			return cutLine(line, columns);
		}),
	);
}

function fileJson({ path, added, removed, sessions }: TouchedFile, { active }: FoundEdits): object {
	const edits = sessions.flatMap(({ edits: own }) =>
		own.map(({ entryId, tool, timeMs, ...change }) => ({
			entryId,
			tool,
			time: isoOf(timeMs),
			added: change.added,
			removed: change.removed,
			active: active.has(entryId),
		})),
	);
	return { path, added, removed, edits };
}
