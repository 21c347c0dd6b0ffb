import { isSecretField } from "./find-assigned.ts";
import { HomeFinder } from "./find-homes.ts";
import { findSecrets, type KnownSecret } from "./find-secrets.ts";
import { FINDING_KINDS, FINDING_NAMES, type FindingKind, type Found } from "./found.ts";
import { KnownValues } from "./known-values.ts";
import type { TextMask } from "./masked-session.ts";
import { rangesBesidePictures } from "./picture-data.ts";
import { plainView } from "./plain-view.ts";

/** One thing that was found, wherever it stands. */
export interface SecretFinding {
	readonly kind: FindingKind;
	readonly text: string;
	/** What stands in its place: "‹key 1›", "~"; the same for the same text. Itself where its kind is allowed. */
	readonly mask: string;
	/** Where it was found: ids of entries; "" is the session itself. */
	readonly places: Set<string>;
	/** Whether it was known from the start: its text is never shown. */
	readonly isGiven: boolean;
}

/** What may be left as it is, and whose homes are known. */
interface MaskRules {
	readonly allowed: ReadonlySet<FindingKind>;
	readonly homes: readonly string[];
	/** Values that are secret, wherever they stand. @default none */
	readonly secrets?: readonly KnownSecret[];
}

/** What was learned from a text: nothing, only what `known` finds, too, or more. */
export const [NOTHING, PLAIN, MORE] = [0, 1, 2] as const;
export type Learned = typeof NOTHING | typeof PLAIN | typeof MORE;

type By = "forms" | "values" | "all";

