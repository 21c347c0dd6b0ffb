import type { Line, Span } from "../../ui/text/line.ts";
import { cleanLiteral } from "../../ui/text/sanitize.ts";
import type { MarkdownInline } from "./read-markdown.ts";

export type Style = Omit<Span, "text">;

/** The lines of prose: one, plus one for each line break. */
export function inlineLines(parts: readonly MarkdownInline[], style: Style): Line[] {
	const lines: Span[][] = [[]];
	for (const span of spansOf(parts, style)) {
		if (span === "break") lines.push([]);
		else if (span.text !== "") lines.at(-1)?.push(span);
	}
	return lines;
}

const TONES = { text: {}, code: { tone: "code" }, raw: { tone: "muted" } } as const;

function* spansOf(parts: readonly MarkdownInline[], style: Style): Generator<Span | "break", void> {
	for (const part of parts) {
		if (part.kind === "break") yield "break";
		else if (part.kind === "link" || part.kind === "image") yield* linkSpans(part, { ...style, ...part.marks });
		else yield prose(part.text, { ...style, ...part.marks, ...TONES[part.kind] });
	}
}

/** A link or an image: its text, and its address unless the text says it. */
function* linkSpans(
	{ kind, address, title, text, inside }: Extract<MarkdownInline, { readonly kind: "link" | "image" }>,
	style: Style,
): Generator<Span | "break", void> {
	if (kind === "image") yield prose("image ", { ...style, tone: "muted" });
	const link = safeLink(address);
	const linked: Style = { ...style, tone: "link", ...(link === undefined ? {} : { link }) };
	const spans = spansOf(inside, linked).toArray();
	yield* spans.length > 0 ? spans : [prose(text, linked)];
	const label = spans.map((span) => (span === "break" ? " " : span.text)).join("");
	const name = title === "" ? "" : ` "${title}"`;
	const isInLabel = label === address || `mailto:${label}` === address || `http://${label}` === address;
	if (isInLabel && name === "") return;
	yield prose(` (${isInLabel ? name.trim() : `${address}${name}`})`, { ...style, tone: "muted" });
}

/** Text with its line ends as spaces. */
function prose(text: string, style: Style): Span {
	return { ...style, text: cleanLiteral(text.replace(/ *\n */g, " ")) };
}

/** Longer addresses are not made links: a terminal may cut them anywhere. */
const MAX_ADDRESS = 2000;
const SAFE = /^(?:https?|file):\/\/[!-~]+$/i;

/** The address if it is safe as the target of a link in a terminal (http, https or file, only printable ASCII). */
export function safeLink(address: string): string | undefined {
	return address.length <= MAX_ADDRESS && SAFE.test(address) ? address : undefined;
}
