import { homedir } from "node:os";
import type { Effect } from "../../../app/world/state/effect.ts";
import type { SessionRow } from "../../../catalog/model/row.ts";
import { findSessionRoots } from "../../../catalog/model/session-roots.ts";
import type { Note } from "../../../changes/answer.ts";
import { readTrash, type TrashItem } from "../../../changes/engine/read-trash.ts";
import type { RestoreItem } from "../../../changes/engine/restore-all.ts";
import { sessionTitle } from "../../../conversation/entries/session-title.ts";
import { messageOf } from "../../../shared/attempt.ts";
import { basename, resolve } from "../../../shared/paths.ts";
import { isThere } from "../../../store/files/paths.ts";
import { readHeader } from "../../../store/read/read-header.ts";
import {
	formatCount,
	formatCounted,
	formatDayTime,
	formatSize,
	formatTime,
	shortenHome,
	sortableTime,
	TIME_WIDTH,
} from "../../../ui/text/format.ts";
import { type Line, span } from "../../../ui/text/line.ts";
import { type CleanText, cleanText, sanitizeLine } from "../../../ui/text/sanitize.ts";
import { cutLine, quote } from "../../../ui/text/width.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { describeSessions } from "../../find/session-json.ts";
import { Sessions } from "../../find/sessions.ts";
import { candidateLines, EXIT, Mistake, note, printJsonList, withProgressNote } from "../../print/output.ts";
import { idOf, onOneLine, printCounted, shortIds, type Table } from "../../print/table.ts";
import { ask, carryOut, printChange, reportOutcome } from "./carry-out.ts";
import { type Engines, withEngines } from "./engines.ts";

export async function restore(args: Arguments): Promise<number> {
	return withEngines(await Sessions.of(args).roots(), async (engines) => {
		const items = await readTrash(engines.journal.history, engines.store.roots);
		return args.words.length === 0 ? printTrash(items, engines, args) : bringBack(items, engines, args);
	});
}

/** A session in the trash, with its id and title. */
interface ReadItem extends RestoreItem {
	readonly item: TrashItem;
	readonly id: string;
	/** As it was; undefined if it cannot be read. */
	readonly row?: SessionRow;
}

async function printTrash(all: readonly TrashItem[], engines: Engines, args: Arguments): Promise<number> {
	const items = all.slice(0, args.limit);
	const values: ReadItem[] = [];
	const readAll = async (): Promise<void> => {
		for (const item of items) values.push(await readItem(item, engines));
	};
	await withProgressNote(readAll(), () => `Reading: ${formatCount(values.length)} of ${formatCount(items.length)} …`);
	const bytes = all.reduce((sum, { size }) => sum + size, 0);
	const listing = {
		...{ values, total: all.length, table: TABLE },
		linesOf: (columns: number) => linesOf(values, shortIds(all.map(idOfItem)), columns),
		printJson: () => printItemsJson(values, args),
		sum: (few: string) => `${formatCounted(all.length, "session")} in the trash, ${formatSize(bytes)}${few}`,
	};
	return printCounted(listing, args);
}

async function readItem(item: TrashItem, { store }: Engines): Promise<ReadItem> {
	const { trashed, path } = item;
	if (trashed === undefined) return { item, id: idInName(path), title: basename(path) };
	try {
		const row = await store.readThread.run("scanRow", trashed.path);
		return { item, id: row.id, title: sessionTitle({ ...row, path }), row: { ...row, path } };
	} catch (error) {
		note(messageOf(error));
		return { item, id: idInName(path), title: basename(path) };
	}
}

/** Prints each session with the path that it had; one that cannot be read is only mentioned. */
async function printItemsJson(items: readonly ReadItem[], args: Arguments): Promise<void> {
	const rows = items.flatMap(({ item, row }) =>
		row === undefined || item.trashed === undefined ? [] : [{ ...row, path: item.trashed.path }],
	);
	const describe = await describeSessions(rows, args);
	return printJsonList(items, ({ item, id, title, row }) => {
		const { path, trashed, deletedMs, isOurs } = item;
		const session = row === undefined ? { path, id, title, cwd: "" } : describe(row, trashed?.path);
		const deleted = Number.isNaN(deletedMs) ? null : new Date(deletedMs);
		return { ...session, trashed: trashed?.path ?? null, deleted, fromHere: isOurs };
	});
}

const TABLE: Table<ReadItem> = { names: ["id", "path", "deleted", "bytes", "title"], fieldsOf };

function fieldsOf({ item, id, title }: ReadItem): CleanText[] {
	const when = cleanText(sortableTime(item.deletedMs));
	return [idOf(id), onOneLine(item.path), when, cleanText(String(item.size)), sanitizeLine(title)];
}

