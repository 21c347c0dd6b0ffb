import { apart, findAll, type KnownSecret } from "./find-all.ts";
import { isSecretField } from "./find-assigned.ts";
import { HomeFinder } from "./find-homes.ts";
import { FINDING_KINDS, type FindingKind, type Found } from "./found.ts";
import { KnownValues, standsAlone } from "./known-values.ts";
import type { TextMask } from "./masked-session.ts";
import { rangesBesidePictures } from "./picture-data.ts";
import { plainView } from "./plain-view.ts";

/** One thing that was found, wherever it stands. */
export interface Finding {
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
export interface MaskRules {
	readonly allowed: ReadonlySet<FindingKind>;
	readonly homes: readonly string[];
	/** Values that are secret, wherever they stand. @default none */
	readonly secrets?: readonly KnownSecret[];
}

/** What is looked for in a text. */
type By = "forms" | "values" | "all";

/** UTF-16 units in which something is looked for at a time, and what two such parts have in common. */
const PART = 1 << 20;
const OVERLAP = 1 << 16;
/** UTF-16 units of a text that is remembered where nothing is in it, and how many are. */
const SHORT = 64;
const MOST_DULL = 10_000;
/** An id or a time as pi writes them: every entry has three of them, and none has the form of a secret. */
const ID_OR_TIME = /^(?:[0-9a-f]{8}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/;
const NOTHING: readonly Found[] = [];

/**
 * Masks texts, and remembers what was found in them: by its form, and, by its value, all that was found before. So that a
 * value is masked wherever it stands, every text is learned before the first one is masked.
 */
export class Masker {
	readonly #rules: MaskRules;
	readonly #homes: HomeFinder;
	readonly #byText = new Map<string, Finding>();
	/** Kinds of the values that were known from the start. */
	readonly #given = new Map<string, FindingKind>();
	readonly #known = new KnownValues();
	/** Short texts in which nothing has a form: names of fields, types and models come again and again. */
	readonly #dull = new Set<string>();
	readonly #counts = new Map<FindingKind, number>();
	/** How often something was found so far. */
	noted = 0;

	constructor(rules: MaskRules) {
		this.#rules = rules;
		this.#homes = new HomeFinder(rules.homes);
		for (const { kind, value } of rules.secrets ?? []) {
			this.#given.set(value, kind);
			this.#known.add(value);
		}
	}

	/** Whether anything is known that is masked by its value. */
	get hasValues(): boolean {
		return this.#known.size > 0;
	}

	/** In the order in which they were found. */
	get findings(): Iterable<Finding> {
		return this.#byText.values();
	}

	/**
	 * Finds what is in a text, without making another one of it; `place`: the id of the entry that it is in. Returns whether
	 * `known` would leave something in it, since its value alone does not identify it.
	 */
	learn(text: string, place: string): boolean {
		let isMore = false;
		for (const { kind, from, to, value, isAlone = false } of this.#foundIn(text, "forms")) {
			const found = value ?? text.slice(from, to);
			this.#note(kind, found, place);
			isMore ||= kind !== "home" && kind !== "user" && !(isAlone && this.#known.has(found));
		}
		return isMore;
	}

	/** The same of the text of a field, whose name may say that it is secret. */
	learnField(name: string, text: string, place: string): boolean {
		const isMore = this.learn(text, place);
		if (!isSecretField(name, text)) return isMore;
		this.#note("password", text, place);
		return true;
	}

	/** Masks known values and home directories: enough for a text for which `learn` returned false. */
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
	*#foundIn(text: string, by: By): Generator<Found> {
		for (const [start, end] of rangesBesidePictures(text)) {
			if (end - start === text.length) yield* this.#foundInText(text, by);
			else
				for (const found of this.#foundInText(text.slice(start, end), by))
					yield { ...found, from: start + found.from, to: start + found.to };
		}
	}

	*#foundInText(text: string, by: By): Generator<Found> {
		if (text.length <= PART + OVERLAP) {
			yield* this.#foundInPart(text, by);
			return;
		}
		// Parts overlap, so that nothing is missed that stands where one ends.
		let done = 0;
		for (let start = 0; start < text.length; start += PART) {
			for (const found of this.#foundInPart(text.slice(start, start + PART + OVERLAP), by)) {
				const [from, to] = [start + found.from, start + found.to];
				if (from < done) continue;
				yield { ...found, from, to };
				done = to;
			}
		}
	}

	#foundInPart(text: string, by: By): readonly Found[] {
		const isDull = by !== "values" && this.#isDull(text);
		if (isDull && (by === "forms" || !this.hasValues)) return NOTHING;
		const view = plainView(text);
		const all: Found[] = [...this.#homes.find(text)];
		const add = (kind: FindingKind, at: number, end: number): void => {
			const [from, to] = view.range(at, end);
			const value = view.text.slice(at, end);
			all.push({ kind, from, to, value, isAlone: standsAlone(view.text, value, at) });
		};
		if (by !== "values" && !isDull) {
			for (const { kind, from, to } of findAll(view.text)) add(kind, from, to);
			if (all.length === 0 && text.length <= SHORT) this.#addDull(text);
		}
		if (by !== "forms") {
			for (const { value, from, to } of this.#known.find(view.text))
				add(this.#byText.get(value)?.kind ?? this.#given.get(value) ?? "password", from, to);
		}
		return apart(all);
	}

	/** Whether a text has neither a form nor a home. */
	#isDull(text: string): boolean {
		return text.length <= SHORT && (ID_OR_TIME.test(text) || this.#dull.has(text));
	}

	#addDull(text: string): void {
		if (this.#dull.size >= MOST_DULL) this.#dull.clear();
		this.#dull.add(text);
	}

	#note(kind: FindingKind, text: string, place: string): Finding {
		this.noted += 1;
		const finding = this.#noted(kind, text);
		finding.places.add(place);
		return finding;
	}

	#noted(kind: FindingKind, text: string): Finding {
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

/** The colors that are set within a text: they go on behind it. */
function colorsIn(text: string): string {
	return text.includes("\u001b") ? (text.match(/\x1b\[[\d;]*m/g) ?? []).join("") : "";
}
