import { TimeSlice } from "../../shared/steps.ts";
import { explain } from "../../store/files/store-error.ts";
import { parseJson } from "../../store/format/parse.ts";
import type { Change, Group, ProgramRun } from "../kinds/change.ts";
import { ChangeGatherer } from "./change-gatherer.ts";
import { JournalReader } from "./journal-reader.ts";
import type { JournalLine } from "./journal-schema.ts";

/** The changes of the journal that have been read, newest first. */
export interface HistoryPart {
	readonly changes: readonly Change[];
	readonly complete: boolean;
}

export type ChosenChanges = { readonly id: string } | { readonly group: Group };

/** Reads the journal from its end, as far back as is asked for, and what is appended meanwhile. */
export interface HistoryReader {
	/** Reads at least `count` changes, if there are that many. Rejects if the journal cannot be read. */
	read(count: number): Promise<HistoryPart>;
	/** Reads what has been appended. Rejects if the journal cannot be read. */
	update(): Promise<void>;
	get(id: string): Change | undefined;
	/** All changes of a group, newest first; reads as far back as the group may reach. Rejects like `read`. */
	group(group: Group): Promise<readonly Change[]>;
	/** The change of this id, which has been read, and those after it, newest first. */
	since(id: string): readonly Change[];
	/** Ids of the entries that the changes read so far, and undoing them, appended. */
	ownEntries(): ReadonlySet<string>;
}

/** Size of the first read: more changes than a screen shows. Each further one is twice as large. */
const FIRST_BYTES = 64 * 1024;
const MAX_BYTES = 1024 * 1024;
/** After this many changes in a row that are not of a group, none before them is. */
const MAX_GAP = 1000;

/** `root`: the directory that contains all sessions of the list. */
export function createHistoryReader(path: string, root: string, run: ProgramRun): HistoryReader {
	const reader = new JournalReader(path);
	let gatherer = new ChangeGatherer(root, run);
	/** Reads run one after the other, since each continues where the one before it stopped. */
	let reading: Promise<unknown> = Promise.resolve();

	async function readOn(count: number): Promise<void> {
		try {
			await readNewer();
			await readOlder(count);
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
		const { lines, isReplaced } = reader.added();
		// It was cut by an early version, or deleted: what is left is in a new file.
		if (isReplaced) {
			const { size } = gatherer;
			gatherer = new ChangeGatherer(root, run);
			await readOlder(size);
			return;
		}
		for (const line of await parseLines(lines)) gatherer.addNewer(line);
	}

	async function readOlder(count: number): Promise<void> {
		for (let length = FIRST_BYTES; gatherer.size < count && !reader.isAtStart; ) {
			const lines = reader.before(length);
			if (lines.length === 0) return;
			for (const line of await parseLines(lines)) gatherer.addOlder(line);
			length = Math.min(MAX_BYTES, 2 * length);
		}
	}

	return {
		read: (count) =>
			inTurn(async () => {
				await readOn(count);
				return { changes: gatherer.changes(), complete: reader.isAtStart };
			}),
		update: () => inTurn(() => readOn(0)),
		group: ({ id, count }) =>
			inTurn(async () => {
				await readOn(0);
				for (let lastCount = -1; ; ) {
					const changes = gatherer.changes();
					const members = changes.filter(({ group }) => group?.id === id);
					// There are fewer than `count` if some failed, or the person stopped the work.
					const gap = changes.length - 1 - changes.findLastIndex(({ group }) => group?.id === id);
					const isAll = members.length >= count || gap >= MAX_GAP || reader.isAtStart;
					// The file may be gone, so that nothing more is read.
					if (isAll || changes.length === lastCount) return members;
					lastCount = changes.length;
					await readOn(lastCount + MAX_GAP);
				}
			}),
		get: (id) => gatherer.get(id),
		since: (id) => gatherer.since(id),
		ownEntries: () => gatherer.ownEntries,
	};
}

/** The changes that a person has chosen, newest first, in their current state. Rejects like `HistoryReader.read`. */
export async function chosenChanges(of: ChosenChanges, history: HistoryReader): Promise<readonly Change[]> {
	if ("group" in of) return history.group(of.group);
	await history.update();
	const change = history.get(of.id);
	return change === undefined ? [] : [change];
}

/** The valid lines; lines of a newer version are skipped. Yields to the event loop now and then. */
async function parseLines(lines: readonly string[]): Promise<JournalLine[]> {
	// Loaded only when needed: zod is a third of the start-up time, and most runs undo nothing.
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
