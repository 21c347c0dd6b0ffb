/**
 * What a piece of searchable text is. The numbers are stored in the index: raise INDEX_VERSION when they change.
 * Tier 0 is what ranks highest, and so short that all of it is searched at every key. Tier 1 is what was said, with
 * summaries, commands and paths. Tier 2 is long: thinking, arguments and output of tools.
 */
export const KINDS = {
	name: { code: 1, tier: 0, rank: 0, role: undefined },
	label: { code: 2, tier: 0, rank: 0, role: undefined },
	/** The first user message, which the list shows as the session's title. */
	title: { code: 3, tier: 0, rank: 0, role: "user" },
	user: { code: 4, tier: 1, rank: 1, role: "user" },
	assistant: { code: 5, tier: 1, rank: 1, role: "assistant" },
	summary: { code: 6, tier: 1, rank: 1, role: undefined },
	/** A message that an extension put into the context. */
	custom: { code: 7, tier: 1, rank: 1, role: "custom" },
	/** What a shell was told, by a tool call or by the person. */
	command: { code: 8, tier: 1, rank: 1, role: "assistant" },
	/** A file that a tool was pointed to. */
	path: { code: 9, tier: 1, rank: 1, role: "assistant" },
	/** The name of a tool that was called. */
	tool: { code: 10, tier: 1, rank: 2, role: "assistant" },
	model: { code: 11, tier: 1, rank: 2, role: undefined },
	cwd: { code: 12, tier: 1, rank: 1, role: undefined },
	thinking: { code: 13, tier: 2, rank: 2, role: "assistant" },
	/** Other arguments of a tool call. */
	arguments: { code: 14, tier: 2, rank: 2, role: "assistant" },
	/** What a tool or a shell printed. */
	output: { code: 15, tier: 2, rank: 2, role: "tool" },
} as const satisfies Record<string, KindFacts>;

interface KindFacts {
	/** Stored; less than 32, so that a set of kinds is a bit mask. */
	readonly code: number;
	readonly tier: Tier;
	/** 0 is best: name, label, title; then conversation; then the work of tools. */
	readonly rank: 0 | 1 | 2;
	readonly role: "user" | "assistant" | "tool" | "custom" | undefined;
}

export type Kind = keyof typeof KINDS;
export type Tier = 0 | 1 | 2;

/** In the order in which they are searched. */
export const TIERS = [0, 1, 2] as const;

// Object.keys knows no key types; the table above is closed.
const names = Object.keys(KINDS) as Kind[];

const byCode = new Map<number, Kind>(names.map((name) => [KINDS[name].code, name]));

/** The kind with a stored code. Throws for a code that no version had: the index is damaged. */
export function kindOf(code: number): Kind {
	const kind = byCode.get(code);
	if (!kind) throw new Error(`the index holds text of an unknown kind (${code})`);
	return kind;
}

/** A set of kinds as a bit mask. */
export function maskOf(kinds: Iterable<Kind>): number {
	let mask = 0;
	for (const kind of kinds) mask |= 1 << KINDS[kind].code;
	return mask;
}

/** All kinds for which the condition holds, as a bit mask. */
export function maskWhere(holds: (kind: Kind, facts: KindFacts) => boolean): number {
	return maskOf(names.filter((kind) => holds(kind, KINDS[kind])));
}