function linesOf(items: readonly ReadItem[], shortened: typeof idOf, columns: number): Line[] {
	return items.map(({ item, id, title }) => {
		const line = [
			span(`${formatTime(item.deletedMs, Date.now()).padEnd(TIME_WIDTH)}  `, "muted"),
			span(`${formatSize(item.size).padStart(7)}  `),
			span(cleanText(`${shortened(id)}  `), "muted"),
			span(sanitizeLine(title)),
		];
		return cutLine(line, columns);
	});
}

async function bringBack(all: readonly TrashItem[], engines: Engines, args: Arguments): Promise<number> {
	const chosen = new Map<string, ReadItem>();
	for (const word of args.words) {
		const item = findItem(word, all);
		chosen.set(item.key, await readItem(item, engines));
	}
	const items = [...chosen.values()];
	const effect = await ask(restoreQuestion(items), args.yes === true);
	if (effect === undefined) return EXIT.nothing;
	const outcome = await carryOut(effect, engines, args.yes === true);
	const leftPaths: string[] = [];
	for (const { item } of items)
		if (item.trashed === undefined || (await isThere(item.trashed.path))) leftPaths.push(item.path);
	await printChange(args.json, outcome, { restored: engines.changed(), left: leftPaths });
	const code = reportOutcome(outcome);
	return code === EXIT.ok && leftPaths.length > 0 ? EXIT.failed : code;
}

function restoreQuestion(items: readonly ReadItem[]) {
	const [first, ...others] = items;
	const title =
		first !== undefined && others.length === 0
			? `Restore ${quote(first.title)} from the trash?`
			: `Restore ${formatCounted(items.length, "session")} from the trash?`;
	const body = items.map(
		({ item, title }): Note => ({ text: `${title}  ${shortenHome(item.path, homedir())}`, shape: "row" }),
	);
	const effect: Effect = { type: "restore-all", items, beside: false };
	return { title, body, choices: [{ label: "Restore", effect }, { label: "Cancel" }], danger: false };
}

/** Finds the session in the trash by its id or the beginning of it, or by the path that the file had or has. */
function findItem(word: string, all: readonly TrashItem[]): TrashItem {
	const isPath = /[/\\]|\.jsonl$/.test(word);
	const path = resolve(word);
	const matches = all.filter((item) =>
		isPath ? item.path === path || item.key === path : idOfItem(item).startsWith(word) && word !== "",
	);
	const [first, ...others] = matches;
	if (first === undefined) throw new Mistake(`${word} is not in the trash; pi-grove restore lists what is`);
	if (others.length === 0) return first;
	throw new Mistake(`${matches.length} sessions in the trash match ${word}; name one by its path there:`, () =>
		candidateLines(matches, ({ key, deletedMs }) => `${key}  ${formatDayTime(deletedMs, Date.now())}`),
	);
}

function idOfItem({ path, trashed }: TrashItem): string {
	return (trashed && readHeader(trashed.path)?.id) || idInName(path);
}

/** pi puts the id into the file name. */
function idInName(path: string): string {
	return basename(path, ".jsonl").replace(/^[^_]*_/, "");
}

export async function undo({ words: [change], sessionDir, yes = false, json }: Arguments): Promise<number> {
	return withEngines(await findSessionRoots({ sessionDir }), async (engines) => {
		const effect: Effect = change === undefined ? { type: "undo" } : await findChange(change, engines);
		const outcome = await carryOut(effect, engines, yes);
		const changed = engines.changed();
		await printChange(json, outcome, { undone: outcome.message?.tone === "text", changed });
		const code = reportOutcome(outcome);
		return code === EXIT.ok && outcome.message?.tone === "muted" ? EXIT.nothing : code;
	});
}

/** The effect that undoes the change, or the group, whose id begins with `typed`. Rejects when the journal cannot be read. */
async function findChange(typed: string, { journal }: Engines): Promise<Effect> {
	const { changes } = await journal.history.read(Number.MAX_SAFE_INTEGER);
	const groups = new Map(changes.flatMap(({ group }) => (group === undefined ? [] : [[group.id, group] as const])));
	const matches = [...groups.keys(), ...changes.map(({ id }) => id)].filter((id) => id.startsWith(typed));
	const [id, ...others] = matches;
	if (id === undefined)
		throw new Mistake(`no change of the history has an id that begins with ${typed}; see pi-grove history`);
	if (others.length > 0)
		throw new Mistake(`${matches.length} changes have an id that begins with ${typed}; type more of it`);
	const group = groups.get(id);
	return { type: "undo", of: group === undefined ? { id } : { group } };
}
