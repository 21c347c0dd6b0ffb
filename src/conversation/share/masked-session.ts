import { MapView } from "../../shared/maps.ts";
import { RecentlyUsed } from "../../shared/memo.ts";
import type { Steps } from "../../shared/steps.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { HeldMessage } from "../../store/held/held-message.ts";
import type { Session } from "../../store/read/read-session.ts";
import type { SessionTree } from "../../store/tree/tree.ts";
import { eachField, type Fields, fieldsOf } from "../entries/fields.ts";
import { imageEnding } from "../entries/images.ts";
import { type Learned, type Masker, MORE, NOTHING, PLAIN } from "./masker.ts";

/** Bytes of the lines whose masked messages are remembered: an entry is looked at several times in a row. */
const REMEMBERED = 8 * 1024 * 1024;

/**
 * A session in which every text is masked: nothing that is made of it can show more. All of it is looked through first, so
 * that what is found in one text is masked in every other. The messages of a large session are masked when they are looked
 * at, and forgotten again.
 */
export function* maskedSession(session: Session, masker: Masker): Steps<Session> {
	const learned = yield* learnSteps(session, masker);
	const remembered = new RecentlyUsed<HeldMessage, unknown>(REMEMBERED, ({ size }) => size);
	const entries = session.entries.map((entry: unknown, index): SessionEntry => {
		const own = entry as SessionEntry;
		// Most entries of a session without secrets: nothing of another one can stand in them.
		if (learned[index] === NOTHING && !masker.hasValues) return own;
		const mask = learned[index] === MORE ? masker : masker.known;
		// Its own id and its parent hold the tree together.
		if (!(entry instanceof HeldMessage))
			return { ...maskedValue(own, mask, own.id), id: own.id, parentId: own.parentId };
		const messageOf = (held: HeldMessage): unknown =>
			remembered.get(held, () => maskedValue(held.message, mask, held.id));
		return new MaskedMessage(entry, messageOf) as unknown as SessionEntry;
	});
	const header = session.header === undefined ? undefined : maskedValue(session.header, masker, "");
	const diagnostics = session.diagnostics.map((diagnostic) => ({
		...diagnostic,
		message: masker.mask(diagnostic.message, ""),
	}));
	return { ...session, header, entries, diagnostics, tree: maskedTree(session, entries, masker) };
}

