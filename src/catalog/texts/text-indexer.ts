import { closeSync, fstatSync, openSync } from "node:fs";
import { MAX_LINE_BYTES } from "../../store/lines.ts";
import { parseLine, type RawEntry } from "../../store/parse.ts";
import type { StoredText, TextState, TextTable } from "../index/text-table.ts";
import { FullCheck } from "../numbers/full-check.ts";
import { countAbandoned, countBytes, countSpending, emptyStats } from "../numbers/session-stats.ts";
import { extractSegments } from "../query/extract.ts";
import { TIERS, type Tier } from "../query/kinds.ts";
import type { SessionRow } from "../row.ts";
import { prefixMark } from "../scan/prefix-mark.ts";
import { readLinesSteps, type ScannedLine } from "../scan/read-lines.ts";
import { emptyState, gatherEntry, type RowState, rowOf } from "../scan/row-state.ts";
import { settledState } from "../scan/scan-file.ts";
import { BLOCK_BYTES, type Block } from "./block.ts";
import { BlockBuilder } from "./block-builder.ts";
import { EntryList } from "./entry-list.ts";

/** Blocks are stored when so many have come together. */
const BLOCKS_AT_ONCE = 8;

const FRESH: TextState = { offset: 0, lines: 0, mark: "", last: { 0: -1, 1: -1, 2: -1 }, titled: false };

/** What was found out about a session while its text was stored. */
export interface IndexedText {
	/** The file as it was read. */
	readonly size: number;
	readonly mtimeMs: number;
	/** The row, from parsing every line; undefined when only an appended part was read, or the session is very large. */
	readonly row: SessionRow | undefined;
	readonly state: RowState;
}

/**
 * Stores the searchable text of one session: all of it, or what was appended since the last time. In steps, because a
 * large session takes seconds. Lines that cannot be read are left out.
 */
export function* indexTextSteps(
	table: TextTable,
	session: number,
	path: string,
	buffer: Buffer,
): Generator<void, IndexedText, undefined> {
	const stored = table.stored(session);
	const grown = stored && stored.state.mark !== "" && prefixMark(path, stored.state.offset) === stored.state.mark;
	if (!grown) table.clear(session);
	const fd = openSync(path, "r");
	try {
		const { size, mtimeMs } = fstatSync(fd);
		const collector = new TextCollector(table, session, grown ? stored : undefined);
		const { offset: from } = collector.state;
		const onLine = (line: ScannedLine) => collector.take(line);
		for (const _step of readLinesSteps(fd, { from, to: size, buffer, wanted: () => true, onLine })) {
			collector.storeIfMany();
			yield;
		}
		collector.finish(path, { size, mtimeMs });
		const diagnostics = grown ? undefined : yield* collector.check.finish(size);
		const row = diagnostics && rowOf(path, collector.shown, { size, mtimeMs }, diagnostics);
		return { size, mtimeMs, row, state: settledState(collector.settled, diagnostics ?? []) };
	} finally {
		closeSync(fd);
	}
}

class TextCollector {
	readonly check = new FullCheck();
	/** What the list shows, up to the last whole line. */
	readonly settled = emptyState();
	/** The same with a last line that is not finished. */
	shown: RowState = this.settled;
	readonly #table: TextTable;
	readonly #session: number;
	readonly #entries: EntryList;
	readonly #stats: StoredText["stats"];
	readonly #builders: readonly BlockBuilder[];
	readonly #last: Record<Tier, number>;
	#full: { tier: Tier; seq: number; block: Block }[] = [];
	#state: TextState;

	constructor(table: TextTable, session: number, stored: StoredText | undefined) {
		this.#table = table;
		this.#session = session;
		this.#state = stored?.state ?? FRESH;
		this.#stats = stored?.stats ?? emptyStats();
		this.#entries = stored ? table.entries(session) : new EntryList();
		this.#last = { ...this.#state.last };
		this.#builders = TIERS.map((tier) => this.#builder(tier));
	}

	get state(): TextState {
		return this.#state;
	}

	/** Takes a line; one that is not finished is left for the next time. */
	take(line: ScannedLine): void {
		const { length, offset, terminated } = line;
		const number = this.#state.lines + 1;
		const bytes = length > MAX_LINE_BYTES ? undefined : line.bytes.subarray(line.start, line.end);
		const entry = parseLine({ number, offset, bytes, length, terminated }, this.check.diagnostics);
		if (entry) this.check.add(entry, number);
		if (!terminated) this.shown = { ...this.settled };
		this.shown.lines = number;
		if (entry) gatherEntry(this.shown, entry);
		if (!terminated) return;
		this.settled.offset = offset + length + 1;
		this.#state = { ...this.#state, lines: number, offset: offset + length + 1 };
		countBytes(this.#stats, entry, length + 1);
		if (entry) this.#takeEntry(entry, number, offset);
	}

	storeIfMany(): void {
		if (this.#full.length >= BLOCKS_AT_ONCE) this.#store();
	}

	finish(path: string, file: { readonly size: number; readonly mtimeMs: number }): void {
		for (const builder of this.#builders) builder.end();
		this.#store();
		this.#entries.resolve();
		countAbandoned(this.#stats, this.#entries);
		const mark = prefixMark(path, this.#state.offset);
		const state = { ...this.#state, mark, last: this.#last };
		this.#table.finish(this.#session, file, this.#entries, { state, stats: this.#stats });
	}

	#takeEntry(entry: RawEntry, line: number, offset: number): void {
		if (entry.type === "session") {
			const { parentSession, timestamp } = entry;
			if (typeof parentSession === "string" && typeof timestamp === "string")
				this.#state = { ...this.#state, forkedAt: timestamp };
		} else {
			const { forkedAt } = this.#state;
			const copied = forkedAt !== undefined && typeof entry.timestamp === "string" && entry.timestamp < forkedAt;
			const { cost, tokens } = copied ? { cost: 0, tokens: 0 } : countSpending(this.#stats, entry);
			this.#entries.add({ id: entry.id, parentId: entry.parentId, line, offset, cost, tokens });
		}
		for (const segment of extractSegments(entry)) {
			const title = segment.kind === "user" && !this.#state.titled;
			if (title) this.#state = { ...this.#state, titled: true };
			const tool = segment.tool ? this.#table.toolNumber(segment.tool) : 0;
			for (const builder of this.#builders) builder.add(title ? { ...segment, kind: "title" } : segment, line, tool);
		}
	}

	#builder(tier: Tier): BlockBuilder {
		const builder = new BlockBuilder(tier, (block) => {
			this.#last[tier] += 1;
			this.#full.push({ tier, seq: this.#last[tier], block });
		});
		const unfinished = this.#last[tier] < 0 ? undefined : this.#table.block(this.#session, tier, this.#last[tier]);
		// A session that grows line by line must not end as a block for each line; a full block is left alone.
		if (unfinished && unfinished.text.length < BLOCK_BYTES[tier] / 4) {
			this.#last[tier] -= 1;
			builder.resume(unfinished);
		}
		return builder;
	}

	#store(): void {
		this.#table.putBlocks(this.#session, this.#full);
		this.#full = [];
	}
}
