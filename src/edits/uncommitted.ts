import { existsSync, realpathSync } from "node:fs";
import { findRepository } from "../catalog/git/git-repository.ts";
import type { SessionRow } from "../catalog/model/row.ts";
import { RipgrepError } from "../catalog/search/find-ripgrep.ts";
import { attempt } from "../shared/attempt.ts";
import { basename, join, nameFrom } from "../shared/paths.ts";
import { TimeSlice } from "../shared/steps.ts";
import { readHeld } from "../store/held/hold-session.ts";
import type { Session } from "../store/read/read-session.ts";
import { formatCounted } from "../ui/text/format.ts";
import { type DifferingFile, differingFiles } from "./differing-files.ts";
import { mayHaveChanged } from "./files-at.ts";
import { sessionsNaming } from "./find-edits.ts";
import { type GitReason, isReason } from "./git-process.ts";
import { nameCommands } from "./known.ts";
import type { Ledger } from "./ledger.ts";
import type { FileEvent } from "./ledger-events.ts";
import { contentOf, LineHistory, type LineOrigin, linesWithEnds, plainText } from "./lines.ts";
import { openLedger, rowsNear } from "./open-ledger.ts";
import { Repository } from "./repository.ts";
import type { SessionEvent } from "./session-events.ts";
import type { Track, Version } from "./text-at.ts";
import { type WovenLine, wovenLines } from "./woven-lines.ts";

/** Who changed something; without a step, no session did: a person, or a program of theirs. */
export interface Maker {
	readonly step: SessionEvent | undefined;
	/** "likely": `why` says who else it may have been. */
	readonly answer: "exact" | "likely";
	readonly why: string;
}

/** A file that differs from HEAD, and who changed what. */
export interface UncommittedFile extends DifferingFile {
	/** All lines of both texts; each that was changed has a maker. */
	readonly lines: readonly WovenLine<Maker>[];
	/** Who made or removed the file, or changed what has no lines: its mode, or a file that is no text. */
	readonly maker: Maker;
}

export interface Uncommitted {
	/** In the order of their names. */
	readonly files: readonly UncommittedFile[];
	/** The top of the repository. */
	readonly root: string;
	/** What could not be read: one sentence each. */
	readonly unread: readonly string[];
}

interface UncommittedOptions {
	/** All sessions of this machine. */
	readonly rows: readonly SessionRow[];
	readonly home: string;
	readonly slice?: TimeSlice;
}

/** More names are not searched for in sessions of other directories. */
const MOST_NAMES = 500;

/**
 * Finds what differs from HEAD in the repository of a directory, and who changed it: tracked files, and new ones that sessions made.
 * The reason if Git cannot tell; undefined outside of a repository.
 */
export async function uncommittedIn(
	directory: string,
	{ rows, home, slice = new TimeSlice() }: UncommittedOptions,
): Promise<Uncommitted | GitReason | undefined> {
	const repository = await Repository.open(directory);
	if (repository === undefined || isReason(repository)) return repository;
	let ledger: Ledger | undefined;
	try {
		const head = await repository.resolve("HEAD");
		const isBorn = !isReason(head);
		if (!isBorn && head.reason !== "nothing is committed yet") return head;
		const tree = isBorn ? await repository.tree(head) : new Map<string, never>();
		if (isReason(tree)) return tree;
		const unread: string[] = [];
		const differing: DifferingFile[] = [];
		const compare = async (names: Iterable<string>): Promise<void> => {
			for await (const file of differingFiles(repository, tree, names, slice)) {
				if (isReason(file)) unread.push(file.reason);
				else differing.push(file);
			}
		};
		await compare(tree.keys());
		const { top } = repository;
		const directories = [...new Set([top, ...((await findRepository(top)) ?? [])])];
		const [own, ...together] = await sessionsOf(differing, directories, rows, unread);
		const opened = own && (await openLedger(own, { home, rows, together, directories, slice }));
		ledger = opened?.ledger;
		unread.push(...(opened?.unread ?? []));
		const ground = ledger?.grounds.all.find((one) => realOf(one.top) === realOf(top));
		const newPaths = (ledger?.paths ?? []).filter(
			(path) => ground !== undefined && ledger?.grounds.of(path) === ground && ledger.eventsOf(path).some(leftText),
		);
		await compare(newPaths.map((path) => nameFrom(path, ground?.top ?? top)).filter((name) => !tree.has(name)));
		differing.sort((one, other) => (one.name < other.name ? -1 : 1));
		const files: UncommittedFile[] = [];
		for (const file of differing) {
			if (slice.shouldYield()) await slice.yieldToEventLoop();
			const paths = [ground?.top ?? top, ...directories].map((one) => join(one, file.name));
			files.push(ledger === undefined ? unknownFile(file) : await authoredFile(ledger, file, [...new Set(paths)]));
		}
		// Where only a part is checked out, nobody removed the rest.
		const isSparse = existsSync(join(repository.gitDir, "info", "sparse-checkout"));
		const isLeftOut = ({ after, maker }: UncommittedFile): boolean =>
			isSparse && after === undefined && maker.step === undefined;
		return { files: files.filter((file) => !isLeftOut(file)), root: top, unread };
	} finally {
		repository.close();
		ledger?.grounds.close();
	}
}

