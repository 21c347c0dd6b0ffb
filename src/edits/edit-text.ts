import { parseDiff } from "../conversation/render/diff-lines.ts";
import type { ToolChange } from "../store/format/tool-change.ts";
import { applyEdits } from "./apply-edits.ts";

type EditChange = Extract<ToolChange, { readonly tool: "edit" }>;

/** What a file may hold after an edit of these contents; `diff`: that of its result, "" for none, which has to fit. */
export function applyChange(
	contents: readonly (string | undefined)[],
	change: EditChange,
	diff: string,
): readonly string[] {
	// Comparing a few texts takes less time than hashing them for a set.
	const results: string[] = [];
	for (const held of contents) {
		if (held === undefined) continue;
		for (const result of applyEdits(held, change.edits, change.isOldForm))
			if (!results.includes(result) && fits(diff, held, result)) results.push(result);
	}
	return results;
}

/** The text before an edit, given the one after it; undefined if that is not certain. */
export function reverseEdit(after: string, change: EditChange, diff: string): string | undefined {
	// Versions of pi treat mixed line ends differently.
	if (/\r(?!\n)/.test(after) || (after.includes("\r\n") && /(?<!\r)\n/.test(after))) return undefined;
	const swapped = change.edits.map(({ oldText, newText }) => ({ oldText: newText, newText: oldText }));
	const candidates = [...applyEdits(after, swapped), ...(diff === "" ? [] : [withoutDiff(after, diff)])];
	const fitting = new Set(
		candidates.filter((before) => before !== undefined && applyChange([before], change, diff).includes(after)),
	);
	return fitting.size === 1 ? fitting.values().next().value : undefined;
}

/** Takes the lines that a diff added out of a text, and puts those that it removed back. */
function withoutDiff(after: string, diff: string): string | undefined {
	const [added, removed] = [new Map<number, string>(), new Map<number, string>()];
	for (const { kind, before: old, after: now, text } of parseDiff(diff)) {
		if (kind === "added" && now !== undefined) added.set(now, text);
		if (kind === "removed" && old !== undefined) removed.set(old, text);
	}
	const lineEnd = /\r?\n/.exec(after)?.[0] ?? "\n";
	const lines = after.match(/[^\n]*\n|[^\n]+$/g) ?? [];
	const result: string[] = [];
	for (let number = 1; number <= lines.length + 1; number++) {
		for (let text = removed.get(result.length + 1); text !== undefined; text = removed.get(result.length + 1))
			result.push(text + lineEnd);
		const line = lines[number - 1];
		if (line === undefined) break;
		const text = added.get(number);
		if (text === undefined) result.push(line);
		else if (line.replace(/\r?\n$/, "") !== text) return undefined;
	}
	const last = result.length - 1;
	if (!/\n$/.test(after) && result[last] !== undefined) result[last] = (result[last] ?? "").replace(/\r?\n$/, "");
	return result.join("");
}

/** Whether a text has these lines from a number on. */
export function fitsPart(text: string, from: number, lines: string): boolean {
	const start = lineStart(text, from);
	return start !== -1 && holdsLines(text, start, lines);
}

/** Whether the diff of an edit shows all lines of the text before it: pi writes dots where it leaves some out. */
export function showsAll(diff: string, before: string | undefined): boolean {
	if (diff === "" || before === undefined) return false;
	let lines = 0;
	for (const { kind, before: number } of parseDiff(diff)) {
		if (kind === "gap" || kind === "note") return false;
		if (number !== undefined) lines++;
	}
	return lines >= before.replace(/\r?\n$/, "").split("\n").length;
}

/** Whether the lines of pi's diff are in the file before and after the change. */
function fits(diff: string, before: string, after: string): boolean {
	if (diff === "") return true;
	const [old, now] = [new LinesOfText(before), new LinesOfText(after)];
	for (const line of parseDiff(diff)) {
		if (line.kind === "gap" || line.kind === "note") continue;
		if (line.before !== undefined && !old.holds(line.before, line.text)) return false;
		if (line.after !== undefined && !now.holds(line.after, line.text)) return false;
	}
	return true;
}

/** The lines of a text without its BOM, asked about in their order: splitting a text takes longer, and there are many edits. */
class LinesOfText {
	readonly #text: string;
	#number = 1;
	#start = 0;

	constructor(text: string) {
		const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
		this.#text = plain.includes("\r") ? plain.replace(/\r\n?/g, "\n") : plain;
	}

	/** Whether a line is this text; `number`: from 1. */
	holds(number: number, line: string): boolean {
		if (number < this.#number) [this.#number, this.#start] = [1, 0];
		this.#start = lineStart(this.#text, number - this.#number + 1, this.#start);
		this.#number = number;
		return this.#start !== -1 && holdsLines(this.#text, this.#start, line);
	}
}

/** The offset of a line of a text, the first one of which begins at `from`; -1 if it has fewer lines. */
export function lineStart(text: string, number: number, from = 0): number {
	let start = from;
	for (let line = 1; line < number && start !== -1; line++) start = text.indexOf("\n", start) + 1 || -1;
	return start;
}

/** Whether whole lines of a text, which begin at an offset, are these. */
export function holdsLines(text: string, start: number, lines: string): boolean {
	const end = start + lines.length;
	return text.startsWith(lines, start) && (end === text.length || text[end] === "\n");
}
