import { findMail, findProofs } from "./find-addresses.ts";
import { findAssigned, isSecretField } from "./find-assigned.ts";
import { findInCommands } from "./find-commands.ts";
import { findKeys } from "./find-keys.ts";
import type { FindingKind, Found } from "./found.ts";
import { isOrdinary, variesAsSecrets } from "./looks-secret.ts";

/** Only letters, digits, blanks, dots and underscores, or a time as pi writes it. */
const WORDS = /^(?:[A-Za-z0-9 ._]*|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
/** One of these stands before any secret that is written in such words, besides keys. */
const TELLING = /pass|auth|secret|token|key|pat|pin|pw|bearer|mnemonic|rabbitmqctl|\b(?:mc|aws)\s/i;
/** UTF-16 units of a longer text, which is hardly ever of such words alone. */
const MOST_WORDS = 64;

/** All that may not be for everybody in a text, but home directories; in no order. */
export function* findAll(text: string): Generator<Found> {
	yield* findKeys(text);
	// Ids, times and labels are a million texts: all but a key needs another character, or one of a few words.
	if (text.length <= MOST_WORDS && WORDS.test(text) && !TELLING.test(text)) return;
	yield* findProofs(text);
	yield* findAssigned(text);
	yield* findInCommands(text);
	yield* findMail(text);
}

/** What was found, sorted from the start of its text; what overlaps is one, of the kind of the first and longest. */
export function apart(all: Found[]): readonly Found[] {
	all.sort((one, other) => one.from - other.from || other.to - one.to);
	const merged: Found[] = [];
	for (const found of all) {
		const last = merged.at(-1);
		if (last === undefined || found.from >= last.to) merged.push(found);
		else if (found.to > last.to) merged[merged.length - 1] = { kind: last.kind, from: last.from, to: found.to };
	}
	return merged;
}

/** A value that is known to be secret before anything was looked through. */
export interface KnownSecret {
	readonly kind: FindingKind;
	readonly value: string;
}

/** "export NAME = value", "NAME='several words'"; a value in quotes may have several lines. */
const LINE =
	/^[ \t]{0,16}(?:export[ \t]{1,8})?(?<name>[A-Za-z_][\w.-]{0,200})[ \t]{0,8}=[ \t]{0,8}(?:"(?<double>(?:[^"\\]|\\[\s\S]){0,2000})"|'(?<single>[^']{0,2000})'|(?<bare>[^\s#][^\n#]{0,2000}?)?)[ \t]*(?:#[^\n]*)?\r?$/gm;
/** UTF-16 units from which on a value that no name calls secret is taken for one, where it looks random. */
const LONG = 16;

/** The secrets in the text of an ".env" file: what a name calls secret, what has a known form, and what is long and random. */
export function envSecrets(text: string): readonly KnownSecret[] {
	const secrets = new Map<string, FindingKind>();
	for (const { kind, from, to } of findAll(text))
		if (kind !== "mail" && kind !== "home" && kind !== "user") secrets.set(text.slice(from, to), kind);
	for (const { groups } of text.matchAll(LINE)) {
		const { name = "", double, single, bare = "" } = groups ?? {};
		const value = double?.replaceAll("\\n", "\n").replace(/\\(["\\$])/g, "$1") ?? single ?? bare;
		const isRandom = value.length >= LONG && !/\s/.test(value) && !isOrdinary(value) && variesAsSecrets(value);
		if (isRandom || isSecretField(name, value)) secrets.set(value, secrets.get(value) ?? "password");
	}
	return [...secrets].map(([value, kind]) => ({ kind, value }));
}