/** The oldest session of the repository that can be read, then those of other directories that name its files. */
async function sessionsOf(
	files: readonly DifferingFile[],
	directories: readonly string[],
	rows: readonly SessionRow[],
	unread: string[],
): Promise<readonly Session[]> {
	const near = rowsNear(rows, directories);
	const paths: string[] = [];
	let oldest: Session | undefined;
	for (const { path } of near) {
		// Those that cannot be read are told with the ledger.
		oldest = await readHeld(path).catch(() => undefined);
		if (oldest !== undefined) break;
	}
	const names = [...new Set(files.map(({ name }) => basename(name)))];
	const elsewhere = rows.filter((row) => row.place === undefined && !near.includes(row));
	if (names.length > 0 && names.length <= MOST_NAMES)
		try {
			const naming = await sessionsNaming(elsewhere, names, {});
			paths.push(...naming.paths);
			unread.push(...naming.unread);
		} catch (error) {
			if (!(error instanceof RipgrepError)) throw error;
			unread.push(`only sessions of this repository were asked: ${error.message}`);
		}
	const sessions = await Promise.all(paths.map((path) => readHeld(path).catch(() => undefined)));
	return [oldest, ...sessions].filter((session) => session !== undefined);
}

function realOf(path: string): string {
	return attempt(() => realpathSync(path)) ?? path;
}

/** Whether an event left another text: one that only names the file, stashes it or commits everything did not. */
function leftText(event: FileEvent): boolean {
	return mayHaveChanged(event) && !["clean", "named", "stashed"].includes(event.what.kind);
}

const NOBODY: Maker = { step: undefined, answer: "exact", why: "no session is known to have changed it" };

function unknownFile(file: DifferingFile): UncommittedFile {
	const lines = file.isText ? wovenLines(linesWithEnds(file.before ?? ""), linesWithEnds(file.after ?? ""), []) : [];
	return { ...file, lines: lines.map((line) => ({ ...line, by: NOBODY })), maker: NOBODY };
}

/** A text that a file had, and who made it so. */
interface Held {
	readonly text: string | undefined;
	readonly lines: readonly string[];
	readonly by: Maker;
	readonly event: FileEvent | undefined;
}

