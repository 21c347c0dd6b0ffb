import { RecentlyUsed } from "../../shared/recently-used.ts";
import type { Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { HeldMessage } from "../../store/held/held-message.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { SessionTree } from "../../store/tree/tree.ts";
import { maskedValue, type TextMask } from "./masked-value.ts";
import type { Masker } from "./masker.ts";

/** Bytes of the lines whose masked messages are remembered: an entry is looked at several times in a row. */
const REMEMBERED = 8 * 1024 * 1024;

/**
 * A session in which every text is masked: nothing that is made of it can show more. All of it is looked through first, so
 * that what is found in one text is masked in every other. The messages of a large session are masked when they are looked
 * at, and forgotten again.
 */
export function* maskedSession(session: Session, masker: Masker): Steps<Session> {
	const found = yield* learnSteps(session, masker);
	const remembered = new RecentlyUsed<HeldMessage, unknown>(REMEMBERED, ({ size }) => size);
	const entries = session.entries.map((entry: unknown, index): SessionEntry => {
		const own = entry as SessionEntry;
		// Most entries of a session without secrets: nothing of another one can stand in them.
		if (found[index] === NOTHING && !masker.hasValues) return own;
		const mask = found[index] === MORE ? masker : masker.known;
		if (!(entry instanceof HeldMessage)) return maskedEntry(own, mask);
		const messageOf = (held: HeldMessage): unknown =>
			remembered.get(held, () => maskedValue(held.message, mask, held.id));
		return new MaskedMessage(entry, messageOf) as unknown as SessionEntry;
	});
	const header = session.header === undefined ? undefined : maskedValue(session.header, masker, "");
	const diagnostics = session.diagnostics.map((diagnostic) => ({
		...diagnostic,
		message: masker.mask(diagnostic.message, ""),
	}));
	return { ...session, header, entries, diagnostics, tree: maskedTree(session.tree, entries, masker) };
}

/** What is found in an entry: nothing; only what its value or its place tells; more. */
const [NOTHING, PLAIN, MORE] = [0, 1, 2];

/** Looks through all of a session; returns what is found in each entry. */
function* learnSteps(session: Session, masker: Masker): Steps<Uint8Array> {
	const found = new Uint8Array(session.entries.length);
	let isMore = false;
	const learning: TextMask = {
		mask: (text, place) => {
			isMore = masker.learn(text, place) || isMore;
			return text;
		},
		maskField: (name, text, place) => {
			isMore = masker.learnField(name, text, place) || isMore;
			return text;
		},
	};
	maskedValue(session.header, learning, "");
	for (const { message } of session.diagnostics) masker.learn(message, "");
	for (const [id, { text }] of session.tree.labels) masker.learn(text, id);
	masker.learn(session.tree.name ?? "", "");
	for (const [index, entry] of session.entries.entries()) {
		yield;
		isMore = false;
		const before = masker.noted;
		const value = entry instanceof HeldMessage ? entry.message : entry;
		const isLookedThrough = maskedValue(value, learning, entry.id) === value;
		found[index] = isMore ? MORE : masker.noted > before || !isLookedThrough ? PLAIN : NOTHING;
	}
	return found;
}

/** An entry with its own id and parent, which hold the tree together. */
function maskedEntry(entry: SessionEntry, masker: TextMask): SessionEntry {
	const { id, parentId } = entry;
	return { ...maskedValue(entry, masker, id), id, parentId };
}

/** A held message, masked when it is looked at. */
class MaskedMessage {
	readonly #held: HeldMessage;
	readonly #messageOf: (held: HeldMessage) => unknown;

	constructor(held: HeldMessage, messageOf: (held: HeldMessage) => unknown) {
		this.#held = held;
		this.#messageOf = messageOf;
	}

	get type(): "message" {
		return "message";
	}

	get id(): string {
		return this.#held.id;
	}

	get parentId(): string | null {
		return this.#held.parentId;
	}

	get timestamp(): string {
		return this.#held.timestamp;
	}

	get message(): unknown {
		return this.#messageOf(this.#held);
	}

	toJSON(): object {
		const { type, id, parentId, timestamp, message } = this;
		return { type, id, parentId, timestamp, message };
	}
}

function maskedTree(tree: SessionTree, entries: readonly SessionEntry[], masker: Masker): SessionTree {
	const byId = new Map(entries.map((entry) => [entry.id, entry]));
	const same = (list: readonly SessionEntry[]): SessionEntry[] =>
		list.flatMap(({ id }) => {
			const entry = byId.get(id);
			return entry === undefined ? [] : [entry];
		});
	const labels = tree.labels
		.entries()
		.map(([id, label]) => [id, { ...label, text: masker.mask(label.text, id) }] as const);
	return {
		...treeLinks(tree),
		byId,
		roots: same(tree.roots),
		children: new Map(tree.children.entries().map(([id, list]) => [id, same(list)])),
		labels: new Map(labels),
		name: tree.name === undefined ? undefined : masker.mask(tree.name, ""),
	};
}

function treeLinks({ parentOf, leafId }: SessionTree): Pick<SessionTree, "parentOf" | "leafId"> {
	return { parentOf, leafId };
}
