import { isObject } from "../../shared/json.ts";
import { runToEnd } from "../../shared/steps.ts";
import { isFileId } from "../../store/format/file-ids.ts";
import { BOOKKEEPING, type RawEntry } from "../../store/format/raw-entry.ts";
import { countEnds } from "../../store/tree/ends.ts";
import { cutCycles } from "../../store/tree/parents.ts";
import { findRewind, LEAF_ROLES, leafRole, type Rewind } from "../../store/tree/rewind.ts";
import { EntryIds, intColumn, keyOf, numberColumn } from "./entry-ids.ts";

/** A range of bytes in a file, without `to`. */
export type ByteSpan = readonly [from: number, to: number];

const AMOUNTS = ["turns", "errors", "tokens", "cost"] as const;
export type Amounts = Readonly<Record<(typeof AMOUNTS)[number], number>>;

/** The entries off the path from the root to the leaf, and the spending on them. */
interface Abandoned extends Spent {
	readonly amounts: Amounts;
	/** The same by account. */
	readonly accounts: ReadonlyMap<number, Spent>;
	/** The entries' lines in file order, adjacent ones merged. */
	readonly spans: readonly ByteSpan[];
}

/** Tokens and dollars. */
export interface Spent {
	readonly tokens: number;
	readonly cost: number;
}

export const NOTHING_SPENT: Spent = { tokens: 0, cost: 0 };

/** A moved leaf, with the offsets of two lines. */
export interface TrackedRewind extends Omit<Rewind, "by" | "at" | "end"> {
	/** Of the entry that moved it. */
	readonly byOffset: number;
	/** Of the entry that ends the conversation. */
	readonly endOffset: number;
}

/** Added to the number of a role if the entry is a user message. */
const PROMPT = 8;

const ROOT = -1;
/** In a file of version 1 the parent is the previous entry; in a newer one such an entry is a root. */
const UNKNOWN_PARENT = -2;

/**
 * The tree of one session as columns of numbers, about 40 bytes per entry, because a session may have a million of them.
 * It is the same tree as the store's (`SessionTable`), even in a damaged file.
 */
export class BranchTracker {
	readonly #ids = new EntryIds();
	readonly #offsets = numberColumn();
	/** Lengths of lines; negative for bookkeeping. */
	readonly #lengths = intColumn();
	readonly #parents = intColumn();
	/** Entries that came before their parents, and the keys of those parents. */
	readonly #early = { index: intColumn(), parent: numberColumn() };
	readonly #paid = { index: intColumn(), tokens: numberColumn(), cost: numberColumn(), account: intColumn() };
	readonly #counted = { index: intColumn(), amount: intColumn(), value: numberColumn() };
	#lastId: string | undefined;
	#sameId = false;
	/** The parents of all entries, once the last one was added. */
	#links: Int32Array = new Int32Array(0);
	/** Context edits: bookkeeping that changes the conversation. */
	readonly #edits = new Set<number>();
	/** Roles of the entries for the leaf: indexes in `LEAF_ROLES`. */
	readonly #roles = intColumn();
	/** Times of the entries that are part of the conversation, Unix ms, negative if the time up to them was work; 0 for others. */
	readonly #times = numberColumn();

