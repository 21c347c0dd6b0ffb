/** The characters that HTML names, as far as they are common; what is not here stays as it is written. */
const NAMED: Readonly<Record<string, string>> = {
	amp: "&",
	apos: "'",
	bull: "•",
	cent: "¢",
	check: "✓",
	copy: "©",
	cross: "✗",
	darr: "↓",
	deg: "°",
	divide: "÷",
	emsp: " ",
	ensp: " ",
	equiv: "≡",
	euro: "€",
	frac12: "½",
	frac14: "¼",
	ge: "≥",
	geq: "≥",
	gt: ">",
	harr: "↔",
	hellip: "…",
	infin: "∞",
	laquo: "«",
	larr: "←",
	lbrace: "{",
	lbrack: "[",
	ldquo: "“",
	le: "≤",
	leq: "≤",
	lsquo: "‘",
	lt: "<",
	mdash: "—",
	micro: "µ",
	middot: "·",
	minus: "−",
	nbsp: " ",
	ndash: "–",
	ne: "≠",
	not: "¬",
	para: "¶",
	permil: "‰",
	plusmn: "±",
	pound: "£",
	quot: '"',
	raquo: "»",
	rarr: "→",
	rArr: "⇒",
	rbrace: "}",
	rbrack: "]",
	rdquo: "”",
	reg: "®",
	rsquo: "’",
	sect: "§",
	sum: "∑",
	sup2: "²",
	sup3: "³",
	thinsp: " ",
	times: "×",
	trade: "™",
	uarr: "↑",
	uml: "¨",
	vert: "|",
	yen: "¥",
};

const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]{1,31}));/g;

/** A text with the characters that it names. They may be any: the result is not clean. */
export function decodeEntities(text: string): string {
	if (!text.includes("&")) return text;
	return text.replace(ENTITY, (entity: string, decimal?: string, hexadecimal?: string, name?: string) => {
		if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? entity) : entity;
		const codePoint = Number.parseInt(decimal ?? hexadecimal ?? "", decimal === undefined ? 16 : 10);
		return codePoint === 0 || codePoint > 0x10ffff ? "\ufffd" : String.fromCodePoint(codePoint);
	});
}
