import { RecentlyUsed } from "../../shared/memo.ts";
import type { Steps } from "../../shared/steps.ts";
import { eachField, type Fields, fieldsOf } from "../../store/format/fields.ts";
import type { SessionEntry } from "../../store/format/schema.ts";
import { HeldMessage } from "../../store/held/held-message.ts";
import type { Session } from "../../store/read/read-session.ts";
import { SessionTable } from "../../store/tree/session-table.ts";
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
		const original = entry as SessionEntry;
		// Most entries of a session without secrets: nothing of another one can stand in them.
		if (learned[index] === NOTHING && !masker.hasValues) return original;
		const mask = learned[index] === MORE ? masker : masker.known;
		// Its own id and its parent hold the tree together.
		const place = { id: original.id, parentId: original.parentId };
		if (!(entry instanceof HeldMessage)) return { ...maskedValue(original, mask, original.id), ...place };
		const { type, timestamp } = original;
		const masked = {
			...{ type, ...place, timestamp },
			/** Masked when it is looked at. */
			get message(): unknown {
				return remembered.get(entry, () => maskedValue(entry.message, mask, original.id));
			},
		};
		return masked as unknown as SessionEntry;
	});
	const header = session.header === undefined ? undefined : maskedValue(session.header, masker, "");
	const diagnostics = session.diagnostics.map((diagnostic) => ({
		...diagnostic,
		message: masker.mask(diagnostic.message, ""),
	}));
	const { table } = yield* SessionTable.of(entries, [...session.lines.values()]);
	return { ...session, header, entries: table.entries, lines: table.lines(), diagnostics, tree: table.tree() };
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
	const maskedItems = list.map((item) => masked(item, name, masker, place, depth + 1));
	return maskedItems.every((item, index) => item === list[index]) ? list : maskedItems;
}

function maskedFields(fields: Fields, masker: TextMask, place: string, depth: number): unknown {
	const originals = [...eachField(fields)];
	const maskedPairs = originals.map(([key, field]) => {
		const stays = SIGNATURES.has(key) || (key === "data" && fields.type === "image" && isPicture(field));
		return [masker.mask(key, place), stays ? field : masked(field, key, masker, place, depth + 1)] as const;
	});
	const isSame = maskedPairs.every(
		([name, value], index) => name === originals[index]?.[0] && value === originals[index][1],
	);
	return isSame ? fields : Object.fromEntries(maskedPairs);
}

function isPicture(data: unknown): boolean {
	return typeof data === "string" && imageEnding(data) !== undefined;
}
