import { mkdir, rmdir } from "node:fs/promises";
import type { SessionRow } from "../../../../catalog/model/row.ts";
import type { Machine } from "../../../../catalog/places/place.ts";
import type { Message } from "../../../../changes/answer.ts";
import { describeOutcome, eachSession } from "../../../../changes/engine/each-session.ts";
import { conversationLeaf } from "../../../../conversation/entries/leaf.ts";
import { sessionTitle, titleText } from "../../../../conversation/entries/session-title.ts";
import { type Excerpt, excerptName } from "../../../../conversation/markdown/excerpt.ts";
import { plainLine } from "../../../../conversation/markdown/plain-text.ts";
import { maskedLine } from "../../../../conversation/share/prepare-share.ts";
import { measured } from "../../../../conversation/share/share-markdown.ts";
import { join } from "../../../../shared/paths.ts";
import { errorCode, explain } from "../../../../store/files/store-error.ts";
import { isDamaged } from "../../../../store/format/diagnostic.ts";
import { readChecked } from "../../../../store/held/hold-session.ts";
import { numbered } from "../../../../store/write/text-file.ts";
import { formatCount, formatCounted, formatSize, shortenHome, sortableTime } from "../../../../ui/text/format.ts";
import { quote } from "../../../../ui/text/width.ts";
import type { Capabilities } from "../../../world/effects/capabilities.ts";
import { copyText } from "../../../world/effects/copy-text.ts";
import { maskExcerpt, remoteNote, type ShareFormat, saveShare } from "../../../world/effects/masked-share.ts";
import type { EffectOf } from "../../../world/effects/runners.ts";

type Tools = Pick<Capabilities, "disk" | "terminal" | "store">;

const ENDINGS: Readonly<Record<ShareFormat, string>> = { markdown: "md", html: "html" };

/** Saves an excerpt of the open session, masked, or copies it as Markdown. The message says where, and what was masked. */
export function shareExcerpt({ excerpt, to }: EffectOf<"share-excerpt">, tools: Tools): Promise<Message> {
	return handOut({ excerpt, path: excerpt.session.path }, `the ${excerpt.of}`, to, tools);
}

/** An excerpt of a session, and the path by which the session is listed. */
interface ListedExcerpt {
	readonly excerpt: Excerpt;
	readonly path: string;
}

async function handOut(
	{ excerpt, path: listed }: ListedExcerpt,
	name: string,
	to: ShareFormat | "clipboard",
	tools: Tools,
): Promise<Message> {
	const { savesTo, home } = tools.disk;
	const machine = tools.store.places.machineOf(listed);
	try {
		const masked = await maskExcerpt(excerpt, to === "clipboard" ? "markdown" : to, ownerOf(machine, home));
		const lines = [maskedLine(masked), ...(machine.place === undefined ? [] : [remoteNote(machine.place)])];
		const { pieces, note } = measured(masked.pieces);
		const notes = () => [...lines, to === "html" ? "" : note()].filter((line) => line !== "").join(" ");
		if (to === "clipboard") {
			const message = await copyText(pieces(), `${name} as Markdown`, tools);
			return { ...message, text: `${message.text}. ${notes()}` };
		}
		const { path, size } = await saveShare(excerpt, { ...masked, pieces }, { directory: savesTo, ending: ENDINGS[to] });
		return { text: `Saved ${name} as ${shortenHome(path, home)} (${formatSize(size)}). ${notes()}`, tone: "text" };
	} catch (error) {
		throw new Error(`Cannot ${to === "clipboard" ? "copy" : "save"} ${name}: ${explain(error)}`, { cause: error });
	}
}

function ownerOf({ home, place }: Machine, homeHere: string): Parameters<typeof maskExcerpt>[2] {
	return { home: home ?? homeHere, isRemote: place !== undefined };
}

interface SavedSession {
	/** Size of its file, in bytes. */
	readonly size: number;
	readonly isDamaged: boolean;
	/** The place of the other machine that it is on. */
	readonly place: string | undefined;
}

/**
 * Saves the conversation of each session, masked, from the first prompt to its leaf: one as a file, several in a new directory.
 * The message names the sessions that could not be read. Rejects if nothing can be written there.
 */