/** `paths`: the file, then the same in other worktrees. */
async function authoredFile(ledger: Ledger, file: DifferingFile, paths: readonly string[]): Promise<UncommittedFile> {
	const [path = ""] = paths;
	await ledger.prepare(paths);
	const { before, after, modes } = file;
	const isConverted = before !== undefined && !before.includes("\r\n") && after?.includes("\r\n") === false;
	const texts = heldBy(ledger, ledger.track(path), isConverted);
	const start = texts.findLastIndex(({ text }) => text === before);
	const since = texts.slice(
		start === -1
			? Math.max(
					0,
					texts.findLastIndex(({ event }) => event?.what.kind === "head"),
				)
			: start + 1,
	);
	const madeAt = texts.findLastIndex(({ text }) => (text === undefined) !== (after === undefined)) + 1;
	const mode = texts.findLast(({ event }) => event?.what.kind === "mode");
	const isMode = before !== undefined && after !== undefined && file.isText;
	const last = texts.findLast(({ event, by }) => by.step !== undefined && event !== undefined && leftText(event));
	const maker = (isMode ? mode : file.isText ? texts[madeAt] : last)?.by ?? NOBODY;
	if (!file.isText || (isMode && before === after && modes.before !== modes.after))
		return { ...file, lines: [], maker };
	// Of the first text that is not that of HEAD, it is not known which of its lines who changed.
	const versions = since.map(({ lines, by }, index) => ({ lines, by: start === -1 && index === 0 ? undefined : by }));
	const woven = wovenLines(linesWithEnds(before ?? ""), linesWithEnds(after ?? ""), versions);
	const origins = after === undefined ? [] : new LineHistory(ledger, paths).originsOf(path, after);
	const lines = woven.map((line): WovenLine<Maker> => {
		if (line.side === "same") return line;
		if (after === undefined) return { ...line, by: maker };
		const written = line.side === "added" ? writer(origins[line.at]) : undefined;
		return { ...line, by: written ?? line.by ?? changerOf(line, since, texts) };
	});
	ledger.forget();
	return { ...file, lines, maker };
}

/** All texts that a file is known to have had, each once until the next. */
function heldBy(ledger: Ledger, track: Track, isConverted: boolean): readonly Held[] {
	track.at(Number.POSITIVE_INFINITY);
	const all: Held[] = [];
	let previous: Version | undefined;
	for (const version of track.versions) {
		const { event } = version;
		const content = contentOf(track, version);
		if (content === "unknown") continue;
		const text = isConverted ? content?.replaceAll("\r\n", "\n") : content;
		const isNew = all.length === 0 || all.at(-1)?.text !== text || event?.what.kind === "mode";
		const hasSameForm = (): boolean => plainText(all.at(-1)?.text ?? "") === plainText(text ?? "");
		if (isNew) {
			const by = makerOf(ledger, track, { version, previous, hasSameForm });
			all.push({ text, lines: linesWithEnds(text ?? ""), by, event });
		}
		previous = version;
	}
	return all;
}

interface Versions {
	readonly version: Version;
	readonly previous: Version | undefined;
	/** Whether they differ in nothing that formatters leave. */
	readonly hasSameForm: () => boolean;
}

/** Who made a version of the one before. */
function makerOf(ledger: Ledger, track: Track, { version, previous, hasSameForm }: Versions): Maker {
	const { event, order } = version;
	const step = event?.step;
	if (event !== undefined && step !== undefined && leftText(event)) {
		const isSure = step.act.kind !== "perhaps";
		return {
			step,
			answer: isSure ? "exact" : "likely",
			why: isSure ? "this session changed it" : "whether its change was made is not known",
		};
	}
	const { named, any } = ledger.maysBetween(track.path, previous?.chain.order ?? -1, order);
	// The words of a formatter seldom name its files, and a person seldom changes only their form.
	const suspects = hasSameForm() ? [...named, ...any] : named;
	const last = suspects.findLast(({ step: of }) => of?.act.kind === "command")?.step;
	if (last !== undefined)
		return {
			step: last,
			answer: "likely",
			why: `it was changed while a command ran (${nameCommands(suspects)}), or by hand`,
		};
	if (any.length === 0) return NOBODY;
	return {
		...NOBODY,
		answer: "likely",
		why: `${formatCounted(any.length, "command")} ran meanwhile that may have changed it`,
	};
}

/** The session that wrote a line, if one did. */
function writer(origin: LineOrigin | undefined): Maker | undefined {
	if (origin?.kind !== "step") return undefined;
	const { step, since } = origin;
	if (since === "kept") return { step, answer: "exact", why: "this session changed it" };
	const why = since === "reformatted" ? "reformatted since" : "it was removed and put back, by whom is not known";
	return { step, answer: "likely", why };
}

/** Who changed a line, where no version between the texts says so: the last that has it, or has it no more, since another. */
function changerOf({ text, side }: WovenLine<Maker>, since: readonly Held[], held: readonly Held[]): Maker {
	for (const all of [since, held]) {
		const at = all.findLastIndex(({ lines }) => lines.includes(text) === (side === "removed"));
		const next = at === -1 ? undefined : all[at + 1];
		if (next !== undefined) return next.by;
	}
	return NOBODY;
}