/** Looks through all of a session; returns what was learned from each entry. */
function* learnSteps(session: Session, masker: Masker): Steps<Uint8Array> {
	const all = new Uint8Array(session.entries.length);
	let index = 0;
	const note = (text: string, learned: Learned): string => {
		all[index] = Math.max(all[index] ?? NOTHING, learned);
		return text;
	};
	const learning: TextMask = {
		mask: (text, place) => note(text, masker.learn(text, place)),
		maskField: (name, text, place) => note(text, masker.learnField(name, text, place)),
	};
	maskedValue(session.header, learning, "");
	for (const { message } of session.diagnostics) masker.learn(message, "");
	for (const [id, { text }] of session.tree.labels) masker.learn(text, id);
	masker.learn(session.tree.name ?? "", "");
	all.fill(NOTHING);
	for (const entry of session.entries) {
		yield;
		const value = entry instanceof HeldMessage ? entry.message : entry;
		// Too deep a part is left out.
		if (maskedValue(value, learning, entry.id) !== value) note("", PLAIN);
		index += 1;
	}
	return all;
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

/** The same tree of the masked entries: its maps hold none of them. */
function maskedTree(session: Session, entries: readonly SessionEntry[], masker: Masker): SessionTree {
	const { byId, roots, children, parentOf, labels, leafId, name } = session.tree;
	const indexes = indexesByLine(session);
	// What was appended since then is not masked, and has no index.
	const maskedOf = ({ id }: SessionEntry): SessionEntry | undefined =>
		entries[indexes[session.lines.get(id) ?? 0] ?? -1];
	const allOf = (list: readonly SessionEntry[]): SessionEntry[] => list.flatMap((entry) => maskedOf(entry) ?? []);
	return {
		byId: new MaskedMap(byId, maskedOf),
		roots: allOf(roots),
		children: new MaskedMap(children, allOf),
		parentOf,
		labels: new Map(labels.entries().map(([id, label]) => [id, { ...label, text: masker.mask(label.text, id) }])),
		leafId,
		name: name === undefined ? undefined : masker.mask(name, ""),
	};
}

/** The index of each entry that is there now, by its line; -1 for other lines. */
function indexesByLine({ lines, entries }: Session): Int32Array {
	const indexes = new Int32Array((lines.get(entries.at(-1)?.id ?? "") ?? 0) + 1).fill(-1);
	// They are in the order of the entries.
	let index = 0;
	for (const line of lines.values()) indexes[line] = index++;
	return indexes;
}

/** A map whose values are masked when they are looked at. */
class MaskedMap<Value> extends MapView<string, Value> {
	readonly #map: ReadonlyMap<string, Value>;
	readonly #masked: (value: Value) => Value | undefined;

	constructor(map: ReadonlyMap<string, Value>, masked: (value: Value) => Value | undefined) {
		super();
		this.#map = map;
		this.#masked = masked;
	}

	get size(): number {
		return this.#map.size;
	}

	get(id: string): Value | undefined {
		const value = this.#map.get(id);
		return value === undefined ? undefined : this.#masked(value);
	}

	*entries(): Generator<[string, Value], undefined> {
		for (const [id, value] of this.#map.entries()) {
			const masked = this.#masked(value);
			if (masked !== undefined) yield [id, masked];
		}
	}
}

/** Lists and objects within one another that are looked into. */
const DEEPEST = 200;
const TOO_DEEP = "‹left out: nested too deep to be searched›";

/** What providers sign, which says nothing, and is shown nowhere. */
const SIGNATURES: ReadonlySet<string> = new Set(["thinkingSignature", "textSignature"]);

/** Masks a text, or the text of a field; `place`: the id of the entry that it is in. */
export interface TextMask {
	mask(text: string, place: string): string;
	maskField(name: string, text: string, place: string): string;
}

/**
 * A value with all its texts masked, those of names and fields among them; images and signatures are left as they are. The
 * value itself where nothing in it is masked.
 */
function maskedValue<Value>(value: Value, masker: TextMask, place: string): Value {
	// It has the shape of the value: only texts are others.
	return masked(value, "", masker, place, 0) as Value;
}

function masked(value: unknown, name: string, masker: TextMask, place: string, depth: number): unknown {
	if (typeof value === "string") return masker.maskField(name, value, place);
	if (typeof value !== "object" || value === null) return value;
	if (depth >= DEEPEST) return TOO_DEEP;
	return Array.isArray(value)
		? maskedList(value, name, masker, place, depth)
		: maskedFields(fieldsOf(value), masker, place, depth);
}

function maskedList(list: readonly unknown[], name: string, masker: TextMask, place: string, depth: number): unknown {
	let made: unknown[] | undefined;
	for (let index = 0; index < list.length; index++) {
		const item = masked(list[index], name, masker, place, depth + 1);
		if (made === undefined && item !== list[index]) made = list.slice(0, index);
		made?.push(item);
	}
	return made ?? list;
}

/** Nothing is made for an object in which nothing is masked: there may be millions of them. */
function maskedFields(fields: Fields, masker: TextMask, place: string, depth: number): unknown {
	let made: [name: string, value: unknown][] | undefined;
	for (const key in fields) {
		if (!Object.hasOwn(fields, key)) continue;
		const field = fields[key];
		const stays = SIGNATURES.has(key) || (key === "data" && fields.type === "image" && isPicture(field));
		const name = masker.mask(key, place);
		const value = stays ? field : masked(field, key, masker, place, depth + 1);
		if (made === undefined && (name !== key || value !== field)) made = fieldsBefore(fields, key);
		made?.push([name, value]);
	}
	return made === undefined ? fields : Object.fromEntries(made);
}

function fieldsBefore(fields: Fields, name: string): [name: string, value: unknown][] {
	const before: [name: string, value: unknown][] = [];
	for (const [key, value] of eachField(fields)) {
		if (key === name) break;
		before.push([key, value]);
	}
	return before;
}

function isPicture(data: unknown): boolean {
	return typeof data === "string" && imageEnding(data) !== undefined;
}
