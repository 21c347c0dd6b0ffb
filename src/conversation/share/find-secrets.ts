import { findInAddresses, findMail } from "./find-addresses.ts";
import { findAssigned, isSecretField } from "./find-assigned.ts";
import { findForms } from "./find-forms.ts";
import type { FindingKind, Found } from "./found.ts";
import { isOrdinary, variesAsSecrets } from "./looks-secret.ts";

/** All that may not be for everybody in a text, but home directories; in no order. */
export function* findSecrets(text: string): Generator<Found> {
	yield* findForms(text);
	yield* findInAddresses(text);
	yield* findAssigned(text);
	yield* findMail(text);
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
	for (const { kind, from, to } of findSecrets(text))
		if (kind !== "mail" && kind !== "home" && kind !== "user") secrets.set(text.slice(from, to), kind);
	for (const { groups } of text.matchAll(LINE)) {
		const { name = "", double, single, bare = "" } = groups ?? {};
		const value = double?.replaceAll("\\n", "\n").replace(/\\(["\\$])/g, "$1") ?? single ?? bare;
		const isRandom = value.length >= LONG && !/\s/.test(value) && !isOrdinary(value) && variesAsSecrets(value);
		if (isRandom || isSecretField(name, value)) secrets.set(value, secrets.get(value) ?? "password");
	}
	return [...secrets].map(([value, kind]) => ({ kind, value }));
}
