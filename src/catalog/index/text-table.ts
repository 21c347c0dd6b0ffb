import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SessionStats } from "../numbers/session-stats.ts";
import { TIERS, type Tier } from "../query/kinds.ts";
import { trigramFilter } from "../search/trigram-filter.ts";
import { type Block, packBlock, unpackSegments, unpackText } from "../texts/block.ts";
import { EntryList } from "../texts/entry-list.ts";
import { deleteBlocks, transact } from "./session-table.ts";

/** Where the storing of a session's text can go on when the file grows; plain JSON. */
export interface TextState {
	/** Just after the last whole line that was stored. */
	readonly offset: number;
	readonly lines: number;
	/** Of the bytes before `offset`. */
	readonly mark: string;
	/** Number of the last block of each tier; -1 for none. */
	readonly last: Readonly<Record<Tier, number>>;
	/** Whether a user message with text has been seen: the first one is the title. */
	readonly titled: boolean;
	/** Whether the session has a parent and began at this time: entries that are older were copied from the parent. */
	readonly forkedAt?: string | undefined;
}

export interface StoredText {
	readonly state: TextState;
	readonly stats: SessionStats;
}

/** The searchable text in an open index. */
export class TextTable {
	readonly #db: DatabaseSync;
	readonly #putBlock: readonly StatementSync[];
	readonly #putFilter: StatementSync;
	#tools: Map<string, number> | undefined;

	constructor(db: DatabaseSync) {
		this.#db = db;
		this.#putBlock = TIERS.map((tier) =>
			db.prepare(`INSERT OR REPLACE INTO block${tier} (session, seq, segments, text) VALUES (?, ?, ?, ?)`),
		);
		this.#putFilter = db.prepare("INSERT OR REPLACE INTO block_filter (tier, session, seq, bits) VALUES (?, ?, ?, ?)");
	}

	/** What is stored of a session's text; undefined when nothing is, or not completely. */
	stored(session: number): StoredText | undefined {
		const record = this.#db
			.prepare("SELECT text_state, stats FROM session WHERE id = ? AND text_size >= 0")
			.get(session);
		if (!record?.text_state || !record.stats) return undefined;
		// Written by `finish` below.
		return {
			state: JSON.parse(String(record.text_state)) as TextState,
			stats: JSON.parse(String(record.stats)) as SessionStats,
		};
	}

	entries(session: number): EntryList {
		const list = this.#db.prepare("SELECT list FROM entries WHERE session = ?").get(session)?.list;
		return list instanceof Uint8Array ? EntryList.unpack(list) : new EntryList();
	}

	block(session: number, tier: Tier, seq: number): Block | undefined {
		const sql = `SELECT segments, text FROM block${tier} WHERE session = ? AND seq = ?`;
		const record = this.#db.prepare(sql).get(session, seq);
		if (!(record?.segments instanceof Uint8Array) || !(record.text instanceof Uint8Array)) return undefined;
		return { segments: unpackSegments(tier, record.segments), text: unpackText(tier, record.text) };
	}

	/** Removes a session's text, before it is stored anew. */
	clear(session: number): void {
		transact(this.#db, () => {
			this.#db.prepare("UPDATE session SET text_size = -1 WHERE id = ?").run(session);
			deleteBlocks(this.#db, session);
		});
	}

	/** Stores some blocks of a session in one transaction. */
	putBlocks(
		session: number,
		blocks: readonly { readonly tier: Tier; readonly seq: number; readonly block: Block }[],
	): void {
		transact(this.#db, () => {
			for (const { tier, seq, block } of blocks) {
				const { segments, text } = packBlock(tier, block);
				this.#putBlock[tier]?.run(session, seq, segments, text);
				this.#putFilter.run(tier, session, seq, trigramFilter(block.text));
			}
		});
	}

	/** Marks a session's text as complete for the file as it was. */
	finish(
		session: number,
		file: { readonly size: number; readonly mtimeMs: number },
		entries: EntryList,
		text: StoredText,
	): void {
		transact(this.#db, () => {
			this.#db.prepare("INSERT OR REPLACE INTO entries (session, list) VALUES (?, ?)").run(session, entries.pack());
			this.#db
				.prepare("UPDATE session SET text_size = ?, text_mtime = ?, text_state = ?, stats = ? WHERE id = ?")
				.run(file.size, file.mtimeMs, JSON.stringify(text.state), JSON.stringify(text.stats), session);
		});
	}

	/** The number of a tool's name, from 1. */
	toolNumber(name: string): number {
		this.#tools ??= new Map(
			this.#db
				.prepare("SELECT id, name FROM tool")
				.all()
				.map((record) => [String(record.name), Number(record.id)]),
		);
		let number = this.#tools.get(name);
		if (number === undefined) {
			this.#db.prepare("INSERT OR IGNORE INTO tool (name) VALUES (?)").run(name);
			number = Number(this.#db.prepare("SELECT id FROM tool WHERE name = ?").get(name)?.id);
			this.#tools.set(name, number);
		}
		return number;
	}
}