/** UTF-16 units of a text that is remembered where nothing is in it, and how many are. */
const SHORT = 64;
const MOST_DULL = 10_000;
/** An id or a time as pi writes them: every entry has three of them, and none has the form of a secret. */
const ID_OR_TIME = /^(?:[0-9a-f]{8}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;

/**
 * Masks texts, and remembers what was found in them: by its form, and, by its value, all that was found before. So that a
 * value is masked wherever it stands, every text is learned before the first one is masked.
 */
export class Masker {
	readonly #rules: MaskRules;
	readonly #homes: HomeFinder;
	readonly #byText = new Map<string, SecretFinding>();
	/** Kinds of the values that were known from the start. */
	readonly #given = new Map<string, FindingKind>();
	readonly #known = new KnownValues();
	/** Short texts in which nothing has a form: names of fields, types and models come again and again. */
	readonly #dull = new Set<string>();
	readonly #counts = new Map<FindingKind, number>();

	constructor(rules: MaskRules) {
		this.#rules = rules;
		this.#homes = new HomeFinder(rules.homes);
		for (const { kind, value } of rules.secrets ?? []) {
			this.#given.set(value, kind);
			this.#known.add(value);
		}
	}

	/** In the order in which they were found. */
	get findings(): Iterable<SecretFinding> {
		return this.#byText.values();
	}

	/** Whether anything is known that is masked by its value. */
	get hasValues(): boolean {
		return this.#known.size > 0;
	}

	/** Finds what is in a text, without making another one of it; `place`: the id of the entry that it is in. */
	learn(text: string, place: string): Learned {
		let learned: Learned = NOTHING;
		for (const { kind, from, to, value } of this.#foundIn(text, "forms")) {
			this.#note(kind, value ?? text.slice(from, to), place);
			learned = kind !== "home" && kind !== "user" ? MORE : learned || PLAIN;
		}
		return learned;
	}

	/** The same of the text of a field, whose name may say that it is secret. */
	learnField(name: string, text: string, place: string): Learned {
		const learned = this.learn(text, place);
		if (!isSecretField(name, text)) return learned;
		this.#note("password", text, place);
		return MORE;
	}

	/** Masks known values and home directories: enough for a text in which no more was learned. */
	get known(): TextMask {
		const mask = (text: string, place: string): string => this.#masked(text, place, "values");
		return { mask, maskField: (_, text, place) => mask(text, place) };
	}

	/** The text with everything masked that is not allowed; `place`: the id of the entry that it is in. */
	mask(text: string, place: string): string {
		return this.#masked(text, place, "all");
	}

	#masked(text: string, place: string, by: By): string {
		let masked = "";
		let from = 0;
		for (const { kind, from: start, to, value } of this.#foundIn(text, by)) {
			const original = text.slice(start, to);
			const finding = this.#note(kind, value ?? original, place);
			masked +=
				text.slice(from, start) + (finding.mask === finding.text ? original : finding.mask + colorsIn(original));
			from = to;
		}
		return from === 0 ? text : masked + text.slice(from);
	}

	/** The text of a field; the name of one may say that it is secret. */
	maskField(name: string, text: string, place: string): string {
		const masked = this.mask(text, place);
		return masked === text && isSecretField(name, text) ? this.#note("password", text, place).mask : masked;
	}

	/** What is in a text, apart from one another: by its form, and what is known by its value. */
	#foundIn(text: string, by: By): readonly Found[] {
		return rangesBesidePictures(text).flatMap(([start, end]) => {
			const secrets = this.#foundInPart(text.slice(start, end), by);
			return start === 0 ? secrets : secrets.map((each) => ({ ...each, from: start + each.from, to: start + each.to }));
		});
	}

	#foundInPart(text: string, by: By): readonly Found[] {
		const isDull = text.length <= SHORT && (ID_OR_TIME.test(text) || this.#dull.has(text));
		if (isDull && (by === "forms" || !this.hasValues)) return [];
		const view = plainView(text);
		const all: Found[] = [...this.#homes.find(text)];
		const add = (kind: FindingKind, at: number, end: number): void => {
			const [from, to] = view.range(at, end);
			all.push({ kind, from, to, value: view.text.slice(at, end) });
		};
		if (by !== "values" && !isDull) {
			for (const { kind, from, to } of findSecrets(view.text)) add(kind, from, to);
			if (all.length === 0 && text.length <= SHORT) this.#addDull(text);
		}
		if (by !== "forms") {
			for (const { value, from, to } of this.#known.find(view.text))
				add(this.#byText.get(value)?.kind ?? this.#given.get(value) ?? "password", from, to);
		}
		return apart(all);
	}

	#addDull(text: string): void {
		if (this.#dull.size >= MOST_DULL) this.#dull.clear();
		this.#dull.add(text);
	}

	#note(kind: FindingKind, text: string, place: string): SecretFinding {
		const finding = this.#noted(kind, text);
		finding.places.add(place);
		return finding;
	}

	#noted(kind: FindingKind, text: string): SecretFinding {
		let finding = this.#byText.get(text);
		if (finding === undefined) {
			// Whoever may see the home directory may see whose it is.
			const isAllowed = this.#rules.allowed.has(kind) || (kind === "user" && this.#rules.allowed.has("home"));
			const isGiven = this.#given.has(text);
			finding = { kind, text, mask: isAllowed ? text : this.#newMask(kind), places: new Set(), isGiven };
			this.#byText.set(text, finding);
			if (kind !== "home" && kind !== "user") this.#known.add(text);
		}
		return finding;
	}

	#newMask(kind: FindingKind): string {
		if (kind === "home") return "~";
		const count = (this.#counts.get(kind) ?? 0) + 1;
		this.#counts.set(kind, count);
		return `‹${FINDING_KINDS[kind].one} ${count}›`;
	}
}

/** What was found, sorted from the start of its text; what overlaps is one, of the kind of the first and longest, or a key before a password. */
function apart(all: Found[]): readonly Found[] {
	const rank = ({ kind }: Found): number => FINDING_NAMES.indexOf(kind);
	all.sort((one, other) => one.from - other.from || other.to - one.to || rank(one) - rank(other));
	const merged: Found[] = [];
	for (const secret of all) {
		const last = merged.at(-1);
		if (last === undefined || secret.from >= last.to) merged.push(secret);
		else if (secret.to > last.to) merged[merged.length - 1] = { kind: last.kind, from: last.from, to: secret.to };
	}
	return merged;
}

/** The colors that are set within a text: they go on behind it. */
function colorsIn(text: string): string {
	return text.includes("\u001b") ? (text.match(/\x1b\[[\d;]*m/g) ?? []).join("") : "";
}
