/** Values that stand where a secret would: of examples, types, variables, and what is masked already. */
const PLACEHOLDER =
	/^(?:[$%<{[(*#@]|\\|x{3,}|\.{3}|…|‹|-+$|=|your|my[-_]|change|example|placeholder|dummy|fake|mock|sample|todo|insert|enter|replace|redact|mask|hidden|process\.|os\.|env[.[]|import\.|secrets\.|self\.|this\.|args\.|config\.|options\.|settings\.|params\.|req\.|ctx\.|await\b|new\b|typeof\b)|^(?:true|false|null|none|nil|undefined|string|number|boolean|any|unknown|required|optional|password|passwd|secret|token|bearer|basic|test|user|admin|default|value|type|text|hash|key|n\/a)[;,)?]*$|\$\{|\{\{|\*{3}|\.\.\.|x{5,}|\(\)/i;

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
	return /[a-z]/.test(value) && /[A-Z]/.test(value) && /[^A-Za-z_$.-]/.test(value);
}
