/** What may be found in a session that is not for everybody, with its word for one, and for several. */
export const FINDING_KINDS = {
	key: { one: "key", many: "keys", about: "keys of services and private keys, by their known forms" },
	token: { one: "token", many: "tokens", about: "tokens, cookies, and Authorization headers" },
	password: { one: "password", many: "passwords", about: "passwords and secrets in addresses, settings and commands" },
	mail: { one: "mail address", many: "mail addresses", about: "mail addresses" },
	home: { one: "home directory", many: "home directories", about: "home directories, which become ~" },
	user: { one: "user name", many: "user names", about: "the name of a home directory's user, before @ and in paths" },
} as const;

export type FindingKind = keyof typeof FINDING_KINDS;

export const FINDING_NAMES = Object.keys(FINDING_KINDS) as readonly FindingKind[];

/** A part of a text that may not be for everybody, from one UTF-16 unit to another. */
export interface Found {
	readonly kind: FindingKind;
	readonly from: number;
	readonly to: number;
	/** What was found, where that is not the text itself: without escapes and colors in it. */
	readonly value?: string;
}

/** The kind that a word names; undefined for any other word. */
export function findingKind(word: string): FindingKind | undefined {
	return FINDING_NAMES.find((name) => name === word);
}
