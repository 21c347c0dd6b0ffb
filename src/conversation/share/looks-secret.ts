/** Values that stand where a secret would: of examples, types, variables, and what is masked already. */
const PLACEHOLDER =
	/^(?:[$%<{[(*#@]|\\|x{3,}|\.{3}|…|‹|-+$|[=!]|your|my[-_]|change|example|placeholder|dummy|fake|mock|sample|todo|insert|enter|replace|redact|mask|hidden|process\.|os\.|env[.[]|import\.|secrets\.|self\.|this\.|args\.|config\.|options\.|settings\.|params\.|req\.|ctx\.|await\b|new\b|typeof\b)|^(?:true|false|null|none|nil|undefined|string|number|boolean|any|unknown|required|optional|password|passwd|secret|token|bearer|basic|test|user|admin|default|value|type|text|hash|key|n\/a)[;,)?]*$|\$\{|\{\{|\*{3}|\.\.\.|x{5,}|\(\)/i;

/** Whether a value only stands for one. */
export function isPlaceholder(value: string): boolean {
	return PLACEHOLDER.test(value) || /^(.)\1*$/.test(value);
}

/** Whether a value has letters and digits mixed, or small and capital letters, as no word and no number has. */
export function looksRandom(value: string): boolean {
	if (/^(?:0x)?\d+(?:\.\d+)*$/.test(value)) return false;
	const hasDigits = /\d/.test(value) && /[A-Za-z]/.test(value);
	if (hasDigits) return !/^[A-Za-z]+\d{0,2}$/.test(value) || value.length >= 16;
	// Without a digit a name in camel case is as likely.
	return isScrambled(value) || (/[a-z]/.test(value) && /[A-Z]/.test(value) && /[^A-Za-z_$.-]/.test(value));
}

/** Whether a value is of letters alone whose case changes as in no name: at least every fifth, and most parts have no vowel. */
export function isScrambled(value: string): boolean {
	if (value.length < 12 || !/^[A-Za-z]+$/.test(value)) return false;
	const parts = value.match(/[A-Z]?[a-z]+/g) ?? [];
	const mute = parts.filter((part) => part.length > 1 && !/[aeiouy]/i.test(part)).length;
	return parts.length >= value.length / 5 && mute >= 4 && mute >= parts.length / 2;
}

/** UTF-16 units of the shortest value that is masked wherever it stands. */
const SHORTEST = 8;

/**
 * Whether a value is so much its own that it may be masked wherever it stands, not only where a name calls it secret. Words,
 * names of variables, numbers, versions, paths and "password1" are not.
 */
export function looksDistinctive(value: string): boolean {
	if (value.length < SHORTEST || isPlaceholder(value)) return false;
	if (/^[\d\s.,:/_-]+$/.test(value)) return false;
	if (/^(?:~|\.{0,2})\/[\w.-]+\/|:\/\/|^[A-Za-z]:\\/.test(value)) return false;
	// A word, a name in camel case, "req.headers.token"; long ones that change their case all the time are none.
	if (/^[A-Za-z$.]+$/.test(value))
		return (
			isScrambled(value) || (value.length >= 20 && (value.match(/[a-z](?=[A-Z])/g)?.length ?? 0) >= value.length / 5)
		);
	if (/^[A-Za-z]+\d{1,4}$/.test(value) && value.length < 12) return false;
	// "read-only", "user_name"; several words together may be a passphrase.
	const words = value.split(/[-_.\s]+/);
	if (words.every((word) => /^[A-Za-z]*$/.test(word))) return words.length >= 3 && value.length >= 16;
	return true;
}

/** Small letters, capitals, digits, and all else but what joins words. */
const CHARACTER_KINDS = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d\s._-]/] as const;

/**
 * Whether a distinctive value is found within a longer word, too: it does not occur there by chance, as in "-pVALUE", "VALUE_" or
 * "/VALUE2". Ten characters of two kinds are enough, eight of three, sixteen of any.
 */
export function isUnmistakable(value: string): boolean {
	if (!looksDistinctive(value)) return false;
	const kinds = CHARACTER_KINDS.filter((kind) => kind.test(value)).length;
	return value.length >= 16 || kinds >= 3 || (value.length >= 10 && kinds >= 2);
}

/** Whether a value has letters and several digits or other characters mixed, as no word of a sentence and no name has. */
export function variesAsSecrets(value: string): boolean {
	if (!looksRandom(value) || /^[a-z_-]*(?:pass(?:word)?|pwd|secret|token|user|name)[a-z_-]*\d{0,4}$/i.test(value))
		return false;
	if (isScrambled(value)) return true;
	const otherCharacters = value.replace(/[A-Za-z]/g, "");
	return (
		/\d/.test(otherCharacters) &&
		(otherCharacters.length >= 2 || value.length >= 10) &&
		!/^[A-Za-z-]+-?\d{1,2}$/.test(value)
	);
}

/** A path, an address, a choice of `fetch`: said of a secret, and none. */
export function isOrdinary(value: string): boolean {
	return (
		/^0x[0-9a-f]{1,8}$/i.test(value) ||
		/^(?:include|omit|same-origin)$/.test(value) ||
		/^(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*\/?$/.test(value) ||
		/^[A-Za-z]:[\\/]/.test(value) ||
		/^[a-z]+:\/\//i.test(value)
	);
}
