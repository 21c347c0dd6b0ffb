import { formatCount, shortened } from "../../ui/text/format.ts";
import { lineText } from "../../ui/text/line.ts";
import { startOf } from "../../ui/text/sanitize.ts";
import { changeSpans } from "../entries/change-spans.ts";
import { escapedLine, inlineCode, quotation } from "../markdown/markdown-parts.ts";
import { plainLine, withoutControls } from "../markdown/plain-text.ts";
import type { Digest, DigestItem } from "./digest.ts";

/** The session that a digest is of. */
export interface DigestHead {
	readonly title: string;
	/** Its directory, as it is printed; "" for none. */
	readonly directory: string;
	/** A word that names it to `pi-grove show`. */
	readonly name: string;
}

/** Cells of what was asked, done and left to do. */
const WORDS = 200;

/** How many items a list has, and UTF-16 units of the last answer, with less and less room. */
const SIZES = [
	[Infinity, Infinity],
	[60, 4000],
	[25, 2000],
	[9, 1000],
	[3, 400],
] as const;

/** A digest as Markdown, in at most `maxChars` UTF-16 units: the middle of long lists is left out first. */
export function digestMarkdown(digest: Digest, head: DigestHead, maxChars = Infinity): string {
	const forms = SIZES.values().map(([most, length]) => withoutControls(inMarkdown(digest, head, most, length)));
	let shortest = "";
	for (const form of forms) {
		shortest = form;
		if (form.length <= maxChars) break;
	}
	return startOf(shortest, maxChars);
}

function inMarkdown(digest: Digest, head: DigestHead, most: number, answerLength: number): string {
	const { asked, changed, failed, answer, open } = digest;
	const listed = <Item extends { readonly entryId: string }>(
		items: readonly Item[],
		lineOf: (item: Item) => string,
		what: string,
	): readonly string[] =>
		shortened(items, most, ({ entryId }, count) => ({ entryId, more: `… ${formatCount(count)} more ${what}` })).map(
			(item) => `- ${"more" in item ? item.more : lineOf(item)}${idOf(item)}`,
		);
	const place = [plainLine(head.directory), inlineCode(head.name)].filter((part) => part !== "").join(" · ");
	return [
		`# Digest: ${escapedLine(head.title, WORDS)}\n\n${place}\n\n`,
		section(
			"Asked",
			listed(asked, ({ turn, text }) => `turn ${turn}: ${escapedLine(text, WORDS)}`, "prompts"),
		),
		section(
			"Changed",
			listed(
				changed,
				({ path, isActive, ...lines }) =>
					`${inlineCode(path)}${lineText(changeSpans(lines))}${isActive ? "" : ", only on a branch that was left"}`,
				"files",
			),
		),
		section("Failed last", failed === undefined ? [] : [failureLine(failed)]),
		`## Last answer\n\n`,
		answer === undefined ? "None.\n\n" : [...quotation(startOf(answer.beginning, answerLength))].join(""),
		answer === undefined ? "" : `${continuation(answer, answerLength)}\n\n`,
		section(
			"Open",
			listed(open, ({ text }) => escapedLine(text, WORDS), "things"),
		),
	].join("");
}

function section(title: string, lines: readonly string[]): string {
	return `## ${title}\n\n${lines.length === 0 ? "Nothing." : lines.join("\n")}\n\n`;
}

function failureLine(failed: NonNullable<Digest["failed"]>): string {
	const { text, outcome, said, mended, isActive } = failed;
	const why = said === "" ? "" : `, ${escapedLine(said, WORDS)}`;
	const where = isActive ? "" : ", on a branch that was left";
	const later = mended === undefined ? "not tried again" : `succeeded in turn ${mended.turn}${idOf(mended)}`;
	return `- ${inlineCode(text)}: ${escapedLine(outcome, WORDS)}${why}${where}${idOf(failed)}; ${later}`;
}

/** Where the last answer is, and whether there is more of it. */
function continuation(answer: NonNullable<Digest["answer"]>, length: number): string {
	const { beginning, isWhole } = answer;
	return `${isWhole && beginning.length <= length ? "The whole answer:" : "Its beginning; the whole answer:"}${idOf(answer)}`;
}

/** " `#858b8554`": the entry's address within the session. */
function idOf({ entryId }: Pick<DigestItem, "entryId">): string {
	return entryId === "" ? "" : ` ${inlineCode(`#${entryId}`)}`;
}