export async function shareSessions({ rows, to }: EffectOf<"share-sessions">, tools: Tools): Promise<Message> {
	const { disk, terminal } = tools;
	const [only] = rows;
	if (rows.length === 1 && only !== undefined) return shareOne(only, to, tools);
	if (to === "clipboard") throw new Error("Only one session can be copied at a time");
	const directory = await makeDirectory(disk.savesTo, dayOf(new Date(disk.clock()))).catch((error: unknown) => {
		throw new Error(`Cannot save the sessions in ${disk.savesTo}: ${explain(error)}`, { cause: error });
	});
	const one = (row: SessionRow): Promise<SavedSession> => saveSession(row, to, directory, tools);
	const each = { nameOf: (row: SessionRow) => quote(sessionTitle(row)), one };
	const outcome = await eachSession(rows, "Masking and saving", each, terminal.work);
	// Removes the directory if nothing was saved; `rmdir` fails if it is not empty.
	await rmdir(directory).catch(() => undefined);
	const changed = outcome.done.length;
	const bytes = outcome.done.reduce((sum, { size }) => sum + size, 0);
	const damaged = outcome.done.filter((saved) => saved.isDamaged).length;
	const where = `in ${shortenHome(directory, disk.home)} (${formatSize(bytes)})`;
	const done = changed === 0 ? "Nothing was saved" : `Saved ${formatCounted(changed, "session")} ${where}`;
	const [are, them] = damaged === 1 ? ["is", "its"] : ["are", "their"];
	const lost = damaged === 0 ? [] : [`${formatCount(damaged)} ${are} damaged: ${them} unreadable parts are left out`];
	const masked =
		changed === 0 ? [] : ["private data is masked where its form gives it away: read them before you share them"];
	const places = new Set(outcome.done.flatMap(({ place }) => place ?? []));
	const notes = [...lost, ...masked, ...remoteNotes(places)];
	const message = describeOutcome(outcome, { changed, done, left: "are left", notes });
	return damaged > 0 && message.tone === "text" ? { ...message, tone: "warning" } : message;
}

function remoteNotes(places: ReadonlySet<string>): readonly string[] {
	if (places.size === 0) return [];
	return [`secrets that only .env files on ${[...places].join(", ")} name are not masked`];
}

async function shareOne(row: SessionRow, to: ShareFormat | "clipboard", tools: Tools): Promise<Message> {
	const title = quote(sessionTitle(row));
	const { isLost, ...listed } = await readBranch(row, tools).catch((error: unknown) => {
		throw new Error(`Cannot read ${title}: ${explain(error)}`, { cause: error });
	});
	const message = await handOut(listed, title, to, tools);
	return isLost
		? { text: `${message.text} It is damaged: its unreadable parts are left out.`, tone: "warning" }
		: message;
}

async function saveSession(row: SessionRow, to: ShareFormat, directory: string, tools: Tools): Promise<SavedSession> {
	const { excerpt, path, isLost } = await readBranch(row, tools);
	const machine = tools.store.places.machineOf(path);
	const masked = await maskExcerpt(excerpt, to, ownerOf(machine, tools.disk.home));
	const name = `${dayOf(row.created)}-${excerptName({ ...excerpt, title: masked.title })}`;
	const { size } = await saveShare(excerpt, masked, { directory, name, ending: ENDINGS[to] });
	return { size, isDamaged: isLost, place: machine.place };
}

/** A session from its first prompt to its leaf. Every line is parsed, since a large session that is only held has not been checked. */
async function readBranch(
	row: SessionRow,
	{ store }: Pick<Tools, "store">,
): Promise<ListedExcerpt & { readonly isLost: boolean }> {
	const session = await readChecked(await store.places.fileOf(row.path));
	const entryId = conversationLeaf(session);
	if (entryId === undefined) throw new Error("there is nothing in it");
	const excerpt = { of: "branch", session, entryId, title: plainLine(titleText(row)) } as const;
	return { excerpt, path: row.path, isLost: isDamaged(session.diagnostics) };
}

/** Creates a directory that only this person can read, as sessions are: "pi-sessions-2026-11-21", "…-2". */
async function makeDirectory(parent: string, day: string): Promise<string> {
	for (let number = 1; ; number++) {
		const path = join(parent, numbered(`pi-sessions-${day}`, number));
		try {
			await mkdir(path, { mode: 0o700 });
			return path;
		} catch (error) {
			if (errorCode(error) !== "EEXIST") throw error;
		}
	}
}

/** "2026-11-21", local time; "undated" for an invalid date. */
function dayOf(date: Date): string {
	return sortableTime(date.getTime()).slice(0, 10) || "undated";
}
