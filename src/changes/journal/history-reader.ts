import { TimeSlice } from "../../shared/time-slice.ts";
import { explain } from "../../store/files/store-error.ts";
import type { Change } from "./change.ts";
import { ChangeGatherer } from "./change-gatherer.ts";
import { JournalReader } from "./journal-reader.ts";
import type { Group, JournalLine, Run } from "./journal-schema.ts";

/** The changes that the journal tells of, as far as they have been read: newest first. */
export interface HistoryPart {
	readonly changes: readonly Change[];
	/** Whether these are all. */
	readonly complete: boolean;
}

/** A change of the journal, by its id, or all of a group, as many as there are by the time that it is done. */
export type ChosenChanges = { readonly id: string } | { readonly group: Group };

/** Reads the journal from its end, as far back as somebody looks. */
export interface HistoryReader {
	/** What was added since, and at least so many changes, if there are. Rejects when the journal cannot be read. */
	read(wanted: number): Promise<HistoryPart>;
	/** Reads what was added since. Rejects when the journal cannot be read. */
	update(): Promise<void>;
	/** A change that has been read. */
	get(id: string): Change | undefined;
	/** All changes of a group, newest first; reads older ones as long as there may be some of it. Rejects like `read`. */
	group(group: Group): Promise<readonly Change[]>;
	/** A change that has been read and those after it, newest first. */
	since(id: string): readonly Change[];
	/** Ids of the entries that were appended by what has been read. */
	ownEntries(): ReadonlySet<string>;
}

/** Bytes of the first piece: more changes than a screen shows. */
const FIRST_BYTES = 64 * 1024;
const MOST_BYTES = 1024 * 1024;
/** Where so many changes in a row are none of a group, those before them are none of it either. */
const GAP = 1000;

/** `root`: the directory that contains all sessions of the list. */
export function createHistoryReader(path: string, root: string, run: Run): HistoryReader {
	const reader = new JournalReader(path);
	let gatherer = new ChangeGatherer(root, run);
	/** One reading after the other, since each goes on where the one before it has stopped. */
	let reading: Promise<unknown> = Promise.resolve();

	async function readOn(wanted: number): Promise<void> {
		try {
			await readNewer();
			await readOlder(wanted);
		} catch (error) {
			throw new Error(`the undo journal cannot be read: ${explain(error)}. Path: ${path}`, { cause: error });
		}
	}

	function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
		const mine = reading.then(work);
		reading = mine.catch(() => undefined);
		return mine;
	}

	async function readNewer(): Promise<void> {
		const { lines, isAnew } = reader.added();
		// It was cut: what stays of it stands in another file.
		if (isAnew) {
			const { size } = gatherer;
			gatherer = new ChangeGatherer(root, run);
			await readOlder(size);
			return;
		}
		for (const line of await parseLines(lines)) gatherer.addNewer(line);
	}

	async function readOlder(wanted: number): Promise<void> {
		for (let length = FIRST_BYTES; gatherer.size < wanted && !reader.isAtStart; ) {
			const lines = reader.before(length);
			if (lines.length === 0) return;
			for (const line of await parseLines(lines)) gatherer.addOlder(line);
			length = Math.min(MOST_BYTES, 2 * length);
		}
	}

	return {
		read: (wanted) =>
			inTurn(async () => {
				await readOn(wanted);
				return { changes: gatherer.changes(), complete: reader.isAtStart };
			}),
		update: () => inTurn(() => readOn(0)),
		group: ({ id, count }) =>
			inTurn(async () => {
				await readOn(0);
				for (;;) {
					const changes = gatherer.changes();
					const found = changes.filter(({ group }) => group?.id === id);
					// Fewer, where some of them failed, or the person has stopped it.
					const gap = changes.length - 1 - changes.findLastIndex(({ group }) => group?.id === id);
					if (found.length >= count || gap >= GAP || reader.isAtStart) return found;
					await readOn(changes.length + GAP);
				}
			}),
		get: (id) => gatherer.get(id),
		since: (id) => gatherer.since(id),
		ownEntries: () => gatherer.ownEntries,
	};
}

/** The changes that a person has chosen, newest first, with what other windows have done since. Rejects like `read`. */
export async function chosenChanges(of: ChosenChanges, history: HistoryReader): Promise<readonly Change[]> {
	if ("group" in of) return history.group(of.group);
	await history.update();
	const change = history.get(of.id);
	return change === undefined ? [] : [change];
}

/** The lines that are valid; between some of them the event loop turns. One that a newer version wrote is skipped. */
async function parseLines(lines: readonly string[]): Promise<JournalLine[]> {
	// Loaded when needed: zod is a third of the start-up time, and most runs undo nothing.
	const { JournalLineSchema } = await import("./journal-schema.ts");
	const valid: JournalLine[] = [];
	const slice = new TimeSlice();
	for (const line of lines) {
		const parsed = JournalLineSchema.safeParse(parseJson(line));
		if (parsed.success) valid.push(parsed.data);
		if (slice.shouldYield()) await slice.yieldToEventLoop();
	}
	return valid;
}

function parseJson(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		// Not a journal line: the schema rejects undefined.
		return undefined;
	}
}
