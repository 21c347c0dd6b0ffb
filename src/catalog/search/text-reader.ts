import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite";
import { fold } from "../query/fold.ts";
import { TIERS, type Tier } from "../query/kinds.ts";
import type { Query } from "../query/parse-query.ts";
import { type Block, unpackSegments, unpackText } from "../texts/block.ts";
import { EntryList } from "../texts/entry-list.ts";
import type { BlockFilter } from "./candidates.ts";
import type { ToolTest } from "./match-block.ts";

/** A session whose text is stored. */
export interface SearchableSession {
	readonly id: number;
	readonly path: string;
	readonly modified: number;
	/** Changes whenever the session's text is stored anew. */
	readonly version: string;
}

/** What can be searched. */
export interface Searchable {
	/** With stored text, newest first. */
	readonly sessions: readonly SearchableSession[];
	/** How many of them are stored to their end. */
	readonly stored: number;
	/** How many sessions there are in all. */
	readonly total: number;
}

/** A block and where it belongs. */
export interface PlacedBlock {
	readonly session: number;
	readonly seq: number;
	readonly block: LazyBlock;
}

interface Current {
	/** Changes when another connection has written to the index. */
	readonly version: number;
	readonly searchable: Searchable;
	readonly headlines: readonly PlacedBlock[];
}

/** Which of the sessions one of several threads searches: those whose number leaves this remainder. */
export interface Share {
	readonly part: number;
	/** How many threads there are. */
	readonly parts: number;
}

/** Reads what the search needs from the index. */
export class TextReader {
	readonly #db: DatabaseSync;
	readonly #place: string;
	readonly #share: Share;
	#kept: Current | undefined;
	readonly #filters: StatementSync;
	readonly #block: readonly StatementSync[];
	readonly #blocks: readonly StatementSync[];

	constructor(db: DatabaseSync, place: string, share: Share) {
		this.#db = db;
		this.#place = place;
		this.#share = share;
		this.#filters = db.prepare("SELECT seq, bits FROM block_filter WHERE tier = ? AND session = ?");
		this.#blocks = TIERS.map((tier) =>
			db.prepare(`SELECT seq, segments, text FROM block${tier} WHERE session = ? ORDER BY seq`),
		);
		this.#block = TIERS.map((tier) =>
			db.prepare(`SELECT segments, text FROM block${tier} WHERE session = ? AND seq = ?`),
		);
	}

	/** What is needed with every key, read again only when the index has changed. */
	#current(): Current {
		const version = Number(this.#db.prepare("PRAGMA data_version").get()?.data_version);
		if (this.#kept?.version !== version) {
			this.#kept = { version, searchable: this.#readSessions(), headlines: this.#readHeadlines() };
		}
		return this.#kept;
	}

	/** The sessions of this thread's share; the counts are of all. */
	sessions(): Searchable {
		return this.#current().searchable;
	}

	/** All blocks of tier 0 of the share; they are short. */
	headlines(): readonly PlacedBlock[] {
		return this.#current().headlines;
	}

	#readSessions(): Searchable {
		const sql = `SELECT id, path, modified, text_size, text_mtime, text_size = size AND text_mtime = mtime AS fresh
			FROM session WHERE place = ? ORDER BY modified DESC`;
		const sessions: SearchableSession[] = [];
		let total = 0;
		let stored = 0;
		for (const record of this.#db.prepare(sql).iterate(this.#place)) {
			total += 1;
			stored += Number(record.fresh);
			if (Number(record.text_size) < 0 || Number(record.id) % this.#share.parts !== this.#share.part) continue;
			sessions.push(sessionOf(record));
		}
		return { sessions, stored, total };
	}

	sessionAt(path: string): SearchableSession | undefined {
		const sql = "SELECT id, path, modified, text_size, text_mtime FROM session WHERE place = ? AND path = ?";
		const record = this.#db.prepare(sql).get(this.#place, path);
		return record && sessionOf(record);
	}

	/** The filters of a session's blocks in a tier, in order. */
	filters(session: number, tier: Tier): BlockFilter[] {
		const filters: BlockFilter[] = [];
		for (const { seq, bits } of this.#filters.iterate(tier, session)) {
			if (bits instanceof Uint8Array) filters.push({ seq: Number(seq), bits });
		}
		return filters;
	}

	block(session: number, tier: Tier, seq: number): LazyBlock | undefined {
		return blockOf(tier, this.#block[tier]?.get(session, seq));
	}

	/** All blocks of one session in a tier. */
	blocksOf(session: number, tier: Tier): { readonly seq: number; readonly block: LazyBlock }[] {
		const blocks: { seq: number; block: LazyBlock }[] = [];
		for (const record of this.#blocks[tier]?.iterate(session) ?? []) {
			const block = blockOf(tier, record);
			if (block) blocks.push({ seq: Number(record.seq), block });
		}
		return blocks;
	}

	#readHeadlines(): PlacedBlock[] {
		const { part, parts } = this.#share;
		const headlines: PlacedBlock[] = [];
		const statement = this.#db.prepare("SELECT session, seq, segments, text FROM block0 WHERE session % ? = ?");
		for (const record of statement.iterate(parts, part)) {
			const block = blockOf(0, record);
			if (block) headlines.push({ session: Number(record.session), seq: Number(record.seq), block });
		}
		return headlines;
	}

	entries(session: number): EntryList {
		const list = this.#db.prepare("SELECT list FROM entries WHERE session = ?").get(session)?.list;
		return list instanceof Uint8Array ? EntryList.unpack(list) : new EntryList();
	}

	/** A test of tool numbers for the query. */
	toolTest(query: Query): ToolTest {
		const { tool } = query;
		if (tool === undefined) return () => true;
		const all = this.#db.prepare("SELECT id, name FROM tool").all();
		const asked = new Set(all.filter(({ name }) => fold(String(name)).includes(tool)).map(({ id }) => Number(id)));
		return (number) => asked.has(number);
	}
}

function sessionOf(record: Record<string, SQLOutputValue>): SearchableSession {
	const { id, path, modified, text_size: size, text_mtime: time } = record;
	return { id: Number(id), path: String(path), modified: Number(modified), version: `${size}/${time}` };
}

function blockOf(tier: Tier, record: Record<string, SQLOutputValue> | undefined): LazyBlock | undefined {
	if (!(record?.segments instanceof Uint8Array) || !(record.text instanceof Uint8Array)) return undefined;
	return new LazyBlock(tier, record.text, record.segments);
}

/** A block of which the segments are unpacked only when something was found. */
export class LazyBlock implements Block {
	readonly text: Buffer;
	readonly #tier: Tier;
	readonly #packed: Uint8Array;
	#segments: Uint32Array | undefined;

	constructor(tier: Tier, text: Uint8Array, segments: Uint8Array) {
		this.text = unpackText(tier, text);
		this.#tier = tier;
		this.#packed = segments;
	}

	get segments(): Uint32Array {
		this.#segments ??= unpackSegments(this.#tier, this.#packed);
		return this.#segments;
	}
}