	/** Adds the next entry and the span of its line; `length` includes the `\n`. */
	add(entry: RawEntry, offset: number, length: number): void {
		const { id, parentId, type, message } = entry;
		const index = this.#ids.length;
		const name = nameOf(id);
		this.#parents.push(this.#parentOf(index, name, parentId));
		this.#offsets.push(offset);
		if (type === "context_edit") this.#edits.add(index);
		const isPrompt = type === "message" && isObject(message) && message.role === "user";
		this.#roles.push(LEAF_ROLES.indexOf(leafRole(entry)) + (isPrompt ? PROMPT : 0));
		this.#lengths.push(typeof type === "string" && BOOKKEEPING.has(type) ? -length : length);
		this.#times.push(0);
		if (this.#ids.push(name)) this.#sameId = true;
		this.#lastId = name;
	}

	/** Adds the cost of the last entry to an account: a number of the caller's. */
	charge(tokens: number, cost: number, account: number): void {
		this.#paid.account.push(account);
		this.#paid.index.push(this.#ids.length - 1);
		this.#paid.tokens.push(tokens);
		this.#paid.cost.push(cost);
	}

	/** Adds the time of the last entry, Unix ms, and whether it took the time since its parent to write it. */
	time(ms: number, isWork: boolean): void {
		this.#times.set(this.#ids.length - 1, isWork ? -ms : ms);
	}

	/** When each entry that was work was written, Unix ms, and how long that took; after `finish`. */
	*worked(): Generator<readonly [atMs: number, tookMs: number]> {
		for (let index = 0; index < this.#times.length; index++) {
			const atMs = -this.#times.at(index);
			const parent = this.#links[index] ?? ROOT;
			const parentMs = parent === ROOT ? 0 : Math.abs(this.#times.at(parent));
			if (atMs > parentMs && parentMs > 0) yield [atMs, atMs - parentMs];
		}
	}

	count(amounts: Partial<Amounts>): void {
		for (const [amount, name] of AMOUNTS.entries()) {
			const value = amounts[name] ?? 0;
			if (value === 0) continue;
			this.#counted.index.push(this.#ids.length - 1);
			this.#counted.amount.push(amount);
			this.#counted.value.push(value);
		}
	}

	/** The entries off the path to the last entry, in a file of this version. Nothing may be added afterwards. */
	finish(version: number): Abandoned {
		this.#links = this.#settleLinks(version < 2);
		const active = this.#activePath();
		const spans: [from: number, to: number][] = [];
		let last: [from: number, to: number] | undefined;
		for (let index = 0; index < active.length; index++) {
			if (active[index] === 1) continue;
			const from = this.#offsets.at(index);
			const to = from + Math.abs(this.#lengths.at(index));
			if (last?.[1] === from) last[1] = to;
			else {
				last = [from, to];
				spans.push(last);
			}
		}
		const accounts = new Map<number, Spent>();
		let tokens = 0;
		let cost = 0;
		for (let at = 0; at < this.#paid.index.length; at++) {
			if (active[this.#paid.index.at(at)] === 1) continue;
			const spent = { tokens: this.#paid.tokens.at(at), cost: this.#paid.cost.at(at) };
			tokens += spent.tokens;
			cost += spent.cost;
			const account = this.#paid.account.at(at);
			accounts.set(account, addSpent(accounts.get(account), spent));
		}
		const amounts = { turns: 0, errors: 0, tokens: 0, cost: 0 };
		for (let at = 0; at < this.#counted.index.length; at++) {
			const name = AMOUNTS[this.#counted.amount.at(at)];
			if (active[this.#counted.index.at(at)] === 1 || name === undefined) continue;
			amounts[name] += this.#counted.value.at(at);
		}
		return { tokens, cost, accounts, spans, amounts };
	}

	/** The offsets of the lines on the path from the leaf up to the root, without bookkeeping; after `finish`. */
	*pathUp(): Generator<number> {
		for (let at = this.#ids.length - 1; at >= 0; at = this.#links[at] ?? ROOT)
			if (this.#lengths.at(at) > 0 || this.#edits.has(at)) yield this.#offsets.at(at);
	}

	/** Number of ends of the conversation, after `finish`. */
	ends(): number {
		const count = this.#ids.length;
		return countEnds(this.#links, count, (index) => this.#lengths.at(index) < 0, count - 1);
	}

	/** The moved leaf, after `finish`. */
	rewind(): TrackedRewind | undefined {
		const rewind = findRewind({
			count: this.#ids.length,
			roleAt: (index) => LEAF_ROLES[this.#roles.at(index) % PROMPT] ?? "said",
			parentAt: (index) => this.#links[index] ?? ROOT,
			isPromptAt: (index) => this.#roles.at(index) >= PROMPT,
		});
		if (rewind === undefined) return undefined;
		const { by, at: _, end, ...facts } = rewind;
		return { ...facts, byOffset: this.#offsets.at(by), endOffset: this.#offsets.at(end) };
	}

	#parentOf(index: number, id: string | undefined, parentId: unknown): number {
		if (parentId === undefined) {
			const followsUnnamed = index > 0 && this.#lastId === undefined;
			return id === undefined || followsUnnamed ? index - 1 : UNKNOWN_PARENT;
		}
		const name = nameOf(parentId);
		if (name === undefined) return ROOT;
		if (name === this.#lastId) return index - 1;
		const parent = this.#ids.lastOf(name);
		if (parent !== -1) return parent;
		this.#early.index.push(index);
		this.#early.parent.push(keyOf(name));
		return ROOT;
	}

	/** For each entry 1 if it is on the path from a root to the leaf, else 0. */
	#activePath(): Uint8Array {
		const active = new Uint8Array(this.#ids.length);
		for (let at = active.length - 1; at >= 0; at = this.#links[at] ?? ROOT) active[at] = 1;
		return active;
	}

	#settleLinks(isOld: boolean): Int32Array {
		const links = new Int32Array(this.#ids.length);
		for (let index = 0; index < links.length; index++) {
			const parent = this.#parents.at(index);
			links[index] = parent !== UNKNOWN_PARENT ? parent : isOld ? index - 1 : ROOT;
		}
		for (let at = 0; at < this.#early.index.length; at++)
			links[this.#early.index.at(at)] = this.#ids.lastOfKey(this.#early.parent.at(at));
		if (!this.#sameId && this.#early.index.length === 0) return links;
		for (const [index, parent] of links.entries()) {
			// Of entries with the same id the last one counts, even if it came after this child.
			const last = parent === ROOT ? ROOT : this.#ids.lastAs(parent);
			links[index] = last === index ? ROOT : last;
		}
		runToEnd(cutCycles(links, links.length));
		return links;
	}
}

export function addSpent(sum: Spent | undefined, { tokens, cost }: Spent): Spent {
	return { tokens: (sum?.tokens ?? 0) + tokens, cost: (sum?.cost ?? 0) + cost };
}

/** A string for an id; the number 5 and the string "5" are different ids, as in pi. */
function nameOf(id: unknown): string | undefined {
	if (!isFileId(id)) return undefined;
	return typeof id === "string" ? id : `\0${typeof id} ${id}`;
}
