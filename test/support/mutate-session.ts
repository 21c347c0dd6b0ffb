import { printJson } from "../../src/shared/json.ts";

/** Numbers from 0 to 1, without 1; the same for the same seed. */
export type Random = () => number;

/** A generator of its own for each seed (mulberry32). */
export function seededRandom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let value = Math.imul(state ^ (state >>> 15), state | 1);
		value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
		return ((value ^ (value >>> 14)) >>> 0) / 0x1_0000_0000;
	};
}

/**
 * The text of a session file with one to five things done to it that crashes, editors, other programs and clumsy scripts
 * do: lines dropped, doubled, swapped and cut, odd ids and types, deep values, names that every object inherits, carriage
 * returns, a byte order mark, several headers, other versions, junk.
 */
export function mutateSession(text: string, random: Random): string {
	const lines = text.split("\n");
	for (let count = 1 + below(5, random); count > 0; count -= 1) pick(MUTATIONS, random)(lines, random);
	return lines.join("\n");
}

/** Changes the lines in place. */
type Mutation = (lines: string[], random: Random) => void;

/** Deeper than what a recursive function survives. */
const DEEP = 12_000;
const deep = `${"[".repeat(DEEP)}${"]".repeat(DEEP)}`;
const INHERITED = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"];
const JUNK = [
	"",
	"  ",
	"{}",
	"null",
	"5",
	'"text"',
	"[1]",
	"{",
	"not json",
	"\0\0\0",
	"\r",
	'{"type":7}',
	'{"id":"x"}',
];
const VALUES: readonly unknown[] = [
	null,
	true,
	0,
	-1,
	7.5,
	1e300,
	"",
	" ",
	"x",
	[],
	{},
	[null, 5, { type: "text" }],
	{ type: "text", text: 5 },
	"\ud800 \u2028 \u200b \u001b[31m",
	"x".repeat(5000),
	{ toString: 1, valueOf: 2 },
];
const IDS: readonly unknown[] = [5, 0, -1, 1.5, true, false, null, "", "5", {}, ["a"], ...INHERITED];
const LINKS = ["id", "parentId", "targetId", "firstKeptEntryId", "fromId"];

const MUTATIONS: readonly Mutation[] = [
	// One line stays, so that there is something to mutate next.
	(lines, random) => lines.length > 1 && lines.splice(place(lines, random), 1),
	(lines, random) => lines.splice(place(lines, random), 0, pick(lines, random)),
	(lines, random) => {
		const [a, b] = [place(lines, random), place(lines, random)];
		const first = lines[a] ?? "";
		lines[a] = lines[b] ?? "";
		lines[b] = first;
	},
	(lines, random) => lines.splice(place(lines, random), 0, pick(JUNK, random)),
	(lines, random) => editText(lines, random, (line) => line.slice(0, below(line.length + 1, random))),
	(lines, random) => editText(lines, random, (line) => `${line}\r`),
	(lines) => {
		lines[0] = `\ufeff${lines[0] ?? ""}`;
	},
	(lines) => {
		if (lines.length > 1 && lines.at(-1) === "") lines.pop();
	},
	(lines, random) => lines.splice(place(lines, random), 0, lines[0] ?? ""),
	(lines, random) => {
		const version = pick<unknown>([1, 2, 3, 4, "3", null, "x", {}, undefined], random);
		editJson(lines, 0, (header) => Object.assign(header, { version }));
	},
	// Odd ids, one at a time or all of one field.
	(lines, random) => editLink(lines, random, () => pick(IDS, random)),
	(lines, random) => editLink(lines, random, () => idOf(pick(lines, random))),
	(lines, random) => editLink(lines, random, () => undefined),
	(lines) => {
		const numbers = new Map<unknown, number>();
		for (const [index, line] of lines.entries()) numbers.set(idOf(line), index);
		for (const index of lines.keys()) {
			editJson(lines, index, (entry) => {
				if (entry.type === "session") return;
				for (const name of LINKS) if (numbers.has(entry[name])) entry[name] = numbers.get(entry[name]);
			});
		}
	},
	(lines, random) => {
		const from = place(lines, random);
		for (let index = Math.max(1, from); index < lines.length; index += 1) {
			editJson(lines, index, (entry) => {
				delete entry.id;
				delete entry.parentId;
			});
		}
	},
	// Odd values anywhere.
	(lines, random) => editField(lines, random, () => pick(VALUES, random)),
	(lines, random) => editField(lines, random, () => JSON.parse(deep)),
	(lines, random) => editField(lines, random, () => pick(INHERITED, random)),
	(lines, random) => {
		// As text: an assignment would set the prototype.
		editText(lines, random, (line) => line.replace(/\}\s*$/, `,"${pick(INHERITED, random)}":{"a":1}}`));
	},
];

function below(count: number, random: Random): number {
	return Math.floor(random() * count);
}

function pick<Item>(items: readonly Item[], random: Random): Item {
	const item = items[below(items.length, random)];
	if (item === undefined && items.length === 0) throw new Error("Nothing to pick from.");
	return item as Item;
}

function place(lines: readonly string[], random: Random): number {
	return below(lines.length, random);
}

function editText(lines: string[], random: Random, edit: (line: string) => string): void {
	const index = place(lines, random);
	lines[index] = edit(lines[index] ?? "");
}

function parsed(line: string | undefined): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(line ?? "");
		return typeof value === "object" && value !== null && !Array.isArray(value)
			? (value as Record<string, unknown>)
			: undefined;
	} catch {
		// A line that was damaged before stays as it is.
		return undefined;
	}
}

function idOf(line: string): unknown {
	return parsed(line)?.id;
}

function editJson(lines: string[], index: number, edit: (entry: Record<string, unknown>) => void): void {
	const entry = parsed(lines[index]);
	if (entry === undefined) return;
	edit(entry);
	lines[index] = printJson(entry);
}

function editLink(lines: string[], random: Random, value: () => unknown): void {
	editJson(lines, place(lines, random), (entry) => {
		const present = LINKS.filter((name) => name in entry);
		if (present.length > 0) entry[pick(present, random)] = value();
	});
}

/** Changes a field of an entry, of its message, or of a block of that. */
function editField(lines: string[], random: Random, value: () => unknown): void {
	editJson(lines, place(lines, random), (entry) => {
		let object: unknown = entry;
		for (let depth = below(3, random); depth > 0; depth -= 1) {
			const inner: unknown[] = Object.values(object as object).filter(
				(part) => typeof part === "object" && part !== null && Object.keys(part).length > 0,
			);
			if (inner.length > 0) object = pick(inner, random);
		}
		const keys = Object.keys(object as object);
		if (keys.length > 0) Reflect.set(object as object, pick(keys, random), value());
	});
}
