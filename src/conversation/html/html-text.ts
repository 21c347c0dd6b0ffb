import { withoutControls } from "../markdown/plain-text.ts";

declare const html: unique symbol;

/**
 * A piece of a page. Only this file makes it: from pieces that stand in the source of this program, and from texts whose
 * characters mean nothing in HTML any more. So no text of a session is ever a tag, an attribute or a script.
 */
export type Html = string & { readonly [html]: true };

const SPECIAL = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};

/** A text as a page shows it, also in a quoted attribute. */
export function escaped(text: string): Html {
	const visible = withoutControls(text).toWellFormed();
	return brand(visible.replace(SPECIAL, (character) => ENTITIES[character] ?? ""));
}

const MASK = /‹(?:key|token|password|mail address) \d+›/g;

/** The same between tags: what is masked in it is seen to be. */
export function shown(text: string): Html {
	const safe = escaped(text);
	return safe.includes("›") ? brand(safe.replace(MASK, (mask) => `<mark>${mask}</mark>`)) : safe;
}

/** A piece of a page with others in it. */
export function markup(strings: TemplateStringsArray, ...values: ReadonlyArray<Html | number>): Html {
	return brand(String.raw({ raw: strings }, ...values));
}

export function joined(pieces: Iterable<Html>, between: Html = NO_HTML): Html {
	return brand([...pieces].join(between));
}

/** A part of this program's own source as it is: its style and its script. */
export function ownSource(strings: TemplateStringsArray): Html {
	return brand(strings.raw.join(""));
}

export const NO_HTML: Html = brand("");

function brand(text: string): Html {
	return text as Html;
}
