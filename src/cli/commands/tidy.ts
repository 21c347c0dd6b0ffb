import { homedir } from "node:os";
import { checkDirectories } from "../../app/world/effects/directories.ts";
import { directoriesHere } from "../../app/world/list/session-groups.ts";
import {
	findTidying,
	KEPT_REASONS,
	keptWords,
	TIDY_KINDS,
	type Tidying,
	type TidyKind,
	type TidySession,
} from "../../app/world/list/tidy-groups.ts";
import { deletionNotes } from "../../app/world/questions/notes.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { formatCounted, formatSize, shortenHome } from "../../ui/text/format.ts";
import { type Line, span, strong } from "../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine } from "../../ui/text/width.ts";
import type { Arguments } from "../arguments/arguments.ts";
import { rowFilter } from "../find/row-filter.ts";
import { describeSessions } from "../find/session-json.ts";
import { Sessions } from "../find/sessions.ts";
import { EXIT, printJsonList, remarkToPerson, withProgressNote } from "../print/output.ts";
import { idOf, onOneLine, printListing, shortIds, type Table } from "../print/table.ts";
import { deleteRows } from "./change/delete.ts";
import { type Engines, withEngines } from "./change/engines.ts";

export async function tidy(args: Arguments): Promise<number> {
	return withEngines(await Sessions.of(args).roots(), async (engines) => {
		await engines.list("counted");
		await engines.store.checkUse([]);
		const tidying = await withProgressNote(review(engines), () => "Looking at directories …");
		const sessions = requested(tidying, args);
		if (args.delete === true && sessions.length > 0) {
			const rows = sessions.map(({ row }) => row);
			return deleteRows(rows, engines, args, deletionNotes(tidying));
		}
		await print(sessions, engines, args);
		// The counts of what is kept are about all sessions.
		const isAll = args.words.length === 0 && args.cwd === undefined;
		if (isAll && !args.json) remarkKept(tidying);
		return sessions.length === 0 ? EXIT.nothing : EXIT.ok;
	});
}

/** What may be deleted, also of the sessions whose directory is gone. */
async function review({ known, counts, disk }: Engines): Promise<Tidying> {
	const { rows, live, marks } = known();
	const fates = await checkDirectories(directoriesHere(rows), disk.readDisk);
	const goneDirectories = new Set([...fates].flatMap(([directory, { kind }]) => (kind === "gone" ? [directory] : [])));
	return findTidying({ rows, counts: counts(), marks, inUse: live.sessions, gone: goneDirectories });
}

/** The sessions of the requested kind that pass the options. */
function requested({ sessions }: Tidying, args: Arguments): readonly TidySession[] {
	const [choice] = args.words;
	const passes = rowFilter(args, Date.now());
	return sessions.filter(({ kind, row }) => (choice === undefined || choice === kind) && passes(row));
}

function print(sessions: readonly TidySession[], { counts, known }: Engines, args: Arguments): Promise<void> {
	const listing = {
		values: sessions,
		table: TABLE,
		linesOf(columns: number) {
			const rows = [...known().rows.values()];
			const shortened = shortIds(rows.map(({ id }) => id));
			const byKind = Map.groupBy(sessions, ({ kind }) => kind);
			return [...byKind]
				.flatMap(([kind, some]) => linesOf(kind, some, shortened))
				.map((line) => cutLine(line, columns));
		},
		async printJson() {
			const describe = await describeSessions([], args, counts());
			await printJsonList(sessions, ({ kind, row }) => ({ ...describe(row), kind }));
		},
	};
	return printListing(listing, args);
}

function remarkKept({ kept }: Tidying): void {
	for (const reason of KEPT_REASONS) {
		const count = kept.get(reason) ?? 0;
		if (count > 0) remarkToPerson(keptWords(reason, count));
	}
}

const TABLE: Table<TidySession> = {
	names: ["kind", "id", "path", "bytes", "title"],
	fieldsOf: ({ kind, row }) => {
		return [cleanText(kind), idOf(row.id), onOneLine(row.path), cleanText(String(row.size)), sessionTitle(row)];
	},
};

function linesOf(kind: TidyKind, sessions: readonly TidySession[], shortened: typeof idOf): Line[] {
	const { name, rule } = TIDY_KINDS[kind];
	const bytes = sessions.reduce((sum, { row }) => sum + row.size, 0);
	const sum = `${formatCounted(sessions.length, "session")}, ${formatSize(bytes)}`;
	return [
		[strong(cleanText(name), "accent"), span(cleanText(`  ${sum}`)), span(cleanText(`  ${rule}`), "muted")],
		...sessions.map(({ row }): Line => {
			const directory = kind === "orphaned" ? `${sanitizeLine(shortenHome(row.cwd, homedir()))}  ` : "";
			return [
				span(cleanText(`  ${formatSize(row.size).padStart(7)}  `)),
				span(cleanText(`${shortened(row.id)}  ${directory}`), "muted"),
				span(sessionTitle(row)),
			];
		}),
	];
}
