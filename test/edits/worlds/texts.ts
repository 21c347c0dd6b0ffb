import { extname } from "node:path";
import { createTwoFilesPatch, structuredPatch } from "diff";
import type { TestEdit } from "../../support/editing-session.ts";
import type { Chance } from "./chance.ts";

const WORDS = (
	"alpha beta cache delta entry filter group handle index join key limit merge node option parse query route state token unit view " +
	"width yield zone"
).split(" ");

export function word(chance: Chance): string {
	return chance.pick(WORDS);
}

/** A name that hardly occurs twice. */
export function nameOf(chance: Chance): string {
	return `${word(chance)}${word(chance).replace(/^./, (first) => first.toUpperCase())}${chance.below(900)}`;
}

/** A few lines that belong into a file of this name, without line ends. */
export function block(chance: Chance, file: string): readonly string[] {
	const [one, two, name] = [word(chance), word(chance), nameOf(chance)];
	const number = chance.below(999);
	const kinds: Readonly<Record<string, readonly (readonly string[])[]>> = {
		code: [
			[`export const ${name} = "${one} ${number}";`],
			[`export function ${name}(${one}) {`, `  const total = ${one}.length + ${number};`, "  return total;", "}", ""],
			[`// ${one} the ${two} of ${name}`],
			[`register("${name}", { ${one}: ${number}, ${two}: '${one}' });`, ""],
		],
		prose: [
			["", `## ${one} ${name}`, ""],
			[`- ${one}: the "${two}" of ${name}`],
			[`It ${one}s ${name} für ${number}.`],
		],
		other: [[`${one} = ${name}`], [`[${name}]`], ["# -"], [`${name}: "${two}"`]],
	};
	const extension = extname(file);
	const kind = /^\.(?:js|ts|mjs)$/.test(extension) ? "code" : extension === ".md" ? "prose" : "other";
	return chance.pick(kinds[kind] ?? []);
}

/** A whole file; seldom without a line end at its end. */
export function makeText(chance: Chance, file: string): string {
	const lines: string[] = [];
	const count = 4 + chance.below(30);
	while (lines.length < count) lines.push(...block(chance, file));
	return lines.join("\n") + (chance.is(0.9) ? "\n" : "");
}

/** With their line ends. */
export function linesOf(text: string): readonly string[] {
	return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

const BOM = "\uFEFF";

/** A text without its mark and with line feeds only, as pi's `edit` compares it, and how it is written back; undefined if they are mixed. */
export function plainText(
	text: string,
): { readonly plain: string; readonly back: (plain: string) => string } | undefined {
	const mark = text.startsWith(BOM) ? BOM : "";
	const body = text.slice(mark.length);
	const lineFeeds = body.split("\n").length;
	const both = body.split("\r\n").length;
	if (both === 1) return { plain: body, back: (plain) => mark + plain };
	if (both !== lineFeeds) return undefined;
	return { plain: body.replaceAll("\r\n", "\n"), back: (plain) => mark + plain.replaceAll("\n", "\r\n") };
}

/** One to three changes of a text, each of lines that stand in it once; none if it has no such lines. */
export function makeEdits(chance: Chance, text: string, file: string): readonly TestEdit[] {
	const lines = text.split("\n");
	const edits: TestEdit[] = [];
	const used = new Set<number>();
	const wanted = chance.is(0.7) ? 1 : 2 + chance.below(2);
	for (let tries = 0; tries < 12 && edits.length < wanted; tries++) {
		const from = chance.below(lines.length);
		const old = lines.slice(from, from + 1 + chance.below(4));
		const oldText = old.join("\n");
		const places = old.flatMap((_, index) => [from + index - 1, from + index, from + index + 1]);
		if (oldText.trim() === "" || text.split(oldText).length !== 2 || places.some((place) => used.has(place))) continue;
		const at = chance.below(old.length);
		const fresh = block(chance, file);
		const kinds = [old.toSpliced(at, 1, ...fresh), old.toSpliced(at, 0, ...fresh), [...old, ...fresh]];
		kinds.push(old.length > 1 ? old.toSpliced(at, 1) : old.with(at, `${old[at]} ${nameOf(chance)}`));
		const newText = chance.pick(kinds).join("\n");
		if (newText === oldText || newText === "") continue;
		for (const place of places) used.add(place);
		edits.push({ oldText, newText });
	}
	return edits;
}

/** Replaces texts as pi's `edit` does, each found once in the original. */
export function applyEdits(text: string, edits: readonly TestEdit[]): string {
	const spans = edits.map(({ oldText, newText }) => ({ start: text.indexOf(oldText), oldText, newText }));
	return spans
		.toSorted((one, other) => other.start - one.start)
		.reduce(
			(done, { start, oldText, newText }) => done.slice(0, start) + newText + done.slice(start + oldText.length),
			text,
		);
}

/** What pi's `edit` says of a change: a diff with line numbers, and a patch. */
export function detailsOf(file: string, before: string, after: string): object {
	const width = String(Math.max(before.split("\n").length, after.split("\n").length)).length;
	const { hunks } = structuredPatch("a", "a", before, after, "", "", { context: 4 });
	const shown = hunks.map(({ oldStart, newStart, lines }) => {
		let [old, now] = [oldStart, newStart];
		return lines
			.filter((line) => !line.startsWith("\\"))
			.map((line) => {
				const number = line.startsWith("+") ? now : old;
				if (!line.startsWith("+")) old++;
				if (!line.startsWith("-")) now++;
				return `${line[0]}${String(number).padStart(width)} ${line.slice(1)}`;
			})
			.join("\n");
	});
	const whole = createTwoFilesPatch(file, file, before, after, undefined, undefined, { context: 4 });
	return {
		diff: shown.join(`\n ${"".padStart(width)} ...\n`),
		patch: whole.slice(whole.indexOf("--- ")),
		firstChangedLine: hunks[0]?.newStart,
	};
}
