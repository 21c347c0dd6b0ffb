import { isObject, printJson } from "../../shared/json.ts";
import type { RawEntry } from "./raw-entry.ts";

/** One `"key": value` of an object in JSON text; the offsets are in UTF-16 units. */
interface Member {
	readonly key: string;
	readonly start: number;
	readonly valueStart: number;
	readonly end: number;
}

/**
 * Prints `target` like `text`, a valid JSON object, changing only the fields that differ: all others stay exactly as
 * they were written (`2.50`, numbers beyond 2⁵³, escapes, repeated keys, the order of keys, blanks).
 *
 * `JSON.rawJSON` would be shorter and preserve the numbers, but reprint everything else: `{"2":0,"1":0}` would
 * become `{"1":0,"2":0}`, `"\u0041"` `"A"`. docs/format.md promises the text of the file.
 */
export function patchJson(text: string, target: RawEntry): string {
	const all = members(text);
	const last = new Map(all.map((member) => [member.key, member]));
	const added = Object.entries(target).filter(([key, value]) => value !== undefined && !last.has(key));
	const remaining = all.filter((member) => own(target, member.key) !== undefined);
	let result = text.slice(0, text.indexOf("{") + 1);
	let end = result.length;
	for (const [index, member] of remaining.entries()) {
		// Keep the blanks around the comma, unless a member was left out there.
		const isNext = all[index] === member;
		result += isNext ? text.slice(end, member.start) : index > 0 ? "," : "";
		const original = text.slice(member.valueStart, member.end);
		// Only the last of a repeated key counts for a reader; the others stay as they are.
		const printed = last.get(member.key) === member ? changed(original, own(target, member.key)) : original;
		result += text.slice(member.start, member.valueStart) + printed;
		end = member.end;
	}
	for (const [index, [key, value]] of added.entries()) {
		result += `${remaining.length + index > 0 ? "," : ""}${JSON.stringify(key)}:${printJson(value)}`;
	}
	return remaining.length === all.length ? result + text.slice(end) : `${result}}`;
}

/** A file may have keys like "toString", which every object inherits. */
function own(object: RawEntry, key: string): unknown {
	return Object.hasOwn(object, key) ? object[key] : undefined;
}

function changed(original: string, value: unknown): string {
	const oldValue: unknown = JSON.parse(original);
	const printed = printJson(value);
	if (printJson(oldValue) === printed) return original;
	return isObject(oldValue) && isObject(value) ? patchJson(original, value) : printed;
}

function members(text: string): Member[] {
	const list: Member[] = [];
	let at = text.indexOf("{") + 1;
	for (;;) {
		at = skipBlanks(text, at);
		if (text[at] !== '"') return list;
		const start = at;
		const keyEnd = skipString(text, at);
		const key: unknown = JSON.parse(text.slice(start, keyEnd));
		const valueStart = skipBlanks(text, skipBlanks(text, keyEnd) + 1);
		const end = skipValue(text, valueStart);
		list.push({ key: String(key), start, valueStart, end });
		at = skipBlanks(text, end);
		if (text[at] !== ",") return list;
		at += 1;
	}
}

function skipBlanks(text: string, from: number): number {
	let at = from;
	while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1;
	return at;
}

function skipString(text: string, from: number): number {
	let at = from + 1;
	while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
	return at + 1;
}

function skipValue(text: string, from: number): number {
	let depth = 0;
	let at = from;
	for (; at < text.length; at += 1) {
		const character = text.charAt(at);
		if (character === '"') at = skipString(text, at) - 1;
		else if (character === "{" || character === "[") depth += 1;
		else if (character === "}" || character === "]") {
			if (depth === 0) break;
			depth -= 1;
		} else if (character === "," && depth === 0) break;
	}
	while (" \t\r\n".includes(text.charAt(at - 1))) at -= 1;
	return at;
}
