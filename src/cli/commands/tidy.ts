import { homedir } from "node:os";
import { checkDirectories } from "../../app/features/maintenance/effects/find-destinations.ts";
import { compareFamilies } from "../../app/features/maintenance/effects/maintenance-effects.ts";
import { sessionGroups } from "../../app/features/maintenance/gone-groups.ts";
import { deletionWarnings } from "../../app/features/maintenance/maintenance-actions.ts";
import { TIDY } from "../../app/features/maintenance/maintenance-state.ts";
import {
	KEPT_REASONS,
	selectAllTidying,
	selectFamilies,
	type TidyGroup,
	type Tidying,
	type TidyKind,
	type TidySession,
} from "../../app/features/maintenance/tidy-groups.ts";
import { keptWords, kindWords, whyWords } from "../../app/features/maintenance/tidy-words.ts";
import { projectNames } from "../../app/world/list/projects.ts";
import type { State } from "../../app/world/state/state.ts";
import { indexPath } from "../../catalog/index/open-index.ts";
import { defaultCacheDir, findSessionRoots } from "../../catalog/model/session-roots.ts";
import { sessionTitle } from "../../conversation/entries/session-title.ts";
import { formatCounted, formatSize } from "../../ui/text/format.ts";
import { type Line, span, strong } from "../../ui/text/line.ts";
import { cleanText, sanitizeLine } from "../../ui/text/sanitize.ts";
import { cutLine } from "../../ui/text/width.ts";
import type { Given } from "../arguments/arguments.ts";
import { keepNurserySmallFor } from "../find/heap-flags.ts";
import { rowFilter } from "../find/row-filter.ts";
import { describeSessions, mentionJson } from "../find/session-json.ts";
import { EXIT, printJsonList, remarkToPerson, withProgressNote } from "../print/output.ts";
import { idOf, onOneLine, printListing, shortId, type Table } from "../print/table.ts";
import { deleteRows } from "./change/delete.ts";
import { type Engines, withEngines } from "./change/engines.ts";

/** Lists what may be deleted, and why, or moves it to the trash; returns the exit code. */
export async function tidy(given: Given): Promise<number> {
	keepNurserySmallFor(indexPath(defaultCacheDir(process.env, homedir())));
	return withEngines(await findSessionRoots({ sessionDirFlag: given.sessionDir }), async (engines) => {
		await engines.list("counted");
		await engines.store.checkUse([]);
		const state = await withProgressNote(review(engines, given), () => "Comparing forks …");
		const tidying = selectAllTidying(state);
		const groups = wanted(tidying, given);
		const sessions = groups.flatMap((group) => group.sessions);
		if (given.delete === true && sessions.length > 0) {
			const rows = sessions.map(({ row }) => row);
			return deleteRows(rows, engines, given, (_, going) => deletionWarnings(state, going));
		}
		await print(groups, state, given);
		// The counts of what is kept are about all sessions.
		const isAll = given.words.length === 0 && given.cwd === undefined;
		if (isAll && !given.json) remarkKept(tidying);
		return sessions.length === 0 ? EXIT.nothing : EXIT.ok;
	});
}

/** The state from which the browser's page is made, with the missing directories and the forks that another session contains. */
async function review(engines: Engines, { days }: Given): Promise<State> {
	const state = engines.state();
	const directories = sessionGroups(state.catalog.rows).map(({ key }) => key);
	const fates = await checkDirectories(directories, engines.disk.readDisk);
	const compared = await compareFamilies(selectFamilies(state), engines.store.readThread);
	return TIDY.with(state, { fates, compared, ...(days === undefined ? {} : { oldDays: days }) });
}

/** The kinds by the words of the command. */
const KINDS: Readonly<Record<string, TidyKind>> = {
	duplicates: "duplicate",
	empty: "empty",
	tiny: "tiny",
	orphaned: "orphaned",
	old: "old",
};

/** The requested groups, with the sessions that pass the options. */
function wanted({ groups }: Tidying, given: Given): readonly TidyGroup[] {
	const [choice] = given.words;
	const passes = rowFilter(given, Date.now());
	return groups.flatMap((group) => {
		if (choice !== undefined && KINDS[choice] !== group.kind) return [];
		const sessions = group.sessions.filter(({ row }) => passes(row));
		const bytes = sessions.reduce((sum, { row }) => sum + row.size, 0);
		return sessions.length === 0 ? [] : [{ ...group, sessions, bytes }];
	});
}

async function print(groups: readonly TidyGroup[], state: State, given: Given): Promise<void> {
	const sessions = groups.flatMap((group) => group.sessions);
	if (given.json) {
		const describe = await describeSessions([], given, state.catalog.counts);
		return printJsonList(sessions, ({ kind, row, within }) => {
			return { ...describe(row), kind, within: within === undefined ? null : mentionJson(within.path, within) };
		});
	}
	return printListing(sessions, TABLE, given.header, (columns) =>
		groups.flatMap((group) => groupLines(group, state)).map((line) => cutLine(line, columns)),
	);
}

function remarkKept({ kept }: Tidying): void {
	for (const reason of KEPT_REASONS) {
		const count = kept.get(reason) ?? 0;
		if (count > 0) remarkToPerson(keptWords(reason, count));
	}
}

/** For another program. */
const TABLE: Table<TidySession> = {
	names: ["kind", "id", "path", "bytes", "title"],
	fieldsOf: ({ kind, row }) => {
		return [cleanText(kind), idOf(row.id), onOneLine(row.path), cleanText(String(row.size)), sessionTitle(row)];
	},
};

function groupLines({ kind, sessions, bytes }: TidyGroup, state: State): Line[] {
	const { name, rule } = kindWords(kind, TIDY.of(state).oldDays);
	const sum = `${formatCounted(sessions.length, "session")}, ${formatSize(bytes)}`;
	const projects = projectNames(state.catalog.rows);
	return [
		[strong(cleanText(name), "accent"), span(cleanText(`  ${sum}`)), span(cleanText(`  ${rule}`), "muted")],
		...sessions.map((session): Line => {
			const { row } = session;
			const why = sanitizeLine(whyWords(session, projects, homedir(), Date.now()));
			return [
				span(cleanText(`  ${formatSize(row.size).padStart(7)}  `)),
				span(cleanText(`${shortId(row.id)}  ${why}  `), "muted"),
				span(sessionTitle(row)),
			];
		}),
	];
}
